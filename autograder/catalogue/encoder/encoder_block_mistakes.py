"""What goes wrong in `EncoderBlock`, and what goes wrong in both encoder blocks."""

from autograder.catalogue.common_mistakes import in_double_precision, other_names, overwrites
from autograder.catalogue.edits import KnownMistake, inherited, mistake
from autograder.catalogue.encoder.feed_forward_mistakes import MISTAKES as OF_FEED_FORWARD
from autograder.catalogue.encoder.layer_norm_mistakes import MISTAKES as OF_LAYER_NORM
from course_lib.model.encoder import PreNormEncoderBlock
from course_lib.model.layers import FeedForward, LayerNorm

ZERO = "If both sub-layers gave 0, what should come out of the block?"
WHEN = "When is something dropped, what, and what is added to what after that?"
PARTS = "Which part does this, and what does the contract say of it?"
MASK_ON = "Which part needs the mask, and in which form?"
TAKEN = "Which arguments do MultiheadAttention and FeedForward take?"
GRAPH = "Which call in your code cuts the graph: .data, .detach(), torch.no_grad?"
ATTENTION_FIRST = "The attention comes first, then the feed-forward."

IN_BOTH = (  # the constructor, which one inherits from the other, and what it calls
    mistake(
        "dropout by default",
        {"dropout: float = 0.0": "dropout: float = 0.5"},
        "Your block drops even when no dropout is given: the default is 0.",
        "What does the signature in the contract say?",
        shown_by="without dropout given, something drops",
    ),
    mistake("no dropout inside", {"dim_feedforward, dropout)": "dim_feedforward)"}).because(
        "The feed-forward is made without the dropout.", TAKEN
    ),
    mistake("one head", {"input_dim, num_heads)": "input_dim, 1)"}).because(
        "num_heads does not reach the attention.", TAKEN
    ),
    inherited(FeedForward, OF_FEED_FORWARD, "GELU instead of ReLU", called="GELU in the feed-forward").because(
        "Your feed-forward has a GELU; the paper's has a ReLU.", PARTS
    ),
    inherited(
        FeedForward, OF_FEED_FORWARD, "input cut from the graph", called="feed-forward cut from the graph"
    ).because("What the feed-forward gets is cut off: its gradient does not get to what comes before it.", GRAPH),
)


def in_forward(methods: int, formula: str) -> tuple[KnownMistake, ...]:
    """What goes wrong in `forward`, whether it stands in the source once or, with that of the parent, twice.

    Args:
        methods: how often it stands there.
        formula: the question that leads to the right order of the parts.
    """

    def row(name: str, edits: dict[str, str], each: int = 1, **more) -> KnownMistake:
        return mistake(name, edits, times=each * methods, **more)

    table = (
        row(
            "no residual around the feed-forward", {"x + self.dropout(self.linear_net": "self.dropout(self.linear_net"}
        ).because("x is not added to the output of the feed-forward.", ZERO),
        row("norm1 twice", {"self.norm2(": "self.norm1("}).because("norm1 is applied twice and norm2 never.", formula),
        row(
            "norms exchanged",
            {"self.norm1(": "self.second(", "self.norm2(": "self.norm1(", "self.second(": "self.norm2("},
        ).because("norm2 comes first and norm1 last.", formula),
        row("mask forgotten", {", mask))": "))"}).because(
            "The mask never reaches the attention.", "Which part needs the mask, and where do you hand it on?"
        ),
        row("mask inverted", {", mask))": ", None if mask is None else mask == 0))"}).because(
            "You hand on the opposite of the mask: in this course True means visible.", MASK_ON
        ),
        row("mask transposed", {", mask))": ", None if mask is None else mask.transpose(-2, -1)))"}).because(
            "You hand on the mask with queries and keys exchanged: rows are queries, columns are keys.", MASK_ON
        ),
        row(
            "one mask for all samples", {", mask))": ", mask[:1] if mask is not None and mask.ndim > 2 else mask))"}
        ).because(
            "You use the mask of the first sample for all of them.",
            "What does a mask [B, T, T] say about the second sample?",
        ),
        row("no dropout", {"self.dropout(self.": "(self."}, each=2).because(
            "self.dropout is made and never called.", WHEN
        ),
        row("dropout once", {"self.dropout(self.linear_net(": "(self.linear_net("}).because(
            "You drop from the attention's output only; the feed-forward's is dropped too.", WHEN
        ),
        row(
            "dropout in eval too",
            {"self.dropout(self.": "F.dropout(p=self.dropout.p, input=self."},
            each=2,
            shown_by="two calls in eval mode give different outputs",
        ).because("You drop in eval mode too: F.dropout needs training=self.training.", WHEN),
        row("input cut from the graph", {"Tensor:\n": "Tensor:\n        x = x.detach()\n"}).because(
            "No gradient gets through your block to x: the blocks below it never learn.", GRAPH
        ),
    )
    return (
        *table,
        *(
            row(f"mask.{method} without a test for None", {", mask))": f", mask.{method}))"}).because(
                "mask is None when nothing is hidden: test for it first, or hand it on as it is.", MASK_ON
            )
            for method in ("bool()", "unsqueeze(-3)")
        ),
        row("one mask for all heads", {", mask))": ", mask[:, :1] if mask is not None and mask.ndim > 3 else mask))"}),
        overwrites(
            "mask",
            {", mask))": ", mask.unsqueeze_(0) if mask is not None and mask.ndim == 2 else mask))"},
            "unsqueeze_ changes the caller's own mask, and the next layer gets another one: unsqueeze.",
            times=methods,
        ),
        in_double_precision("output", {"return ": "return torch.zeros(1, dtype=torch.float64) + "}, times=methods),
        row("the first mask kept", {", mask))": ', self.__dict__.setdefault("kept", mask)))'}),
    )


FORMULA = "x = norm1(x + sub-layer(x)): which of these symbols is missing, or elsewhere, in your code?"
ATTENTION, FEED_FORWARD = "self.self_attn(x, mask)", "self.linear_net(x)"
OVER_BATCH_AND_TOKENS = mistake("over batch and tokens", {"dim=-1": "dim=(0, 1)"}, times=2)

WORDED = (
    mistake(
        "the attention's output added to itself",
        {"x + self.dropout(self.self_attn(x, mask)": "(a := self.self_attn(x, mask)) + self.dropout(a"},
    ),
    mistake("second residual outside the norm", {"self.norm2(x + ": "x + self.norm2("}),
    mistake("first residual outside the norm", {"self.norm1(x + ": "x + self.norm1("}),
    mistake("no residual", {"x + self.dropout": "self.dropout"}, times=2).because(
        "Neither sub-layer's input is added to its output: what the sub-layers do not pass on is lost.", ZERO
    ),
    mistake("no residual around the attention", {f"x + self.dropout({ATTENTION}": f"self.dropout({ATTENTION}"}).because(
        "x is not added to the output of the attention.", ZERO
    ),
    mistake("pre-norm", PreNormEncoderBlock).because(
        "Your norms come before the sub-layers; this block is post-norm: norm(x + sub-layer(x)).", ZERO
    ),
    *(
        mistake(
            f"{which} half pre-norm", {f"{norm}(x + self.dropout({part}(x": f"(x + self.dropout({part}({norm}(x)"}
        ).because(f"In your {which} line the norm comes before the sub-layer; here it is norm(x + sub-layer(x)).", ZERO)
        for which, norm, part in (
            ("first", "self.norm1", "self.self_attn"),
            ("second", "self.norm2", "self.linear_net"),
        )
    ),
    mistake(
        "norm before the sum", {"self.norm1(x + ": "x + self.norm1(", "self.norm2(x + ": "x + self.norm2("}
    ).because("You normalise the sub-layer's output and then add x; it is the sum that is normalised.", ZERO),
    mistake(
        "second residual from the input", {"x = self.norm1(": "y = self.norm1(", FEED_FORWARD: "self.linear_net(y)"}
    ).because(
        "Around the feed-forward you add the block's input; what is to be added is the output of norm1.", FORMULA
    ),
    mistake("sub-layers side by side", {"x = self.norm1(": "y = self.norm1(", "self.norm2(x": "self.norm2(y"}).because(
        "Your feed-forward gets the block's input; it is to get what norm1 gives.", FORMULA
    ),
    mistake("first norm missing", {"self.norm1(x": "(x"}).because("norm1 is never applied.", FORMULA),
    mistake("second norm missing", {"self.norm2(x": "(x"}).because("norm2 is never applied.", FORMULA),
    mistake(
        "feed-forward first",
        {ATTENTION: "self.linear_net(_)", FEED_FORWARD: ATTENTION, "self.linear_net(_)": FEED_FORWARD},
    ).because(ATTENTION_FIRST, FORMULA),
    mistake("no feed-forward", {f" + self.dropout({FEED_FORWARD})": ""}).because(
        "linear_net is made and never called.", FORMULA
    ),
    mistake("no attention", {f" + self.dropout({ATTENTION})": ""}).because(
        "self_attn is made and never called.", FORMULA
    ),
    mistake("one norm", {"self.norm2 = LayerNorm(input_dim)": "", "self.norm2(": "self.norm1("}).because(
        "There is one norm where the contract has two, each with parameters of its own.", PARTS
    ),
    mistake("one norm in both places", {"self.norm2 = LayerNorm(input_dim)": "self.norm2 = self.norm1"}).because(
        "norm1 and norm2 are the same object: they share their weight and bias.", PARTS
    ),
    mistake("dropout of the sum", {"x + self.dropout(": "self.dropout(x + "}, times=2).because(
        "You drop from the sum, and with it from x; it is the sub-layer's output that is dropped.", WHEN
    ),
    mistake(
        "dropout after the norm",
        {
            "self.norm1(x + self.dropout(": "self.dropout(self.norm1(x + ",
            "self.norm2(x + self.dropout(": "self.dropout(self.norm2(x + ",
        },
    ).because("You drop what the norm gives; it is the sub-layer's output that is dropped, before the sum.", WHEN),
    mistake("dropout of the feed-forward only", {f"self.dropout({ATTENTION})": ATTENTION}).because(
        "You drop from the feed-forward's output only; the attention's is dropped too.", WHEN
    ),
    other_names({"self.self_attn": "self.attention", "self.linear_net": "self.feed_forward"}, times=2),
    mistake("cut from the graph", {f"{ATTENTION}))": f"{ATTENTION})).detach()"}).because(
        "After the first half your graph is cut: the attention never learns.", GRAPH
    ),
    mistake("first half not kept", {"x = self.norm1(": "self.norm1("}).because(
        "What your first line makes is thrown away: x = norm1(…).", FORMULA
    ),
    mistake("dropout of the first sum", {"self.norm1(x + self.dropout(": "self.norm1(self.dropout(x + "}).because(
        "You drop from the first sum, and with it from x; it is the attention's output that is dropped.", WHEN
    ),
)

MISTAKES = (
    *WORDED,
    overwrites(
        "x",
        {f"x + self.dropout({ATTENTION})": f"x.add_(self.dropout({ATTENTION}))"},
        "`x += …` works on the caller's own x, which the way back needs as it was: write x = x + ….",
    ),
    *(
        inherited(LayerNorm, (*OF_LAYER_NORM, OVER_BATCH_AND_TOKENS), name, called=called).because(
            f"Your block's numbers are those of a layer norm {such}: mend LayerNorm first.", PARTS
        )
        for name, called, such in (
            ("unbiased variance", "norms with the unbiased variance", "that divides by dim − 1"),
            ("eps outside the root", "norms with eps outside the root", "with eps outside the root"),
            ("over batch and tokens", "norms over the batch", "that takes one mean for all tokens"),
        )
    ),
    *IN_BOTH,
    *in_forward(1, FORMULA),
)
