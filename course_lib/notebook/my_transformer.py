"""`my_transformer/`: a student's own answers, kept beside the notebooks once they are right, for the stages to come.

One file a topic, each part below a line `# %% softmax: right, 3f2a9c41`. The number is that of the text which was
right: what was changed afterwards is not used until it is right again. `COURSE_MY_TRANSFORMER` names another folder, or
is `off`.
"""

import hashlib
import importlib
import os
import re
import sys
from pathlib import Path
from types import ModuleType

import course_lib

PACKAGE = "my_transformer"
HEADING = re.compile(r"^# %% (\w+): right, ([0-9a-f]{8})$", re.MULTILINE)


def folder() -> Path | None:
    """Where the parts are kept; None when nothing is to be kept, and where submissions are graded."""
    named = os.environ.get("COURSE_MY_TRANSFORMER")
    if named == "off" or os.environ.get("COURSE_PICTURES") == "off":
        return None
    return Path(named).expanduser() if named else Path.cwd() / PACKAGE


def number_of(source: str) -> str:
    """What changes when the text does."""
    return hashlib.sha256(source.encode()).hexdigest()[:8]


def sections(text: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """A file's beginning, and of each part its source and the number in its heading."""
    beginning, *rest = HEADING.split(text)
    found = zip(rest[0::3], rest[1::3], rest[2::3], strict=True)
    return beginning, {name: (source.strip(), number) for name, number, source in found}


def read(path: Path) -> tuple[str, dict[str, tuple[str, str]]]:
    """`sections` of a file; of one that cannot be read, nothing."""
    try:
        return sections(path.read_text("utf-8"))
    except (OSError, ValueError):
        return "", {}


def forget() -> None:
    """Import the folder anew when it is next asked for: its files may have changed."""
    for loaded in [other for other in sys.modules if other.split(".")[0] == PACKAGE]:
        del sys.modules[loaded]
    importlib.invalidate_caches()
    sys.modules[PACKAGE] = package = ModuleType(PACKAGE)
    package.__path__ = [str(folder())]


def load(module: str, name: str):
    """An object of a file of the folder.

    Raises:
        Exception: whatever the file raises; it is a student's.
    """
    return getattr(importlib.import_module(f"{PACKAGE}.{module}"), name)


def use_mine(mine: bool = True, page: dict | None = None) -> None:
    """Put your own parts, where `my_transformer/` has them and they are right, in place of the course's on this page.

    Says in one line which are whose. What the page itself defines stays as it is.

    Args:
        mine: False takes the course's for all.
        page: the names of the page; None takes those of the notebook.
    """
    place, page = folder(), vars(sys.modules["__main__"]) if page is None else page
    if place is None:
        return
    forget()
    whose = {"Yours": [], "The course's": []}
    kept = {name: path for path in sorted(place.glob("*.py")) for name in read(path)[1]}
    for name in course_lib.__all__:
        if name not in page or not _is_part(course := getattr(course_lib, name)):
            continue
        if page[name] is not course and not getattr(page[name], "__module__", "").startswith(f"{PACKAGE}."):
            continue  # written on this page
        own = _own(name, kept[name]) if mine and name in kept else None
        page[name] = course if own is None else own
        whose["The course's" if own is None else "Yours"].append(name)
    print("; ".join(f"{who}: {', '.join(names)}" for who, names in whose.items() if names) + ".")


def _own(name: str, path: Path):
    """A part that is kept; None, and a line that says why, where it is not to be used."""
    source, number = read(path)[1][name]
    if number_of(source) != number:
        print(f"{name} in {PACKAGE}/{path.name} was changed since it was right: check it again to use it.")
        return None
    try:
        return load(path.stem, name)
    except (Exception, SystemExit) as error:
        print(f"{PACKAGE}/{path.name} does not run ({type(error).__name__}: {error}).")
        return None


def _is_part(public) -> bool:
    """Whether it is something that is written in the stages, and no helper."""
    return not public.__module__.startswith(("course_lib.notebook", "course_lib.training.devices"))
