"""What goes wrong in `PreNormEncoderBlock`. Its source is edited after that of `EncoderBlock`, its parent."""

from autograder.catalogue.common_mistakes import other_names, overwrites
from autograder.catalogue.edits import mistake
from autograder.catalogue.encoder.block_wiring_mistakes import dropped_before
from autograder.catalogue.encoder.encoder_block_mistakes import ATTENTION_FIRST, IN_BOTH, WHEN, ZERO, in_forward
from course_lib.model.encoder import EncoderBlock

FORMULA = "x = x + sub-layer(norm(x)): which of these symbols is missing or misplaced in your code?"
ATTENTION, FEED_FORWARD = "self.self_attn(self.norm1(x), mask)", "self.linear_net(self.norm2(x))"
FIRST_SUM, SECOND_SUM = "x = x + self.", "return x + self."

WORDED = (
    mistake("post-norm", EncoderBlock).because("Your norms come after the sums; put them before the sub-layers.", ZERO),
    mistake(
        "normalised residual",
        {
            f"x + self.dropout({ATTENTION}": "(x := self.norm1(x)) + self.dropout(self.self_attn(x, mask)",
            f"x + self.dropout({FEED_FORWARD}": "(x := self.norm2(x)) + self.dropout(self.linear_net(x)",
        },
    ).because("You overwrite x with its norm before you add, so the residual path is normalised; add x itself.", ZERO),
    *(
        mistake(
            f"normalised residual of the {name}",
            {f"x + self.dropout({layer}": f"self.{norm}(x) + self.dropout({layer}"},
        ).because(f"You add the output of the {name} to {norm}(x); add it to x itself.", ZERO)
        for name, norm, layer in (("attention", "norm1", ATTENTION), ("feed-forward", "norm2", FEED_FORWARD))
    ),
    mistake("norm2 after the feed-forward", {FEED_FORWARD: "self.norm2(self.linear_net(x))"}).because(
        "You apply norm2 to the output of the feed-forward network. Apply it to its input.", FORMULA
    ),
    mistake("norm1 after the attention", {ATTENTION: "self.norm1(self.self_attn(x, mask))"}).because(
        "You apply norm1 to the output of the attention. Apply it to its input.", FORMULA
    ),
    mistake("dropout of the feed-forward only", {f"self.dropout({ATTENTION})": ATTENTION}).because(
        "You apply dropout only to the feed-forward's output; apply it to the attention's too.", WHEN
    ),
    mistake("a norm at the end", {SECOND_SUM: "return self.norm2(x + self.", FEED_FORWARD: f"{FEED_FORWARD})"}).because(
        "You normalise the result; keep the path from x to the output free of norms.", ZERO
    ),
    mistake("no residual", {FIRST_SUM: "x = self.", SECOND_SUM: "return self."}).because(
        "You never add x; add it to both sub-layers' outputs.", ZERO
    ),
    mistake("no residual around the attention", {FIRST_SUM: "x = self."}).because(
        "You do not add x to the attention's output; add it.", ZERO
    ),
    mistake(
        "second half post-norm", {SECOND_SUM: "return self.norm2(x + self.", FEED_FORWARD: "self.linear_net(x))"}
    ).because(
        "Around the feed-forward your norm comes after the sum; put it before the sub-layer, as with the attention.",
        FORMULA,
    ),
    mistake(
        "norm after the sub-layer",
        {ATTENTION: "self.norm1(self.self_attn(x, mask))", FEED_FORWARD: "self.norm2(self.linear_net(x))"},
    ).because("You normalise the sub-layers' outputs; normalise their inputs.", FORMULA),
    mistake("first norm missing", {ATTENTION: "self.self_attn(x, mask)"}).because(
        "Your attention gets x itself; give it norm1(x).", FORMULA
    ),
    mistake("second norm missing", {FEED_FORWARD: "self.linear_net(x)"}).because(
        "Your feed-forward gets x itself; give it norm2(x).", FORMULA
    ),
    mistake("sub-layers side by side", {FIRST_SUM: "y = x + self.", SECOND_SUM: "return y + self."}).because(
        "Your feed-forward gets the block's input; give it the sum after the attention.", FORMULA
    ),
    mistake("second residual from the input", {FIRST_SUM: "y = x + self.", "self.norm2(x))": "self.norm2(y))"}).because(
        "Around the feed-forward you add the block's input; add the sum after the attention.", FORMULA
    ),
    mistake(
        "feed-forward first",
        {ATTENTION: "self.linear_net(self.norm1(x))", FEED_FORWARD: "self.self_attn(self.norm2(x), mask)"},
    ).because(ATTENTION_FIRST, FORMULA),
    mistake("no attention", {f" + self.dropout({ATTENTION})": ""}).because(
        "You never use the output of self_attn; add it to x.", FORMULA
    ),
    mistake("no feed-forward", {f" + self.dropout({FEED_FORWARD})": ""}).because(
        "You never use the output of linear_net; add it to x.", FORMULA
    ),
    mistake(
        "dropout of a sum", {SECOND_SUM: "return self.dropout(x + self.", FEED_FORWARD: f"{FEED_FORWARD})"}
    ).because("You apply dropout to a sum, and so to x; apply it only to the sub-layers' outputs.", WHEN),
    other_names({"self.self_attn": "self.attention", "self.linear_net": "self.feed_forward"}, times=3),
)

MISTAKES = (
    *WORDED,
    overwrites("x", {"x = x + self.": "x += self."}, "`x += …` changes the caller's own x; write x = x + …."),
    *IN_BOTH,
    *dropped_before({ATTENTION: "self.norm1(x)", FEED_FORWARD: "self.norm2(x)"}),
    *(
        mistake(
            name, {ATTENTION: "self.self_attn(normed := self.norm1(x), mask)", FEED_FORWARD: f"self.linear_net({read})"}
        ).because(f"Your feed-forward reads {what}; give it norm2 of the sum after the attention.", FORMULA)
        for name, read, what in (
            ("norm2 of the output of norm1", "self.norm2(normed)", "norm2 of the output of norm1"),
            ("feed-forward of the output of norm1", "normed", "the output of norm1"),
        )
    ),
    mistake(
        "feed-forward of the attention's output",
        {f"self.dropout({ATTENTION})": f"(attended := self.dropout({ATTENTION}))"}
        | {FEED_FORWARD: "self.linear_net(self.norm2(attended))"},
    ).because(
        "Your feed-forward reads norm2 of the attention's output; give it norm2 of the sum after the attention.",
        FORMULA,
    ),
    *in_forward(2, FORMULA),
)
