"""What a server imports before its first fork, and before its second: always on one thread."""

import os
import subprocess
import sys

import pytest

from autograder.course.init import SOLUTIONS
from autograder.sandbox.sandbox import ENVIRONMENT
from autograder.stripping.package import package_files
from autograder.worker.preload import PAGES, TRACKS

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from autograder.worker.preload import Preload, single_thread
preload = Preload()
known = preload.needed()
first = set(sys.modules)
from autograder.worker.submission import note_state
note_state()
print("a fork imports:", *sorted(set(sys.modules) - first))
alone = single_thread()
preload.usual()
print(*known)
print("first:", *(name in first for name in ("torch._dynamo", "sklearn", "sacrebleu")))
print(alone, single_thread(), "course_lib.notebook.pictures" in first, "course_lib.notebook.pictures" in sys.modules)
print("last_value" in vars(sys))
print("networkx:", "networkx" in sys.modules)
from matplotlib import artist, lines
print("lists:", *("drawstyle" in text for text in (lines.Line2D.set.__doc__, artist.kwdoc(lines.Line2D))))
from matplotlib import _afm, font_manager
fonts = font_manager.fontManager
print("fonts:", "DejaVu Sans" in fonts.get_font_names(), fonts.afmlist, _afm.AFM.__name__)
if "CosineWarmupScheduler" in known:
    there = set(sys.modules)
    torch = sys.modules["torch"]
    torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.1)
    print("imported:", *sorted(set(sys.modules) - there))
if "TranslationModel" in known:
    from course_lib.tasks import caption_language, translation

    class NoBatches:  # they need an exercise's answer
        def __init__(self, *_): ...

        def epoch(self, *_):
            return ()

    caption_language.Draw = None  # from now on nothing can be drawn
    translation.TranslationBatches = NoBatches
    print(len(translation.caption_task().texts[0]))
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory) -> list[str]:
    """What a process that preloads for stage 06 prints, line by line."""
    return preloaded("06_training", tmp_path_factory.mktemp("stripped"))


def preloaded(stage, place):
    """The lines that a process prints which preloads for a stage, in this folder."""
    for name, content in package_files(stage).items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    environment = ENVIRONMENT | {"MPLCONFIGDIR": str(place), "IPYTHONDIR": str(place), "HOME": str(place)}
    command = [sys.executable, "-c", SCRIPT, str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=place)
    return done.stdout.strip().splitlines()


def test_the_exercises_of_the_stage_of_the_edition_can_be_probed_and_no_others(said):
    known = "CosineWarmupScheduler TransformerPredictor train_step"
    assert known in said


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="only Linux counts threads here")
def test_it_stays_on_one_thread_and_imports_the_pages_helpers_before_the_second_fork(said):
    assert "True True False True" in said


def test_the_error_that_warmed_up_the_tracebacks_is_forgotten(said):
    assert "False" in said


def test_what_can_be_set_is_written_into_no_docstring_while_matplotlib_is_imported_and_into_others_later(said):
    assert "lists: False True" in said


def test_of_the_fonts_those_of_postscript_are_not_read_while_matplotlib_is_imported(said):
    assert "fonts: True [] AFM" in said


def test_no_stage_but_the_one_that_draws_graphs_imports_networkx(said):
    assert "networkx: False" in said
    assert "networkx" in PAGES["12_origins"].needed


def test_what_every_fork_needs_is_imported_before_it(said):
    assert "a fork imports:" in said


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="only Linux counts threads here")
def test_the_captions_are_drawn_before_the_first_fork(tmp_path):
    said = preloaded("10_translation", tmp_path)
    assert "True True False True" in said
    assert "first: False False True" in said
    assert said[-1] == "60000"


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="only Linux counts threads here")
def test_an_optimizer_imports_nothing_after_the_first_fork(said):
    assert "first: True False False" in said
    assert said[-1] == "imported:"


def test_the_reviews_that_are_drawn_before_the_first_fork_are_those_that_the_page_asks_for():
    page = (SOLUTIONS / "11_sentences.py").read_text("utf-8")
    calls = [line.partition("; ")[2] for line in PAGES["11_sentences"].drawn]
    assert calls
    assert all(f"= {call}\n" in page for call in calls)


def test_every_page_with_a_row_is_a_stage():
    from autograder.stages import STAGE_NAMES

    assert PAGES.keys() <= {*STAGE_NAMES}


def test_every_track_of_the_table_of_stages_has_its_row():
    from autograder.stages import STAGES

    assert {stage.track for stage in STAGES} <= TRACKS.keys()
