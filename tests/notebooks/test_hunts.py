"""The code with mistakes to find: each mistake alone changes the numbers, and once all are fixed nothing differs."""

import re
from pathlib import Path

import pytest

from autograder.build.stage import read_stage

SOLUTIONS = Path(__file__).parents[2] / "solutions"
FIXES = {
    "02_multi_head": {
        "part.reshape(B, self.heads, T, dim // self.heads)": "part.reshape(B, T, self.heads, -1).transpose(1, 2)",
        "dim**0.5": "(dim // self.heads) ** 0.5",
        ".softmax(dim=-1)  # [B, h, T, T]\n": "  # [B, h, T, T]\n",
        "weights = weights * visible\n": "weights = weights.masked_fill(~visible, -torch.inf)\n",
        "return self.out((weights @ v)": "return self.out((weights.softmax(dim=-1) @ v)",
    },
    "05_decoder": {
        "triu(2)": "triu(1)",
        "key_padding_mask=real": "key_padding_mask=~real",
        "parts.norm3(parts.linear2": "parts.norm3(x + parts.linear2",
    },
}
MISTAKES = {  # of the fixes above those that belong together
    "02_multi_head": [(0,), (1,), (2, 3, 4)],
    "05_decoder": [(0,), (1,), (2,)],
}


def differences(stage, fixed, capsys):
    """What the cell prints as differences, when these mistakes are fixed."""
    start = "class PostedAttention" if stage == "02_multi_head" else "def posted_layer"
    source = next(cell.source for cell in read_stage(SOLUTIONS / f"{stage}.py").cells if start in cell.source)
    fixes = list(FIXES[stage].items())
    for old, new in (fixes[number] for mistake in fixed for number in mistake):
        assert source.count(old) == 1
        source = source.replace(old, new)
    exec("import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n" + source, {})
    return [float(number) for number in re.findall(r"by (\S+)", capsys.readouterr().out)]


@pytest.mark.parametrize("stage", FIXES)
def test_without_its_three_mistakes_the_posted_code_agrees_with_torch(stage, capsys):
    assert max(differences(stage, MISTAKES[stage], capsys)) < 1e-6


@pytest.mark.parametrize("stage", FIXES)
@pytest.mark.parametrize("left", range(3))
def test_each_mistake_alone_shows(stage, left, capsys):
    fixed = [mistake for number, mistake in enumerate(MISTAKES[stage]) if number != left]
    assert max(differences(stage, fixed, capsys)) > 1e-3
