"""Whatever an answer returns, it is judged: records of every exercise, distorted in ways that no known mistake has."""

import numpy as np
import pytest

from autograder.catalogue import exercises_of
from autograder.judging import answer_key
from autograder.judging.answer_key import other_ways, pairs, single_edit
from autograder.judging.judge import judge
from autograder.stages import STAGE_NAMES

EXERCISES = [(stage, exercise) for stage in STAGE_NAMES for exercise in exercises_of(stage)]
ERROR = {"error": {"type": "KeyError", "message": "'x'", "kinds": ["KeyError", "LookupError", "Exception"]}}
OF_AN_ARRAY = {
    "nothing": lambda x: x[..., :0] if x.ndim else np.zeros(0, x.dtype),
    "one number": lambda x: x.reshape(-1)[:1].reshape(()) if x.size else np.array(0.5),
    "one axis more": lambda x: x[None],
    "one axis": lambda x: x.reshape(-1),
    "axes reversed": lambda x: x.T,
    "the first place only": lambda x: x[:1] if x.ndim else x,
    "one more place": lambda x: np.concatenate([x, x[:1]]) if x.ndim else x,
    "a border of zeros": lambda x: np.pad(x, 1),
    "one place of each row": lambda x: x[..., 0] if x.ndim and x.shape[-1] else x,
    "half precision": lambda x: x.astype(np.float16),
    "booleans": lambda x: x > 0,
    "bytes": lambda x: np.frombuffer(b'{"a": [', np.uint8),
    "NaN": lambda x: np.full(x.shape, np.nan, np.float32),
    "infinity": lambda x: np.full(x.shape, -np.inf),
    "large": lambda x: x.astype(np.float32) * 1e30,
}


def distorted(expected, change):
    """Every output under this change; where an error is expected, the outputs of the first case."""
    some = next(record for record in expected.values() if "tensors" in record)
    of = {case: record if "tensors" in record else some for case, record in expected.items()}
    return {
        case: {**record, "tensors": {name: change(array) for name, array in record["tensors"].items()}}
        for case, record in of.items()
    }


def with_errors(expected):
    """An error in every second case."""
    return {case: record if number % 2 else ERROR for number, (case, record) in enumerate(expected.items())}


def with_names_missing(expected):
    """Without the first output of each case, and with one that nobody knows."""
    return {
        case: {"tensors": dict([*record["tensors"].items()][1:]) | {"unknown": np.ones(3)}}
        if "tensors" in record
        else record
        for case, record in expected.items()
    }


@pytest.fixture(autouse=True)
def a_look_at_what_went_wrong(monkeypatch):
    """It is taken, but not for long."""
    for looks in (other_ways, pairs, single_edit):
        monkeypatch.setattr(looks, "SECONDS", 0.002)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of NumPy, about infinity and means of nothing
@pytest.mark.parametrize(("stage", "exercise"), EXERCISES, ids=[exercise.id for _, exercise in EXERCISES])
def test_it_is_judged_and_not_right(stage, exercise):
    key = answer_key.load(answer_key.public_file(stage))[exercise.id]
    records = {name: distorted(key["expected"], change) for name, change in OF_AN_ARRAY.items()}
    records |= {"errors": with_errors(key["expected"])}
    records |= {"names missing": with_names_missing(key["expected"])}
    scores = {name: judge(exercise, key, record).score for name, record in records.items()}
    assert {name for name, score in scores.items() if not 0 <= score <= exercise.points} == set()
    assert scores["NaN"] < exercise.points
    assert scores["nothing"] < exercise.points
