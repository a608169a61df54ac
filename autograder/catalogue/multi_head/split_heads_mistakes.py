"""What goes wrong in `split_heads`."""

from autograder.catalogue.edits import mistake
from autograder.catalogue.multi_head.refusals_mistakes import refusals
from autograder.catalogue.multi_head.shapes import of_both_ways

MOVE = ".transpose(1, 2)"
SPLIT = f"unflatten(-1, (num_heads, width // num_heads)){MOVE}"
IN_PLACE = "torch.cat(x.unsqueeze_(1).chunk(num_heads, dim=-1), dim=1)"

OF_AXES = (
    mistake("view instead of transpose", {SPLIT: "reshape(len(x), num_heads, -1, width // num_heads)"}).because(
        "You reshape straight to [B, h, T, d], which mixes up tokens and features; split the last axis, then "
        "swap two axes.",
        "Which numbers are next to each other in x: those of one token, or those of one head?",
    ),
    mistake("axes not exchanged", {MOVE: ""}).because(
        "Your result is [B, T, h, d]; move the axis of the heads before that of the tokens.",
        "Over which two axes will the matrix product of the scores run?",
    ),
    mistake("every h-th feature", {SPLIT: "unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2)"}).because(
        "Your head 0 gets the features 0, h, 2h, …; give it the first d features.",
        "When you split the last axis in two, which of the two varies faster?",
    ),
    mistake("number of heads taken for their width", {"(num_heads, width // num_heads)": "(-1, num_heads)"}).because(
        "You make heads of width num_heads; make num_heads heads, each of width D / num_heads.",
        "12 features and 3 heads: how wide is a head?",
    ),
    mistake("heads before the batch", {MOVE: ".permute(2, 0, 1, 3)"}).because(
        "Your result is [h, B, T, d]; keep the batch as the first axis.",
        "Along which new axis do you stack the pieces?",
    ),
    mistake(
        "transposed before the split", {SPLIT: "transpose(1, 2).reshape(len(x), num_heads, -1, width // num_heads)"}
    ).because(
        "You swap the axes first and reshape afterwards, which tears the features of a token apart; reshape first.",
        "Which must come first: splitting the last axis, or moving axes?",
    ),
    mistake("heads joined to the batch", {MOVE: f"{MOVE}.flatten(0, 1)"}).because(
        "Your result has three axes, [B·h, T, d]; give the heads a separate axis.",
        "How many axes does [B, h, T, d] have?",
    ),
    mistake("the first head for all", {MOVE: f"{MOVE}[:, :1].expand(-1, num_heads, -1, -1)"}).because(
        "Every head gets the features of the first. Give each head its own d features.",
        "Which of the h·d features belong to head 1?",
    ),
    mistake("heads backwards", {MOVE: f"{MOVE}.flip(1)"}).because(
        "Your heads are in reverse order: the last one has the first d features. Give these to head 0.",
        "Which of the h·d features belong to head 0?",
    ),
    mistake("heads after the features", {MOVE: ".transpose(2, 3)"}).because(
        "Your result is [B, T, d, h]; move the axis of the heads before that of the tokens.",
        "Which axes does your transpose swap?",
    ),
    mistake("features before tokens", {MOVE: ".permute(0, 2, 3, 1)"}).because(
        "Your result is [B, h, d, T]; the features must be the last axis.",
        "Which axis does the dot product of a query and a key sum over?",
    ),
)

OF_REFUSAL = (
    *(
        mistake(f"the number of {what} checked", {"if width % num_heads": f"if x.shape[{axis}] % num_heads"}).because(
            f"You test whether num_heads divides the number of {what}; test the width, the last axis.",
            "Which axis of x is split into heads?",
        )
        for what, axis in (("tokens", 1), ("samples", 0))
    ),
    mistake(
        "left to torch",
        {"if width % num_heads != 0:": "if False:"},
        shown_by="RuntimeError was raised, expected ValueError",
    ).because(
        "You leave it to torch to fail on 17 features for 3 heads; its error names neither. Raise a ValueError.",
        "Which error does the docstring name, and what must its message contain?",
    ),
    mistake(
        "what does not fit left out",
        {"if width % num_heads != 0:": "if False:", "return x.": "return x[..., : width // num_heads * num_heads]."},
        shown_by="no ValueError was raised",
    ).because(
        "You accept 17 features for 3 heads, which cannot be split evenly; raise a ValueError.",
        "What happens to the features that are left over?",
    ),
    *(mistake for mistake in refusals("width", 17, 3) if mistake.name != "not checked"),
)

MISTAKES = OF_AXES + of_both_ways("heads", MOVE, {f"x.{SPLIT}": IN_PLACE}) + OF_REFUSAL
