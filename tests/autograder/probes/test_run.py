"""An error crosses as words that are the same each time."""

# ruff: noqa: NPY002 (the global generator is what is tested)

import os
import random

import numpy as np
import pytest
import torch
from torch import nn

from autograder.probes import run
from autograder.probes.calling import call
from autograder.probes.run import describe, probe_of, run_case, seeds_kept
from autograder.protocol.sentences import DRAWS


def test_addresses_are_left_out_of_a_message():
    said = [describe(TypeError(f"{object()} is traced, object id {id(object())}"))["message"] for _ in range(2)]
    assert said == ["<object object at 0x…> is traced, object id …"] * 2


def test_no_place_of_this_machine_is_told():
    traced = f"a tracer\nThe error occurred while tracing the function <lambda> at {run.__file__}:18 for jit. It helps"
    assert describe(TypeError(traced))["message"] == "a tracer It helps"
    library = os.path.dirname(os.__file__)
    assert describe(OSError(f"no {library}/x.py"))["message"] == f"no {os.path.basename(library)}/x.py"


class RaisesWhenRead(ValueError):
    def __str__(self):
        raise RuntimeError


class Lies(str):
    def __getitem__(self, key):
        return 5


@pytest.mark.parametrize(
    ("error", "message"), [(RaisesWhenRead(), ""), (ValueError(Lies("x")), "x"), (ValueError("\ud800"), "?")]
)
def test_an_error_that_cannot_be_read_is_described_all_the_same(error, message):
    described = describe(error)
    assert described["message"] == message
    assert "ValueError" in described["kinds"]


def test_an_object_that_says_it_is_a_tensor_is_none():
    class Pretends:
        __class__ = torch.Tensor

        def __getattr__(self, name):
            return lambda *_, **__: self

    record = run_case(lambda answer: {"output": answer()}, Pretends, {})
    assert record["error"]["type"] == "NotATensor"


@pytest.mark.parametrize("reseed", [np.random.seed, random.seed])
def test_an_answer_that_reseeds_python_or_numpy_is_noticed(reseed):
    """A seed that the caller set is gone afterwards."""

    def student():
        reseed(1)
        return torch.zeros(1)

    record = run_case(lambda answer: {"output": call(answer)}, student, {})
    assert record["noticed"] == ["random seed"]


class Drawn:
    """Its parameters are random."""

    def __init__(self):
        self.parameters = torch.rand(1)


@pytest.mark.parametrize(
    ("student", "noticed"), [(lambda: torch.rand(1), [DRAWS]), (lambda: torch.ones(1), []), (Drawn, [])]
)
def test_random_numbers_that_are_drawn_in_a_call_are_noticed(student, noticed):
    """Not those that a constructor draws for its parameters."""

    def probe(answer):
        call(answer)
        return {"output": torch.zeros(1)}

    assert run_case(probe, student, {})["noticed"] == noticed


def test_a_part_made_in_a_call_changes_no_mode():
    class Grows(nn.Module):
        def forward(self):
            self.part = nn.ReLU()
            return torch.zeros(1)

    def probe(answer):
        return {"output": call(answer().eval())}

    assert run_case(probe, Grows, {})["noticed"] == []


def test_a_model_whose_parameters_are_left_frozen_is_noticed():
    def student(model):
        return model.requires_grad_(False)(torch.ones(2))

    record = run_case(lambda answer: {"output": call(answer, model=torch.nn.Linear(2, 1))}, student, {})
    assert record["noticed"] == ["requires_grad of model"]


def test_another_generator_in_numpys_place_is_noticed():
    """It isn't seeded as the page's was."""

    def student():
        np.random.set_bit_generator(np.random.PCG64(1))
        return torch.zeros(1)

    before = np.random.get_bit_generator()
    record = run_case(lambda answer: {"output": call(answer)}, student, {})
    assert record["noticed"] == ["random seed"]
    assert np.random.get_bit_generator() is before


def test_the_random_numbers_of_a_page_continue_after_the_cases_as_before():
    """Those of NumPy's normal distribution come in pairs, and half of one may be left."""
    np.random.seed(3)
    random.seed(3)
    np.random.randn()
    expected = (np.random.get_state(), random.getstate())
    with seeds_kept():
        for _ in range(2):
            run_case(lambda: {"output": torch.tensor([np.random.randn(), random.random()])}, None, {})
    for now, then in zip((*np.random.get_state(), random.getstate()), (*expected[0], expected[1]), strict=True):
        assert np.array_equal(now, then) if isinstance(now, np.ndarray) else now == then


def test_an_argument_of_the_probe_is_not_blamed_for_what_is_traced():
    where = "a tracer\nThe error occurred while tracing the function attend at {} for jit."
    blamed = "This concrete value was not available in Python because it depends on the value of the argument given[3]."
    assert describe(TypeError(f"{where.format(f'{run.__file__}:18')} {blamed}\nSee"))["message"] == "a tracer\nSee"
    own = f"{where.format('cell:1')} {blamed}"
    assert describe(TypeError(own))["message"] == own


def test_a_changed_argument_is_noticed_although_comparing_was_replaced(monkeypatch):
    """The comparison is the one from before the answer."""

    def softmax(logits, dim=-1):
        monkeypatch.setattr(torch, "equal", lambda *_: True)
        return logits.zero_()

    record = run_case(probe_of("softmax"), softmax, {"tensors": {"logits": np.ones(2)}})
    assert record["noticed"] == ["argument logits"]


def test_a_list_is_taken_only_if_its_mask_is_the_tensors():
    class Equal(torch.Tensor):
        def __eq__(self, other):
            return torch.ones(1)

    def padding_mask(lengths, max_len=None):
        return torch.zeros(1, 3).as_subclass(Equal) if isinstance(lengths, list) else torch.ones(1, 3)

    record = run_case(probe_of("padding_mask"), padding_mask, {"settings": {"lengths": [3]}})
    assert not record["tensors"]["taken"]
