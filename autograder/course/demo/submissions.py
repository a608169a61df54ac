"""What the students of the demonstration class handed in for stage 01, and what each deserves.

Each differs from the solved notebook in the answers named here; `expected` is the score out of 20.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import nbformat

UNTOUCHED = None  # the answer cell stays as it was released


@dataclass(frozen=True)
class Handed:
    """One made-up student: the answers that differ from the solution, or a change of the whole notebook."""

    student: str
    expected: float
    answers: dict[str, str | None] = field(default_factory=dict)
    change: Callable[[nbformat.NotebookNode], None] | None = None


EINSUM = """\
def scaled_dot_product(query, key, value, mask=None):
    scores = torch.einsum("...ld,...sd->...ls", query, key) / key.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    attention = scores.softmax(-1)
    return torch.einsum("...ls,...sd->...ld", attention, value), attention
"""

LOOP = """\
def scaled_dot_product(q, k, v, mask=None):
    rows = []
    for i in range(q.shape[-2]):
        scores = (q[..., i : i + 1, :] * k).sum(-1) / math.sqrt(k.shape[-1])
        if mask is not None:
            visible = mask.expand(*q.shape[:-1], k.shape[-2])[..., i, :]
            scores = torch.where(visible.bool(), scores, torch.full_like(scores, -9e15))
        rows.append(softmax(scores))
    attention = torch.stack(rows, dim=-2)
    return attention @ v, attention
"""

MINUS_INFINITY = """\
def scaled_dot_product(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask.bool(), float("-inf"))
    attention = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return attention @ v, attention
"""

NOISY = """\
import sys
import warnings


def softmax(logits, dim=-1):
    warnings.warn("my softmax is homemade")
    print("still homemade", file=sys.stderr)
    e = torch.exp(logits - logits.max(dim=dim, keepdim=True).values)
    return e / e.sum(dim=dim, keepdim=True)


softmax(torch.zeros(3))
"""

KEEPDIM_LOST = """\
def softmax(logits, dim=-1):
    weights = torch.exp(logits - logits.max(dim=dim, keepdim=True).values)
    return weights / weights.sum(dim=dim)
"""

ATTENTION = """\
def scaled_dot_product(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1){scale}
    if mask is not None:
        scores = scores.masked_fill({hidden}, -1e9)
    attention = softmax(scores, dim={dim})
    return attention @ v, attention
"""
RIGHT = {"scale": " / math.sqrt(q.shape[-1])", "hidden": "mask == 0", "dim": "-1"}

BROKEN = """\
def causal_mask(size)
    return torch.ones(size, size).tril().bool()
"""

ENDLESS = """\
def padding_mask(lengths, max_len=None):
    longest = 0
    while longest < max(lengths):
        pass
    return longest
"""

IMPORTED = """\
from course_lib import scaled_dot_product
"""

READY_MADE = """\
def scaled_dot_product(q, k, v, mask=None):
    values = F.scaled_dot_product_attention(q, k, v, attn_mask=None if mask is None else mask.bool())
    return values, torch.zeros(*q.shape[:-1], k.shape[-2])
"""

PATCHED = """\
import builtins
import autograder

def check(*anything):
    return 8

autograder.check = builtins.check = check
torch.allclose = torch.equal = lambda *anything, **more: True
torch.testing.assert_close = lambda *anything, **more: None

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""

IN_WORDS = (
    "The scores have variance d_k, so their spread is √d_k; dividing by it keeps the softmax out of its flat parts."
)


def strip_metadata(notebook: nbformat.NotebookNode) -> None:
    """What some editors do on saving: no metadata, and ids of their own."""
    for number, cell in enumerate(notebook.cells):
        cell.metadata = nbformat.NotebookNode()
        cell.id = f"editor-{number}"


def attention(**changed: str) -> dict[str, str | None]:
    """Scaled dot-product attention with one part replaced."""
    return {"scaled_dot_product": ATTENTION.format(**RIGHT | changed)}


CLASS = (
    Handed("all-right", 20),
    Handed("right-einsum", 20, {"scaled_dot_product": EINSUM}),
    Handed("right-loop", 20, {"scaled_dot_product": LOOP}),
    Handed("right-minus-infinity", 20, {"scaled_dot_product": MINUS_INFINITY}),
    Handed("right-with-a-warning", 20, {"softmax": NOISY}),
    Handed("keepdim-lost", 16, {"softmax": KEEPDIM_LOST}),  # all of it there, and nothing in what calls it
    Handed("no-scaling", 17.5, attention(scale="")),
    Handed("softmax-over-queries", 15, attention(dim="-2")),
    Handed("inverted-mask", 18.5, attention(hidden="mask == 1")),
    Handed(
        "half-untouched", 12, dict.fromkeys(("causal_mask", "padding_mask", "expand_mask", "why_the_root"), UNTOUCHED)
    ),
    Handed("syntax-error", 18, {"causal_mask": BROKEN}),
    Handed("infinite-loop", 17, {"padding_mask": ENDLESS}),
    Handed("imported-answer", 12, {"scaled_dot_product": IMPORTED}),
    Handed("ready-made-attention", 12, {"scaled_dot_product": READY_MADE}),
    Handed("patched-the-check", 12, {"scaled_dot_product": PATCHED}),
    Handed("stripped-metadata", 20, change=strip_metadata),
)
