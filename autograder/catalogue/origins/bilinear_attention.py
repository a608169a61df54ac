"""BilinearAttention(query_dim, key_dim): scores from one matrix."""

import torch
from torch import nn

import course_lib.model.additive as reference
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Exercise
from autograder.catalogue.origins import scored
from autograder.catalogue.origins.bilinear_attention_mistakes import MISTAKES, SCORES
from autograder.catalogue.origins.scored import KEY, QUERY
from autograder.catalogue.origins.scored_mistakes import CONTEXT, FILL, WEIGHTS, ZEROED, ZEROED_BESIDE

ARGUMENTS = {"query_dim": QUERY, "key_dim": KEY}
SIZES = {"weight": (QUERY, KEY)}


def far(inputs, weights, sign):
    """Queries of 1, weights of 400, keys near ±1: all scores are near ±22,000, and exact in float32."""
    inputs["query"] = torch.ones_like(inputs["query"])
    inputs["keys"] = sign + inputs["keys"].round() / 1024
    weights["weight"] = torch.full_like(weights["weight"], 400.0)
    return -inputs["keys"][:, scored.VISIBLE]


class SampleBySample(nn.Module):
    """A loop over the samples, and the matrix drawn in another way."""

    def __init__(self, query_dim, key_dim):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(query_dim, key_dim))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, state, memory, mask=None):
        contexts, rows = [], []
        for i, (q, k) in enumerate(zip(state, memory, strict=True)):
            scores = k @ (self.weight.T @ q)
            if mask is not None:
                scores = torch.where(mask[i] > 0, scores, torch.tensor(-1e9, dtype=scores.dtype))
            rows.append(torch.softmax(scores, 0))
            contexts.append(rows[-1] @ k)
        return torch.stack(contexts), torch.stack(rows)


BILINEAR_ATTENTION = Exercise(
    id="BilinearAttention",
    title="Bilinear attention",
    reference=reference.BilinearAttention,
    cases=scored.cases(ARGUMENTS, SIZES, far),
    criteria=scored.criteria(SIZES, 0.25, 0.75, 0.25, 0.75, 0.25, 0.25, 0.25, 0.25),
    mistakes=MISTAKES,
    right_variants=(
        SampleBySample,
        right("hidden keys set to 0 as well", ZEROED),
        right("hidden keys set to 0 where their scores are", ZEROED_BESIDE),
        right("by einsum", {SCORES: 'torch.einsum("bq,qk,bsk->bs", query, self.weight, keys)'}),
        right("by a matrix product", {SCORES: "torch.bmm(keys, (query @ self.weight).unsqueeze(2)).squeeze(2)"}),
        right(
            "keys first",
            {
                SCORES: "((keys @ self.weight.T) * query[:, None]).sum(-1)",
                CONTEXT: "torch.einsum('bs,bsk->bk', attention, keys)",
            },
        ),
        right(
            "minus infinity, and NaN made 0",
            {FILL: 'masked_fill(mask == 0, float("-inf"))', WEIGHTS: f"{WEIGHTS}.nan_to_num()"},
        ),
    ),
)
