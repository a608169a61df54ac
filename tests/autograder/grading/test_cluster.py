"""A dask cluster of two worker processes that share nothing with the grader but a scheduler."""

import json
import os
import re
import signal
import sys

import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.errors import CourseError
from autograder.grading import cluster
from autograder.grading.cluster import over
from autograder.grading.context import Context
from autograder.grading.packing import identity, pack, unpack
from autograder.grading.pool import kept_warm
from autograder.grading.run import grade_stage
from tests import warm

STAGE = "01_attention"
OLDER = """
from autograder import versions
found = versions.version
versions.version = lambda name: "0.0.1" if name == "attention-workshop" else found(name)
"""
pytest.importorskip("distributed", reason="dask.distributed is not installed")


class Cluster:
    """A scheduler, and workers that come when they are told to; each a process of its own, and a warm one."""

    def __init__(self, folder, wait):
        self.folder, self.file, self.started = folder, folder / "scheduler.json", []
        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", self.file)
        self.scheduler = self._start("scheduler", *options)
        wait(lambda: self.file.exists() and self.file.read_text().endswith("}"))
        self.address = json.loads(self.file.read_text())["address"]

    def worker(self, startup=""):
        """A worker whose Python begins with `startup`."""
        (self.folder / "site").mkdir(exist_ok=True)
        (self.folder / "site" / "sitecustomize.py").write_text(startup)
        options = ("--nworkers", "1", "--nthreads", "1", "--no-nanny", "--no-dashboard")
        return self._start("worker", self.address, *options, "--local-directory", self.folder / "there")

    def _start(self, *command):
        self.started.append(warm.start("dask", *command, site=self.folder / "site"))
        return self.started[-1]

    def kill(self, process):
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()

    def end(self):
        for process in self.started:
            self.kill(process)


@pytest.fixture
def dask(tmp_path, tools):
    cluster = Cluster(tmp_path, tools.wait)
    yield cluster
    cluster.end()


@pytest.fixture
def context(class_of_nine):
    return Context.of(class_of_nine, STAGE)


@pytest.mark.sandbox
def test_a_worker_killed_in_the_middle_changes_nothing(course, undisturbed, tools, dask):
    workers, seen = [dask.worker(), dask.worker()], []

    def progress(student, result):
        seen.append(student)
        if len(seen) == 2:
            dask.kill(workers[0])

    outcome = grade_stage(course, STAGE, spread=over(dask.address), progress=progress)
    assert tools.verdicts(outcome) == undisturbed.verdicts
    assert tools.rows(course) == undisturbed.rows
    assert sorted(seen) == sorted(undisturbed.verdicts)
    there = {path.name for path in (dask.folder / "there").rglob("*")}
    assert "release.ipynb" in there
    assert "answers.safetensors" not in there


@pytest.mark.sandbox
def test_a_lost_scheduler_ends_the_run_with_a_sentence_and_what_is_done_stays(course, undisturbed, tools, dask):
    dask.worker()

    def progress(student, result):
        dask.kill(dask.scheduler)

    with pytest.raises(CourseError, match="was lost. Finished results are saved"):
        grade_stage(course, STAGE, spread=over(dask.address), progress=progress)
    done = len(list((course.private / "graded" / STAGE).glob("*.json")))
    assert done >= 1
    assert tools.verdicts(grade_stage(course, STAGE, spread=kept_warm)) == undisturbed.verdicts
    assert tools.rows(course) == undisturbed.rows


def test_a_scheduler_without_workers_is_one_sentence(dask):
    with pytest.raises(CourseError, match=f"has no workers; start some with `dask worker {dask.address}`"):
        over(dask.address, patience=1)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://here", "no address"])
def test_an_address_where_nobody_answers_is_one_sentence(address):
    with pytest.raises(CourseError, match=re.escape(f"No dask scheduler answers at {address}")) as refused:
        over(address, patience=1)
    assert len(str(refused.value).splitlines()) == 1


def test_without_dask_the_package_to_install_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(CourseError, match=r"pip install 'attention-workshop\[cluster\]'"):
        over("tcp://127.0.0.1:9")


def test_a_worker_with_other_versions_says_which():
    expected = identity(STAGE) | {"torch": "0.4.1"}
    assert "its torch is" in cluster.why_not(expected, None)
    assert cluster.why_not(identity(STAGE), "limits") == ""


def test_a_worker_with_another_version_of_the_course_is_refused_in_a_sentence(course, dask):
    dask.worker(OLDER)
    done = CliRunner().invoke(app, ["grade", "1", "--course", str(course.root), "--scheduler", dask.address])
    assert done.exit_code == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "cannot grade: its attention-workshop is 0.0.1" in done.stderr
    assert not list((course.private / "graded").rglob("*.json"))


@pytest.mark.sandbox
def test_what_a_worker_of_another_version_would_say_that_joins_later_is_never_used(course, undisturbed, tools, dask):
    good = dask.worker()

    def progress(student, result):
        if good.poll() is None:
            dask.kill(good)
            dask.worker(OLDER)

    submissions = grade_stage(course, STAGE, spread=over(dask.address), progress=progress)["submissions"]
    refused = [s for s in submissions if any("its attention-workshop is 0.0.1" in flag for flag in s["flags"])]
    assert refused
    assert {s["status"] for s in refused} == {"ungradable"}
    assert tools.verdicts(grade_stage(course, STAGE, spread=kept_warm)) == undisturbed.verdicts


def test_a_worker_without_bubblewrap_grades_only_when_that_was_asked_for(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert "install it there, or use --sandbox limits" in cluster.why_not(identity(STAGE), None)
    assert cluster.why_not(identity(STAGE), "limits") == ""


def test_a_packed_context_is_the_same_elsewhere(context, tmp_path):
    there, expected = unpack(pack(context), tmp_path)
    assert expected == identity(STAGE)
    assert (there.stage, there.release, there.limits) == (context.stage, context.release, context.limits)
    files = {p.relative_to(context.stripped_package): p.read_bytes() for p in context.stripped_package.rglob("*.py")}
    assert files == {
        p.relative_to(there.stripped_package): p.read_bytes() for p in there.stripped_package.rglob("*.py")
    }
    assert there.answer_key.keys() == context.answer_key.keys()


def test_an_unpacked_context_is_private_and_its_answers_are_in_memory_alone(context, tmp_path):
    there, _ = unpack(pack(context), tmp_path)
    assert there.stripped_package.parent.stat().st_mode & 0o777 == 0o700
    assert not there.answer_key_file.exists()
    assert there.answer_key["softmax"]["expected"]


def test_what_travels_asks_for_bubblewrap_unless_limits_were_chosen(class_of_nine, tmp_path):
    for wanted, sent in ((None, "bubblewrap"), ("limits", "limits")):
        assert unpack(pack(Context.of(class_of_nine, STAGE, wanted)), tmp_path)[0].sandbox == sent
