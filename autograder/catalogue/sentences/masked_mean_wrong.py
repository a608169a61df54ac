"""What goes wrong in `masked_mean`."""

from autograder.catalogue.edits import wrong
from autograder.catalogue.slips import in_double_precision, overwrites

HOW_MANY = "By how much do you divide a sentence of two words in a batch that is seven places long?"
AXES = "Which axis of [B, T, D] are the words?"
KIND = "What are ~1 and -True?"

REAL = "(mask != 0).unsqueeze(-1)"
FILL = "x.masked_fill(~real, 0.0)"
COUNT = "real.sum(dim=1).clamp(min=1)"
RESULT = f"return total / {COUNT}"

MISTAKES = (
    wrong("mask not used", {FILL: "x", COUNT: "x.shape[1]"}).because(
        "You take the mean over all places: a short sentence is mostly padding.", HOW_MANY
    ),
    wrong("divided by all places", {COUNT: "x.shape[1]"}).because(
        "You add up the real tokens and divide by T: the more padding a batch has, the smaller its vectors.", HOW_MANY
    ),
    wrong("added with the padding", {FILL: "x"}).because(
        "You divide by the number of real tokens, but the padding is in your sum.", "What is in the sum?"
    ),
    wrong("a sum", {f" / {COUNT}": ""}).because(
        "You return the sum: a long sentence gets a long vector.", "What makes a mean of a sum?"
    ),
    wrong("mask inverted", {"mask != 0": "mask == 0"}).because(
        "You average the padding and leave out the words.", "Is 1 in the mask a real token, or padding?"
    ),
    wrong("times the mask", {FILL: "(x * real)"}, shown_by="NaN in the padding gives NaN").because(
        "You multiply by the mask; 0 · NaN is NaN, and a place that was never computed may hold one.",
        "What is 0 · NaN?",
    ),
    wrong("divided by nothing", {".clamp(min=1)": ""}, shown_by="a row without tokens is not zero").because(
        "A row without tokens is 0 / 0.", "By how many do you divide where nothing is real?"
    ),
    wrong("one token more", {COUNT: "(real.sum(dim=1) + 1)"}).because(
        "You add 1 to the count: no division by 0 any more, but every mean is too small.",
        "What does clamp(min=1) do to a count of 5, and what does + 1?",
    ),
    wrong(
        "the average of a batch", {"sum(dim=1)  # [B, D]": "sum(dim=0)", COUNT: "real.sum(dim=0).clamp(min=1)"}
    ).because("You average over the batch: what comes back is one vector for each place, [T, D].", AXES),
    wrong("over the features", {FILL + ".sum(dim=1)": f"{FILL}.sum(dim=2)"}).because(
        "You add up the features of each word; it is the words that are added up.", AXES
    ),
    wrong("one count for all", {COUNT: "real.sum().clamp(min=1)"}).because(
        "You divide by the real tokens of the whole batch; each row has its own count.", HOW_MANY
    ),
    wrong("the largest", {f"return total / {COUNT}": 'return x.masked_fill(~real, float("-inf")).amax(dim=1)'}).because(
        "You take the largest of each feature; a mean is asked for.", "What does a mean do with the others?"
    ),
    wrong("booleans only", {"(mask != 0)": "mask"}),
    wrong("is True", {"mask != 0": "mask if mask.dtype == torch.bool else torch.ones_like(mask).bool()"}).because(
        "Your mask works only when it is boolean; it may also hold 0 and 1.", KIND
    ),
    wrong("an axis too many", {RESULT: f"return (total / {COUNT}).unsqueeze(1)"}).because(
        "Your result is [B, 1, D]; it must be [B, D].", AXES
    ),
    wrong("cut from the graph", {FILL: "x.detach().masked_fill(~real, 0.0)"}, shown_by="no gradient reaches x").because(
        "Your mean is cut off from x: nothing before it can learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    overwrites("x", {FILL: "x.masked_fill_(~real, 0.0)"}, "who holds these vectors as well finds zeros there."),
    in_double_precision(
        "mean", {RESULT: f"{RESULT}.double()".replace("total /", "total.double() /").replace(").double()", ")")}
    ),
    wrong("the longest row decides", {COUNT: "real.sum(dim=1).max().clamp(min=1)"}).because(
        "You divide every row by the length of the longest.", HOW_MANY
    ),
)
