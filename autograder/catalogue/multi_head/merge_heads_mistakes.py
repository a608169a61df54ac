"""What goes wrong in `merge_heads`."""

from autograder.catalogue.edits import mistake
from autograder.catalogue.multi_head.shapes import of_both_ways

MOVE, JOIN = ".transpose(1, 2)", ".flatten(2)"
WIDE = "How wide must the result be?"

OF_AXES = (
    mistake("merged without moving the axis back", {MOVE + JOIN: ".reshape(len(x), x.shape[2], -1)"}).because(
        "You reshape straight to [B, T, h·d], which mixes up tokens and heads; swap their axes first.",
        "In x [B, h, T, d], what is next to the first piece of a token in memory: its next piece, or the next token?",
    ),
    mistake("joined without moving the axis back", {MOVE: ""}).because(
        "Your result is [B, h, T·d]: you join tokens and features. Swap heads and tokens first, then join the last two "
        "axes.",
        "Which two axes of [B, h, T, d] does `flatten(2)` join?",
    ),
    mistake("batch exchanged with heads", {MOVE: ".transpose(0, 1)"}).because(
        "You swap batch and heads; swap heads and tokens, [B, T, h, d].", "Which axes does split_heads swap?"
    ),
    mistake("view after a transpose", {JOIN: ".view(len(x), x.shape[2], -1)"}).because(
        "You call `view` after a transpose, when the numbers are no longer in order in memory; use `reshape`, "
        "which copies them.",
        "What is the difference between view and reshape?",
    ),
    mistake("heads interleaved", {MOVE: ".permute(0, 2, 3, 1)"}).because(
        "Your result has feature 0 of every head first, then feature 1; keep each head's features together.",
        "Which axis must vary faster in the merged vector: the heads, or the features of a head?",
    ),
    mistake("heads one after the other", {MOVE + JOIN: ".flatten(1, 2)"}).because(
        "You join heads and tokens, so the sequence gets h times as long; join heads and features.",
        "How many tokens must the result have?",
    ),
    mistake("heads summed", {MOVE + JOIN: ".sum(dim=1)"}).because(
        "You add the heads up; concatenate them, [B, T, h·d].", WIDE
    ),
    mistake("the largest of the heads", {MOVE + JOIN: ".amax(dim=1)"}).because(
        "You keep the largest number of all heads; concatenate them, [B, T, h·d].", WIDE
    ),
    mistake("the first head alone", {MOVE + JOIN: "[:, 0]"}).because(
        "You return only the first head; concatenate all of them, [B, T, h·d].", WIDE
    ),
    mistake("heads averaged", {MOVE + JOIN: ".mean(dim=1)"}).because(
        "You average over the heads; concatenate them, [B, T, h·d].", WIDE
    ),
    mistake("batch and tokens exchanged", {MOVE: ".permute(2, 0, 1, 3)"}).because(
        "Your result is [T, B, h·d]; keep the batch as the first axis.", "Which axes does your permute move?"
    ),
    mistake("still four axes", {JOIN: ""}).because(
        "Your result is [B, T, h, d]; join the last two axes.", "How many axes does [B, T, h·d] have?"
    ),
    mistake("tokens exchanged with features", {MOVE: ".transpose(2, 3)"}).because(
        "You swap tokens and features before you join; swap heads and tokens, [B, T, h, d].",
        "Which axes does split_heads swap?",
    ),
    mistake("tokens joined as well", {JOIN: ".flatten(1)"}).because(
        "You join the tokens too, [B, T·h·d]; join only the last two axes.", "How many axes does [B, T, h·d] have?"
    ),
    mistake("heads backwards", {MOVE: f".flip(1){MOVE}"}).because(
        "Your result starts with the last head; start with head 0.", "Which features of the result come from head 0?"
    ),
    mistake(
        "the last head left out",
        {f"x{MOVE}": f"(x * (torch.arange(x.shape[1]) < x.shape[1] - 1)[:, None, None]){MOVE}"},
    ).because(
        "The features of the last head are 0 in your result; fill them in too.",
        "How often does your loop run for h heads?",
    ),
    mistake("all axes joined", {JOIN: ".flatten()"}).because(
        "You join all axes with `flatten()`; pass it the first axis to join.",
        "What does the argument of flatten mean?",
    ),
    mistake(
        "features exchanged with tokens", {MOVE + JOIN: ".transpose(2, 3).reshape(len(x), x.shape[2], -1)"}
    ).because(
        "You swap the last two axes; move the heads next to their features.",
        "Which axes does split_heads swap?",
    ),
)

OF_JOINING = (
    *(
        mistake(name, {MOVE + JOIN: joined}).because(
            "You swap heads and features, which mixes up the pieces; swap heads and tokens, [B, T, h, d].",
            "Which axes does split_heads swap?",
        )
        for name, joined in (
            ("heads exchanged with features", ".transpose(1, 3).reshape(len(x), x.shape[2], -1)"),
            ("heads exchanged with features, and joined with tokens", ".transpose(1, 3).flatten(2)"),
        )
    ),
    *(
        mistake(f"{what}, once for each head", {MOVE + JOIN: f"{made}.repeat(1, 1, x.shape[1])"}).because(
            f"You repeat {what} once for each head; concatenate the heads themselves.",
            "Which numbers of x are in the second piece of a token?",
        )
        for what, made in (
            ("the mean of the heads", ".mean(dim=1)"),
            ("the sum of the heads", ".sum(dim=1)"),
            ("the first head", "[:, 0]"),
        )
    ),
    mistake("a batch of one without its axis", {JOIN: f"{JOIN}.squeeze(0)"}).because(
        "With one token of one sample you squeeze an axis of size 1 away; keep three axes, [B, T, h·d].",
        "What does squeeze do to a batch of one?",
    ),
)

MISTAKES = OF_AXES + OF_JOINING + of_both_ways("merged", JOIN, {MOVE: ".transpose_(1, 2)"})
