"""What goes wrong in `previous_token_score`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake

BEFORE, MEAN, SHORT = "attention.diagonal(-1, dim1=-2, dim2=-1)", "before.mean(dim=(0, 2))", "if length < 2:"
MESSAGE = 'f"a previous token needs at least 2 tokens, but T is {length}"'

WHICH = "In attention[b, h, 4, 3], which number is the query and which the key?"
HOW_MANY = "In a text of 5 tokens, how many have a token before them?"
AXES = "Your result should have one number for each head. Which axes of [B, h, T − 1] are left to average over?"

MISTAKES = (
    mistake("the next token", {"diagonal(-1": "diagonal(1"}).because(
        "You read the weight on key t + 1, which a causal head never sees: keys are the last axis, so the diagonal "
        "below the main one is yours.",
        WHICH,
    ),
    mistake("its own token", {"diagonal(-1": "diagonal(0"}).because(
        "You read the weight of each query on its own token; take the key one back.", WHICH
    ),
    mistake("two back", {"diagonal(-1": "diagonal(-2"}).because(
        "You read the weight on key t − 2; take the key one back.", WHICH
    ),
    mistake("the diagonal of the first two axes", {BEFORE: "attention.diagonal(-1)"}).because(
        "diagonal(-1) runs along the first two axes, texts and heads; queries and keys are the last two: dim1=-2, "
        "dim2=-1.",
        WHICH,
    ),
    mistake("all earlier keys", {BEFORE: "attention.tril(-1).sum(dim=-1)[..., 1:]"}).because(
        "You add up the weights on all earlier keys; take only the one just before.", WHICH
    ),
    mistake("divided by T", {MEAN: f"{MEAN} * (length - 1) / length"}).because(
        "You divide by T, but only T − 1 queries have a token before them.", HOW_MANY
    ),
    mistake("wraps round", {BEFORE: "attention.roll(1, dims=-1).diagonal(dim1=-2, dim2=-1)"}).because(
        "At t = 0 your index t − 1 is −1: the last key. Start at t = 1.", HOW_MANY
    ),
    mistake("the last query left out", {MEAN: "before[:, :, : max(length - 2, 1)].mean(dim=(0, 2))"}).because(
        "You leave out the last query; average over all from t = 1 on.", HOW_MANY
    ),
    mistake("the last query left out, whatever T is", {MEAN: "before[:, :, :-1].mean(dim=(0, 2))"}).because(
        "You leave out the last query, and of two tokens nothing is left; average over all from t = 1 on.", HOW_MANY
    ),
    mistake("queries from t = 2 on", {MEAN: "before[:, :, min(1, length - 2) :].mean(dim=(0, 2))"}).because(
        "You leave out the query at t = 1; it has a token before it.", HOW_MANY
    ),
    mistake("queries from t = 2 on, whatever T is", {MEAN: "before[:, :, 1:].mean(dim=(0, 2))"}).because(
        "You leave out the query at t = 1, and of two tokens nothing is left; it has a token before it.", HOW_MANY
    ),
    mistake(
        "how often the largest",
        {BEFORE: "(attention.argmax(dim=-1)[..., 1:] == torch.arange(length - 1)).to(attention.dtype)"},
    ).because("You count how often the token before gets the largest weight; average the weights themselves.", WHICH),
    mistake("how often more than half", {BEFORE: f"({BEFORE} > 0.5).to(attention.dtype)"}).because(
        "You count how often the token before gets more than half of the weight; average the weights themselves.", WHICH
    ),
    mistake("the median of the queries", {MEAN: "before.median(dim=-1).values.mean(dim=0)"}).because(
        "You take the median of the queries; take their mean.", HOW_MANY
    ),
    mistake("sum over the queries", {MEAN: "before.mean(dim=0).sum(dim=-1)"}).because(
        "You add up the weights of the queries; average them.", HOW_MANY
    ),
    mistake("the largest weight", {MEAN: "before.amax(dim=2).mean(dim=0)"}).because(
        "You take the largest weight of any query; average over all of them.", HOW_MANY
    ),
    mistake("the last query alone", {MEAN: "before[:, :, -1].mean(dim=0)"}).because(
        "You read the last query only; average over all from t = 1 on.", HOW_MANY
    ),
    mistake("the last text alone", {MEAN: "before[-1].mean(dim=-1)"}).because(
        "You read the last text only; average over all texts.", AXES
    ),
    mistake("the largest of the texts", {MEAN: "before.mean(dim=-1).amax(dim=0)"}).because(
        "You take the largest score of any text; average over all texts.", AXES
    ),
    mistake("the smallest of the texts", {MEAN: "before.mean(dim=-1).amin(dim=0)"}).because(
        "You take the smallest score of any text; average over all texts.", AXES
    ),
    mistake("the first text alone", {MEAN: "before[0].mean(dim=-1)"}).because(
        "You read the first text only; average over all texts.", AXES
    ),
    mistake("one score for all heads", {MEAN: "before.mean()"}).because(
        "You average over the heads too; return one score for each head.", AXES
    ),
    mistake("a score for each text", {MEAN: "before.mean(dim=(1, 2))"}).because(
        "You average over the heads and keep the texts, [B]; keep the heads, [h].", AXES
    ),
    mistake("a score for each text and head", {MEAN: "before.mean(dim=-1)"}).because(
        "You keep the texts, [B, h]; average over them as well.", AXES
    ),
    mistake("sum over the texts", {MEAN: "before.mean(dim=-1).sum(dim=0)"}).because(
        "You add up the texts; average over them.", AXES
    ),
    mistake("a single token not refused", {SHORT: "if False:"}).because(
        "With one token there is nothing to average: raise a ValueError.", HOW_MANY
    ),
    mistake("two tokens refused", {"length < 2": "length < 3"}).because(
        "Two tokens are enough: the second has one before it.", HOW_MANY
    ),
    mistake("T not named", {MESSAGE: '"too short"'}, shown_by="the message of ValueError does not mention 1").because(
        "Your message doesn't name T, so the reader has to look for it.", "Which number was wrong?"
    ),
    overwrites(
        "attention",
        {BEFORE: f"attention.mul_(2).div_(2).mul_(0.5).{BEFORE.partition('.')[2]} * 2"},
        "the maps drawn next are half as bright.",
    ),
    in_double_precision("scores", {BEFORE: f"{BEFORE}.double()"}),
)
