"""What one submission does to those beside it and after it: their scores and flags are as without it."""

import nbformat
import pytest

from autograder.grading.pool import local
from autograder.grading.task import grade_bytes

from .attack import CORPUS, NOT_SOLVED, load

HEAVY = (
    "chain_of_functions",
    "full_sockets",
    "names_without_end",
    "nested_display",
    "page_tables",
    "prose_without_end",
    "spinning_processes",
)


def said(result: dict) -> tuple:
    """Of a result, what must not depend on others."""
    submission = result["submission"]
    return submission["score"], submission["flags"], submission["repairs"], result["timed_out"]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_two_honest_neighbours_are_graded_as_if_they_were_alone(world):
    half = nbformat.from_dict(world.solved)
    next(c for c in half.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "softmax").source = NOT_SOLVED
    honest = {"ada": nbformat.writes(world.solved).encode(), "bob": nbformat.writes(half).encode()}
    alone = {name: said(world.grade(data)) for name, data in honest.items()}
    handed_in = [(name, load(CORPUS / f"{name}.py").handed_in(world.solved, world.places)) for name in HEAVY]
    among = [entry for attack in handed_in for entry in [attack, *honest.items()]]
    beside = [(name, said(result)) for name, result in graded(world.context, among) if name in honest]
    assert sorted(beside) == sorted(list(alone.items()) * len(HEAVY))
    assert {score for score, *_ in alone.values()} == {20, 16}


def graded(context, submissions):
    """Student and result, two at once."""
    return local(grade_bytes, ((name, (context, data)) for name, data in submissions), jobs=2)


@pytest.mark.parametrize(
    "name", [path.stem for path in sorted(CORPUS.glob("*.py")) if load(path).kind == "left behind"]
)
def test_the_same_submission_twice_in_a_row_finds_nothing_of_its_own(world, name):
    attack = load(CORPUS / f"{name}.py")
    data = attack.handed_in(world.solved, world.places)
    first, second = (said(world.grade(data)) for _ in range(2))
    assert first == second
    assert first[0] == attack.gets
