"""docs/attacks.md says of every attack what each entry point passes on and what each environment does, as recorded.

Here all entry points get a tenth of the corpus, and `course grade` and the zip's get all of it. All of it everywhere,
and the runs as other users, is `python -m tests.attacks.everywhere`.
"""

import json
import os
import shutil
import sys
from pathlib import Path

import nbformat
import pytest

from autograder.directory.course import Course
from autograder.grading.context import Context

from .attack import attacks
from .everywhere import ENVIRONMENTS, RESULTS, copy_checkout, files_of, run_in
from .handed_over import ENTRY_POINTS, GRADESCOPE, STAGE, handed_over, unequal

CORPUS = attacks()
RECORD = json.loads(RESULTS.read_text("utf-8"))
WALLS = [name for name, (sandbox, _) in ENVIRONMENTS.items() if sandbox == "bubblewrap"]
QUICK = ("printed scores", "ready made", "ready made well hidden", "types of its own")

pytestmark = [
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # an open file of nbgrader's
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


@pytest.fixture(scope="module")
def course(copy_of_course, tmp_path_factory) -> Course:
    return copy_of_course(tmp_path_factory.mktemp("entry_points") / "course")


@pytest.fixture(scope="module")
def files(course):
    """Attack → its file; also an honest submission's, and one that isn't a notebook."""
    found = {attack.name: data for attack, data in files_of(course)}
    release = Context.of(course, STAGE).release
    return found | {"honest": nbformat.writes(release).encode(), "unreadable": b'{"cells": ['}


@pytest.mark.sandbox
def test_every_entry_point_hands_the_same_to_the_grading_call(course, files):
    names = [*files][::10] + ["honest", "unreadable"]
    found = handed_over(course, {name: files[name] for name in names})
    assert found.keys() == {*ENTRY_POINTS, GRADESCOPE}
    assert unequal(found) == []
    assert all(len(said[0]) == 64 for name, said in found["course grade"].items() if name == "honest")


def test_of_the_whole_corpus_a_zip_hands_over_what_course_grade_does(course, files):
    found = handed_over(course, files, ("course grade", "course collect"))
    assert unequal(found) == []
    assert len({said[0] for said in found["course grade"].values()}) > 0.9 * len(files)


def test_an_entry_point_that_changes_a_byte_is_found(course, files, monkeypatch):
    def careless(own, handed_in):
        ENTRY_POINTS["course grade"](own, {student: data + b" " for student, data in handed_in.items()})

    monkeypatch.setitem(ENTRY_POINTS, "careless", careless)
    found = handed_over(course, {"honest": files["honest"]}, ("course grade", "careless"))
    assert [line.partition(":")[0] for line in unequal(found)] == ["careless"]


def test_every_attack_is_recorded_at_every_entry_point_and_in_every_environment():
    assert RECORD.keys() == {attack.name for attack in CORPUS}
    for name, result in RECORD.items():
        assert (result["entry_points"], result["unequal"]) == (len(ENTRY_POINTS) + len([GRADESCOPE]), []), name
        assert result["runs"].keys() == ENVIRONMENTS.keys(), name


@pytest.mark.parametrize("environment", WALLS)
def test_behind_bubblewrap_either_user_gets_what_is_deserved_and_harms_nothing(environment):
    runs = {attack.name: RECORD[attack.name]["runs"][environment] for attack in CORPUS}
    assert {attack.name: runs[attack.name]["score"] for attack in CORPUS} == {a.name: a.gets for a in CORPUS}
    assert [name for name, run in runs.items() if run["harm"]] == []
    assert [attack.name for attack in CORPUS if attack.flagged and not runs[attack.name]["flagged"]] == []


def test_the_flags_are_the_same_for_either_user_and_without_bubblewrap_too():
    for name in (attack.name for attack in CORPUS):
        runs = RECORD[name]["runs"].items()
        flags = {environment: run["flagged"] for environment, run in runs if run["score"] is not None}
        assert len({*flags.values()}) == 1, (name, flags)


def test_another_user_gains_nothing_either():
    runs = {attack.name: RECORD[attack.name]["runs"]["another user, root"] for attack in CORPUS}
    assert [attack.name for attack in CORPUS if (runs[attack.name]["score"] or 0) > attack.deserves] == []


@pytest.mark.sandbox
@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "setpriv", "mount"))),
    reason="only root on Linux can become the others",
)
@pytest.mark.parametrize("environment", ["bubblewrap, ordinary user", "another user, root"])
def test_a_sample_is_as_it_is_recorded(environment, tmp_path):
    copy_checkout(tmp_path / "source")
    found = run_in(environment, list(QUICK), Path(tmp_path / "source"))
    assert found == {name: RECORD[name]["runs"][environment] for name in QUICK}
