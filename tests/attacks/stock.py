"""What stock nbgrader gives the same submissions: `python -m tests.attacks.stock [--missing]` writes stock.json.

Each runs on a copy of a throw-away course that has nbgrader's own configuration, in a bubblewrap of its own: no
network but an empty loopback, nothing writable but the copy and an empty home. Those that say why not are left out.
"""

import json
import secrets
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook

from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed
from autograder.course.init import init_course

from .attack import Attack, attacks

STAGE = "01_attention"
RESULTS = Path(__file__).parent / "stock.json"
NBGRADER = Path(sys.executable).parent / "nbgrader"
BROWSER = "browser"  # only these are worth a page of feedback
INSIDE = "/tmp/course"
CONFIG = "c = get_config()\nc.CourseDirectory.course_id = 'course'\nc.ExecutePreprocessor.timeout = 60\n"
BOX = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/", "/", "--dev", "/dev"]
BOX += ["--proc", "/proc", "--tmpfs", "/tmp", "--dir", "/tmp/home", "--clearenv", "--setenv", "HOME", "/tmp/home"]
BOX += ["--setenv", "PATH", f"{NBGRADER.parent}:/usr/bin:/bin", "--setenv", "OMP_NUM_THREADS", "1"]


class Live(HTMLParser):
    """Does a page hold a script, a handler or a link that runs the attacker's code?"""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found, self.script = False, False

    def handle_starttag(self, tag, attributes):
        """A handler that sets the title, a link that runs code, or a script (its text follows)."""
        self.script = tag == "script"
        for name, value in attributes:
            runs = name.startswith("on") or (value or "").lower().lstrip().startswith("javascript:")
            self.found |= runs and "document.title" in (value or "")

    def handle_endtag(self, tag):
        """The text that follows isn't a script's."""
        self.script = False

    def handle_data(self, data):
        """The text of an element."""
        self.found |= self.script and "document.title" in data


def main() -> None:
    """Run every attack that may be run, and write down the results."""
    results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() and "--missing" in sys.argv else {}
    canary = f"CANARY-{secrets.token_hex(8)}"
    with tempfile.TemporaryDirectory() as place:
        course = stock_course(Path(place) / "course", canary)
        solved = solved_notebook(course.release(STAGE))
        for attack in attacks():
            if not attack.stock and attack.name not in results:
                results[attack.name] = played(attack, course.root, Path(place) / "copy", solved, canary)
                print(attack.name, results[attack.name], flush=True)
                RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", "utf-8")


def stock_course(root: Path, canary: str):
    """A course with nbgrader's configuration, another student's submission and a secret in it."""
    course = init_course(root, only=(STAGE,))
    (root / "nbgrader_config.py").write_text(CONFIG)
    other = course.submitted_file(STAGE, "somebody")
    other.parent.mkdir(parents=True)
    other.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(canary)])))
    (root / "answers.txt").write_text(canary)
    return course


def solved_notebook(release: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The right answers, without the page's demonstrations."""
    notebook = nbformat.reads(submission(Handed("", 20), release).decode(), as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "code" or "nbgrader" in cell.metadata]
    return notebook


def played(attack: Attack, course: Path, copy: Path, solved: nbformat.NotebookNode, canary: str) -> dict:
    """One attack on a copy of the course: the score, and what else happened."""
    shutil.copytree(course, copy)
    places = {"@COURSE@": INSIDE, "@HOME@": "/tmp/home", "@CHECKOUT@": str(Path(__file__).parents[2]), "@PORT@": "9"}
    handed_in = copy / "submitted" / "hostile" / STAGE / f"{STAGE}.ipynb"
    handed_in.parent.mkdir(parents=True)
    handed_in.write_bytes(attack.handed_in(solved, places))
    before = files_of(copy)
    ended = nbgrader(copy, "autograde")
    page = copy / "feedback" / "hostile" / STAGE / f"{STAGE}.html"
    graded = copy / "autograded" / "hostile" / STAGE / f"{STAGE}.ipynb"
    harm = []
    if graded.exists() and canary in graded.read_text("utf-8"):
        harm.append("read a secret")
    if files_of(copy) != before:
        harm.append("wrote into the course")
    if BROWSER in attack.kind and nbgrader(copy, "generate_feedback") == "done" and page.exists():
        reader = Live()
        reader.feed(page.read_text("utf-8"))
        harm += ["script in the feedback"] if reader.found else []
    result = {"score": score(copy), "autograde": ended, "harm": harm}
    shutil.rmtree(copy)
    return result


def nbgrader(course: Path, command: str) -> str:
    """One of nbgrader's commands, in the box; how it ended."""
    run = [
        *BOX,
        "--bind",
        str(course),
        INSIDE,
        "--chdir",
        INSIDE,
        str(NBGRADER),
        command,
        STAGE,
        "--student",
        "hostile",
    ]
    try:
        done = subprocess.run(run, capture_output=True, text=True, timeout=150, check=False)
    except subprocess.TimeoutExpired:
        return "never ended"
    return "failed" if done.returncode else "done"


def score(course: Path) -> float | None:
    """What the gradebook says, or None where it says nothing."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        for found in gradebook.assignment_submissions(STAGE):
            if found.student_id == "hostile":
                return found.score
    return None


def files_of(course: Path) -> dict[str, bytes]:
    """What nobody but the attacker changes: everything but nbgrader's own results."""
    own = ("autograded", "feedback", "gradebook.db", ".nbgrader.log", "__pycache__", ".ipynb_checkpoints")
    paths = (path for path in course.rglob("*") if path.is_file() and not set(path.parts) & set(own))
    return {str(path): path.read_bytes() for path in paths}


if __name__ == "__main__":
    main()
