"""Every attack at every entry point, with and without bubblewrap, as root and as an ordinary user, for docs/attacks.md.

    python -m tests.attacks.everywhere            # all of it, as root on Linux: a quarter of an hour on one core
    python -m tests.attacks.everywhere NAME…      # some of it again, the rest stays

What an entry point hands over is compared (`handed_over.py`). It is then run in each environment, each in a PID
namespace of its own: there only root may enter the checkout, and the worker sees only packages, as on Gradescope.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

from autograder.course.init import init_course
from autograder.directory.course import Course
from autograder.grading.context import Context
from autograder.sandbox.sandbox import UNPROTECTED
from autograder.stripping.package import stripped_package

from .attack import Attack, attacks
from .conftest import CHECKOUT, STAGE, World

RESULTS = Path(__file__).with_name("everywhere.json")
USER = 4321
ENVIRONMENTS = {  # name → sandbox, user
    "bubblewrap, root": ("bubblewrap", 0),
    "bubblewrap, ordinary user": ("bubblewrap", USER),
    "another user, root": ("user", 0),
    "limits, ordinary user": ("limits", USER),
}
ENDED = {"score": None, "flagged": False, "harm": ["the grader ended"]}
RUN_HERE = """
import json, sys
from pathlib import Path
from tests.attacks.everywhere import run_here
run_here(sys.argv[1], json.loads(sys.argv[2]), Path(sys.argv[3]))
"""
COPIED = ("autograder", "course_lib", "notebooks", "solutions", "tests", "pyproject.toml", "README.md", "LICENSE")


def result_of(world: World, attack: Attack) -> dict:
    """Points, whether a person is asked to look, and what leaked or changed."""
    before = world.state()
    result = world.grade(attack.handed_in(world.solved, world.places))
    submission = result["submission"]
    harm = ["a secret"] if world.canary in str(result) else []
    harm += ["hidden numbers"] if world.hidden_numbers_in(result["notebook"] or "") else []
    harm += ["a process left"] if world.left_running() else []
    harm += ["a knock"] if world.visited() else []
    world.answer_the_door()
    harm += ["files changed"] if world.state() != before else []
    flags = [flag for flag in submission["flags"] if flag != UNPROTECTED]
    return {"score": submission["score"], "flagged": bool(flags), "harm": harm}


def run_here(sandbox: str, names: list[str], answer: Path) -> None:
    """Run attacks in this process, as the user who it is, and write down what became of them after each."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o711)
        shown = Path(folder, "stripped")
        shown.mkdir(mode=0o755)
        course = init_course(Path(folder, "attacked", "course"), only=(STAGE,))
        world = World(Course.open(course.root), sandbox, stripped_package(STAGE, shown))
        Path(folder, "attacked").chmod(0o700)
        found = {}
        for attack in attacks():
            if attack.name in names:
                try:
                    found[attack.name] = result_of(world, attack)
                except Exception as error:  # noqa: BLE001 (a result, too)
                    found[attack.name] = {"score": None, "flagged": False, "harm": [type(error).__name__]}
                answer.write_text(json.dumps(found))
        world.close()


def run_in(environment: str, names: list[str], source: Path) -> dict[str, dict]:
    """The same in an environment, from a copy of the checkout that only its user may enter."""
    sandbox, user = ENVIRONMENTS[environment]
    found: dict[str, dict] = {}
    with tempfile.TemporaryDirectory() as folder:
        copy, answer, home = (Path(folder, name) for name in ("source", "answer.json", "home"))
        shutil.copytree(source, copy)
        home.mkdir()
        for path in (Path(folder), home, copy, *copy.rglob("*")):
            os.chown(path, user, user)
        os.chmod(copy, 0o700)
        os.chmod(folder, 0o711)
        while left := [name for name in names if name not in found]:
            answer.unlink(missing_ok=True)
            command = [sys.executable, "-W", "ignore", "-c", RUN_HERE, sandbox, json.dumps(left), str(answer)]
            subprocess.run([*apart(copy, home, user), *command], check=False, cwd="/")
            found |= json.loads(answer.read_text()) if answer.exists() else {}
            if next_one := next((name for name in left if name not in found), None):
                found[next_one] = ENDED  # it took its grader with it; those after it go on
    return found


def copy_checkout(folder: Path) -> None:
    """What the runs need, as it is now."""
    folder.mkdir()
    for name in COPIED:
        source = CHECKOUT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)  # with what is compiled: nobody there may write
        else:
            shutil.copy(source, folder / name)


def apart(copy: Path, home: Path, user: int) -> list[str]:
    """A command line's beginning: another PID namespace, the checkout hidden, Python shown to everybody, a user."""
    hidden = [CHECKOUT / name for name in os.listdir(CHECKOUT) if (CHECKOUT / name).is_dir() and name != ".venv"]
    prefix = Path(sys.base_prefix)
    closed = [str(folder) for folder in prefix.parents if not folder.stat().st_mode & 0o001]
    said = "set -e\n" + "".join(f"mount -t tmpfs none '{place}'\n" for place in hidden)
    if closed:
        said += f"mount --bind '{prefix}' /mnt\nmount -t tmpfs -o mode=755 none '{closed[-1]}'\n"
        said += f"mkdir -p '{prefix}'\nmount --bind /mnt '{prefix}'\n"
    drop = f"setpriv --reuid {user} --regid {user} --clear-groups" if user else ""
    said += f'exec {drop} env HOME={home} TMPDIR=/tmp PYTHONPATH={copy} PYTHONDONTWRITEBYTECODE=1 "$@"'
    return ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "/bin/sh", "-c", said, "sh"]


def at_the_entry_points(names: list[str]) -> dict[str, dict]:
    """Attack → how many entry points there are, and the lines about those that hand it over otherwise."""
    from .handed_over import ENTRY_POINTS, GRADESCOPE, handed_over, unequal

    with tempfile.TemporaryDirectory() as folder:
        course = init_course(Path(folder, "course"), only=(STAGE,))
        files = {attack.name: data for attack, data in files_of(course) if attack.name in names}
        lines = unequal(handed_over(course, files))
    told = {name: [line for line in lines if f": {name}: " in line] for name in files}
    return {name: {"entry_points": len(ENTRY_POINTS) + len([GRADESCOPE]), "unequal": told[name]} for name in files}


def files_of(course: Course):
    """Each attack with its file, for a course in which nothing is planted."""
    solved = solved_page(Context.of(course, STAGE))
    places = {"@COURSE@": str(course.root), "@HOME@": "/nowhere", "@CHECKOUT@": str(CHECKOUT), "@PORT@": "9"}
    return [(attack, attack.handed_in(solved, places)) for attack in attacks()]


def solved_page(context: Context) -> nbformat.NotebookNode:
    from autograder.course.demo.run import submission
    from autograder.course.demo.submissions import Handed

    return nbformat.reads(submission(Handed("", 20), context.release).decode(), as_version=4)


def main(names: list[str]) -> None:
    """Everything, or these attacks again."""
    corpus = [attack.name for attack in attacks()]
    wanted = names or corpus
    if unknown := sorted({*wanted} - {*corpus}):
        sys.exit(f"No attack is called {', '.join(unknown)}; the names are those of the files in tests/attacks/corpus.")
    old = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    found = {name: old.get(name, {}) for name in corpus}
    for name, entry_points in at_the_entry_points(wanted).items():
        found[name] = found[name] | entry_points
    with tempfile.TemporaryDirectory() as folder:
        copy_checkout(Path(folder, "source"))
        for environment in ENVIRONMENTS:
            for name, result in run_in(environment, wanted, Path(folder, "source")).items():
                found[name].setdefault("runs", {})[environment] = result
                print(environment, name, result, flush=True)
    RESULTS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    assert os.geteuid() == 0, "only root can become the others"
    main(sys.argv[1:])
