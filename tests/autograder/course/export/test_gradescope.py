"""The autograder for Gradescope, run from its own zip as Gradescope runs it."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import version
from pathlib import Path

import nbformat
import pytest

import autograder
from autograder.exports import gradescope
from autograder.exports.files import export_stages
from autograder.exports.gradescope import autograder_zip
from autograder.grading.context import Context
from autograder.sandbox import sandbox
from tests import warm

STAGE = "01_attention"
NO_SCALING = """\
def scaled_dot_product(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    attention = softmax(scores)
    return attention @ v, attention
"""


@pytest.fixture(scope="module")
def archive(released, tmp_path_factory):
    """The zip of stage 01."""
    folder = tmp_path_factory.mktemp("zip")
    sentences = list(export_stages(released, "gradescope", [STAGE], None, None, folder))
    assert "keep it among instructors" in sentences[1]
    return folder / f"{STAGE}-gradescope.zip"


class Container:
    """Where Gradescope unpacks the zip: below a directory that everybody may enter."""

    def __init__(self, archive: Path, root: Path):
        self.archive, self.root = archive, root
        self.python = [sys.executable]

    def show_python_to_everybody(self) -> None:
        """A Python below a folder that root alone may enter is started where such a folder holds nothing else."""
        self.python, prefix = [sandbox.python()], Path(sys.base_prefix)
        if closed := [str(folder) for folder in prefix.parents if not folder.stat().st_mode & stat.S_IXOTH]:
            mount, make = shutil.which("mount"), shutil.which("mkdir")
            moved = f'{mount} --bind "$0" /mnt && {mount} -t tmpfs -o mode=755 none "$1" && {make} -p "$0"'
            there = f'{moved} && {mount} --bind /mnt "$0" && shift && exec "$@"'
            unshared = [shutil.which("unshare"), "--mount", "/bin/sh", "-c", there, str(prefix), closed[-1]]
            self.python = [*unshared, sandbox.python()]

    def __call__(self, files: dict[str, str], judge: Path | None = None, cold: bool = False):
        """Unpack the zip and grade a submission: (exit code, results or None, what was printed).

        If `cold`, the zip's own package does it, or the one of `judge`; else a fork that has imported this checkout's.
        """
        with zipfile.ZipFile(self.archive) as opened:
            opened.extractall(self.root / "source")
        for name in ("submission", "results"):
            (self.root / name).mkdir()
        for name, text in files.items():
            (self.root / "submission" / name).write_text(text)
        path = os.pathsep.join([str(judge or self.root / "source" / "package"), *sandbox.site_directories()])
        environment = os.environ | {"GRADESCOPE_ROOT": str(self.root), "PYTHONPATH": path}
        command = [*self.python, "-m", "autograder.exports.gradescope_start"]
        if cold or sys.platform != "linux":
            done = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, check=False)
            said = done.stdout + done.stderr
        else:
            done = warm.Running(command, Path("/"), environment)
            said = "".join(done.communicate())
        file = self.root / "results" / "results.json"
        return done.returncode, json.loads(file.read_text()) if file.exists() else None, said


@pytest.fixture
def run(archive):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Container(archive, Path(folder) / "autograder")


@pytest.fixture
def notebook(released):
    """`notebook(answers)` is the solved notebook with other answers in it."""

    def make(answers):
        solved = nbformat.read(released.source_file(STAGE), as_version=4)
        for cell in solved.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = answers.get(name, cell.source)
        return nbformat.writes(solved)

    return make


@pytest.mark.sandbox
def test_a_solved_notebook_has_full_marks_in_the_published_format(run, notebook):
    code, results, said = run({f"{STAGE}.ipynb": notebook({})}, cold=True)
    assert code == 0, said
    assert sum(test["score"] for test in results["tests"]) == 20
    assert {test["status"] for test in results["tests"]} == {"passed"}
    known = {"name", "number", "score", "max_score", "status", "output", "output_format", "tags", "visibility"}
    assert all(test.keys() == known for test in results["tests"])
    assert "why_the_root (3 points)" in results["output"]


@pytest.mark.sandbox
def test_a_wrong_answer_is_named_and_shows_no_number_of_the_hidden_cases(run, notebook):
    code, results, said = run({"mine.ipynb": notebook({"scaled_dot_product": NO_SCALING})})
    assert code == 0, said
    lost = [test for test in results["tests"] if test["status"] == "failed"]
    assert "no scaling" in lost[0]["output"]
    assert 0 < sum(test["score"] for test in results["tests"]) < 20
    assert not any(character.isdigit() for test in lost for character in test["output"])


def test_no_notebook_two_notebooks_and_no_json_are_each_one_sentence(run, notebook):
    code, results, _ = run({"a.ipynb": "{}", "b.ipynb": "{}"})
    assert code == 0
    assert results["output"].endswith(f"Submit one notebook, {STAGE}.ipynb. Found: a.ipynb, b.ipynb.")
    assert "this 0 does not count" in results["output"]
    assert [(test["name"], test["score"], test["max_score"]) for test in results["tests"]] == [("Not graded", 0, 20)]


def test_names_that_are_no_text_are_one_sentence(run):
    code, results, _ = run({"a\udcff.ipynb": "{}", "b\udcfe.ipynb": "{}"})
    assert code == 0
    assert results["output"].endswith(f"Submit one notebook, {STAGE}.ipynb. Found: a?.ipynb, b?.ipynb.")


def test_without_the_answers_nothing_is_graded_and_it_is_not_a_zero(archive, run, notebook, monkeypatch):
    original = zipfile.ZipFile.extractall

    def without_answers(self, path):
        original(self, path, [name for name in self.namelist() if not name.startswith("course/answers")])

    monkeypatch.setattr(zipfile.ZipFile, "extractall", without_answers)
    code, results, said = run({f"{STAGE}.ipynb": notebook({})})
    assert (code, results) == (1, None)
    assert "run again" in said


def test_the_zip_has_what_gradescope_wants_at_its_root_and_nobodys_work(archive):
    with zipfile.ZipFile(archive) as opened:
        modes = {member.filename: member.external_attr >> 16 & 0o777 for member in opened.infolist()}
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755
    assert "package/pyproject.toml" in modes
    assert not any("__pycache__" in name or name.rpartition("/")[2] == "seed" for name in modes)


def test_the_zip_is_for_its_owner_alone_and_always_the_same(archive, released):
    assert archive.stat().st_mode & 0o777 == 0o600
    context = Context.of(released, STAGE)
    assert autograder_zip(context) == autograder_zip(context)


HUNTED = """\
import os

seen = [name for place in @PLACES@ for _, _, names in os.walk(place) for name in names]
writable = [path for path in ("/", "/usr", *sys.path, *os.listdir("/")) if os.access(path, os.W_OK)]

def softmax(logits, dim=-1):
    assert os.getuid() and not os.getgroups(), "it is root, or of a group of root's"
    assert not seen and not writable, "it may read the judge, or write to what others import"
    weights = torch.exp(logits - logits.amax(dim, keepdim=True))
    return weights / weights.sum(dim, keepdim=True)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run a submission as another user")
def test_without_bubblewrap_a_submission_is_another_user_who_can_read_nothing(run, notebook, monkeypatch):
    run.show_python_to_everybody()
    monkeypatch.setenv("PATH", "/nowhere")
    places = [str(run.root / name) for name in ("source", "submission", "results")]
    answer = "import sys\n" + HUNTED.replace("@PLACES@", repr(places))
    code, results, said = run({f"{STAGE}.ipynb": notebook({"softmax": answer})}, cold=True)
    assert code == 0, said
    assert "bubblewrap cannot run here" in said
    assert sum(test["score"] for test in results["tests"]) == 20


def test_without_any_separation_nothing_is_graded(run, notebook, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    code, results, said = run({f"{STAGE}.ipynb": notebook({})}, judge=Path(autograder.__file__).parents[1], cold=True)
    assert (code, results) == (1, None)
    assert "submissions can read the judge's files" in said


def test_the_pins_are_those_of_here_with_torch_for_the_cpu(archive):
    with zipfile.ZipFile(archive) as opened:
        needs, pins = (opened.read(f"{name}.txt").decode().split() for name in ("requirements", "constraints"))
    assert f"torch=={version('torch').partition('+')[0]}+cpu" in pins
    assert {"torch", "nbgrader", "numpy"} <= {re.match(r"[\w-]+", need)[0] for need in needs}
    assert not any(line.startswith("attention") for line in needs + pins)


@pytest.mark.parametrize(
    ("stage", "page"), [(STAGE, []), ("10_translation", ["sacrebleu"]), ("21_jax_attention", ["flax>=0.12"])]
)
def test_what_is_installed_there_is_the_instructors_part_and_what_the_page_imports(stage, page):
    needs = [
        *("torch", 'nbgrader; extra == "instructor"', 'attention-workshop[pages]; extra == "instructor"'),
        *('dask; extra == "cluster"', 'sacrebleu; extra == "translation"', 'flax>=0.12; extra == "jax"'),
    ]
    assert gradescope.requirements(stage, needs) == sorted(["nbgrader", "torch", *page])


def test_the_server_starts_before_the_judge_is_imported():
    """As `course grade` does: torch, nbformat and nbgrader would keep it waiting for a second."""
    look = "import sys, autograder.exports.gradescope_start; print({*sys.modules} & {'torch', 'nbformat', 'nbgrader'})"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.sandbox
def test_the_server_that_was_started_is_the_one_that_grades(archive, tmp_path, monkeypatch):
    from autograder.exports import gradescope_start
    from autograder.sandbox import ahead

    for kept in ("waiting", "released", "tickets"):
        monkeypatch.setattr(ahead, kept, [])
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(tmp_path / "source")
    gradescope_start.start_server(tmp_path, tmp_path)
    try:
        (server,) = ahead.waiting
        again = gradescope_start.stripped_package(STAGE, tmp_path)
        assert ahead.claim(again, gradescope_start.protection(tmp_path)) is server
    finally:
        server.close()
