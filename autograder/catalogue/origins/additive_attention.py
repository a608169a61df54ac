"""AdditiveAttention(query_dim, key_dim, hidden_dim): scores from a small network."""

import torch

import course_lib.model.additive as reference
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Exercise
from autograder.catalogue.origins import scored
from autograder.catalogue.origins.additive_attention_mistakes import HIDDEN, MISTAKES, SCORES
from autograder.catalogue.origins.scored import KEY, QUERY, S
from autograder.catalogue.origins.scored_mistakes import CONTEXT, FILL, WEIGHTS, ZEROED, ZEROED_BESIDE

WIDTH = 13
ARGUMENTS = {"query_dim": QUERY, "key_dim": KEY, "hidden_dim": WIDTH}
SIZES = {"query_proj.weight": (WIDTH, QUERY), "key_proj.weight": (WIDTH, KEY), "score.weight": (1, WIDTH)}


def far(inputs, weights, sign):
    """The query drives every tanh but the last to 1, or feature 1 of a key to −1: all scores are ±19,200.

    The last tanh is ±1, as feature 0 of the key is, and adds just that.
    """
    keys, query_proj, key_proj = inputs["keys"], weights["query_proj.weight"], weights["key_proj.weight"]
    inputs["query"] = 1 + 0.1 * inputs["query"]
    keys[..., 0], keys[..., 1] = keys[..., 0].sign(), 0.0
    query_proj += 4.0
    key_proj *= 0.1
    key_proj[:, 0], key_proj[:, 1] = 0.0, 1000.0
    query_proj[-1], key_proj[-1], key_proj[-1, 0] = 0.0, 0.0, 40.0
    weights["score.weight"] = torch.full_like(weights["score.weight"], sign * 1600.0)
    weights["score.weight"][0, -1] = 1.0
    other = keys[:, scored.VISIBLE].clone()
    other[:, 1] = -1.0
    return other


class KeyByKey(reference.AdditiveAttention):
    """A loop over the keys, and zeros for a query that sees nothing."""

    def forward(self, state, memory, mask=None):
        scores = [
            self.score((self.query_proj(state) + self.key_proj(memory[:, i])).tanh())
            for i in range(S)[: memory.shape[1]]
        ]
        energy = torch.cat(scores, dim=1)
        if mask is not None:
            energy = torch.where(mask.bool(), energy, float("-inf"))
        weights = torch.nan_to_num(torch.softmax(energy, dim=1))
        return torch.bmm(weights[:, None], memory)[:, 0], weights


ADDITIVE_ATTENTION = Exercise(
    id="AdditiveAttention",
    title="Additive attention",
    reference=reference.AdditiveAttention,
    cases=scored.cases(ARGUMENTS, SIZES, far),
    criteria=scored.criteria(SIZES, 0.5, 1, 0.5, 0.75, 0.25, 0.25, 0.25, 0.5),
    mistakes=MISTAKES,
    right_variants=(
        KeyByKey,
        right("hidden keys set to 0 as well", ZEROED),
        right("hidden keys set to 0 where their scores are", ZEROED_BESIDE),
        right("context by a matrix product", {CONTEXT: "(attention.unsqueeze(1) @ keys).squeeze(1)"}),
        right(
            "expanded first",
            {HIDDEN: "(self.query_proj(query)[:, None, :].expand(-1, keys.size(1), -1) + self.key_proj(keys)).tanh()"},
        ),
        right(
            "weights by hand", {SCORES: "(hidden * self.score.weight).sum(-1)", FILL: "masked_fill(~mask.bool(), -1e9)"}
        ),
        right(
            "a blind query gets zeros",
            {WEIGHTS: f"{WEIGHTS}\n        if mask is not None:\n            attention = attention * (mask != 0)"},
        ),
    ),
)
