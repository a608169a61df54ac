"""The parts of stage 13 beside what torch and transformers compute."""

import ast
import inspect
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from course_lib.model.grouped_query import GroupedQueryAttention
from course_lib.model.language_model import DecoderOnlyBlock, LanguageModel
from course_lib.model.rms_norm import RMSNorm
from course_lib.model.rotary import rotate
from course_lib.tasks.torchvision_mend import import_torchvision

import_torchvision()  # beside a CPU torch it takes transformers with it otherwise
PAGE = Path(__file__).parents[3] / "solutions" / "13_language_model.py"


@pytest.mark.parametrize("eps", [1e-5, 0.3])
def test_rms_norm_is_torchs(eps):
    ours, theirs = RMSNorm(7, eps).double(), nn.RMSNorm(7, eps).double()
    with torch.no_grad():
        theirs.weight.normal_()
    ours.load_state_dict(theirs.state_dict())
    x = torch.randn(3, 5, 7, dtype=torch.float64)
    torch.testing.assert_close(ours(x), theirs(x), rtol=0, atol=1e-12)


def test_rms_norm_in_float16_is_right_to_two_thousandths():
    x = 300 * torch.randn(3, 5, 64)
    torch.testing.assert_close(RMSNorm(64).half()(x.half()).float(), RMSNorm(64)(x), rtol=2e-3, atol=2e-3)


def test_rotate_is_transformers_rotation_up_to_the_order_of_the_features():
    llama = pytest.importorskip("transformers.models.llama.modeling_llama")
    x, positions = torch.randn(2, 3, 5, 8), torch.tensor([4, 0, 7, 19, 3])
    angles = positions[:, None] * 10000.0 ** (-torch.arange(0, 8, 2) / 8)  # [T, d/2]
    cos, sin = (torch.cat([f(angles), f(angles)], dim=-1).unsqueeze(0) for f in (torch.cos, torch.sin))
    halves = torch.cat([x[..., 0::2], x[..., 1::2]], dim=-1)
    theirs, _ = llama.apply_rotary_pos_emb(halves, halves, cos, sin)
    expected = torch.stack(theirs.chunk(2, dim=-1), dim=-1).flatten(-2)
    torch.testing.assert_close(rotate(x, positions), expected, rtol=0, atol=1e-6)


def test_scores_depend_on_differences_of_positions():
    q, k, positions = *torch.randn(2, 5, 8, dtype=torch.float64), torch.arange(5)
    scores = [rotate(q, positions + start) @ rotate(k, positions + start).T for start in (0, 23)]
    torch.testing.assert_close(*scores, rtol=0, atol=1e-12)


@pytest.mark.parametrize("groups", [1, 2, 6])
def test_attention_is_torchs_with_grouped_queries(groups):
    attention = GroupedQueryAttention(24, 6, groups).double()
    x = torch.randn(2, 7, 24, dtype=torch.float64)
    heads = (
        projection(x).unflatten(-1, (-1, 4)).transpose(1, 2)
        for projection in (attention.q_proj, attention.k_proj, attention.v_proj)
    )
    q, k, v = heads
    q, k = (rotate(part, torch.arange(7)) for part in (q, k))
    mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
    expected = attention.o_proj(mixed.transpose(1, 2).flatten(2))
    torch.testing.assert_close(attention(x)[0], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("pieces", [[1] * 9, [4, 1, 4], [2, 7]])
def test_a_text_in_pieces_gives_what_one_call_gives(pieces):
    model = LanguageModel(11, 24, 6, 2, num_layers=2, hidden_dim=7).double()
    tokens, caches, parts = torch.randint(11, (2, 9)), None, []
    for piece in tokens.split(pieces, dim=1):
        logits, caches = model.step(piece, caches)
        parts.append(logits)
    torch.testing.assert_close(torch.cat(parts, dim=1), model(tokens), rtol=0, atol=1e-10)


@pytest.mark.parametrize("tied", [True, False])
def test_a_new_model_knows_nothing(tied):
    model = LanguageModel(61, 96, 4, 2, num_layers=3, hidden_dim=128, tied=tied)
    tokens = torch.randint(61, (8, 33))
    loss = F.cross_entropy(model(tokens)[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
    assert loss < torch.log(torch.tensor(61.0)) + 0.1
    assert sum(parameter is model.embedding.weight for parameter in model.parameters()) == 1
    assert (model.output.weight is model.embedding.weight) == tied


def test_the_block_on_the_page_is_the_one_of_the_model():
    def body(source):
        found = next(n for n in ast.parse(source).body if isinstance(n, ast.ClassDef) and n.name == "DecoderOnlyBlock")
        return [ast.dump(method) for method in found.body if isinstance(method, ast.FunctionDef)]

    assert body(PAGE.read_text("utf-8")) == body(inspect.getsource(DecoderOnlyBlock))
