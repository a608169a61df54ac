"""The order of rooms: each imports from those above it in the list, and none of those below."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ORDERS = {
    "course_lib": [
        ("aliases", "extras", "lazy", "llama_config"),
        ("model",),
        ("bert", "llama"),
        ("interop",),
        ("text",),
        ("inside",),
        ("training",),
        ("tasks",),
        ("notebook",),
        ("jax",),
    ],
    "autograder": [
        (
            *("below", "cores", "counted", "die_with_parent", "errors", "files", "logs"),
            *("quick_imports", "shorten_list", "stages", "versions"),
        ),
        ("derived", "installed", "stage_meant"),
        ("protocol", "stripping"),
        ("probes", "repair"),
        ("worker",),  # what stands from here on is trusted, and imports nothing of it
        ("sandbox",),
        ("catalogue",),
        ("judging",),
        ("practice",),
        ("build", "directory"),
        ("grading",),
        ("exports",),
        ("course",),
        ("nbgrader_plugins", "report"),
        ("cli",),
    ],
}
NOBODYS = {("autograder", "worker")}  # runs beside student code: only started, never imported
BESIDES = {  # a file, or a part of a room, that may import less than its room may
    "autograder/judging/*.py": {"autograder.probes"},  # numbers alone decide; the answer key runs the references
    "autograder/sandbox/*.py": {"autograder.probes"},
    "course_lib/**/*.py": {"autograder"},
}


def imported(path: Path) -> Iterator[str]:
    """Every module that a file names in an import, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def rooms_of(package: str) -> dict[str, int]:
    return {room: place for place, rooms in enumerate(ORDERS[package]) for room in rooms}


def against_the_order(root: Path, package: str) -> list[str]:
    """Every import, in a package below `root`, of a room that is not before the importing one."""
    order, found = rooms_of(package), []
    for path in sorted((root / package).rglob("*.py")):
        room = path.relative_to(root / package).parts[0].removesuffix(".py")
        for module in imported(path):
            first, _, rest = module.partition(".")
            other = rest.partition(".")[0]
            if first != package or room == other or not {room, other} <= order.keys():
                continue
            if order[other] >= order[room] or (package, other) in NOBODYS:
                found.append(f"{path.relative_to(root)} imports {module}")
    return found


@pytest.mark.parametrize("package", ORDERS)
def test_every_room_has_a_place_in_the_order(package):
    here = {path.stem for path in (ROOT / package).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert here - {"__init__", "solutions"} <= rooms_of(package).keys()


@pytest.mark.parametrize("package", ORDERS)
def test_a_room_imports_from_those_before_it(package):
    assert against_the_order(ROOT, package) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("judging/judge.py", "from autograder.grading.run import grade_stage"),
        ("sandbox/server.py", "    from autograder.worker import kernel"),
        ("build/stage.py", "import autograder.directory.course"),
        ("stages.py", "from autograder import catalogue"),
    ],
)
def test_an_import_against_the_order_is_found(tmp_path, path, line):
    file = tmp_path / "autograder" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"if True:\n    {line.strip()}\n")
    assert len(against_the_order(tmp_path, "autograder")) == 1


@pytest.mark.parametrize("pattern", BESIDES)
def test_what_decides_and_what_runs_beside_students_import_less(pattern):
    found = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in ROOT.glob(pattern)
        for module in imported(path)
        if any(module == other or module.startswith(other + ".") for other in BESIDES[pattern])
    ]
    assert found == []
