"""What goes wrong in `EncoderBlock`, and what goes wrong in both encoder blocks."""

from autograder.catalogue.edits import Mistake, borrowed, wrong
from autograder.catalogue.encoder.feed_forward_wrong import MISTAKES as OF_FEED_FORWARD
from autograder.catalogue.encoder.layer_norm_wrong import MISTAKES as OF_LAYER_NORM
from course_lib.model.encoder import PreNormEncoderBlock
from course_lib.model.layers import FeedForward, LayerNorm

ZERO = "If both sub-layers gave 0, what should come out of the block?"
WHEN = "When is something dropped, what, and what is added to what after that?"
PARTS = "Which part does this, and what does the contract say of it?"
MASK_ON = "Which part needs the mask, and in which form?"
GRAPH = "Which call in your code cuts the graph: .data, .detach(), torch.no_grad?"
NAMES = "Which names does the docstring give under “Parameters”?"
ATTENTION_FIRST = "The attention comes first, then the feed-forward."

IN_BOTH = (  # the constructor, which one inherits from the other, and what it calls
    wrong(
        "dropout by default",
        {"dropout: float = 0.0": "dropout: float = 0.5"},
        "Your block drops even when no dropout is given: the default is 0.",
        "What does the signature in the contract say?",
        shown_by="without dropout given, something drops",
    ),
    wrong(
        "no dropout inside",
        {"dim_feedforward, dropout)": "dim_feedforward)"},
        "The feed-forward is made without the dropout.",
        "Which arguments does FeedForward take?",
    ),
    wrong(
        "one head",
        {"input_dim, num_heads)": "input_dim, 1)"},
        "num_heads does not reach the attention.",
        "Which arguments does MultiheadAttention take?",
    ),
    borrowed(
        FeedForward,
        OF_FEED_FORWARD,
        "GELU in the place of ReLU",
        "Your feed-forward has a GELU; the paper's has a ReLU.",
        PARTS,
        called="GELU in the feed-forward",
    ),
    borrowed(FeedForward, OF_FEED_FORWARD, "input cut from the graph", "", called="feed-forward cut from the graph"),
)


def in_forward(methods: int, formula: str) -> tuple[Mistake, ...]:
    """What goes wrong in `forward`, whether it stands in the source once or, with that of the parent, twice.

    Args:
        methods: how often it stands there.
        formula: the question that leads to the right order of the parts.
    """

    def row(name: str, edits: dict[str, str], says: str = "", asks: str = "", each: int = 1) -> Mistake:
        return wrong(name, edits, says, asks, times=each * methods)

    return (
        row(
            "no residual around the feed-forward",
            {"x + self.dropout(self.linear_net": "self.dropout(self.linear_net"},
            "x is not added to the output of the feed-forward.",
            ZERO,
        ),
        row(
            "a residual around the block", {"Tensor:\n": "Tensor:\n        before = x\n", "return ": "return before + "}
        ),
        row("norm1 twice", {"self.norm2(": "self.norm1("}, "norm1 is applied twice and norm2 never.", formula),
        row(
            "norms exchanged",
            {"self.norm1(": "self.second(", "self.norm2(": "self.norm1(", "self.second(": "self.norm2("},
        ),
        row(
            "mask forgotten",
            {", mask))": "))"},
            "The mask never reaches the attention.",
            "Which part needs the mask, and where do you hand it on?",
        ),
        row(
            "mask inverted",
            {", mask))": ", None if mask is None else mask == 0))"},
            "You hand on the opposite of the mask: in this course True means visible.",
            MASK_ON,
        ),
        row("one mask for all samples", {", mask))": ", mask[0] if mask is not None and mask.ndim > 2 else mask))"}),
        row("mask transposed", {", mask))": ", None if mask is None else mask.transpose(-2, -1)))"}),
        row("the first mask kept", {", mask))": ', self.__dict__.setdefault("kept", mask)))'}),
        row("no dropout", {"self.dropout(self.": "(self."}, "self.dropout is made and never called.", WHEN, each=2),
        row(
            "dropout once",
            {"self.dropout(self.linear_net(": "(self.linear_net("},
            "You drop from the attention's output only; the feed-forward's is dropped too.",
            WHEN,
        ),
        row(
            "dropout in eval too",
            {"self.dropout(self.": "F.dropout(p=self.dropout.p, input=self."},
            "You drop in eval mode too: F.dropout needs training=self.training.",
            WHEN,
            each=2,
        ),
        row(
            "input cut from the graph",
            {"Tensor:\n": "Tensor:\n        x = x.detach()\n"},
            "No gradient gets through your block to x: the blocks below it never learn.",
            GRAPH,
        ),
    )


FORMULA = "x = norm1(x + sub-layer(x)): which of these symbols is missing, or elsewhere, in your code?"
ATTENTION, FEED_FORWARD = "self.self_attn(x, mask)", "self.linear_net(x)"
OVER_BATCH_AND_TOKENS = wrong("over batch and tokens", {"dim=-1": "dim=(0, 1)"}, times=2)

MISTAKES = (
    wrong(
        "no residual",
        {"x + self.dropout": "self.dropout"},
        "Neither sub-layer's input is added to its output: what the sub-layers do not pass on is lost.",
        ZERO,
        times=2,
    ),
    wrong(
        "no residual around the attention",
        {f"x + self.dropout({ATTENTION}": f"self.dropout({ATTENTION}"},
        "x is not added to the output of the attention.",
        ZERO,
    ),
    wrong(
        "second residual from the input",
        {"x = self.norm1(": "y = self.norm1(", FEED_FORWARD: "self.linear_net(y)"},
        "Around the feed-forward you add the block's input; what is to be added is the output of norm1.",
        FORMULA,
    ),
    wrong(
        "sub-layers side by side",
        {"x = self.norm1(": "y = self.norm1(", "self.norm2(x": "self.norm2(y"},
        "Your feed-forward gets the block's input; it is to get what norm1 gives.",
        FORMULA,
    ),
    wrong(
        "pre-norm",
        PreNormEncoderBlock,
        "Your norms come before the sub-layers; this block is post-norm: norm(x + sub-layer(x)).",
        ZERO,
    ),
    wrong(
        "norm before the sum",
        {"self.norm1(x + ": "x + self.norm1(", "self.norm2(x + ": "x + self.norm2("},
        "You normalise the sub-layer's output and then add x; it is the sum that is normalised.",
        ZERO,
    ),
    wrong("first norm missing", {"self.norm1(x": "(x"}, "norm1 is never applied.", FORMULA),
    wrong("second norm missing", {"self.norm2(x": "(x"}, "norm2 is never applied.", FORMULA),
    wrong(
        "one norm",
        {"self.norm2 = LayerNorm(input_dim)": "", "self.norm2(": "self.norm1("},
        "There is one norm where the contract has two, each with parameters of its own.",
        PARTS,
    ),
    wrong(
        "one norm in both places",
        {"self.norm2 = LayerNorm(input_dim)": "self.norm2 = self.norm1"},
        "norm1 and norm2 are the same object: they share their weight and bias.",
        PARTS,
    ),
    wrong(
        "feed-forward first",
        {ATTENTION: "self.linear_net(_)", FEED_FORWARD: ATTENTION, "self.linear_net(_)": FEED_FORWARD},
        ATTENTION_FIRST,
        FORMULA,
    ),
    wrong("no feed-forward", {f" + self.dropout({FEED_FORWARD})": ""}, "linear_net is made and never called.", FORMULA),
    wrong("no attention", {f" + self.dropout({ATTENTION})": ""}, "self_attn is made and never called.", FORMULA),
    wrong(
        "dropout of the sum",
        {"x + self.dropout(": "self.dropout(x + "},
        "You drop from the sum, and with it from x; it is the sub-layer's output that is dropped.",
        WHEN,
        times=2,
    ),
    wrong(
        "dropout after the norm",
        {
            "self.norm1(x + self.dropout(": "self.dropout(self.norm1(x + ",
            "self.norm2(x + self.dropout(": "self.dropout(self.norm2(x + ",
        },
        "You drop what the norm gives; it is the sub-layer's output that is dropped, before it is added.",
        WHEN,
    ),
    wrong("dropout of the feed-forward only", {f"self.dropout({ATTENTION})": ATTENTION}),
    wrong(
        "other names",
        {"self.self_attn": "self.attention", "self.linear_net": "self.feed_forward"},
        "Your parts have other names than self_attn, linear_net, norm1, norm2: saved weights would not fit.",
        NAMES,
        times=2,
    ),
    wrong(
        "cut from the graph",
        {f"{ATTENTION}))": f"{ATTENTION})).detach()"},
        "After the first half your graph is cut: the attention never learns.",
        GRAPH,
    ),
    borrowed(
        LayerNorm,
        OF_LAYER_NORM,
        "unbiased variance",
        "Your block's numbers are those of a layer norm that divides by dim − 1: mend LayerNorm first.",
        PARTS,
        called="norms with the unbiased variance",
    ),
    borrowed(
        LayerNorm,
        OF_LAYER_NORM,
        "eps outside the root",
        "Your block's numbers are those of a layer norm with eps outside the root: mend LayerNorm first.",
        PARTS,
        called="norms with eps outside the root",
    ),
    wrong("norms with another eps", {"LayerNorm(input_dim)": "LayerNorm(input_dim, 1e-3)"}, times=2),
    borrowed(LayerNorm, (OVER_BATCH_AND_TOKENS,), "over batch and tokens", "", called="norms over the batch"),
    *IN_BOTH,
    *in_forward(1, FORMULA),
)
