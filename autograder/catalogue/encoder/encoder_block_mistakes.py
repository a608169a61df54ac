"""What goes wrong in `EncoderBlock`, and what goes wrong in both encoder blocks."""

from autograder.catalogue.common_mistakes import in_double_precision, other_names, overwrites
from autograder.catalogue.edits import KnownMistake, inherited, mistake
from autograder.catalogue.encoder.feed_forward_mistakes import MISTAKES as OF_FEED_FORWARD
from autograder.catalogue.encoder.layer_norm_mistakes import MISTAKES as OF_LAYER_NORM
from course_lib.model.encoder import PreNormEncoderBlock
from course_lib.model.layers import FeedForward, LayerNorm

ZERO = "If both sub-layers gave 0, what should come out of the block?"
WHEN = "When is dropout applied, to what, and what is added to what afterwards?"
PARTS = "Which part does this, and what does the contract say about it?"
MASK_ON = "Which part needs the mask, and in which form?"
TAKEN = "Which arguments do MultiheadAttention and FeedForward take?"
GRAPH = "Which call in your code cuts the graph: .data, .detach(), torch.no_grad?"
ATTENTION_FIRST = "Your feed-forward comes first; apply the attention first."

IN_BOTH = (  # the constructor, which one inherits from the other, and what it calls
    mistake(
        "dropout by default",
        {"dropout: float = 0.0": "dropout: float = 0.5"},
        shown_by="without a dropout given, training and eval mode differ",
    ).because(
        "Your block applies dropout even if none is given; with dropout=0.0, the default, apply none.",
        "What does the signature in the contract say?",
    ),
    mistake("no dropout inside", {"dim_feedforward, dropout)": "dim_feedforward)"}).because(
        "You create the feed-forward without dropout; pass dropout to it.", TAKEN
    ),
    mistake(
        "a dropout at the end of the feed-forward",
        {"dim_feedforward, dropout)": "dim_feedforward, dropout).append(nn.Dropout(dropout))"},
    ).because("You apply dropout twice around the feed-forward; apply it once, to the output.", WHEN),
    mistake("one head", {"input_dim, num_heads)": "input_dim, 1)"}).because(
        "You do not pass num_heads to the attention.", TAKEN
    ),
    inherited(FeedForward, OF_FEED_FORWARD, "GELU instead of ReLU", called="GELU in the feed-forward").because(
        "Your feed-forward has a GELU; use the paper's ReLU.", PARTS
    ),
    inherited(
        FeedForward, OF_FEED_FORWARD, "input cut from the graph", called="feed-forward cut from the graph"
    ).because("The input of your feed-forward is detached, so no gradient gets from it to the layers before.", GRAPH),
)


def in_forward(methods: int, formula: str) -> tuple[KnownMistake, ...]:
    """What goes wrong in `forward`, whether it occurs in the source once or, with the parent's, twice.

    Args:
        methods: how often it occurs there.
        formula: the question that leads to the right order of the parts.
    """

    def row(name: str, edits: dict[str, str], each: int = 1, **more) -> KnownMistake:
        return mistake(name, edits, times=each * methods, **more)

    table = (
        row(
            "no residual around the feed-forward", {"x + self.dropout(self.linear_net": "self.dropout(self.linear_net"}
        ).because("You do not add x to the feed-forward's output; add it.", ZERO),
        *(
            row(f"{used} twice", {f"self.{never}(": f"self.{used}("}).because(
                f"You apply {used} twice and {never} never; use one in each line.", formula
            )
            for used, never in (("norm1", "norm2"), ("norm2", "norm1"))
        ),
        row(
            "norms exchanged",
            {"self.norm1(": "self.second(", "self.norm2(": "self.norm1(", "self.second(": "self.norm2("},
        ).because("You apply norm2 first and norm1 last; norm1 belongs to the attention.", formula),
        row("mask forgotten", {", mask))": "))"}).because(
            "Your mask never reaches the attention; pass it on.",
            "Which part needs the mask, and where do you pass it on?",
        ),
        row("mask inverted", {", mask))": ", None if mask is None else mask == 0))"}).because(
            "You pass on the inverted mask; here True means visible.", MASK_ON
        ),
        row("mask transposed", {", mask))": ", None if mask is None else mask.transpose(-2, -1)))"}).because(
            "You pass on the mask with queries and keys swapped; rows are queries, columns are keys.", MASK_ON
        ),
        row(
            "one mask for all samples", {", mask))": ", mask[:1] if mask is not None and mask.ndim > 2 else mask))"}
        ).because(
            "You use the first sample's mask for all samples; use each sample's own.",
            "What does a mask [B, T, T] say about the second sample?",
        ),
        row("no dropout", {"self.dropout(self.": "(self."}, each=2).because(
            "You create self.dropout but never call it; apply it to both sub-layers' outputs.", WHEN
        ),
        row("dropout once", {"self.dropout(self.linear_net(": "(self.linear_net("}).because(
            "You apply dropout only to the attention's output; apply it to the feed-forward's too.", WHEN
        ),
        row(
            "dropout in eval too",
            {"self.dropout(self.": "F.dropout(p=self.dropout.p, input=self."},
            each=2,
            shown_by="two calls in eval mode give different outputs",
        ).because("You apply dropout in eval mode too; pass training=self.training to F.dropout.", WHEN),
        row("input cut from the graph", {"Tensor:\n": "Tensor:\n        x = x.detach()\n"}).because(
            "Your block passes no gradient to x, so the blocks below it never learn.", GRAPH
        ),
    )
    return (
        *table,
        *(
            row(f"mask.{method} without a test for None", {", mask))": f", mask.{method}))"}).because(
                "You use mask even if it is None; test for None first, or pass it on unchanged.", MASK_ON
            )
            for method in ("bool()", "unsqueeze(-3)")
        ),
        row(
            "one mask for all heads", {", mask))": ", mask[:, :1] if mask is not None and mask.ndim > 3 else mask))"}
        ).because(
            "You use the first head's mask for all heads. Pass on the whole mask.",
            "Which part of a mask of [B, h, T, T] reaches the attention?",
        ),
        overwrites(
            "mask",
            {", mask))": ", mask.unsqueeze_(0) if mask is not None and mask.ndim == 2 else mask))"},
            "unsqueeze_ changes the caller's own mask, so the next layer gets a different one; use unsqueeze.",
            times=methods,
        ),
        in_double_precision("output", {"return ": "return torch.zeros(1, dtype=torch.float64) + "}, times=methods),
        row("the first mask kept", {", mask))": ', self.__dict__.setdefault("kept", mask)))'}).because(
            "You keep the mask of the first call and use it in later calls. Use the mask of the call.",
            "What does your module store in forward?",
        ),
    )


FORMULA = "x = norm1(x + sub-layer(x)): which of these symbols is missing or misplaced in your code?"
ATTENTION, FEED_FORWARD = "self.self_attn(x, mask)", "self.linear_net(x)"
OVER_BATCH_AND_TOKENS = mistake("over batch and tokens", {"dim=-1": "dim=(0, 1)"}, times=2)

WORDED = (
    mistake(
        "the attention's output added to itself",
        {"x + self.dropout(self.self_attn(x, mask)": "(a := self.self_attn(x, mask)) + self.dropout(a"},
    ).because("You add the attention's output to itself. Add it to x, the input of the block.", FORMULA),
    mistake("second residual outside the norm", {"self.norm2(x + ": "x + self.norm2("}).because(
        "You normalise the feed-forward network's output and add x afterwards. Add x first: norm2(x + …).", FORMULA
    ),
    mistake("first residual outside the norm", {"self.norm1(x + ": "x + self.norm1("}).because(
        "You normalise the attention's output and add x afterwards. Add x first: norm1(x + …).", FORMULA
    ),
    mistake("no residual", {"x + self.dropout": "self.dropout"}, times=2).because(
        "You add neither sub-layer's input to its output; add x in both lines.", ZERO
    ),
    mistake("no residual around the attention", {f"x + self.dropout({ATTENTION}": f"self.dropout({ATTENTION}"}).because(
        "You do not add x to the attention's output; add it before norm1.", ZERO
    ),
    mistake("pre-norm", PreNormEncoderBlock).because(
        "Your norms come before the sub-layers; put them after the sums: norm(x + sub-layer(x)).", ZERO
    ),
    *(
        mistake(
            f"{which} half pre-norm", {f"{norm}(x + self.dropout({part}(x": f"(x + self.dropout({part}({norm}(x)"}
        ).because(f"In your {which} line the norm comes before the sub-layer; write norm(x + sub-layer(x)).", ZERO)
        for which, norm, part in (
            ("first", "self.norm1", "self.self_attn"),
            ("second", "self.norm2", "self.linear_net"),
        )
    ),
    mistake(
        "norm before the sum", {"self.norm1(x + ": "x + self.norm1(", "self.norm2(x + ": "x + self.norm2("}
    ).because("You normalise the sub-layer's output and then add x; normalise the sum.", ZERO),
    mistake(
        "second residual from the input", {"x = self.norm1(": "y = self.norm1(", FEED_FORWARD: "self.linear_net(y)"}
    ).because("Around the feed-forward you add the block's input; add the output of norm1.", FORMULA),
    mistake("sub-layers side by side", {"x = self.norm1(": "y = self.norm1(", "self.norm2(x": "self.norm2(y"}).because(
        "Your feed-forward gets the block's input; give it the output of norm1.", FORMULA
    ),
    mistake("attention twice", {FEED_FORWARD: ATTENTION}).because(
        "Your second sub-layer is the attention again; use linear_net there.", FORMULA
    ),
    mistake("feed-forward twice", {ATTENTION: FEED_FORWARD}).because(
        "Your first sub-layer is the feed-forward too; use self_attn there.", FORMULA
    ),
    *(
        mistake(f"{what} subtracted", {f"x + self.dropout({layer}": f"x - self.dropout({layer}"}).because(
            f"You subtract the output of the {what} from x; add it.", FORMULA
        )
        for what, layer in (("attention", ATTENTION), ("feed-forward", FEED_FORWARD))
    ),
    mistake("first norm missing", {"self.norm1(x": "(x"}).because(
        "You never apply norm1; apply it to the first sum.", FORMULA
    ),
    mistake("second norm missing", {"self.norm2(x": "(x"}).because(
        "You never apply norm2; apply it to the second sum.", FORMULA
    ),
    mistake(
        "feed-forward first",
        {ATTENTION: "self.linear_net(_)", FEED_FORWARD: ATTENTION, "self.linear_net(_)": FEED_FORWARD},
    ).because(ATTENTION_FIRST, FORMULA),
    mistake(
        "feed-forward and its norm first",
        {ATTENTION: "self.linear_net(_)", FEED_FORWARD: ATTENTION, "self.linear_net(_)": FEED_FORWARD}
        | {"self.norm1(x": "self.second(x", "self.norm2(x": "self.norm1(x", "self.second(x": "self.norm2(x"},
    ).because(ATTENTION_FIRST, FORMULA),
    mistake("no feed-forward", {f" + self.dropout({FEED_FORWARD})": ""}).because(
        "You create linear_net but never call it; it is the second sub-layer.", FORMULA
    ),
    mistake("no attention", {f" + self.dropout({ATTENTION})": ""}).because(
        "You create self_attn but never call it; it is the first sub-layer.", FORMULA
    ),
    mistake("one norm", {"self.norm2 = LayerNorm(input_dim)": "", "self.norm2(": "self.norm1("}).because(
        "Your block has one norm; create two, each with its own parameters.", PARTS
    ),
    mistake("one norm in both places", {"self.norm2 = LayerNorm(input_dim)": "self.norm2 = self.norm1"}).because(
        "Your norm1 and norm2 are the same object; create two, each with its own weight and bias.", PARTS
    ),
    mistake("dropout of the sum", {"x + self.dropout(": "self.dropout(x + "}, times=2).because(
        "You apply dropout to the sum, and so to x; apply it only to the sub-layer's output.", WHEN
    ),
    mistake(
        "dropout after the norm",
        {
            "self.norm1(x + self.dropout(": "self.dropout(self.norm1(x + ",
            "self.norm2(x + self.dropout(": "self.dropout(self.norm2(x + ",
        },
    ).because("You apply dropout after the norm; apply it to the sub-layer's output, before the sum.", WHEN),
    mistake("dropout of the feed-forward only", {f"self.dropout({ATTENTION})": ATTENTION}).because(
        "You apply dropout only to the feed-forward's output; apply it to the attention's too.", WHEN
    ),
    other_names({"self.self_attn": "self.attention", "self.linear_net": "self.feed_forward"}, times=2),
    mistake("cut from the graph", {f"{ATTENTION}))": f"{ATTENTION})).detach()"}).because(
        "You detach x after the first half, so the attention never learns.", GRAPH
    ),
    mistake("first half not kept", {"x = self.norm1(": "self.norm1("}).because(
        "You discard the result of your first line; write x = norm1(…).", FORMULA
    ),
    mistake("dropout of the first sum", {"self.norm1(x + self.dropout(": "self.norm1(self.dropout(x + "}).because(
        "You apply dropout to the first sum, and so to x; apply it only to the attention's output.", WHEN
    ),
)

MISTAKES = (
    *WORDED,
    overwrites(
        "x",
        {f"x + self.dropout({ATTENTION})": f"x.add_(self.dropout({ATTENTION}))"},
        "`x += …` changes the caller's own x, which the backward pass needs; write x = x + ….",
    ),
    *(
        inherited(LayerNorm, (*OF_LAYER_NORM, OVER_BATCH_AND_TOKENS), name, called=called).because(
            f"Your block's numbers come from a layer norm {such}; fix LayerNorm first.", PARTS
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
