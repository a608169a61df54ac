"""ablation_losses(model, tokens, mask=None, how="mean"): the rise of the loss without one head."""

import torch

import course_lib.inside.interventions as reference
from autograder.catalogue.checks import either, matches, moved, raises, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.inside.ablation_mistakes import COPY, MISTAKES, OWN, RISES, SILENCED
from autograder.catalogue.inside.shared import HEADS, LAYERS, T, V, model_weights, one_each
from autograder.catalogue.modes import quiet
from course_lib.text.next_token import next_token_loss


def texts(g, batch=3, lengths=None, layers=LAYERS, **settings):
    """A model, tokens [B, T], and a mask where some texts are shorter."""
    inputs = {"weights": model_weights(g, layers), "tokens": torch.randint(V, (batch, T), generator=g)}
    if lengths:
        inputs["mask"] = torch.arange(T) < torch.tensor(lengths).unsqueeze(-1)
    return inputs | settings


def by_closures(model, tokens, mask=None, how="mean"):
    """The mean taken in the changed run itself: below the silenced head nothing has changed yet."""
    if how not in {"mean", "zero"}:
        raise ValueError(f"unknown how: {how}")

    def silenced(layer, head):
        def edit(here, values):
            if here == layer:
                own = values[:, head]
                new = torch.zeros_like(own) if how == "zero" else own.mean((0, 1), keepdim=True).expand_as(own)
                return torch.cat([values[:, :head], new[:, None], values[:, head + 1 :]], dim=1)
            return values

        return edit

    was, heads = {part: part.training for part in model.modules()}, []
    model.eval()
    try:
        with torch.no_grad():
            before = next_token_loss(model(tokens, lambda layer, v: heads.append(v.size(1)) or v), tokens, mask)
            rows = [
                torch.stack(
                    [next_token_loss(model(tokens, silenced(n, i)), tokens, mask) - before for i in range(heads[n])]
                )
                for n in range(len(heads))
            ]
    finally:
        for part, mode in was.items():
            part.training = mode
    return torch.stack(rows)


ALONE, HOW, MASKED, REFUSED = (
    "one head of one layer at a time",
    "silenced by its mean, or by 0",
    "the loss of real tokens only",
    "another how is refused",
)
SOME_WAY = either(matches("zero", "rises"), matches("one text", "rises"))

ABLATION_LOSSES = Exercise(
    id="ablation_losses",
    title="Without one head",
    reference=reference.ablation_losses,
    cases=(
        Case("zero", lambda g: texts(g, how="zero")),
        Case("one text", lambda g: texts(g, batch=1, how="mean")),
        Case("one layer", lambda g: texts(g, layers=1, how="zero")),
        Case("one layer, the mean", lambda g: texts(g, layers=1, how="mean"), same_as="one layer"),
        Case("mean", lambda g: texts(g, how="mean"), same_as="zero"),
        Case("how is left out", texts, same_as="zero"),
        Case("padding", lambda g: texts(g, lengths=(7, 3, 5), how="zero"), same_as="zero"),
        Case("padding, and the mean", lambda g: texts(g, batch=1, lengths=(4,), how="mean"), same_as="one text"),
        Case("median", lambda g: texts(g, how="median")),
        Case("modes", lambda g: texts(g, ask="modes")),
        Case("an error", lambda g: texts(g, ask="an error")),
    ),
    criteria=(
        Criterion(ALONE, 1.5, SOME_WAY, either(matches("one layer", "rises"), matches("one layer, the mean", "rises"))),
        Criterion(
            HOW,
            1.25,
            one_each("mean", "rises", (LAYERS, HEADS)),
            moved("zero", "mean", "rises", text="mean and zero give the same"),
            where(SOME_WAY, *(matches(case, "rises") for case in ("zero", "one text", "mean", "how is left out"))),
        ),
        Criterion(
            MASKED,
            0.75,
            one_each("padding", "rises", (LAYERS, HEADS)),
            moved("zero", "padding", "rises", text="the mask changes nothing"),
            where(matches("zero", "rises"), matches("padding", "rises")),
            where(matches("one text", "rises"), matches("padding, and the mean", "rises")),
        ),
        quiet(0.75),
        Criterion(REFUSED, 0.25, raises("median", "ValueError", "median")),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    right_variants=(
        by_closures,
        right("the look of the model", {"model(tokens, silence)": "model.look(tokens, edit=silence)[0]"}),
        right(
            "by a mask of heads",
            {
                f"{COPY}\n": "one = torch.zeros(values.shape[1], dtype=values.dtype)\n        "
                "one[silenced_head] = 1\n        one = one.view(1, -1, 1, 1)\n",
                SILENCED: 'new = own.mean(dim=(0, 1)) if how == "mean" else 0 * own[0, 0]\n        values = '
                "values * (1 - one) + new * one",
            },
        ),
        right("by flattening", {OWN: "clean[layer][:, silenced_head].flatten(0, 1).unsqueeze(0)"}),
        right("as a list of lists", {RISES: "loss.new_zeros(len(clean), clean[-1].size(1))"}),
    ),
)
