"""Answers, and the verdicts on a stage, are renewed when something changes that they are made from, and only then."""

import ast
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from autograder import derived, stages
from autograder.grading.context import Context
from autograder.judging.answer_key import fingerprint as made
from autograder.sandbox.limits import Limits
from autograder.stages import STAGE_NAMES, STAGES

ROOT = Path(__file__).parents[4]
STAGE = "01_attention"
MAKE_IT = (
    "autograder/catalogue/attention/softmax.py",
    "autograder/catalogue/checks.py",
    "autograder/probes/torch/attention.py",
    "autograder/probes/run.py",
    "autograder/judging/judge.py",
    "autograder/judging/answer_key/compute.py",
    "course_lib/model/attention.py",
)
ONLY_VERDICTS = (
    "autograder/judging/answer_key/__init__.py",
    "autograder/judging/upstream_errors.py",
    "autograder/grading/submission.py",
    "autograder/grading/second_page.py",
    "autograder/practice/card.py",
    "autograder/repair/repair.py",
    "autograder/sandbox/attempt.py",
    "autograder/worker/submission.py",
)
NOTHING_TO_IT = (
    "autograder/catalogue/encoder/layer_norm.py",
    "autograder/probes/torch/encoder.py",
    "autograder/grading/run.py",
    "autograder/stages.py",
    "course_lib/__init__.py",
    "course_lib/model/encoder.py",
    "course_lib/notebook/pictures/__init__.py",
    "course_lib/notebook/widgets/widths.py",
    "course_lib/training/loop.py",
    "course_lib/training/engine/threads.py",
)


@pytest.fixture
def digests(tmp_path):
    """The two names under which work on a stage is kept: of its answers, and of the verdicts on it."""
    answer_key = tmp_path / "answers.safetensors"
    answer_key.write_bytes(b"drawn")

    def now():
        for known in (made.fingerprint, made.fingerprint_of_verdicts):
            known.cache_clear()
        context = Context(STAGE, nbformat.v4.new_notebook(), answer_key, tmp_path, Limits())
        return made.fingerprint(STAGE), context.digest

    yield now
    for known in (made.fingerprint, made.fingerprint_of_verdicts):
        known.cache_clear()


@pytest.fixture
def edit(monkeypatch):
    """Let a file of the project read as if it ended with another line."""

    def to(changed, line="\nCHANGED = True\n"):
        read = Path.read_bytes
        assert (ROOT / changed).exists()
        edited = {ROOT / changed: line.encode()}
        monkeypatch.setattr(derived, "stamp", lambda: f"with {changed}")
        monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + edited.get(path, b""))
        monkeypatch.setattr(Path, "read_text", lambda path, *_, **__: path.read_bytes().decode())

    return to


@pytest.mark.parametrize("path", MAKE_IT)
def test_a_change_of_what_decides_renews_answers_and_verdicts(digests, edit, path):
    before = digests()
    edit(path)
    assert all(new != old for new, old in zip(digests(), before, strict=True))


@pytest.mark.parametrize("path", ONLY_VERDICTS)
def test_a_change_of_how_a_verdict_is_come_by_renews_verdicts_and_no_answers(digests, edit, path):
    answers, verdicts = digests()
    edit(path)
    renewed = digests()
    assert renewed[1] != verdicts
    assert renewed[0] == answers


@pytest.mark.parametrize("path", NOTHING_TO_IT)
def test_a_change_elsewhere_renews_nothing(digests, edit, path):
    before = digests()
    edit(path)
    assert digests() == before


def test_what_a_file_begins_to_import_counts_from_then_on(digests, edit):
    edit("course_lib/model/attention.py", "\nfrom course_lib.notebook import scores\n")
    digests()
    assert ROOT / "course_lib" / "notebook" / "scores.py" in made.sources_of(STAGE)


@pytest.mark.parametrize(("changed", "renewed"), [(STAGE, True), ("06_training", False)])
def test_of_the_table_only_its_own_row_counts(digests, monkeypatch, changed, renewed):
    before = digests()
    rows = tuple(replace(row, title="Another title") if row.name == changed else row for row in STAGES)
    monkeypatch.setattr(stages, "STAGES", rows)
    assert (digests() != before) == renewed


@pytest.mark.parametrize("stage", STAGE_NAMES)
def test_nothing_that_decides_is_imported_through_a_package_that_passes_names_on(stage):
    """Such an `__init__.py` is not read for the fingerprint: a change behind it would go unseen."""
    for path in made.sources_of(stage):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (package := made.path_of(node.module)):
                of_a_package = package.name == "__init__.py" and node.module.split(".")[0] in made.PACKAGES
                names = [alias.name for alias in node.names] if of_a_package else []
                assert all(made.path_of(f"{node.module}.{name}") for name in names), f"{path}: {ast.unparse(node)}"


@pytest.mark.parametrize("room", ["worker", "protocol", "repair", "sandbox"])
def test_a_verdict_depends_on_every_source_of_the_worker_and_of_what_surrounds_it(room):
    files = made.sources_of("01_attention") | made.followed(made.GRADING)
    sources = {path for path in (ROOT / "autograder" / room).glob("*.py") if path.read_text("utf-8").strip()}
    left_out = {path.name for path in sources - files}
    assert left_out <= {"__init__.py", "doctor.py"}  # the second one tells people what is installed
