"""What a page says where jax, flax or optax is missing or too old."""

from importlib.metadata import PackageNotFoundError

import pytest

import course_lib.jax as room


def installed(**versions):
    """A stand-in for `importlib.metadata.version`; what is not named is new enough."""

    def version(package):
        found = versions.get(package, "99.0")
        if found is None:
            raise PackageNotFoundError(package)
        return found

    return version


@pytest.mark.parametrize(
    ("versions", "said"),
    [
        ({"jax": None}, "need jax 0.10 or newer, and there is none: pip install"),
        ({"jax": "0.4.30"}, "need jax 0.10 or newer, and this is 0.4.30: pip install"),
        ({"flax": "0.10.7"}, "need flax 0.12 or newer, and this is 0.10.7"),
        ({"optax": None}, "need optax 0.2 or newer, and there is none"),
    ],
)
def test_a_missing_or_old_package_is_named_with_the_version_that_is_needed(monkeypatch, versions, said):
    monkeypatch.setattr(room, "version", installed(**versions))
    with pytest.raises(ImportError) as refused:
        room._require()
    assert said in str(refused.value)


def test_a_release_candidate_is_read_as_its_release(monkeypatch):
    monkeypatch.setattr(room, "version", installed(jax="0.11.0rc1", flax="0.12.8"))
    room._require()


@pytest.mark.parametrize("platforms", ["cuda", "gpu", "CUDA,tpu"])
def test_a_gpu_that_is_asked_for_and_missing_is_said_in_a_sentence(monkeypatch, tmp_path, platforms):
    monkeypatch.setenv("JAX_PLATFORMS", platforms)
    monkeypatch.setattr(room, "NVIDIA", tmp_path / "none")
    with pytest.raises(ImportError, match="this machine has no NVIDIA GPU: unset it, or set it to cpu"):
        room._require()


@pytest.mark.parametrize("platforms", ["", "cpu", "cuda,cpu", "tpu"])
def test_other_platforms_are_left_to_jax(monkeypatch, tmp_path, platforms):
    monkeypatch.setenv("JAX_PLATFORMS", platforms)
    monkeypatch.setattr(room, "NVIDIA", tmp_path / "none")
    assert room._require() is None


def test_a_gpu_that_is_there_is_used(monkeypatch, tmp_path):
    monkeypatch.setenv("JAX_PLATFORMS", "cuda")
    monkeypatch.setattr(room, "NVIDIA", tmp_path)
    assert room._require() is None
