"""The three files that say what is installed agree with each other, and with what is imported."""

import ast
import os
import re
import subprocess
import sys
import textwrap
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml

from autograder.stages import STAGE_NAMES, STAGES

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
    return {normal(re.match(r"[\w.-]+", name)[0]) for name in wanted}  # without its bounds


def imported(folder: str, files: str = "*.py") -> set[str]:
    """The distributions, by normal name, of what the files of a folder import."""
    names = set()
    for path in (ROOT / folder).rglob(files):
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
        ("course_lib", ("images", "jax", "pages")),
        ("solutions", ("jax", "pages")),
        *((f"autograder/{name}", ()) for name in ("judging", "practice")),
        *((f"autograder/{name}", ("jax",)) for name in ("catalogue", "probes")),
        ("autograder", ("cluster", "jax")),
        ("benchmarks", ("bench",)),
        ("docs", ("test",)),
        ("tests", ("test",)),
    ],
)
def test_everything_that_is_imported_is_declared(folder, extras):
    assert imported(folder) - declared(*extras) == set()


@pytest.mark.parametrize("stage", STAGES, ids=STAGE_NAMES)
def test_a_page_names_every_package_that_not_all_students_have(stage):
    extras = (stage.extra,) if stage.extra else ()
    imports = imported("solutions", f"{stage.name}.py")
    assert imports - declared(*extras) == set()
    named = {normal(packages_distributions()[name][0]) for name in stage.imports}
    assert imports - declared() <= named <= declared(*extras)


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ('require_packages("sklearn", extra="anomaly")', "scikit-learn, which is"),
        ('require_packages("torch", "sacrebleu", "networkx", extra="pages")', "sacrebleu and networkx, which are"),
    ],
)
def test_a_page_whose_package_is_missing_says_so_in_one_sentence(call, names, tmp_path):
    done = run_without(
        f"""
        from IPython.core.interactiveshell import InteractiveShell
        InteractiveShell.instance(colors="nocolor").run_cell('from course_lib.extras import require_packages\\n{call}')
        """,
        tmp_path,
    )
    extra = re.search('extra="(.*)"', call)[1]
    (line,) = done.stdout.splitlines()
    assert line == (
        f"This needs {names} not installed here. "
        f"Run %pip install 'attention-workshop[{extra}]' in a cell, then restart the kernel."
    )


def test_nothing_is_declared_that_is_neither_imported_nor_run():
    run = {"ipykernel", "jupyter", "jupyter-server-mathjax"}  # the kernel, `make lab`, and the formgrader's formulas
    assert declared("instructor") - imported("autograder") - imported("course_lib") - imported("solutions") == run


def test_what_a_student_installs_leaves_the_kernel_that_runs_alone():
    """Colab warns where what is loaded is changed: nothing is bounded above, and what nbgrader brings stays out."""
    assert not declared() & {"ipykernel", "jupyter", "nbconvert", "nbformat", "nbgrader", "notebook", "sqlalchemy"}
    assert not declared() & {"traitlets", "jupyterlab", "jupyter-server"}
    assert all(re.fullmatch(r"[\w-]+(>=[\d.]+)?", name) for name in PROJECT["dependencies"])


def test_a_student_checks_an_answer_without_anything_of_the_instructors_part(tmp_path):
    """In a process that finds none of it, as where it was never installed."""
    done = run_without(
        """
        from pathlib import Path
        import course_lib, course_lib.pictures, course_lib.widgets, course_lib.training.progress_bar
        from autograder import check
        print(check("softmax", course_lib.softmax), course_lib.progress())
        """,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "Right, 4 of 4 points" in done.stdout


def test_a_command_that_needs_the_instructors_part_says_how_to_install_it(tmp_path):
    done = run_without('from autograder.cli import app\napp(["init", "here"])', tmp_path)
    assert done.returncode == 1
    assert "pip install 'attention-workshop[instructor]'" in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


def run_without(code: str, folder: Path) -> subprocess.CompletedProcess:
    """Run code where nothing can be imported that is the instructor's alone, but for what IPython brings itself."""
    hidden = declared("instructor") - declared() - {"traitlets", "psutil"}
    names = {name for name, owners in packages_distributions().items() if normal(owners[0]) in hidden}
    refuse = f"""
        from importlib.machinery import PathFinder
        find = PathFinder.find_spec
        def find_spec(name, path=None, target=None):
            return None if name.partition(".")[0] in {names!r} else find(name, path, target)
        PathFinder.find_spec = find_spec
        """
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COURSE_PROGRESS": "off", "COURSE_MY_TRANSFORMER": "off"}
    script = textwrap.dedent(refuse) + textwrap.dedent(code)
    return subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


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
