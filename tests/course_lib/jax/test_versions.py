"""What a page says where jax, flax or optax is missing or too old."""

from importlib.metadata import PackageNotFoundError

import pytest

from course_lib.jax import require_jax


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
def test_a_missing_or_old_package_is_named_with_the_version_that_is_needed(versions, said):
    with pytest.raises(ImportError) as refused:
        require_jax(installed(**versions))
    assert said in str(refused.value)


def test_a_release_candidate_is_read_as_its_release():
    require_jax(installed(jax="0.11.0rc1", flax="0.12.8"))


@pytest.mark.parametrize("platforms", ["cuda", "gpu", "CUDA,tpu"])
def test_a_gpu_that_is_asked_for_and_missing_is_said_in_a_sentence(monkeypatch, tmp_path, platforms):
    monkeypatch.setenv("JAX_PLATFORMS", platforms)
    with pytest.raises(ImportError, match="this machine has no NVIDIA GPU: unset it, or set it to cpu"):
        require_jax(nvidia=tmp_path / "none")


@pytest.mark.parametrize("platforms", ["", "cpu", "cuda,cpu", "tpu"])
def test_other_platforms_are_left_to_jax(monkeypatch, tmp_path, platforms):
    monkeypatch.setenv("JAX_PLATFORMS", platforms)
    assert require_jax(nvidia=tmp_path / "none") is None


def test_a_gpu_that_is_there_is_used(monkeypatch, tmp_path):
    monkeypatch.setenv("JAX_PLATFORMS", "cuda")
    assert require_jax(nvidia=tmp_path) is None
