"""The recipe of docs/jupyterhub.md, run: a hub, two students, a grader; from the released page to the feedback."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
import requests

from autograder.course.demo.run import submission
from autograder.course.demo.submissions import CLASS

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "docs" / "examples" / "jupyterhub"
COURSE, STAGE, TOKEN = "attention-2026", "01_attention", "for-this-test-only"
HANDED = {"ann": "all-right", "bob": "no-scaling"}
SETTINGS = """
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.Authenticator.admin_users = {"root"}
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = HOMES + "/{username}"
c.Spawner.args = ["--allow-root"]
c.Spawner.environment = dict(ENVIRONMENT)
c.JupyterHub.bind_url = f"http://127.0.0.1:{PORTS[0]}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{PORTS[1]}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{PORTS[2]}"
c.JupyterHub.services = [{"name": "test", "api_token": TOKEN}]
load_subconfig(RECIPE)
for service in c.JupyterHub.services[1:]:
    service["environment"] |= ENVIRONMENT
scopes = ["admin:users", "admin:servers", "access:servers", "tokens", "read:services"]
c.JupyterHub.load_roles.append({"name": "test", "services": ["test"], "scopes": scopes})
"""

pytestmark = pytest.mark.slow
pytest.importorskip("jupyterhub", reason="jupyterhub is not installed (pip install jupyterhub)")
if shutil.which("configurable-http-proxy") is None:
    pytest.skip("configurable-http-proxy is not installed (npm install -g it)", allow_module_level=True)


class Hub:
    """A running hub, asked through its proxy as a browser asks it."""

    def __init__(self, folder: Path, course: Path):
        self.folder, self.course, self.exchange = folder, course, folder / "exchange"
        ports = [free_port() for _ in range(4)]
        self.address, self.log = f"http://127.0.0.1:{ports[0]}", folder / "log.txt"
        self.exchange.mkdir()
        self.exchange.chmod(0o777)
        for user in (*HANDED, "grace", "eve"):
            (folder / "homes" / user).mkdir(parents=True)
        (folder / "jupyter").mkdir()
        shutil.copy(RECIPE / "nbgrader_config.py", folder / "jupyter")
        here = {"directory": str(course), "port": ports[3], "options": ["--allow-root"]}
        people = {"graders": ["grace"], "students": [*HANDED]}
        lines = [f"{name} = {json.dumps(value)}" for name, value in (here | people).items()]
        (folder / "courses.toml").write_text("\n".join([f"[{COURSE}]", *lines]))
        environment = {"JUPYTER_CONFIG_PATH": str(folder / "jupyter"), "HUB_EXCHANGE": str(self.exchange)}
        environment |= {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1"}
        given = {"PORTS": ports, "HOMES": str(folder / "homes"), "ENVIRONMENT": environment, "TOKEN": TOKEN}
        given["RECIPE"] = str(RECIPE / "jupyterhub_config.py")
        settings = "".join(f"{name} = {value!r}\n" for name, value in given.items()) + SETTINGS
        (folder / "jupyterhub_config.py").write_text(settings)
        outer = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "jupyterhub", "--config", folder / "jupyterhub_config.py"],
                cwd=folder,
                env=outer | environment | {"HUB_COURSES": str(folder / "courses.toml")},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.tokens = {"": TOKEN}

    def ask(self, method, path, user="", expected=(200, 201, 202, 204), **given):
        """The answer to a request with a user's token, or, for no user, the test's."""
        headers = {"Authorization": f"token {self.tokens[user]}"}
        answer = requests.request(method, self.address + path, headers=headers, timeout=300, **given)
        assert answer.status_code in expected, (path, answer.status_code, answer.text[-2000:], self.said())
        return answer.json() if answer.text[:1] in ("{", "[") else answer

    def wait(self, condition, what, seconds=180):
        """Until it holds; the hub's log where it does not."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if condition():
                    return
            except (requests.ConnectionError, AssertionError):
                pass
            assert self.process.poll() is None, self.said()
            time.sleep(0.3)
        raise AssertionError(f"{what} did not come: {self.said()}")

    def come(self, user):
        """A user arrives, with a token as a browser's login has it."""
        self.ask("POST", f"/hub/api/users/{user}", expected=(201, 409))
        self.tokens[user] = self.ask("POST", f"/hub/api/users/{user}/tokens", json={})["token"]

    def start(self, user):
        """A user's own server."""
        self.ask("POST", f"/hub/api/users/{user}/server")
        self.wait(lambda: self.ask("GET", f"/hub/api/users/{user}")["servers"].get("", {}).get("ready"), user)

    def exchange_action(self, user, action):
        """A button of nbgrader's list of assignments; → what the list shows then."""
        asked = {"course_id": COURSE, "assignment_id": STAGE}
        shown = self.ask("POST", f"/user/{user}/assignments/{action}", user, json=asked)
        assert shown["success"], (shown, self.said())
        return shown["value"]

    def grader(self, path, method="POST", user="grace", **given):
        """A button of the formgrader."""
        shown = self.ask(method, f"/services/{COURSE}/formgrader/api/{path}", user, **given)
        if method == "POST":
            assert shown["success"], shown
        return shown

    def said(self):
        return self.log.read_text(errors="replace")[-6000:]

    def end(self):
        self.process.terminate()  # it ends its servers, services and proxy
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture
def hub(tmp_path, copy_of_course):
    course = copy_of_course(tmp_path / COURSE)
    config = course.root / "nbgrader_config.py"
    config.write_text(config.read_text().replace("'course'", repr(COURSE)))
    running = Hub(tmp_path, course.root)
    running.wait(lambda: running.ask("GET", "/hub/api/"), "the hub")
    yield running
    running.end()


def test_two_students_and_a_grader_from_the_release_to_the_feedback(hub):
    for user in (*HANDED, "grace", "eve"):
        hub.come(user)
    hub.wait(lambda: hub.grader("status", "GET"), "the formgrader")
    hub.ask("GET", f"/services/{COURSE}/formgrader/api/status", "ann", expected=(403,))  # not a grader
    hub.grader(f"assignment/{STAGE}/release")

    release = nbformat.read(hub.course / "release" / STAGE / f"{STAGE}.ipynb", as_version=4)
    for student, kind in HANDED.items():
        hub.start(student)
        listed = hub.exchange_action(student, "fetch")
        assert [(one["assignment_id"], one["status"]) for one in listed] == [(STAGE, "fetched")]
        page = f"{COURSE}/{STAGE}/{STAGE}.ipynb"
        content = json.loads(submission(next(one for one in CLASS if one.student == kind), release))
        saved = {"type": "notebook", "format": "json", "content": content}
        hub.ask("PUT", f"/user/{student}/api/contents/{page}", student, json=saved)
        hub.exchange_action(student, "submit")
    hub.start("eve")  # who is in no course, and sees none
    seen = hub.ask("GET", f"/user/eve/assignments?course_id={COURSE}", "eve")
    assert seen.get("value", []) == []

    hub.grader(f"assignment/{STAGE}/collect")
    assert {path.parts[-3] for path in (hub.course / "submitted").glob("*/*/*.ipynb")} == {*HANDED}
    for student in HANDED:
        hub.grader(f"submission/{STAGE}/{student}/autograde")
    rows = hub.grader(f"submissions/{STAGE}", "GET")
    assert {row["student"]: row["code_score"] for row in rows} == {"ann": 20, "bob": pytest.approx(16, abs=3)}
    hub.grader(f"assignment/{STAGE}/generate_feedback")
    hub.grader(f"assignment/{STAGE}/release_feedback")
    for student, says in (("ann", "Right"), ("bob", "You do not divide the scores")):
        hub.exchange_action(student, "fetch_feedback")
        pages = list((hub.folder / "homes" / student).rglob("feedback/*/*.html"))
        assert len(pages) == 1
        assert says in pages[0].read_text("utf-8")
