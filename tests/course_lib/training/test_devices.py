import random
import subprocess
import sys

import numpy
import pytest
import torch

from course_lib.training import devices


@pytest.fixture(autouse=True)
def _say_again():
    devices.say_once.cache_clear()
    yield
    devices.say_once.cache_clear()


def offer(monkeypatch, cuda=False, mps=False):
    monkeypatch.delenv("COURSE_DEVICE", raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2 if cuda else 0)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)


@pytest.mark.parametrize(
    ("cuda", "mps", "expected"), [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")]
)
def test_cuda_comes_before_mps_and_mps_before_the_cpu(monkeypatch, cuda, mps, expected):
    offer(monkeypatch, cuda, mps)
    assert devices.device().type == expected


@pytest.mark.parametrize("name", ["cpu", "cuda", "cuda:1"])
def test_the_environment_overrides_the_choice(monkeypatch, name):
    offer(monkeypatch, cuda=True)
    monkeypatch.setenv("COURSE_DEVICE", name)
    assert devices.device() == torch.device(name)


@pytest.mark.parametrize("name", ["gpu", "mps", "cuda:2", "cuda:x", "meta"])
def test_an_override_that_the_machine_does_not_offer_is_named_with_what_it_offers(monkeypatch, name):
    offer(monkeypatch, cuda=True)
    monkeypatch.setenv("COURSE_DEVICE", name)
    with pytest.raises(ValueError, match=r"COURSE_DEVICE must name a device .*\(cuda, cpu\)") as error:
        devices.device()
    assert repr(name) in str(error.value)


def test_the_device_is_said_once(monkeypatch, capsys):
    offer(monkeypatch)
    devices.device()
    devices.device()
    printed = capsys.readouterr()
    assert printed.out.count("Device: cpu") == 1
    assert printed.err == ""


def test_a_seed_repeats_python_numpy_and_torch():
    def draw():
        devices.seed_everything(17)
        return random.random(), numpy.random.rand(), torch.rand(3).tolist()  # noqa: NPY002

    assert draw() == draw()


def test_seeds_beyond_numpys_range_are_accepted():
    devices.seed_everything(2**32 + 5)
    assert torch.initial_seed() == 2**32 + 5


def test_importing_the_package_loads_nothing_heavy_but_torch():
    heavy = ["torchvision", "sklearn", "matplotlib", "rich", "scipy", "ipywidgets"]
    code = (
        "import sys, torch; before = set(sys.modules); import course_lib; "
        f"print([name for name in {heavy} if name in set(sys.modules) - before])"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
