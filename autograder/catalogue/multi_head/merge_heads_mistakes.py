"""What goes wrong in `merge_heads`."""

from autograder.catalogue.edits import mistake
from autograder.catalogue.multi_head.shapes import of_both_ways

MOVE, JOIN = ".transpose(1, 2)", ".flatten(2)"
WIDE = "How wide must the result be?"

OF_AXES = (
    mistake("merged without moving the axis back", {MOVE + JOIN: ".reshape(len(x), x.shape[2], -1)"}).because(
        "You reshape straight to [B, T, h·d]: the shape is right, but tokens and heads are mixed up.",
        "In x [B, h, T, d], what stands next to the first piece of a token: its next piece, or the next token?",
    ),
    mistake("view after a transpose", {JOIN: ".view(len(x), x.shape[2], -1)"}).because(
        "After a transpose the numbers lie in another order in memory and `view` refuses; `reshape` copies them.",
        "What is the difference between view and reshape?",
    ),
    mistake("heads interleaved", {MOVE: ".permute(0, 2, 3, 1)"}).because(
        "Feature 0 of every head comes first, then feature 1 of every head; the pieces are to stay in one piece.",
        "Which axis must run faster in the merged vector: the heads, or the features of a head?",
    ),
    mistake("heads one after the other", {MOVE + JOIN: ".flatten(1, 2)"}).because(
        "You join heads and tokens: the sequence gets h times as long. It is the features that are to be joined.",
        "How many tokens must come out?",
    ),
    mistake("heads summed", {MOVE + JOIN: ".sum(dim=1)"}).because(
        "You add the heads up; they are to stand side by side, [B, T, h·d].", WIDE
    ),
    mistake("heads averaged", {MOVE + JOIN: ".mean(dim=1)"}).because(
        "You average over the heads; they are to stand side by side, [B, T, h·d].", WIDE
    ),
    mistake("batch and tokens exchanged", {MOVE: ".permute(2, 0, 1, 3)"}).because(
        "Your result is [T, B, h·d]: the batch must stay the first axis.", "Which axes does your permute move?"
    ),
    mistake("still four axes", {JOIN: ""}).because(
        "Your result is [B, T, h, d]: the last two axes are still to be joined.", "How many axes has [B, T, h·d]?"
    ),
    mistake("all axes joined", {JOIN: ".flatten()"}).because(
        "`flatten()` joins all axes into one; say from which axis on it is to join.",
        "What does the argument of flatten mean?",
    ),
    mistake(
        "features exchanged with tokens", {MOVE + JOIN: ".transpose(2, 3).reshape(len(x), x.shape[2], -1)"}
    ).because(
        "You exchange the last two axes; it is the heads that must move, next to their features.",
        "Which axes does split_heads exchange?",
    ),
)

MISTAKES = OF_AXES + of_both_ways("merged", JOIN, {MOVE: ".transpose_(1, 2)"})
