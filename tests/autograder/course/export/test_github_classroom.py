"""The template repository: what is in it, what must not be, and what its workflow says of a notebook."""

import json
import shutil

import nbformat
import pytest
import yaml

from autograder.course.demo.run import submission
from autograder.course.demo.submissions import CLASS
from autograder.errors import CourseError
from autograder.exports import github_run
from autograder.exports.files import export_stages

STAGE = "01_attention"
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


@pytest.fixture(scope="module")
def template(released, tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    said = list(export_stages(released, "github-classroom", [STAGE], None, None, folder))
    assert "course collect CLONES" in said[1]
    return folder / f"{STAGE}-github-classroom"


@pytest.fixture
def pushed(template, released, tmp_path, monkeypatch):
    """`pushed(student)`: the repository of a student of the demonstration, as the workflow checks it out."""

    def make(student):
        root = shutil.copytree(template, tmp_path / "repository")
        handed = next(handed for handed in CLASS if handed.student == student)
        (root / f"{STAGE}.ipynb").write_bytes(submission(handed, released.release(STAGE)))
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
        return root

    return make


def test_the_template_has_the_release_and_nothing_secret(template, released):
    files = {path.relative_to(template).as_posix(): path.read_bytes() for path in template.rglob("*") if path.is_file()}
    assert files.keys() == {
        f"{STAGE}.ipynb",
        "README.md",
        ".github/grader/release.ipynb",
        ".github/grader/settings.json",
        ".github/workflows/points.yml",
    }
    assert nbformat.reads(files[f"{STAGE}.ipynb"].decode(), 4) == released.release(STAGE)
    seed = (released.private / "seed").read_text().strip().encode()
    assert not any(seed in content or b".safetensors" in content for content in files.values())


def test_the_workflow_installs_this_version_and_may_only_read(template):
    workflow = yaml.safe_load((template / ".github/workflows/points.yml").read_text())
    assert workflow["permissions"] == {"contents": "read"}
    steps = [step["run"] for step in workflow["jobs"]["points"]["steps"] if "run" in step]
    assert steps[0].startswith("pip install 'attention-workshop[instructor] @ git+https://")
    assert steps[1] == "python -m autograder.exports.github_run"


def test_points_are_reported_with_the_misconception(pushed, tmp_path, capsys):
    assert github_run.main(pushed("no-scaling")) == 1
    said = capsys.readouterr().out
    assert "| scaled_dot_product | 5.5 / 8 | no scaling |" in said
    assert "Points on the public checks: 17.5 of 20." in said
    assert (tmp_path / "summary.md").read_text("utf-8") == said


def test_all_points_are_exit_code_0(pushed):
    assert github_run.main(pushed("all-right")) == 0


@pytest.mark.parametrize("content", [None, b"no notebook {"])
def test_what_cannot_be_judged_is_exit_code_2(pushed, capsys, content):
    root = pushed("all-right")
    (root / f"{STAGE}.ipynb").unlink()
    if content:
        (root / f"{STAGE}.ipynb").write_bytes(content)
    assert github_run.main(root) == 2
    assert capsys.readouterr().err


def test_a_folder_with_a_history_is_left_alone(template, released):
    (template / ".git").mkdir()
    with pytest.raises(CourseError, match="is a repository already"):
        list(export_stages(released, "github-classroom", [STAGE], None, None, template.parent))
    (template / ".git").rmdir()
    assert json.loads((template / ".github/grader/settings.json").read_text())["stage"] == STAGE
