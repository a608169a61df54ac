"""The ladder from a plain GPT to stage 13's model: one change per rung, and its end is the model of the stage."""

import ast
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

import pytest
import torch
from torch import nn

from benchmarks.baselines import nanogpt
from benchmarks.training_language_parts import Placed, Unrotated, Wide, ladder, model_of
from course_lib.model.language_model import LanguageModel
from course_lib.tasks.language import SHAKESPEARE, SIZES

RUNGS = ladder()


def differences(above, below):
    """What differs between two rungs; batch and block together are one batch."""
    recipes = asdict(above.recipe).items() - asdict(below.recipe).items()
    found = {"batch" if name in ("batch_size", "block") else name for name, _ in recipes} - {"max_steps"}
    return found | ({"sizes"} if above.sizes != below.sizes else set()) | (set(above.parts) ^ set(below.parts))


def test_each_rung_changes_one_thing():
    changes = [differences(above, below) for above, below in pairwise(RUNGS)]
    assert changes == [
        {"sizes"}, {"learning_rate"}, {"positions"}, {"norm"}, {"gate"}, {"groups"}, {"batch"}, {"muon"},
    ]  # fmt: skip


def test_the_last_rung_is_the_recipe_and_the_model_of_the_stage():
    torch.manual_seed(3)
    model, expected = model_of(65, RUNGS[-1]), LanguageModel(65, **SIZES)
    assert RUNGS[-1].recipe == SHAKESPEARE
    expected.load_state_dict(model.state_dict())
    tokens = torch.arange(20)[None]
    assert torch.equal(model(tokens), expected(tokens))


def test_page_13_shows_a_figure_for_each_rung():
    """The figures are kept there; who changes a rung measures it again."""
    page = Path(__file__).parents[2] / "solutions" / "13_language_model.py"
    nodes = ast.walk(ast.parse(page.read_text("utf-8")))
    [shown] = [n.value for n in nodes if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "ladder"]
    assert list(ast.literal_eval(shown)) == [rung.name for rung in RUNGS]


def test_the_first_rung_is_nanogpt_s_model():
    """The same function, with the weights of the baseline."""
    torch.manual_seed(3)
    theirs, ours = nanogpt.GPT(65, **nanogpt.SIZES), model_of(65, RUNGS[0])
    assert sum(p.numel() for p in ours.parameters()) == sum(p.numel() for p in theirs.parameters()) + 128
    with torch.no_grad():
        ours.embedding.tokens.weight.copy_(theirs.embedding.weight)
        ours.embedding.positions.weight[:64] = theirs.positions.weight
        for mine, block in zip(ours.blocks, theirs.blocks, strict=True):
            for layer, weight in zip(
                (mine.attention.q_proj, mine.attention.k_proj, mine.attention.v_proj),
                block.qkv.weight.chunk(3),
                strict=True,
            ):
                layer.weight.copy_(weight)
            mine.attention.o_proj.weight.copy_(block.out.weight)
            mine.feed_forward.wider.weight.copy_(block.wider.weight)
            mine.feed_forward.narrower.weight.copy_(block.narrower.weight)
        tokens = torch.randint(65, (2, 64))
        torch.testing.assert_close(ours(tokens), theirs(tokens), rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("part", "plain", "rung"),
    [("positions", (Unrotated, Placed), 3), ("norm", (nn.LayerNorm,), 4), ("gate", (Wide,), 5)],
)
def test_a_part_is_gone_from_its_rung_on(part, plain, rung):
    there = [any(isinstance(module, plain) for module in model_of(65, step).modules()) for step in RUNGS]
    assert there == [True] * rung + [False] * (len(RUNGS) - rung), part


def test_the_plain_gate_has_as_many_parameters():
    wide, gated = (sum(p.numel() for p in model_of(65, RUNGS[i]).parameters()) for i in (4, 5))
    assert wide == gated
