"""The three files that say what is installed agree with each other."""

import re
from pathlib import Path

import tomllib
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PINS = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if "==" in line)
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_dependency_is_pinned():
    pinned = {normal(name) for name in PINS}
    wanted = PROJECT["dependencies"] + [name for extra in PROJECT["optional-dependencies"].values() for name in extra]
    assert {normal(name) for name in wanted} <= pinned


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
