"""The gradebook on a real PostgreSQL server, started here on a private socket."""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
import requests
from sqlalchemy import create_engine, text
from traitlets.config import Config

from autograder.course.init import init_course
from autograder.course.nbgrader_plugins import configure
from autograder.directory.course import Course
from autograder.directory.database import open_gradebook, working_address
from autograder.errors import CourseError
from autograder.files import write_whole
from autograder.grading.gradebook import Writer
from autograder.grading.pool import kept_warm
from autograder.grading.run import grade_stage

STAGE, TOKEN = "01_attention", "for-these-tests-only"
BIN = max(Path("/usr/lib/postgresql").glob("*/bin"), default=Path("/usr/lib/postgresql"))
pytestmark = [
    pytest.mark.skipif(not (BIN / "initdb").exists(), reason="PostgreSQL (Debian package postgresql) is not installed"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


@pytest.fixture(scope="module")
def server():
    """The directory of the socket of a PostgreSQL server; root runs it as the user that Debian made for it."""
    owner = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))  # short: a socket's path has at most 107 characters
    if owner:
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    user = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []} if owner else {}

    def run(name, *arguments):
        command = [BIN / name, *map(str, arguments)]
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, timeout=120, **user)

    run("initdb", "-D", folder / "data", "-U", "teacher", "--auth=trust", "--no-sync")
    options = f"-k {folder} -c listen_addresses='' -c fsync=off"
    run("pg_ctl", "-D", folder / "data", "-l", folder / "log", "-o", options, "-w", "start")
    yield folder
    run("pg_ctl", "-D", folder / "data", "-m", "immediate", "-w", "stop")
    shutil.rmtree(folder)


@pytest.fixture
def address(server, request):
    """`postgresql://…` of an empty database of its own."""
    name = f"course_{abs(hash(request.node.name))}"
    engine = create_engine(working_address(url(server, "postgres")), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return url(server, name)


def url(server, database):
    return f"postgresql://teacher@/{database}?host={quote(str(server), safe='')}"


@pytest.fixture
def on_postgres(address, class_of_nine, tmp_path):
    """The class of nine, in a course whose gradebook is on the server; its secret seed is the same."""
    course = init_course(tmp_path / "course", db_url=address, only=(STAGE,))
    for name in ("submitted", ".course"):
        shutil.copytree(class_of_nine.root / name, course.root / name, dirs_exist_ok=True)
    return Course.open(course.root)


def test_a_class_has_the_same_gradebook_as_on_sqlite(on_postgres, undisturbed, tools):
    outcome = grade_stage(on_postgres, STAGE, spread=kept_warm)
    assert tools.verdicts(outcome) == undisturbed.verdicts
    assert tools.rows(on_postgres) == undisturbed.rows
    assert not (on_postgres.root / "gradebook.db").exists()


def test_two_graders_at_once_end_in_the_right_gradebook(on_postgres, undisturbed, tools):
    students = on_postgres.students(STAGE)
    halves = [students[:5], students[3:]]  # two students are graded by both
    options = [[word for name in half for word in ("--student", name)] for half in halves]
    graders = [tools.start(on_postgres, "--jobs", "1", *words) for words in options]
    said = [grader.communicate(timeout=300) for grader in graders]
    assert [grader.returncode for grader in graders] == [1, 1], said  # one file of the class is no notebook
    assert not any("Traceback" in text for output in said for text in output)
    assert tools.rows(on_postgres) == undisturbed.rows


def test_two_machines_may_meet_at_the_same_new_student(on_postgres, monkeypatch):
    """Without the lock that processes of one machine share, the database alone decides."""
    marks = {"scores": {"test_softmax": 3.0}, "untouched": []}
    with Writer(on_postgres, STAGE) as here, Writer(on_postgres, STAGE) as there:
        meet_at_first_commit(here, lambda: there.record("newcomer", marks, flagged=False), monkeypatch)
        here.record("newcomer", marks | {"scores": {"test_softmax": 4.0}}, flagged=True)
        book = here.gradebook
        assert [s.id for s in book.students] == ["newcomer"]
        assert book.find_grade("test_softmax", STAGE, STAGE, "newcomer").auto_score == 4.0
        assert book.find_submission_notebook(STAGE, STAGE, "newcomer").flagged


def meet_at_first_commit(writer, other, monkeypatch):
    """Another writer finishes when this one has looked, and not yet written."""
    rows = [other]
    is_ours = Writer._is_ours

    def interrupted(self, notebook):
        if self is writer and rows:
            rows.pop()()
        return is_ours(self, notebook)

    monkeypatch.setattr(Writer, "_is_ours", interrupted)


def test_what_nbgrader_reads_from_the_configuration_is_the_same_database(on_postgres, undisturbed):
    grade_stage(on_postgres, STAGE, ["no-scaling"], spread=kept_warm)
    with closing(open_gradebook(on_postgres.config.CourseDirectory.db_url, on_postgres.course_id)) as book:
        assert book.find_submission(STAGE, "no-scaling").score == undisturbed.verdicts["no-scaling"]["score"]


def test_the_configuration_is_for_the_instructor_alone(on_postgres):
    assert (on_postgres.root / "nbgrader_config.py").stat().st_mode & 0o777 == 0o600


def test_a_server_that_is_down_is_one_sentence(tmp_path):
    nowhere = url(tmp_path / "nowhere", "course")
    with pytest.raises(CourseError, match=r"cannot be opened .*\. Start its database, or correct the address"):
        init_course(tmp_path / "course", db_url=nowhere, only=(STAGE,))
    assert list((tmp_path / "course").iterdir()) == []


def test_two_graders_who_mark_at_once_lose_no_mark(on_postgres, monkeypatch):
    """As the formgrader writes: one transaction a mark, each grader through a connection of their own."""
    cells, students = ("test_softmax", "why_the_root"), [f"s{number}" for number in range(7)]
    with Writer(on_postgres, STAGE) as writer:
        for student in students:
            writer.record(student, {"scores": {"test_softmax": 1.0, "why_the_root": None}, "untouched": []}, False)
    configure(Config())
    monkeypatch.chdir(on_postgres.root)

    def mark(cell, points):
        with closing(open_gradebook(on_postgres.config.CourseDirectory.db_url, on_postgres.course_id)) as book:
            for student in students:
                grade = book.find_grade(cell, STAGE, STAGE, student)
                grade.manual_score, grade.needs_manual_grade = points, False
                book.db.commit()

    with ThreadPoolExecutor(2) as graders:
        list(graders.map(mark, cells, (3.0, 2.0)))
    with closing(open_gradebook(on_postgres.config.CourseDirectory.db_url, on_postgres.course_id)) as book:
        marks = {s: [book.find_grade(cell, STAGE, STAGE, s).manual_score for cell in cells] for s in students}
    assert marks == dict.fromkeys(students, [3.0, 2.0])


class Formgrader:
    """A grader's own Jupyter server, as a machine of its own would run it."""

    def __init__(self, course, home):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}/formgrader/api/"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
        environment |= {f"JUPYTER_{name}_DIR": str(home / name) for name in ("CONFIG", "DATA", "RUNTIME")}
        command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--ip=127.0.0.1", f"--port={port}"]
        command += ["--allow-root", f"--IdentityProvider.token={TOKEN}"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, cwd=course.root, env=environment, **quiet)

    def ask(self, path, method="GET", **given):
        headers = {"Authorization": f"token {TOKEN}"}
        answer = requests.request(method, self.address + path, headers=headers, timeout=60, **given)
        assert answer.ok, (path, answer.status_code, answer.text[-2000:])
        return answer.json()

    def answers(self):
        """Whether the server is there, and has the course."""
        assert self.process.poll() is None
        try:
            return len(self.ask(f"submissions/{STAGE}")) > 0
        except requests.ConnectionError:
            return False


@pytest.fixture
def formgraders(on_postgres, tmp_path, tools):
    """Two of them, on one gradebook."""
    students = [f"s{number}" for number in range(7)]
    with Writer(on_postgres, STAGE) as writer:
        for student in students:
            writer.record(student, {"scores": {"test_softmax": 1.0, "why_the_root": None}, "untouched": []}, False)
            write_whole(on_postgres.submitted_file(STAGE, student), b"{}")
            write_whole(on_postgres.autograded_file(STAGE, student), on_postgres.release_file(STAGE).read_bytes())
    both = [Formgrader(on_postgres, tmp_path / name) for name in ("ann", "bob")]
    for one in both:
        tools.wait(one.answers)
    yield both
    for one in both:
        one.process.terminate()
        one.process.wait(30)


def test_two_formgrader_servers_lose_no_mark(formgraders, on_postgres):
    """Both mark every student at once: one the code, the other the written answer; each sees the other's marks."""
    named = {"test_softmax": 3.0, "why_the_root": 2.0}
    rows = formgraders[0].ask(f"submitted_notebooks/{STAGE}/{STAGE}")
    assert len(rows) == 7

    def mark(one, name):
        for row in rows:
            grades = one.ask("grades", params={"submission_id": row["id"]})
            (found,) = [grade for grade in grades if grade["name"] == name]
            one.ask(f"grade/{found['id']}", "PUT", json={"manual_score": named[name], "extra_credit": 0})

    with ThreadPoolExecutor(2) as graders:
        list(graders.map(mark, formgraders, named))
    for one in formgraders:
        for row in rows:
            grades = one.ask("grades", params={"submission_id": row["id"]})
            assert {grade["name"]: grade["manual_score"] for grade in grades if grade["name"] in named} == named
    with closing(open_gradebook(on_postgres.config.CourseDirectory.db_url, on_postgres.course_id)) as book:
        scores = {s.student.id: s.score for s in book.assignment_submissions(STAGE)}
    assert scores == {f"s{number}": 5.0 for number in range(7)}
