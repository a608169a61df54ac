"""What goes wrong in `masked_mean`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake

HOW_MANY = "By how much do you divide a sentence of two words in a batch that is seven places long?"
AXES = "Which axis of [B, T, D] are the words?"
KIND = "What are ~1 and -True?"

REAL = "(mask != 0).unsqueeze(-1)"
FILL = "x.masked_fill(~real, 0.0)"
COUNT = "real.sum(dim=1).clamp(min=1)"
RESULT = f"return total / {COUNT}"

MISTAKES = (
    mistake("mask not used", {FILL: "x", COUNT: "x.shape[1]"}).because(
        "You take the mean over all places: a short sentence is mostly padding.", HOW_MANY
    ),
    mistake("divided by all places", {COUNT: "x.shape[1]"}).because(
        "You add up the real tokens and divide by T: the more padding a batch has, the smaller its vectors.", HOW_MANY
    ),
    mistake("added with the padding", {FILL: "x"}).because(
        "You divide by the number of real tokens, but the padding is in your sum.", "What is in the sum?"
    ),
    mistake("a sum", {f" / {COUNT}": ""}).because(
        "You return the sum: a long sentence gets a long vector.", "What makes a mean of a sum?"
    ),
    mistake("mask inverted", {"mask != 0": "mask == 0"}).because(
        "You average the padding and leave out the words.", "Is 1 in the mask a real token, or padding?"
    ),
    mistake("times the mask", {FILL: "(x * real)"}, shown_by="NaN in the padding gives NaN").because(
        "You multiply by the mask; 0 · NaN is NaN, and a place that was never computed may hold one.",
        "What is 0 · NaN?",
    ),
    mistake("divided by nothing", {".clamp(min=1)": ""}, shown_by="a row without tokens is not zero").because(
        "A row without tokens is 0 / 0.", "By how many do you divide where nothing is real?"
    ),
    mistake("one token more", {COUNT: "(real.sum(dim=1) + 1)"}).because(
        "You add 1 to the count: no division by 0 any more, but every mean is too small.",
        "What does clamp(min=1) do to a count of 5, and what does + 1?",
    ),
    mistake(
        "the average of a batch", {"sum(dim=1)  # [B, D]": "sum(dim=0)", COUNT: "real.sum(dim=0).clamp(min=1)"}
    ).because("You average over the batch: what comes back is one vector for each place, [T, D].", AXES),
    mistake("over the features", {FILL + ".sum(dim=1)": f"{FILL}.sum(dim=2)"}).because(
        "You add up the features of each word; it is the words that are added up.", AXES
    ),
    mistake("one count for all", {COUNT: "real.sum().clamp(min=1)"}).because(
        "You divide by the real tokens of the whole batch; each row has its own count.", HOW_MANY
    ),
    mistake(
        "the largest", {f"return total / {COUNT}": 'return x.masked_fill(~real, float("-inf")).amax(dim=1)'}
    ).because("You take the largest of each feature; a mean is asked for.", "What does a mean do with the others?"),
    mistake("booleans only", {"(mask != 0)": "mask"}),
    mistake("is True", {"mask != 0": "mask if mask.dtype == torch.bool else torch.ones_like(mask).bool()"}).because(
        "Your mask works only when it is boolean; it may also hold 0 and 1.", KIND
    ),
    mistake("an axis too many", {RESULT: f"return (total / {COUNT}).unsqueeze(1)"}).because(
        "Your result is [B, 1, D]; it must be [B, D].", AXES
    ),
    mistake(
        "cut from the graph", {FILL: "x.detach().masked_fill(~real, 0.0)"}, shown_by="no gradient reaches x"
    ).because(
        "Your mean is cut off from x: nothing before it can learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    overwrites("x", {FILL: "x.masked_fill_(~real, 0.0)"}, "who holds these vectors as well finds zeros there."),
    in_double_precision(
        "mean", {RESULT: f"{RESULT}.double()".replace("total /", "total.double() /").replace(").double()", ")")}
    ),
    mistake("the longest row decides", {COUNT: "real.sum(dim=1).max().clamp(min=1)"}).because(
        "You divide every row by the length of the longest.", HOW_MANY
    ),
)
