"""patch_heads(model, clean, corrupt, answer, wrong): how much of the answer one head brings back."""

import torch

import course_lib.inside.interventions as reference
from autograder.catalogue.checks import matches, raises, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.inside.patching_mistakes import DIFFERENCE, KEPT, MISTAKES, PATCHED, RATIO
from autograder.catalogue.inside.shared import HEADS, LAYERS, T, V, model_weights, one_each, same_up_to
from autograder.catalogue.modes import quiet
from autograder.probes.torch.inside import StandInHeads


def pairs(g, batch=3, clean=T, texts_of_clean=None, layers=LAYERS, swapped=False, **settings):
    """Texts that differ in their second and fourth token; by that the answer rises most, and the wrong one falls."""
    texts = torch.randint(V, (batch, T), generator=g)
    other = texts.clone()
    other[:, 1], other[:, 3] = (texts[:, 1] + 4) % V, (texts[:, 3] + 7) % V
    weights = model_weights(g, layers)
    with torch.no_grad():
        model = StandInHeads(weights)
        ranks = (model(texts) - model(other))[:, -1].argsort(dim=-1)  # [B, V]: where the two runs differ, and how
    answer, wrong = ranks[:, -1], ranks[torch.arange(batch), torch.arange(batch) % 2]
    if swapped:
        answer, wrong = wrong, answer
    few = slice(texts_of_clean)
    given = {"clean": texts[few, :clean], "corrupt": other, "answer": answer[few], "wrong": wrong[few]}
    return {"weights": weights} | given | settings


def by_log_probabilities(model, clean, corrupt, answer, wrong):
    """A difference of logits is a difference of log-probabilities; the sign of both gaps cancels."""
    if tuple(clean.shape) != tuple(corrupt.shape):
        raise ValueError(f"{clean.shape} is not {corrupt.shape}")
    was, kept = {part: part.training for part in model.modules()}, {}
    rows = torch.arange(len(clean))

    @torch.no_grad()
    def gap(tokens, edit=None):
        last = model(tokens, edit)[:, -1].log_softmax(dim=-1)
        return (last[rows, wrong] - last[rows, answer]).mean()

    def note(layer, values):
        kept[layer] = values
        return values

    def patched(layer, head):
        def edit(here, values):
            one = torch.arange(values.shape[1]).view(1, -1, 1, 1) == head
            return torch.where(one, kept[layer], values) if here == layer else values

        return edit

    try:
        model.eval()
        best, worst = gap(clean, note), gap(corrupt)
        found = [[gap(corrupt, patched(n, i)) for i in range(kept[n].shape[1])] for n in kept]
    finally:
        for part, mode in was.items():
            part.training = mode
    return torch.stack([(torch.stack(row) - worst) / (best - worst) for row in found])


ONE_HEAD, SHARE, REFUSED = (
    "one head of the clean run, in the corrupt run",
    "the share of the gap, a ratio of means",
    "texts of different shapes are refused",
)
RIGHT_RUN = same_up_to("one pair", "restored", 2, "the shares are wrong, even up to a factor and a constant")

PATCH_HEADS = Exercise(
    id="patch_heads",
    title="Patching heads",
    reference=reference.patch_heads,
    cases=(
        Case("one pair", lambda g: pairs(g, batch=1), tolerance=1e-4),
        Case("three pairs", pairs, tolerance=1e-4),
        Case("a gap that grows", lambda g: pairs(g, swapped=True), same_as="three pairs", tolerance=1e-4),
        Case("one layer", lambda g: pairs(g, batch=1, layers=1), tolerance=1e-4),
        Case("different shapes", lambda g: pairs(g, clean=1)),
        Case("different numbers of texts", lambda g: pairs(g, texts_of_clean=1)),
        Case("modes", lambda g: pairs(g, ask="modes")),
        Case("an error", lambda g: pairs(g, ask="an error")),
    ),
    criteria=(
        Criterion(ONE_HEAD, 1.25, RIGHT_RUN, same_up_to("one layer", "restored", 2, "a model of one layer fails")),
        Criterion(
            SHARE,
            0.75,
            one_each("three pairs", "restored", (LAYERS, HEADS)),
            where(
                RIGHT_RUN,
                matches("one pair", "restored"),
                matches("three pairs", "restored"),
                matches("a gap that grows", "restored"),
            ),
        ),
        quiet(0.25),
        Criterion(
            REFUSED,
            0.25,
            raises("different shapes", "ValueError", "1", "7"),
            raises("different numbers of texts", "ValueError", "1", "3"),
        ),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    right_variants=(
        by_log_probabilities,
        right("the look of the model", {"model(corrupt, patch)": "model.look(corrupt, patch)[0]"}),
        right("by indices", {DIFFERENCE: "(last[range(len(last)), answer] - last[range(len(last)), wrong]).mean()"}),
        right("the rest of the gap", {RATIO: "1 - (gap_clean - gaps) / (gap_clean - gap_corrupt)"}),
        right(
            "values not cloned first",
            {
                PATCHED: "values = torch.cat([values[:, :patched_head], "
                "kept[layer][:, patched_head : patched_head + 1], values[:, patched_head + 1 :]], dim=1)",
                "        values = values.clone()\n        values =": "        values =",
            },
        ),
        right("noted as they are", {KEPT: "kept.append(values)"}),
    ),
)
