"""The first code cell of a page, run where the course is not installed, as on Colab."""

import os
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

import nbformat
import pytest

from autograder.build.notebook import repository, tag

ROOT = Path(__file__).parents[3]
NOT_SHARED = ("attention_workshop", "__editable__", "pip", "_virtualenv", "distutils-precedence")

SCRIPT = """
import importlib.util, sys
from IPython.core.interactiveshell import InteractiveShell

assert importlib.util.find_spec("course_lib") is None
shell = InteractiveShell.instance()
cell = open(sys.argv[1]).read()
shell.run_cell(cell).raise_error()
importlib.invalidate_caches()
answer = shell.run_cell("import course_lib; from autograder import check; check('causal_mask', course_lib.causal_mask)")
print("points", answer.result, "course-card" in answer.result.rich, importlib.util.find_spec("course_lib").origin)
shell.run_cell(cell).raise_error()
"""


@pytest.fixture
def empty(tmp_path):
    """A Python that has everything but the course."""
    home, shared = tmp_path / "environment", tmp_path / "shared"
    venv.create(home, with_pip=True)
    shared.mkdir()
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if not entry.name.startswith(NOT_SHARED) and entry.suffix != ".pth":
            (shared / entry.name).symlink_to(entry)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(home)}))
    (packages / "shared.pth").write_text(str(shared))
    for bundled in packages.glob("setuptools*"):  # an old one, which does not know how this project states its licence
        shutil.rmtree(bundled)
    return home


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs the repository that the cell installs from")
def test_the_setup_cell_installs_a_course_that_checks(empty, tmp_path):
    page = nbformat.read(ROOT / "notebooks" / "01_attention.ipynb", as_version=4)
    cell = next(cell for cell in page.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "setup")
    (tmp_path / "cell.py").write_text(cell.source)
    published = tmp_path / "published.git"
    for command in (["clone", "--quiet", "--bare", ROOT, published], ["-C", published, "tag", tag()]):
        subprocess.run(["git", *command], check=True)
    local = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{published.as_uri()}.insteadOf",
        "GIT_CONFIG_VALUE_0": repository(),
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads "no" as a flag: 0 switches isolation off, and nothing is fetched
        "PIP_NO_DEPS": "1",
        "COURSE_PROGRESS": "off",
    }
    run = subprocess.run(
        [empty / "bin" / "python", "-c", SCRIPT, tmp_path / "cell.py"],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")} | local,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"points 2 True {empty}" in run.stdout
