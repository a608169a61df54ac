"""What goes wrong in `masked_mean`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake

HOW_MANY = "By what do you divide for a sentence of two words in a batch seven positions long?"
AXES = "Which axis of [B, T, D] are the words?"
KIND = "What are ~1 and -True?"

REAL = "(mask != 0).unsqueeze(-1)"
FILL = "x.masked_fill(~real, 0.0)"
COUNT = "real.sum(dim=1).clamp(min=1)"
NUMBER = "(mask != 0).sum(dim=1, keepdim=True)"
OWN, EACH = "row[keep != 0]", "for row, keep in zip(x, mask)"
RESULT = f"return total / {COUNT}"

MISTAKES = (
    mistake("mask not used", {FILL: "x", COUNT: "x.shape[1]"}).because(
        "You average over all positions, including padding; average over the real tokens.", HOW_MANY
    ),
    mistake("NaN instead of the mask", {REAL: "~x.isnan().any(dim=-1, keepdim=True)"}).because(
        "You leave out what is NaN and ignore the mask; average over the real tokens.", HOW_MANY
    ),
    mistake("divided by all places", {COUNT: "x.shape[1]"}).because(
        "You divide by T; divide by the number of real tokens.", HOW_MANY
    ),
    mistake("added with the padding", {FILL: "x"}).because(
        "You divide by the number of real tokens but include the padding in the sum; leave it out.",
        "What is in the sum?",
    ),
    mistake("the words left out of the sum", {FILL: "x.masked_fill(real, 0.0)"}).because(
        "You add up the padding, not the words; fill the padding with zeros.",
        "Is 1 in the mask a real token, or padding?",
    ),
    mistake("a sum", {f" / {COUNT}": ""}).because(
        "You return the sum; divide it by the number of real tokens.", "What turns a sum into a mean?"
    ),
    mistake("mask inverted", {"mask != 0": "mask == 0"}).because(
        "You average the padding; average the words.", "Is 1 in the mask a real token, or padding?"
    ),
    mistake("times the mask", {FILL: "(x * real)"}, shown_by="NaN in the padding gives NaN").because(
        "You multiply by the mask, and 0 · NaN is NaN; use masked_fill.",
        "What is 0 · NaN?",
    ),
    mistake("divided by nothing", {".clamp(min=1)": ""}, shown_by="a row without tokens gives NaN").because(
        "You divide 0 by 0 for a row without tokens; return zeros.",
        "By what do you divide if there are no real tokens?",
    ),
    *(
        mistake(name, {COUNT: f"(real & ({counted})).sum(dim=1).clamp(min=1)"}).because(
            f"You don't count {what}, but a real token may contain zeros; count by the mask.", HOW_MANY
        )
        for name, counted, what in (
            ("zeros not counted", "x != 0", "entries that are 0"),
            ("tokens of zeros not counted", "(x != 0).any(dim=-1, keepdim=True)", "tokens that are all zeros"),
        )
    ),
    mistake("divided by the padding", {COUNT: "(~real).sum(dim=1).clamp(min=1)"}).because(
        "You divide by the number of padding positions; divide by the number of real tokens.", HOW_MANY
    ),
    mistake("one token less", {COUNT: "(real.sum(dim=1) - 1).clamp(min=1)"}).because(
        "You subtract 1 from the count, so every mean is too large; divide by the number of real tokens.", HOW_MANY
    ),
    mistake("one token more", {COUNT: "(real.sum(dim=1) + 1)"}).because(
        "You add 1 to the count, so every mean is too small; use clamp(min=1).",
        "What does clamp(min=1) do to a count of 5, and what does + 1?",
    ),
    mistake(
        "the average of a batch", {"sum(dim=1)  # [B, D]": "sum(dim=0)", COUNT: "real.sum(dim=0).clamp(min=1)"}
    ).because("You average over the batch, which leaves [T, D]; average over the tokens.", AXES),
    mistake("over the features", {FILL + ".sum(dim=1)": f"{FILL}.sum(dim=2)"}).because(
        "You add up the features of each word; add up the words.", AXES
    ),
    mistake("1 added to the mean", {RESULT: f"{RESULT} + 1"}).because(
        "You add 1 to the mean: `a / b + 1` divides first. Use clamp(min=1) on the count.",
        "Which does Python do first, the division or the sum?",
    ),
    *(
        mistake(name, {REAL: f"({places}).unsqueeze(-1)"}).because(
            f"You average {which} of a row; average those where the mask is 1, wherever they are.",
            "Must the real tokens come first?",
        )
        for name, which, places in (
            ("the first tokens of a row", "the first n positions", f"torch.arange(x.shape[1]) < {NUMBER}"),
            (
                "up to the first padding",
                "the positions before the first padding",
                "(mask != 0).cumprod(dim=1) != 0",
            ),
            ("the last tokens of a row", "the last n positions", f"torch.arange(x.shape[1]) >= x.shape[1] - {NUMBER}"),
        )
    ),
    *(
        mistake(name, {COUNT: count}).because(
            f"You divide every row by the {which} of the rows; use each row's own count.", HOW_MANY
        )
        for name, count, which in (
            ("the average count for all", "(real.sum() / len(x)).clamp(min=1)", "average count"),
            ("the smallest count for all", "real.sum(dim=1).min().clamp(min=1)", "smallest count"),
        )
    ),
    mistake(
        "the median", {RESULT: f"return torch.stack([{OWN}.median(dim=0).values if keep.any() else 0 * row[0] {EACH}])"}
    ).because("You take the median of each feature; take the mean.", "What does a mean do with the others?"),
    mistake(
        "the mask as an index",
        {RESULT: f"return torch.stack([row[keep].mean(dim=0) if len(row[keep]) else 0 * row[0] {EACH}])"},
    ).because("You use the mask as an index, so its 0 and 1 are read as positions; compare it with 0 first.", KIND),
    mistake("the root of the count", {COUNT: f"({COUNT}) ** 0.5"}).because(
        "You divide by the root of the number of real tokens; divide by the number.", HOW_MANY
    ),
    mistake("one count for all", {COUNT: "real.sum().clamp(min=1)"}).because(
        "You divide by the real tokens of the whole batch; use each row's own count.", HOW_MANY
    ),
    *(
        mistake(name, {f"return total / {COUNT}": f"return x.masked_fill(~real, {low}).amax(dim=1)"}).because(
            "You take the maximum of each feature; take the mean.", "What does a mean do with the others?"
        )
        for name, low in (("the largest", 'float("-inf")'), ("the largest, above −1e9", "-1e9"))
    ),
    mistake("the first token", {RESULT: "return x[:, 0]"}).because(
        "You return the first token; return the mean of all real ones.", "What does a mean do with the others?"
    ),
    mistake("booleans only", {"(mask != 0)": "mask"}).because(
        "Your mask works only if it is boolean. Accept 0 and 1, too.", KIND
    ),
    mistake("is True", {"mask != 0": "mask if mask.dtype == torch.bool else torch.ones_like(mask).bool()"}).because(
        "Your mask works only if it is boolean; accept 0 and 1 too.", KIND
    ),
    mistake("a batch of one squeezed away", {RESULT: f"return (total / {COUNT}).squeeze()"}).because(
        "You call `squeeze()`, which removes every axis of size 1, even a batch of one; name the axis.", AXES
    ),
    mistake("an axis too many", {RESULT: f"return (total / {COUNT}).unsqueeze(1)"}).because(
        "Your result is [B, 1, D]; it must be [B, D].", AXES
    ),
    mistake(
        "cut from the graph", {FILL: "x.detach().masked_fill(~real, 0.0)"}, shown_by="no gradient reaches x"
    ).because(
        "Your mean is detached from x, so nothing before it can learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    overwrites("x", {FILL: "x.masked_fill_(~real, 0.0)"}, "the caller then finds zeros there."),
    in_double_precision(
        "mean", {RESULT: f"{RESULT}.double()".replace("total /", "total.double() /").replace(").double()", ")")}
    ),
    mistake("the longest row decides", {COUNT: "real.sum(dim=1).max().clamp(min=1)"}).because(
        "You divide every row by the length of the longest; use each row's own.", HOW_MANY
    ),
)
