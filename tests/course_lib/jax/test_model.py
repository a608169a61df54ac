"""Stage 22's references, held against torch's and the published checkpoint; parameters in and out."""

import os
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from flax import nnx
from flax.serialization import msgpack_serialize

from course_lib.jax.data import ReverseDataset, reverse_accuracy
from course_lib.jax.interop import (
    copy_from_torch,
    copy_to_torch,
    load_flax_checkpoint,
    load_params,
    params_of,
    put_params,
    save_params,
)
from course_lib.jax.model import EncoderBlock, PositionalEncoding, TransformerEncoder, TransformerPredictor
from course_lib.model import encoder, positions, predictor

PUBLISHED = Path(os.environ.get("COURSE_DATA", "../shared/data")) / "uva_jax" / "ReverseTask.ckpt"
SIZES = {"model_dim": 12, "num_classes": 5, "num_heads": 3, "num_layers": 2}
BLOCK = {"input_dim": 6, "num_heads": 3, "dim_feedforward": 11}
PAIRS = {
    "block": (lambda: encoder.EncoderBlock(**BLOCK), lambda: EncoderBlock(**BLOCK, rngs=nnx.Rngs(0))),
    "encoder": (
        lambda: encoder.TransformerEncoder(2, **BLOCK),
        lambda: TransformerEncoder(2, **BLOCK, rngs=nnx.Rngs(0)),
    ),
    "predictor": (
        lambda: predictor.TransformerPredictor(6, **SIZES),
        lambda: TransformerPredictor(6, **SIZES, rngs=nnx.Rngs(0)),
    ),
}


def small(model_dim=12):
    return TransformerPredictor(7, **SIZES | {"model_dim": model_dim}, rngs=nnx.Rngs(0))


def published_sizes():
    return TransformerPredictor(10, model_dim=32, num_classes=10, num_heads=1, num_layers=1, rngs=nnx.Rngs(0))


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize("masked", [False, True])
def test_torchs_weights_give_torchs_numbers(pair, masked):
    torch.manual_seed(7)
    theirs, ours, x = pair[0]().eval(), pair[1](), torch.randn(3, 5, 6)
    mask = torch.rand(3, 5, 5) < 0.7 if masked else None
    copy_from_torch(theirs, ours)
    given = (jnp.array(x.numpy()), None if mask is None else jnp.array(mask.numpy()))
    np.testing.assert_allclose(ours(*given), theirs(x, mask).detach(), atol=1e-5)


def test_positions_are_torchs():
    x = torch.zeros(1, 96, 7)
    np.testing.assert_allclose(
        PositionalEncoding(7)(jnp.array(x.numpy())), positions.PositionalEncoding(7)(x), atol=2e-5
    )


def test_attention_maps_are_torchs():
    torch.manual_seed(7)
    theirs, ours = (make() for make in PAIRS["predictor"])
    x = torch.randn(3, 5, 6)
    copy_from_torch(theirs, ours)
    expected = theirs.eval().get_attention_maps(x)
    for one, other in zip(ours.get_attention_maps(jnp.array(x.numpy())), expected, strict=True):
        np.testing.assert_allclose(one, other.detach(), atol=1e-5)


def test_weights_come_back_from_flax_as_they_went():
    theirs, again = (predictor.TransformerPredictor(6, **SIZES) for _ in range(2))
    ours = PAIRS["predictor"][1]()
    copy_from_torch(theirs, ours)
    copy_to_torch(ours, again)
    assert all(torch.equal(theirs.state_dict()[name], value) for name, value in again.state_dict().items())


def test_a_torch_model_of_another_size_is_refused_with_both_shapes():
    theirs = predictor.TransformerPredictor(7, **SIZES)
    with pytest.raises(ValueError, match=r"input_layer.kernel \(expected \[6, 12\], came \[7, 12\]\)"):
        copy_from_torch(theirs, PAIRS["predictor"][1]())
    with pytest.raises(ValueError, match=r"expected \[12, 7\], came \[12, 6\]"):
        copy_to_torch(PAIRS["predictor"][1](), theirs)


def test_the_two_dropouts_of_a_call_differ_and_no_key_is_kept():
    block = EncoderBlock(**BLOCK, dropout=0.5, rngs=nnx.Rngs(0))
    assert all(isinstance(leaf, nnx.Param) for _, leaf in nnx.to_flat_state(nnx.state(block)))
    x = jax.random.normal(jax.random.key(1), (2, 5, 6))
    one, again, other = (block(x, deterministic=False, rngs=nnx.Rngs(dropout=seed)) for seed in (1, 1, 2))
    assert (one == again).all()
    assert (one != other).any()
    with pytest.raises(ValueError, match="rngs"):
        block(x, deterministic=False)


@pytest.mark.skipif(not PUBLISHED.is_file(), reason=f"the published checkpoint is not at {PUBLISHED}")
def test_the_published_checkpoint_reverses_every_sequence_of_its_test_split():
    model = load_flax_checkpoint(PUBLISHED, published_sizes())
    test_split = ReverseDataset(10, 16, 10_000, np.random.default_rng(44)).arrays()
    assert reverse_accuracy(model, test_split) == 1.0


def tree_of(model):
    """The parameters as a file of flax holds them, under the names that they have here."""
    tree: dict = {}
    for name, leaf in params_of(model).items():
        *path, last = name.split(".")
        here = tree
        for part in path:
            here = here.setdefault(part, {})
        here[last] = np.asarray(leaf)
    return tree


def test_a_checkpoint_of_other_shapes_names_the_key_and_both_and_nothing_is_loaded(tmp_path):
    (tmp_path / "wide.ckpt").write_bytes(msgpack_serialize(tree_of(small(model_dim=15))))
    model = small()
    before = params_of(model)
    with pytest.raises(ValueError, match=r"input_layer.bias \(expected \[12\], came \[15\]\).* and \d+ more"):
        load_flax_checkpoint(tmp_path / "wide.ckpt", model)
    assert all((leaf == params_of(model)[name]).all() for name, leaf in before.items())


def test_a_checkpoint_that_lacks_a_parameter_names_it(tmp_path):
    tree = tree_of(small())
    del tree["output_norm"]["scale"]
    (tmp_path / "few.ckpt").write_bytes(msgpack_serialize(tree))
    with pytest.raises(ValueError, match=r"output_norm.scale \(expected \[12\], came nothing\)"):
        load_flax_checkpoint(tmp_path / "few.ckpt", small())


@pytest.mark.parametrize(
    "content",
    [b"", b"\x93NUMPY", b"<html>", msgpack_serialize({"a": np.ones(3)})[:-2], msgpack_serialize([1, 2])],
    ids=["empty", "npy", "a page", "cut off", "a list"],
)
def test_a_file_that_is_no_whole_tree_is_refused_in_a_sentence(tmp_path, content):
    (tmp_path / "odd.ckpt").write_bytes(content)
    with pytest.raises(ValueError, match="odd.ckpt"):
        load_flax_checkpoint(tmp_path / "odd.ckpt", small())


def test_numbers_where_arrays_should_be_are_named(tmp_path):
    (tmp_path / "odd.ckpt").write_bytes(msgpack_serialize({"input_layer": {"bias": "twelve"}}))
    with pytest.raises(ValueError, match="input_layer.bias is a str"):
        load_flax_checkpoint(tmp_path / "odd.ckpt", small())


def test_complex_numbers_are_refused_and_nothing_is_loaded(tmp_path):
    model = small()
    before, tree = params_of(model), jax.tree.map(lambda leaf: 2 * leaf, tree_of(model))
    tree["output_norm"]["scale"] = tree["output_norm"]["scale"] * 1j
    (tmp_path / "complex.ckpt").write_bytes(msgpack_serialize(tree))
    with pytest.raises(ValueError, match=r"output_norm.scale holds complex numbers"):
        load_flax_checkpoint(tmp_path / "complex.ckpt", model)
    assert all((leaf == params_of(model)[name]).all() for name, leaf in before.items())


def test_a_missing_checkpoint_is_said_to_be_missing(tmp_path):
    with pytest.raises(FileNotFoundError, match="absent"):
        load_flax_checkpoint(tmp_path / "absent.ckpt", small())


def test_a_tree_comes_back_from_its_file_and_another_one_is_refused(tmp_path):
    tree = {"layer": [np.arange(6.0, dtype=np.float32).reshape(2, 3)], "bias": np.ones(2, np.float32)}
    save_params(tmp_path / "tree.npz", tree)
    back = load_params(tmp_path / "tree.npz", jax.tree.map(np.zeros_like, tree))
    assert all((one == other).all() for one, other in zip(jax.tree.leaves(back), jax.tree.leaves(tree), strict=True))
    with pytest.raises(ValueError, match=r"\['bias'\] \(expected \[3\], came \[2\]\)"):
        load_params(tmp_path / "tree.npz", tree | {"bias": np.ones(3)})
    (tmp_path / "cut.npz").write_bytes((tmp_path / "tree.npz").read_bytes()[:100])
    with pytest.raises(ValueError, match="whole .npz"):
        load_params(tmp_path / "cut.npz", tree)


def test_put_params_takes_what_params_of_gives():
    one, other = small(), TransformerPredictor(7, **SIZES, rngs=nnx.Rngs(1))
    put_params(other, params_of(one))
    assert all((leaf == params_of(other)[name]).all() for name, leaf in params_of(one).items())
