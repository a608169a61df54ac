"""Everything slow, done once before a fork, on one thread: first what any page of the stage needs, then what most use.

The first submission need not wait for what it may never use; from the second on it would be paid again and again.
"""

import contextlib
import gc
import importlib.util
import os
import pkgutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import NoReturn

HERE = Path(__file__).parents[1] / "stage.txt"  # which stage a stripped package is of


@dataclass(frozen=True)
class Track:
    """What pages use: `needed` and `drawn` before the first fork, `usual` before the second; `warm` is run then.

    Whatever is named here must start no thread: a process with several cannot be forked safely.
    """

    needed: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()  # lines that draw data; what is called there keeps it
    usual: tuple[str, ...] = ()
    warm: tuple[str, ...] = ()
    library: tuple[str, ...] = ()  # packages whose every module is usual


EVERY_PAGE = Track(
    needed=("numpy.random", "matplotlib.pyplot", "course_lib"),
    usual=("ipywidgets",),
    warm=(
        "import matplotlib.pyplot as plt",
        "fig, (left, right) = plt.subplots(1, 2)",
        "fig.colorbar(left.imshow([[0, 1], [2, 3]]))",
        'right.plot([0, 1], label="line"); right.legend(); right.set_title(r"$x$ warm"); right.set_xlabel("query")',
        "plt.show()",
        "plt.close('all')",
        "1 / 0",
        "print(1)",
        "import numpy",
    ),
    library=("course_lib.notebook",),
)
TRACKS = {
    "torch": Track(
        needed=("torch", "torch.testing", "torch.utils.data"),
        usual=("torch._subclasses.schema_check_mode", "safetensors.torch", "course_lib.interop"),
        warm=("import torch", "torch.einsum('ij,jk->ik', torch.ones(2, 3), torch.ones(3, 2)) / 3", "torch.arange(3)"),
        library=tuple(f"course_lib.{part}" for part in ("model", "text", "training", "tasks")),
    ),
    # JAX starts sixteen threads with its first array: it is imported before the fork, and makes none
    "jax": Track(
        needed=("torch", "jax", "flax.nnx", "flax.linen", "optax", "course_lib.jax"),
        usual=("jax.experimental.multihost_utils", *(f"jaxlib.mlir.dialects.{name}" for name in ("builtin", "mhlo"))),
        library=("course_lib.jax",),
    ),
}
PAGES = {  # what is slow on a single page, in the package of its stage
    "06_training": Track(needed=("torch._dynamo",)),  # an optimizer imports it
    "10_translation": Track(
        needed=("sacrebleu",),
        drawn=("from course_lib.tasks.translation import CAPTION_COUNT, captions; captions(CAPTION_COUNT)",),
    ),
    "11_sentences": Track(
        needed=("sklearn.feature_extraction.text", "sklearn.naive_bayes"),
        drawn=(
            "from course_lib.tasks.reviews import review_language; review_language(20_000)",
            "from course_lib.tasks.reviews import review_language; review_language(2_500, held_out=True)",
        ),
    ),
    "12_origins": Track(needed=("networkx",)),
}


class Preload:
    """The preloading of one server: of its package's stage, or, if that names none, of the first stage's track."""

    def __init__(self) -> None:
        from autograder.stages import STAGES, stage_named

        self.stages = (
            (stage_named(HERE.read_text("utf-8").strip()),)
            if HERE.exists()
            else tuple(stage for stage in STAGES if stage.track == STAGES[0].track)
        )
        self.tracks = [EVERY_PAGE, *(TRACKS[name] for name in sorted({stage.track for stage in self.stages}))]
        self.page = PAGES.get(self.stages[0].name, Track()) if len(self.stages) == 1 else Track()
        self.complete = False

    def needed(self) -> list[str]:
        """What any submission needs; → the exercises that can be probed here."""
        gc.disable()  # a sixth of the time: hardly anything that is imported is garbage
        with matplotlib_in_short():
            for name in (name for track in self.tracks for name in track.needed):
                importlib.import_module(name)
            import_those_there(self.page.needed)
        for line in (line for track in (*self.tracks, self.page) for line in track.drawn):
            exec(line, {})
        from autograder.probes import run as probes
        from autograder.probes.torch.operators import note_operators
        from autograder.probes.torch.state import note_state
        from autograder.worker import submission  # noqa: F401 (else every fork would import it)
        from autograder.worker.shell import make_shell

        make_shell()
        note_operators()
        note_state()  # its first call imports what it asks
        known = [name for stage in self.stages for name in stage.exercises if has_probe(probes, name)]
        gc.freeze()
        gc.enable()
        return known

    def usual(self) -> None:
        """What most submissions use: imported, drawn and failed once. Done once, whatever is asked."""
        if self.complete:
            return
        self.complete = True
        from autograder.worker.shell import Shell

        gc.disable()
        for track in (*self.tracks, self.page):
            import_those_there([*track.usual, *(part for package in track.library for part in modules_of(package))])
        shell = Shell.instance()
        for track in (*self.tracks, self.page):
            for line in track.warm:
                shell.run_cell(line, store_history=True)
        shell.reset(new_session=True, aggressive=False)
        forget_errors()
        gc.collect()
        gc.freeze()
        gc.enable()


def import_those_there(names: Iterable[str]) -> None:
    """Import what is installed; for anything else, the page that uses it will say so."""
    for name in names:
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(name)


@contextlib.contextmanager
def matplotlib_in_short() -> Iterator[None]:
    """matplotlib, imported in here, leaves out what takes half of its import and no page needs.

    Its docstrings don't list what each thing that it draws can be set to. And of the fonts, which it looks through
    in every sandbox, it doesn't read PostScript's own: only `pdf.use14corefonts` and `ps.useafm` would use them.
    """
    import matplotlib._afm
    import matplotlib.artist

    def unread(file: object) -> NoReturn:
        raise OSError("not needed here")  # noted, and passed over

    written, read = matplotlib.artist.kwdoc, matplotlib._afm.AFM
    matplotlib.artist.kwdoc, matplotlib._afm.AFM = lambda artist: "", unread
    try:
        yield
    finally:
        matplotlib.artist.kwdoc, matplotlib._afm.AFM = written, read


def modules_of(package: str) -> list[str]:
    """A package, where the stripped one has it, and all modules in it."""
    if importlib.util.find_spec(package) is None:
        return []
    path = importlib.import_module(package).__path__
    return [package, *(module.name for module in pkgutil.walk_packages(path, f"{package}."))]


def has_probe(probes: ModuleType, exercise: str) -> bool:
    """Is there code that runs this exercise?"""
    try:
        return callable(probes.probe_of(exercise))
    except (KeyError, ImportError, AttributeError):
        return False


def forget_errors() -> None:
    """Leave no trace of the failure that warmed up the tracebacks."""
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):
        if hasattr(sys, name):
            delattr(sys, name)


def single_thread() -> bool:
    """Is this process still on one thread, so that forking it is safe?"""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return True
