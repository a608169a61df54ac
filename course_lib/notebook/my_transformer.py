"""`my_transformer/`: a student's right answers, kept next to the notebooks for later stages.

One file a topic, those of the JAX stages in `my_transformer/jax/`; each part below a line
`# %% softmax: right, 3f2a9c41`. The number is that of the text which was right: what was changed afterwards, or calls
what was, is not used until it is right again. `COURSE_MY_TRANSFORMER` names another folder, or is `off`.
"""

import importlib
import os
import re
import sys
from pathlib import Path
from types import ModuleType

from course_lib.notebook.own_parts import GIVEN, PACKAGE, OwnParts, Part, is_part, number_of, package_of

__all__ = ["folder", "forget", "load", "number_of", "read", "sections", "shown", "use_mine"]
HEADING = re.compile(r"^# %% (\w+): right, ([0-9a-f]{8})$", re.MULTILINE)
MOST_BYTES = 1 << 20
YOURS, COURSES = "yours", "the course's"


def folder(library: str = "course_lib") -> Path | None:
    """Where the parts are kept; None if nothing should be kept, and where submissions are graded.

    Args:
        library: the package whose parts they stand for; a framework in it has a folder of its own.
    """
    named = os.environ.get("COURSE_MY_TRANSFORMER")
    if named == "off" or os.environ.get("COURSE_PICTURES") == "off":
        return None
    place = Path(named).expanduser() if named else Path.cwd() / PACKAGE
    return place.joinpath(*library.split(".")[1:])


def shown(path: Path) -> str:
    """A file's path for a message, starting with the folder's name."""
    return path.relative_to(folder().parent).as_posix()


def sections(text: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """The lines before a file's first part, and each part's source with the number in its heading."""
    beginning, *rest = HEADING.split(text)
    found = zip(rest[0::3], rest[1::3], rest[2::3], strict=True)
    return beginning, {name: (source.strip(), number) for name, number, source in found}


def read(path: Path) -> tuple[str, dict[str, tuple[str, str]]]:
    """`sections` of a file; empty if it cannot be read."""
    try:
        return sections(_text(path))
    except (OSError, ValueError):
        return "", {}


def _text(path: Path) -> str:
    """A file's text; a `ValueError` for a pipe or a device, which never end, and for a file that is too large."""
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path} is not a file of at most {MOST_BYTES} bytes")
    return path.read_text("utf-8")


def own_parts(place: Path, library: ModuleType) -> OwnParts:
    """The student's parts in a folder, which replace those of a library."""
    files = {}
    for path in sorted(place.glob("*.py")):
        beginning, parts = read(path)
        text = _text(path) if parts else ""
        line_of = {found[1]: text[: found.end()].count("\n") + 2 for found in HEADING.finditer(text)}
        kept = [Part(name, path, source, number, line_of[name]) for name, (source, number) in parts.items()]
        files[path] = beginning, kept
    return OwnParts(files, library)


def forget() -> None:
    """Run the folder again when it is next asked for: its files may have changed."""
    for loaded in [other for other in sys.modules if other.split(".")[0] == PACKAGE]:
        del sys.modules[loaded]
    sys.modules[PACKAGE] = package = ModuleType(PACKAGE)
    package.__path__ = [str(folder())]


def load(module: str, name: str, library: str = "course_lib"):
    """Load an object from a file of the folder; the parts that it calls are your own if they are right.

    Args:
        library: the package whose part it stands for.

    Raises:
        ImportError: it is not there, was changed since it was right, or does not run.
    """
    parts = own_parts(folder(library), importlib.import_module(library))
    own = parts.get(name, lenient=True)
    if own is None:
        raise ImportError(f"{name} of {module} is not used: it {parts.reasons.get(name, 'is not there')}")
    return own


def use_mine(mine: bool = True, page: dict | None = None) -> None:
    """Replace the course's parts on this page by your own, if `my_transformer/` has them and they are right.

    Prints which are whose; of a part that calls both, as a tree. What the page itself defines stays as it is.

    Args:
        mine: False takes the course's for all.
        page: the names of the page; None takes those of the notebook.
    """
    if folder() is None:
        return
    page = vars(sys.modules["__main__"]) if page is None else page
    forget()
    for library in (sys.modules[name] for name in GIVEN if name in sys.modules):
        if used := [name for name in library.__all__ if name in page and _is_the_courses(page[name], name, library)]:
            parts = own_parts(folder(library.__name__), library) if mine else OwnParts({}, library)
            for name in used:
                own = parts.get(name)
                page[name] = getattr(library, name) if own is None else own
            for line in report(used, parts):
                print(line)


def _is_the_courses(value, name: str, library: ModuleType) -> bool:
    """Whether what the page calls by this name is a part of the library, or one that is kept for it."""
    kept_in = getattr(value, "__module__", None) or ""
    is_kept = kept_in.rpartition(".")[0] == package_of(library.__name__)
    return is_part(name, library) and (is_kept or value is getattr(library, name))


def report(names: list[str], parts: OwnParts) -> list[str]:
    """Say which of these parts are yours and which the course's, and why a part that you have is not used."""
    whole = {name: whose(name, parts) for name in names}
    lines = []
    if own := [name for name in names if whole[name] == {YOURS}]:
        lines.append(f"Yours: {', '.join(own)}.")
    if courses := [name for name in names if whole[name] == {COURSES}]:
        lines.append(f"The course's code, where yours is not right or not written yet: {', '.join(courses)}.")
    for name in names:
        if len(whole[name]) > 1:
            lines += tree(name, parts)
    files = parts.run_what_was_added()
    reasons = {f"{name} in {shown(parts.parts[name].path)}": why for name, why in parts.reasons.items()}
    lines += [f"{what} {why}. Run its check again, and yours is used." for what, why in reasons.items()]
    return lines + [f"{shown(path)} {why}. What is above that line is used." for path, why in files.items()]


def below(name: str, parts: OwnParts) -> list[str]:
    """The parts that a part of the student's calls."""
    return parts.parts[name].calls(parts.library)


def whose(name: str, parts: OwnParts, seen: frozenset[str] = frozenset()) -> set[str]:
    """Whether a part, and everything that it calls, is yours or the course's; the course's code calls only its own."""
    if parts.get(name) is None:
        return {COURSES}
    seen |= {name}
    return {YOURS}.union(*(whose(other, parts, seen) for other in below(name, parts) if other not in seen))


def tree(name: str, parts: OwnParts, seen: frozenset[str] = frozenset()) -> list[str]:
    """A part and what it calls, one part per line; a subtree that is all yours or all the course's is one line."""
    whole, seen = whose(name, parts), seen | {name}
    lines = ["    " * (len(seen) - 1) + f"{name}: {YOURS if YOURS in whole else COURSES}"]
    if len(whole) > 1:
        for other in below(name, parts):
            lines += tree(other, parts, seen) if other not in seen else []
    return lines
