"""A page runs through whichever of its exercises is written: no demonstration builds on what another one made."""

import ast
import builtins

import nbformat
import pytest

from autograder.build.release import solved_notebook, student_notebook
from autograder.build.stage import read_stage
from autograder.catalogue import exercises_of
from autograder.stages import STAGE_NAMES
from tests.notebooks.test_pages import SOLUTIONS, errors, run


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
    assert leans_on_another([first, "with needs_your('a'):\n    print(helper)"]) == [("helper", "with needs_your('a'):")]
    assert leans_on_another([first, "with needs_your('a', 'b', 'c'):\n    print(helper)"]) == []
    assert leans_on_another(["helper = 5", first, "with needs_your('a'):\n    print(helper)"]) == []


@pytest.mark.parametrize("stage", STAGE_NAMES)
def test_no_demonstration_leans_on_one_that_waits_for_more(stage):
    cells = read_stage(SOLUTIONS / f"{stage}.py").cells
    sources = [cell.source for cell in cells if cell.kind not in ("prose", "question")]
    assert leans_on_another(sources) == []


def with_one_answer(stage, exercise):
    """The students' page with one of its answers written."""
    page = read_stage(SOLUTIONS / f"{stage}.py")
    empty, solved = (nbformat.reads(make(page).decode(), 4) for make in (student_notebook, solved_notebook))
    answer = next(cell for cell in solved.cells if cell.id == exercise)
    next(cell for cell in empty.cells if cell.id == exercise).source = answer.source
    return nbformat.writes(empty).encode()


@pytest.mark.parametrize("exercise", [exercise.id for exercise in exercises_of("06_training")])
def test_stage_6_runs_through_with_each_of_its_exercises_alone(exercise, tmp_path):
    assert errors(run(with_one_answer("06_training", exercise), tmp_path, drawn=False)) == []
