"""Shortcuts are found where the student's object reaches them, and nowhere else."""

import pytest

from autograder.catalogue import find
from autograder.judging.shortcuts import shortcut

DOT = find("scaled_dot_product")
USES = "def scaled_dot_product(q, k, v, mask=None):\n    return {}\n"

TAKEN = {
    "as an attribute": ["import torch.nn.functional as F", USES.format("F.scaled_dot_product_attention(q, k, v), q")],
    "in full": [USES.format("torch.nn.functional.scaled_dot_product_attention(q, k, v), q")],
    "imported under another name": [
        "from torch.nn.functional import scaled_dot_product_attention as sdpa",
        USES.format("sdpa(q, k, v), q"),
    ],
    "by getattr": [USES.format('getattr(F, "scaled_dot_product_attention")(q, k, v), q')],
    "in a helper of another cell": [
        "def helper(q, k, v):\n    return F.scaled_dot_product_attention(q, k, v)",
        USES.format("helper(q, k, v), q"),
    ],
    "by assignment": ["attend = F.scaled_dot_product_attention", USES.format("attend(q, k, v), q")],
    "beside a magic": ["%matplotlib inline\nfast = F.scaled_dot_product_attention", USES.format("fast(q, k, v), q")],
    "the answer, imported": ["from course_lib import scaled_dot_product"],
    "the answer, under another name": [
        "from course_lib.model.attention import scaled_dot_product as theirs",
        USES.format("theirs(q, k, v, mask)"),
    ],
    "the answer, by its module": [
        "import course_lib.model.attention as a",
        USES.format("a.scaled_dot_product(q, k, v)"),
    ],
}

NOT_TAKEN = {
    "a demonstration elsewhere": ["F.scaled_dot_product_attention(q, k, v)", USES.format("q, k")],
    "a comment": [USES.format("q, k  # like F.scaled_dot_product_attention")],
    "a docstring": ['def scaled_dot_product(q, k, v):\n    """As F.scaled_dot_product_attention."""\n    return q, k'],
    "a local name like a global one": [
        "with open('x') as mask:\n    F.scaled_dot_product_attention(q, k, v)",
        USES.format("q, mask"),
    ],
    "an older definition": [USES.format("F.scaled_dot_product_attention(q, k, v), q"), USES.format("q, k")],
    "a cell that is not Python": ["def broken(:", USES.format("q, k")],
    "its own method of that name": [
        "class M:\n    def go(self):\n        return self.scaled_dot_product_attention()",
        USES.format("M().go(), q"),
    ],
}


@pytest.mark.parametrize("cells", TAKEN.values(), ids=TAKEN)
def test_a_shortcut_is_found(cells):
    assert "scaled_dot_product" in shortcut(DOT, cells)


@pytest.mark.parametrize("cells", NOT_TAKEN.values(), ids=NOT_TAKEN)
def test_what_is_no_shortcut_is_left_alone(cells):
    assert shortcut(DOT, cells) is None


def test_a_class_named_like_a_ready_made_one_is_no_shortcut():
    cells = ["class MultiheadAttention(nn.Module):\n    def __init__(self):\n        super(MultiheadAttention, self)"]
    assert shortcut(find("MultiheadAttention"), cells) is None
