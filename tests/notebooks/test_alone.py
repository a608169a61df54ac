"""A page runs through whichever of its exercises is written: no demonstration builds on what another one made."""

import ast
import builtins
import contextlib
import io
import re

import matplotlib.pyplot as plt
import nbformat
import pytest

from autograder.build.release import solved_notebook, student_notebook
from autograder.build.stage import read_stage
from autograder.catalogue import exercises_of
from autograder.stages import STAGE_NAMES
from course_lib.notebook.guess import Guess
from tests.notebooks.test_pages import SOLUTIONS


def needed(statement):
    """The exercises that a demonstration waits for; None where it is none."""
    calls = [item.context_expr for item in statement.items] if isinstance(statement, ast.With) else []
    for call in (*calls, *getattr(statement, "decorator_list", ())):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "needs_your":
            return {argument.value for argument in call.args}
        for keyword in getattr(call, "keywords", ()):
            if keyword.arg == "needs":
                return {name.value for name in keyword.value.elts}
    return None


def names(statement, context):
    """The names of a statement that are stored or loaded."""
    found = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, context)}
    if context is ast.Store:
        found |= {n.arg for n in ast.walk(statement) if isinstance(n, ast.arg)}
        found |= {n.name for n in ast.walk(statement) if isinstance(n, ast.FunctionDef | ast.ClassDef)}
        aliases = [a for n in ast.walk(statement) if isinstance(n, ast.Import | ast.ImportFrom) for a in n.names]
        found |= {alias.asname or alias.name.split(".")[0] for alias in aliases}
    return found


def leans_on_another(sources):
    """(name, demonstration's first line) for names that only another demonstration makes, which may not have run."""
    at_top, inside, found = set(dir(builtins)), [], []
    for statement in (s for source in sources for s in ast.parse(source).body):
        needs = needed(statement)
        missing = names(statement, ast.Load) - names(statement, ast.Store) - at_top
        for name in sorted(missing):
            makers = [other for other, made in inside if name in made]
            if makers and not any(other <= (needs or set()) for other in makers):
                found.append((name, ast.unparse(statement).splitlines()[0]))
        if needs is None:
            at_top |= names(statement, ast.Store)
        elif isinstance(statement, ast.With):
            inside.append((needs, names(statement, ast.Store)))
    return found


def test_the_search_finds_a_name_that_another_demonstration_makes():
    first = "with needs_your('a', 'b'):\n    helper = 5"
    assert leans_on_another([first, "with needs_your('a'):\n    print(helper)"]) == [
        ("helper", "with needs_your('a'):")
    ]
    assert leans_on_another([first, "with needs_your('a', 'b', 'c'):\n    print(helper)"]) == []
    assert leans_on_another(["helper = 5", first, "with needs_your('a'):\n    print(helper)"]) == []


@pytest.mark.parametrize("stage", STAGE_NAMES)
def test_no_demonstration_leans_on_one_that_waits_for_more(stage):
    cells = read_stage(SOLUTIONS / f"{stage}.py").cells
    sources = [cell.source for cell in cells if cell.kind not in ("prose", "question")]
    assert leans_on_another(sources) == []


class Alone:
    """A page whose demonstrations see one written exercise; all else runs as on the empty page.

    Args:
        sources: of its cells of code, nothing written; without the checks.
        written: the exercises → their cells, written.

    Its cells run in their order, in one namespace. A demonstration runs once for each exercise that it waits for, with
    that answer in place of what the student has to write, and leaves what it made to those that see the same answer.
    `wrong` then has (exercise, demonstration's first line, what went wrong) for each that raised an error, or that still
    asked for the exercise that is written.
    """

    def __init__(self, sources, written):
        self.sources, self.written = sources, written
        self.names, self.made, self.wrong = {"__name__": "__main__"}, {name: {} for name in written}, []

    def run(self):
        for source in self.sources:
            for statement in ast.parse(source).body:
                self.execute(statement)
                for exercise in sorted((needed(statement) or set()) & set(self.written)):
                    self.demonstrate(statement, exercise)
        return self.wrong

    def execute(self, statement):
        for made in self.made.values():
            for name in names(statement, ast.Store) & made.keys():
                del made[name]
        exec(compile(ast.Module([statement], []), "page", "exec"), self.names)

    def demonstrate(self, statement, exercise):
        before = dict(self.names)
        self.names |= self.made[exercise]
        for name in [name for name in before if hasattr(before[name], "cache_clear")]:
            before[name].cache_clear()
        exec(self.written[exercise], self.names)
        answer, said = dict(self.names), io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                exec(compile(ast.Module([statement], []), "page", "exec"), self.names)
                look = self.names.get(getattr(statement, "name", None))
                if isinstance(look, Guess):
                    look(*look.given())
        except Exception as error:
            self.wrong.append((exercise, ast.unparse(statement).splitlines()[0], repr(error)))
        waiting = re.search(r"waits for your (.*)\. Write", said.getvalue())
        if waiting and exercise in waiting[1].split(" and "):
            self.wrong.append((exercise, ast.unparse(statement).splitlines()[0], said.getvalue().strip()))
        self.made[exercise] |= {name: v for name, v in self.names.items() if answer.get(name, self) is not v}
        self.names.clear()
        self.names |= before


def alone(stage):
    """The page of a stage, to run."""
    page = read_stage(SOLUTIONS / f"{stage}.py")
    empty, solved = (nbformat.reads(make(page).decode(), 4).cells for make in (student_notebook, solved_notebook))
    ids = {exercise.id for exercise in exercises_of(stage)}
    code = [cell for cell in empty if cell.cell_type == "code" and not cell.id.startswith("test_")]
    sources = [cell.source for cell in code if "%pip" not in cell.source]
    return Alone(sources, {cell.id: cell.source for cell in solved if cell.id in ids})


@pytest.fixture
def nobody_looks(monkeypatch, tmp_path):
    """A few steps of training, no pictures drawn, and a folder of its own."""
    monkeypatch.chdir(tmp_path)
    for name, value in {"PROGRESS": "off", "GUESS": "on", "PICTURES": "off", "STEPS": "2"}.items():
        monkeypatch.setenv(f"COURSE_{name}", value)
    yield
    plt.close("all")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch's arrays in matplotlib; a kernel goes on
@pytest.mark.parametrize("stage", STAGE_NAMES)
def test_every_demonstration_runs_with_each_of_its_exercises_alone(stage, nobody_looks):
    assert alone(stage).run() == []


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        ("first()", ""),
        ("first(); print(helper)", "helper"),  # of a demonstration that waits for the other exercise
        ("raise NotImplementedError", "waits for your first"),
    ],
)
def test_a_demonstration_that_cannot_run_with_its_exercise_alone_is_found(shown, found, nobody_looks):
    empty = "def {}():\n    raise NotImplementedError"
    sources = [
        "from course_lib import needs_your",
        empty.format("first") + "\n\n" + empty.format("second"),
        "with needs_your('second'):\n    second()\n    helper = 5",
        f"with needs_your('first'):\n    {shown}",
    ]
    wrong = Alone(sources, {name: f"def {name}(): pass" for name in ("first", "second")}).run()
    assert [exercise for exercise, *_ in wrong] == ["first"] * bool(found)
    assert found in str(wrong)
