"""The stripped package: `course_lib` as it stands when a stage begins, and what a worker needs to judge it.

The solutions of what the stage needs are kept, all others taken out. Of `autograder`
only the probes, the worker and a `check` that asks no questions are there: no answers, no exercises,
no judge.
"""

import hashlib
import os
import shutil
import tempfile
from compileall import compile_dir
from pathlib import Path
from py_compile import PycInvalidationMode

import autograder
import course_lib
from autograder.derived import derived
from autograder.stages import left_out_of, track_of_module
from autograder.stripping.strip import strip

UNTRUSTED = ("probes", "protocol", "worker")
PRACTICE = '''"""Inside a worker there is no judge: verdicts are made outside."""


def check(exercise, student=None):
    """Practice: the verdict on a submission is asked for by its locked test cells alone."""
    print(f"check({exercise!r}): practice. The verdict is made where no student code runs.")
'''


def package_files(stage: str) -> dict[str, str | bytes]:
    """Relative path → content of the stripped package at a stage."""
    here, library = Path(autograder.__file__).parent, Path(course_lib.__file__).parent
    files: dict[str, str | bytes] = {"autograder/__init__.py": PRACTICE}
    for path in sorted(library.rglob("*")):
        name = f"course_lib/{path.relative_to(library).as_posix()}"
        if path.suffix == ".py":
            track = track_of_module(name.removesuffix(".py").replace("/", ".")).name
            files[name] = strip(path.read_text("utf-8"), wanted=left_out_of(stage, track).__contains__)
        elif path.is_file() and "__pycache__" not in path.parts:
            files[name] = path.read_bytes()
    for package in UNTRUSTED:
        for path in sorted((here / package).rglob("*.py")):
            files[f"autograder/{path.relative_to(here).as_posix()}"] = path.read_text("utf-8")
    files["autograder/stages.py"] = (here / "stages.py").read_text("utf-8")
    files["autograder/stage.txt"] = f"{stage}\n"
    return files


def digest(files: dict[str, str | bytes]) -> str:
    """A name for the content of a stripped package."""
    whole = hashlib.sha256()
    for name, content in sorted(files.items()):
        data = content.encode() if isinstance(content, str) else content
        whole.update(f"{name}\0{len(data)}\0".encode() + data)
    return whole.hexdigest()


def stripped_package(stage: str, folder: Path) -> Path:
    """The directory, below `folder`, that holds the stripped package of a stage; made when it is not there."""
    known = folder / derived(folder, stage, lambda: f"{stage}-{digest(package_files(stage))[:12]}")
    return known if known.is_dir() else _write(stage, folder)


def _write(stage: str, folder: Path) -> Path:
    files = package_files(stage)
    target = folder / f"{stage}-{digest(files)[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{stage}-", dir=folder))
    temporary.chmod(0o755)
    try:
        for name, content in files.items():
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        compile_dir(temporary, quiet=2, stripdir=temporary, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
        os.rename(temporary, target)
    except OSError:
        shutil.rmtree(temporary)
        if not target.is_dir():  # else another process was first
            raise
    return target
