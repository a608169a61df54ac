"""What goes wrong in `PreNormEncoderBlock`. Its source is edited after that of `EncoderBlock`, its parent."""

from autograder.catalogue.common_mistakes import other_names, overwrites
from autograder.catalogue.edits import mistake
from autograder.catalogue.encoder.encoder_block_mistakes import ATTENTION_FIRST, IN_BOTH, WHEN, ZERO, in_forward
from course_lib.model.encoder import EncoderBlock

FORMULA = "x = x + sub-layer(norm(x)): which of these symbols is missing, or elsewhere, in your code?"
ATTENTION, FEED_FORWARD = "self.self_attn(self.norm1(x), mask)", "self.linear_net(self.norm2(x))"
FIRST_SUM, SECOND_SUM = "x = x + self.", "return x + self."

WORDED = (
    mistake("post-norm", EncoderBlock).because(
        "Your norms come after the sums; in this block they come before the sub-layers.", ZERO
    ),
    mistake(
        "normalised residual",
        {
            f"x + self.dropout({ATTENTION}": "(x := self.norm1(x)) + self.dropout(self.self_attn(x, mask)",
            f"x + self.dropout({FEED_FORWARD}": "(x := self.norm2(x)) + self.dropout(self.linear_net(x)",
        },
    ).because("You overwrite x by its normalised self before you add: so the residual path is normalised.", ZERO),
    *(
        mistake(
            f"normalised residual of the {name}",
            {f"x + self.dropout({layer}": f"self.{norm}(x) + self.dropout({layer}"},
        )
        for name, norm, layer in (("attention", "norm1", ATTENTION), ("feed-forward", "norm2", FEED_FORWARD))
    ),
    mistake("norm2 after the feed-forward", {FEED_FORWARD: "self.norm2(self.linear_net(x))"}),
    mistake("a norm at the end", {SECOND_SUM: "return self.norm2(x + self.", FEED_FORWARD: f"{FEED_FORWARD})"}).because(
        "You normalise the result; the path from x to the output is to stay free of norms.", ZERO
    ),
    mistake("no residual", {FIRST_SUM: "x = self.", SECOND_SUM: "return self."}).because(
        "x is added nowhere: what the sub-layers do not pass on is lost.", ZERO
    ),
    mistake("no residual around the attention", {FIRST_SUM: "x = self."}).because(
        "x is not added to the output of the attention.", ZERO
    ),
    mistake(
        "second half post-norm", {SECOND_SUM: "return self.norm2(x + self.", FEED_FORWARD: "self.linear_net(x))"}
    ).because("The attention is pre-norm, but around the feed-forward your norm comes after the sum.", FORMULA),
    mistake(
        "norm after the sub-layer",
        {ATTENTION: "self.norm1(self.self_attn(x, mask))", FEED_FORWARD: "self.norm2(self.linear_net(x))"},
    ).because("You normalise what the sub-layers give; it is what they get that is normalised.", FORMULA),
    mistake("first norm missing", {ATTENTION: "self.self_attn(x, mask)"}).because(
        "The attention gets x as it is.", FORMULA
    ),
    mistake("second norm missing", {FEED_FORWARD: "self.linear_net(x)"}).because(
        "The feed-forward gets x as it is.", FORMULA
    ),
    mistake("sub-layers side by side", {FIRST_SUM: "y = x + self.", SECOND_SUM: "return y + self."}).because(
        "Your feed-forward gets the block's input; it is to get the sum that the attention has made.", FORMULA
    ),
    mistake("second residual from the input", {FIRST_SUM: "y = x + self.", "self.norm2(x))": "self.norm2(y))"}).because(
        "Around the feed-forward you add the block's input: what the attention did is lost.", FORMULA
    ),
    mistake(
        "feed-forward first",
        {ATTENTION: "self.linear_net(self.norm1(x))", FEED_FORWARD: "self.self_attn(self.norm2(x), mask)"},
    ).because(ATTENTION_FIRST, FORMULA),
    mistake("no attention", {f" + self.dropout({ATTENTION})": ""}).because(
        "What self_attn gives is never used.", FORMULA
    ),
    mistake("no feed-forward", {f" + self.dropout({FEED_FORWARD})": ""}).because(
        "What linear_net gives is never used.", FORMULA
    ),
    mistake(
        "dropout of a sum", {SECOND_SUM: "return self.dropout(x + self.", FEED_FORWARD: f"{FEED_FORWARD})"}
    ).because("You drop from a sum, and with it from x; it is the sub-layers' outputs that are dropped.", WHEN),
    other_names({"self.self_attn": "self.attention", "self.linear_net": "self.feed_forward"}, times=3),
)

MISTAKES = (
    *WORDED,
    overwrites("x", {"x = x + self.": "x += self."}, "`x += …` works on the caller's own x: write x = x + …."),
    *IN_BOTH,
    *in_forward(2, FORMULA),
)
