"""The three files that say what is installed agree with each other, and with what is imported."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PINS = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if "==" in line)
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(*extras: str) -> set[str]:
    """What is installed with these extras, by normal name; an extra may name others of the project."""
    wanted = set(PROJECT["dependencies"])
    for extra in extras:
        for name in PROJECT["optional-dependencies"][extra]:
            own = re.fullmatch(rf"{PROJECT['name']}\[(.*)\]", name)
            wanted |= declared(*own[1].split(",")) if own else {name}
    return {normal(name) for name in wanted}


def imported(folder: str) -> set[str]:
    """The distributions, by normal name, of what the files of a folder import."""
    names = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(node.module.split(".")[0])
    ours = {"autograder", "course_lib", "benchmarks", "docs", "tests"}
    known = packages_distributions()
    return {normal(known.get(name, [name])[0]) for name in names - sys.stdlib_module_names - ours}


def test_every_dependency_is_pinned():
    pinned = {normal(name) for name in PINS}
    assert declared(*PROJECT["optional-dependencies"]) <= pinned


@pytest.mark.parametrize(
    ("folder", "extras"),
    [
        ("course_lib", ()),
        ("solutions", ()),
        ("autograder", ("cluster",)),
        ("benchmarks", ("bench",)),
        ("docs", ("test",)),
        ("tests", ("test",)),
    ],
)
def test_everything_that_is_imported_is_declared(folder, extras):
    assert imported(folder) - declared(*extras) == set()


def test_nothing_is_declared_that_is_neither_imported_nor_run():
    run = {"ipykernel", "jupyter"}  # the kernel of the notebooks, and `make lab`
    assert declared() - imported("autograder") - imported("course_lib") - imported("solutions") == run


def test_conda_installs_the_project_through_the_same_pins():
    assert CONDA["name"] == PROJECT["name"]
    (pip,) = (entry["pip"] for entry in CONDA["dependencies"] if isinstance(entry, dict))
    assert pip == ["--constraint constraints.txt", "--editable .[test]"]


def test_conda_has_a_python_that_the_project_takes():
    (python,) = (e for e in CONDA["dependencies"] if isinstance(e, str) and e.startswith("python="))
    least = re.search(r">=3\.(\d+)", PROJECT["requires-python"])[1]
    assert int(python.split("=3.")[1]) >= int(least)


def test_the_pins_are_of_plain_releases():
    assert PINS["torch"] == "2.13.0"
    assert all(re.fullmatch(r"[0-9][0-9a-z.]*", version) for version in PINS.values())
