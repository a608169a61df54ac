"""What several exercises of the stage are asked about: attention maps, and models whose heads can be changed."""

import numpy as np
import torch

from autograder.catalogue.checks import NOT_FINITE
from autograder.catalogue.results import Check, Finding, Results

HEADS, T = 3, 7
LAYERS, V, D, WIDTH = 2, 11, 6, 4  # of the models; each head is WIDTH wide


def attention(g, batch=2, heads=HEADS, length=T, causal=True):
    """Weights [B, h, T, T], each row summing to one."""
    scores = 1.5 * torch.randn(batch, heads, length, length, generator=g)
    if causal:
        scores = scores.masked_fill(~torch.ones(length, length, dtype=torch.bool).tril(), -torch.inf)
    return scores.softmax(dim=-1)


def model_weights(g, layers=LAYERS):
    """For a `StandInHeads`."""
    sizes = {"table": (V, D), "read": (layers, HEADS, D, WIDTH), "write": (layers, HEADS, WIDTH, D), "out": (D, V)}
    return {name: torch.randn(size, generator=g) for name, size in sizes.items()}


def one_each(case: str, output: str, shape: tuple[int, ...]) -> Check:
    """Finite numbers of this shape."""

    def check(results: Results) -> Finding | None:
        found = results.output(case, output)
        if found.shape != shape:
            return Finding(f"the result has shape {list(found.shape)}, expected {list(shape)}", case, output)
        return None if np.isfinite(found).all() else Finding(NOT_FINITE, case, output, actual=found)

    return check


def same_up_to(case: str, output: str, fitted: int, text: str) -> Check:
    """The answer times a number (`fitted` 1), or times one and plus another (`fitted` 2)."""

    def check(results: Results) -> Finding | None:
        found, expected = results.output(case, output), results.expected_output(case, output)
        if finding := one_each(case, output, expected.shape)(results):
            return finding
        finding = Finding(text, case, output, expected, found)
        if abs(found).max() > 1e6:
            return finding
        terms = np.stack([found.ravel(), np.ones(found.size)][:fitted], axis=1).astype(np.float64)
        factors = np.linalg.lstsq(terms, expected.ravel(), rcond=None)[0]
        return None if abs(terms @ factors - expected.ravel()).max() < 1e-4 and abs(factors[0]) > 1e-6 else finding

    return check
