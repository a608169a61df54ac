import pickle

import pytest
import torch
from torch import nn

from course_lib.interop import (
    copy_attention,
    copy_cross_attention,
    copy_decoder_layer,
    copy_encoder_layer,
    load_published_checkpoint,
)
from course_lib.model.decoder import DecoderBlock
from course_lib.model.encoder import EncoderBlock, PreNormEncoderBlock
from course_lib.model.masks import causal_mask
from course_lib.model.multi_head import CrossAttention, MultiheadAttention
from course_lib.model.predictor import TransformerPredictor

B, H, T, S, D, HIDDEN = 2, 3, 5, 7, 12, 17
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}
PUBLISHED = dict(input_dim=10, model_dim=32, num_classes=10, num_heads=1, num_layers=1)
PUBLISHED |= dict(lr=5e-4, warmup=50, max_iters=1000, dropout=0.0, input_dropout=0.0)

both_dtypes = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
with_and_without_mask = pytest.mark.parametrize("masked", [False, True])


def randomise(module, dtype):
    """Weights of order one everywhere: torch starts its biases at 0, where a mix-up would not show."""
    generator = torch.Generator().manual_seed(89)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.4)
    return module.to(dtype)


def make_tokens(length, width, dtype):
    generator = torch.Generator().manual_seed(97 + length)
    return torch.randn(B, length, width, generator=generator).to(dtype)


def make_mask(*shape):
    mask = torch.rand(shape, generator=torch.Generator().manual_seed(101)) < 0.6
    mask[..., 0] = True
    return mask


def assert_agree(ours, theirs, dtype):
    torch.testing.assert_close(ours, theirs, rtol=0, atol=TOLERANCE[dtype])


# ---- torch's layers


@both_dtypes
@with_and_without_mask
@pytest.mark.parametrize("bias", [True, False])
def test_self_attention_agrees_with_torch(dtype, masked, bias):
    theirs = randomise(nn.MultiheadAttention(D, H, bias=bias, batch_first=True), dtype)
    ours = MultiheadAttention(D, D, H).to(dtype)
    copy_attention(theirs, ours)
    x, mask = make_tokens(T, D, dtype), make_mask(T, T) if masked else None
    expected, weights = theirs(x, x, x, attn_mask=~mask if masked else None, average_attn_weights=False)
    output, attention = ours(x, mask, return_attention=True)
    assert_agree(output, expected, dtype)
    assert_agree(attention, weights, dtype)


@both_dtypes
@with_and_without_mask
@pytest.mark.parametrize(("kdim", "vdim"), [(D, D), (13, 19)])
def test_cross_attention_agrees_with_torch(dtype, masked, kdim, vdim):
    theirs = randomise(nn.MultiheadAttention(D, H, kdim=kdim, vdim=vdim, batch_first=True), dtype)
    ours = CrossAttention(D, kdim, vdim, D, H).to(dtype)
    copy_cross_attention(theirs, ours)
    inputs = make_tokens(T, D, dtype), make_tokens(S, kdim, dtype), make_tokens(S, vdim, dtype)
    padding = make_mask(B, S) if masked else None
    expected, _ = theirs(*inputs, key_padding_mask=~padding if masked else None)
    assert_agree(ours(*inputs, padding[:, None] if masked else None), expected, dtype)


@both_dtypes
@with_and_without_mask
@pytest.mark.parametrize("block", [EncoderBlock, PreNormEncoderBlock])
def test_the_encoder_block_agrees_with_torch(dtype, masked, block):
    theirs = nn.TransformerEncoderLayer(
        D, H, HIDDEN, norm_first=block is PreNormEncoderBlock, batch_first=True, layer_norm_eps=1e-3
    )
    theirs = randomise(theirs, dtype).eval()
    ours = block(D, H, HIDDEN).to(dtype)
    copy_encoder_layer(theirs, ours)
    x, mask = make_tokens(T, D, dtype), make_mask(T, T) if masked else None
    assert_agree(ours(x, mask), theirs(x, src_mask=~mask if masked else None), dtype)


@both_dtypes
@with_and_without_mask
def test_the_decoder_block_agrees_with_torch(dtype, masked):
    theirs = randomise(nn.TransformerDecoderLayer(D, H, HIDDEN, batch_first=True), dtype).eval()
    ours = DecoderBlock(D, H, HIDDEN).to(dtype)
    copy_decoder_layer(theirs, ours)
    x, memory = make_tokens(T, D, dtype), make_tokens(S, D, dtype)
    padding, memory_padding = make_mask(B, T), make_mask(B, S)
    theirs_masks = dict(tgt_key_padding_mask=~padding, memory_key_padding_mask=~memory_padding)
    ours_masks = dict(mask=padding[:, None], memory_mask=memory_padding[:, None])
    expected = theirs(x, memory, tgt_mask=~causal_mask(T), **(theirs_masks if masked else {}))
    assert_agree(ours(x, memory, **(ours_masks if masked else {})), expected, dtype)


def test_what_our_layers_do_not_have_is_refused():
    ours, cross = MultiheadAttention(D, D, H), CrossAttention(D, D, D, D, H)
    with pytest.raises(ValueError, match="add_bias_kv"):
        copy_attention(nn.MultiheadAttention(D, H, add_bias_kv=True), ours)
    with pytest.raises(ValueError, match="add_zero_attn"):
        copy_cross_attention(nn.MultiheadAttention(D, H, add_zero_attn=True), cross)
    with pytest.raises(ValueError, match="theirs has 4 heads, but ours has 3"):
        copy_attention(nn.MultiheadAttention(D, 4), ours)
    with pytest.raises(ValueError, match="use copy_cross_attention"):
        copy_attention(nn.MultiheadAttention(D, H, kdim=13), ours)
    with pytest.raises(RuntimeError, match="size mismatch"):
        copy_attention(nn.MultiheadAttention(D + H, H), ours)


@pytest.mark.parametrize(
    ("norm_first", "block"), [(True, EncoderBlock), (False, PreNormEncoderBlock), (True, DecoderBlock)]
)
def test_a_pre_norm_layer_does_not_go_with_a_post_norm_block(norm_first, block):
    kind = nn.TransformerDecoderLayer if block is DecoderBlock else nn.TransformerEncoderLayer
    copy = copy_decoder_layer if block is DecoderBlock else copy_encoder_layer
    with pytest.raises(ValueError, match=f"norm_first={norm_first} does not go with {block.__name__}"):
        copy(kind(D, H, HIDDEN, norm_first=norm_first), block(D, H, HIDDEN))


def test_another_activation_is_refused():
    theirs = nn.TransformerEncoderLayer(D, H, HIDDEN, activation="gelu", batch_first=True)
    with pytest.raises(ValueError, match="our blocks have ReLU"):
        copy_encoder_layer(theirs, EncoderBlock(D, H, HIDDEN))


# ---- published checkpoints


def save(path, **changes):
    """Write a checkpoint as Lightning does; a change of None takes a key away."""
    model = randomise(TransformerPredictor(**PUBLISHED), torch.float32)
    checkpoint = dict(epoch=9, global_step=7030, state_dict=model.state_dict(), hyper_parameters=PUBLISHED)
    checkpoint["pytorch-lightning_version"] = "1.0.2"
    checkpoint |= changes
    torch.save({key: value for key, value in checkpoint.items() if value is not None}, path)
    return model


@pytest.mark.parametrize("as_text", [False, True])
def test_a_published_checkpoint_gives_its_model(tmp_path, as_text):
    path = tmp_path / "ReverseTask.ckpt"
    saved = save(path)
    model = load_published_checkpoint(str(path) if as_text else path)
    assert model.hyper_parameters == PUBLISHED
    assert not model.training
    x = make_tokens(11, 10, torch.float32)
    assert torch.equal(model(x), saved.eval()(x))


def test_a_checkpoint_of_an_older_file_format_is_read_too(tmp_path):
    checkpoint = dict(state_dict=TransformerPredictor(**PUBLISHED).state_dict(), hyper_parameters=PUBLISHED)
    torch.save(checkpoint, tmp_path / "old.ckpt", _use_new_zipfile_serialization=False)
    assert load_published_checkpoint(tmp_path / "old.ckpt").hyper_parameters == PUBLISHED


def test_an_absent_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no checkpoint file at .*absent.ckpt"):
        load_published_checkpoint(tmp_path / "absent.ckpt")


class Hostile:
    """Unpickled by a careless reader, it writes a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


@pytest.mark.parametrize("place", ["alone", "beside", "among the parameters", "bare pickle"])
def test_a_hostile_pickle_is_refused_and_nothing_in_it_runs(tmp_path, place):
    path, trace = tmp_path / "hostile.ckpt", tmp_path / "it_ran"
    if place == "alone":
        torch.save(Hostile(trace), path)
    elif place == "beside":
        save(path, callbacks=Hostile(trace))
    elif place == "among the parameters":
        save(path, hyper_parameters=PUBLISHED | {"lr": Hostile(trace)})
    else:
        path.write_bytes(pickle.dumps({"state_dict": Hostile(trace), "hyper_parameters": {}}))
    with pytest.raises(ValueError, match="without executing code"):
        load_published_checkpoint(path)
    assert not trace.exists()


def test_the_hostile_pickle_would_have_run(tmp_path):
    pickle.loads(pickle.dumps(Hostile(tmp_path / "it_ran"))).close()
    assert (tmp_path / "it_ran").exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no zip", b"<html>404</html>", bytes(range(256)) * 7])
def test_a_file_that_is_no_checkpoint_is_refused(tmp_path, content):
    (tmp_path / "page.ckpt").write_bytes(content)
    with pytest.raises(ValueError, match="page.ckpt is not a checkpoint") as caught:
        load_published_checkpoint(tmp_path / "page.ckpt")
    assert "\n" not in str(caught.value)


def test_a_checkpoint_cut_short_is_refused(tmp_path):
    save(tmp_path / "whole.ckpt")
    (tmp_path / "cut.ckpt").write_bytes((tmp_path / "whole.ckpt").read_bytes()[:5003])
    with pytest.raises(ValueError, match="cut.ckpt is not a checkpoint"):
        load_published_checkpoint(tmp_path / "cut.ckpt")


def test_a_tensor_is_not_a_checkpoint(tmp_path):
    torch.save(torch.zeros(3), tmp_path / "tensor.ckpt")
    with pytest.raises(ValueError, match="must hold a dict, but it holds a Tensor"):
        load_published_checkpoint(tmp_path / "tensor.ckpt")


@pytest.mark.parametrize("key", ["state_dict", "hyper_parameters"])
@pytest.mark.parametrize("value", [None, [3, 5]])
def test_a_missing_part_is_named(tmp_path, key, value):
    save(tmp_path / "part.ckpt", **{key: value})
    with pytest.raises(ValueError, match=f"must hold a dict named '{key}'"):
        load_published_checkpoint(tmp_path / "part.ckpt")


@pytest.mark.parametrize(
    "changes",
    [
        {"colour": 3},
        {"num_heads": 5},
        {"num_heads": 0},
        {"num_layers": "many"},
        {"model_dim": -7},
        {"dropout": 2.0},
    ],
)
def test_hyper_parameters_that_make_no_model_are_refused(tmp_path, changes):
    save(tmp_path / "odd.ckpt", hyper_parameters=PUBLISHED | changes)
    with pytest.raises(ValueError, match="odd.ckpt make no TransformerPredictor") as caught:
        load_published_checkpoint(tmp_path / "odd.ckpt")
    assert "\n" not in str(caught.value)


def test_missing_hyper_parameters_are_refused(tmp_path):
    save(tmp_path / "few.ckpt", hyper_parameters={"input_dim": 10})
    with pytest.raises(ValueError, match="missing 4 required positional arguments"):
        load_published_checkpoint(tmp_path / "few.ckpt")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"output_net.4.bias": torch.zeros(7)}, r"output_net.4.bias \(expected \[10\], came \[7\]\)"),
        ({"extra": torch.zeros(7)}, r"extra \(expected nothing, came \[7\]\)"),
        ({"output_net.4.bias": None}, r"output_net.4.bias \(expected \[10\], came nothing\)"),
        ({"output_net.4.bias": "text"}, r"output_net.4.bias \(expected \[10\], came a str\)"),
    ],
)
def test_parameters_that_do_not_fit_are_named_with_their_shapes(tmp_path, change, message):
    state = TransformerPredictor(**PUBLISHED).state_dict() | change
    state = {name: value for name, value in state.items() if value is not None}
    save(tmp_path / "misfit.ckpt", state_dict=state)
    with pytest.raises(ValueError, match=message):
        load_published_checkpoint(tmp_path / "misfit.ckpt")


def test_many_misfits_are_counted_in_one_sentence(tmp_path):
    save(tmp_path / "wide.ckpt", hyper_parameters=PUBLISHED | {"model_dim": 31})
    with pytest.raises(ValueError, match="and 16 more$") as caught:
        load_published_checkpoint(tmp_path / "wide.ckpt")
    assert "\n" not in str(caught.value)
