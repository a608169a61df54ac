import pytest
import torch
from torch import nn

from course_lib.training.engine.threads import suitable_threads


@pytest.fixture(autouse=True)
def _two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_a_small_model_gets_one_thread_and_a_large_one_keeps_them():
    with suitable_threads(nn.Linear(3, 5)) as threads:
        assert threads == torch.get_num_threads() == 1
    with suitable_threads(nn.Linear(1009, 997)) as threads:
        assert threads == torch.get_num_threads() == 2


def test_the_number_of_threads_is_restored_after_an_error():
    with pytest.raises(RuntimeError, match="on purpose"), suitable_threads(nn.Linear(3, 5)):
        raise RuntimeError("on purpose")
    assert torch.get_num_threads() == 2


def test_a_given_number_of_threads_is_taken():
    with suitable_threads(nn.Linear(3, 5), threads=2) as threads:
        assert threads == torch.get_num_threads() == 2
