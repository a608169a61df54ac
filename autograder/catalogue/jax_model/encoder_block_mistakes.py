"""What goes wrong in flax's `EncoderBlock`."""

from autograder.catalogue.common_jax_mistakes import (
    BACKWARD,
    KEPT_STATE,
    NOISE,
    cut,
    decides_by_value,
    drawn_alike,
    drawn_apart,
    keeps_keys,
    keeps_what_it_saw,
    new_keys_in_every_call,
    rngs_of_its_own,
    seeds_numpy,
    told_half,
)
from autograder.catalogue.common_mistakes import other_names
from autograder.catalogue.edits import mistake, with_question
from autograder.catalogue.encoder.encoder_block_mistakes import FORMULA, MASK_ON, PARTS, TAKEN, WHEN, ZERO

ATTENTION, FEED_FORWARD = "self.self_attn(x, mask)", "self.linear_net(x, **noise)"
FIRST = f"self.dropout({ATTENTION}, **noise)"
SECOND = f"self.dropout({FEED_FORWARD}, **noise)"
KEPT = {f"x = self.norm1(x + {FIRST})": f"y = x + {FIRST}\n        x = self.norm1(y)"}
BOTH_NORMS = "LayerNorm(input_dim, rngs=rngs)"
TOGETHER = "whole tokens, features or samples drop together"
SAME_MASK = "both dropouts of a call drop the same entries"
STATE = "What does `nnx.state(block)` show? Which of its leaves should an optimiser train?"
FLAGS = "Which three calls inside the block can drop something, and what does each of them have to be told?"

MISTAKES = (
    *with_question(
        ZERO,
        mistake("no residual", {"x + self.dropout": "self.dropout"}, times=2).because(
            "You add x to neither sub-layer's output, so what they don't pass on is lost. Add it, both times."
        ),
        mistake("no residual around the attention", {f"x + {FIRST}": FIRST}).because(
            "You don't add x to the attention's output. Add it before norm1."
        ),
        mistake("no residual around the feed-forward", {f"x + {SECOND}": SECOND}).because(
            "You don't add x to the feed-forward's output. Add it before norm2."
        ),
        mistake(
            "norm before the sum", {"self.norm1(x + ": "x + self.norm1(", "self.norm2(x + ": "x + self.norm2("}
        ).because("You normalise the sub-layer's output and then add x. Normalise the sum."),
        mistake(
            "pre-norm",
            {f"self.norm1(x + {FIRST})": f"x + {FIRST.replace('attn(x', 'attn(self.norm1(x)')}"}
            | {f"self.norm2(x + {SECOND})": f"x + {SECOND.replace('net(x', 'net(self.norm2(x)')}"},
        ).because("Your norms come before the sub-layers. This block is post-norm: norm(x + sub-layer(x))."),
    ),
    *with_question(
        FORMULA,
        mistake("first norm missing", {"self.norm1(x": "(x"}).because(
            "You never apply norm1. Normalise the first sum."
        ),
        mistake("second norm missing", {"self.norm2(x": "(x"}).because(
            "You never apply norm2. Normalise the second sum."
        ),
        mistake("norm1 twice", {"self.norm2(": "self.norm1("}).because(
            "You apply norm1 twice. The second one is norm2."
        ),
        mistake(
            "norms exchanged",
            {"self.norm1(": "self.second(", "self.norm2(": "self.norm1(", "self.second(": "self.norm2("},
        ).because("You apply norm2 first and norm1 last. Exchange them."),
        mistake("no feed-forward", {f" + {SECOND}": ""}).because(
            "You never call linear_net. It is the second sub-layer."
        ),
        mistake("no attention", {f" + {FIRST}": ""}).because("You never call self_attn. It is the first sub-layer."),
        mistake(
            "sub-layers side by side", {"x = self.norm1(": "y = self.norm1(", "self.norm2(x": "self.norm2(y"}
        ).because("Your feed-forward gets the block's input. Give it what norm1 returns."),
        mistake(
            "second residual around the whole block",
            {"x = self.norm1(": "y = self.norm1(", "self.linear_net(x,": "self.linear_net(y,"},
        ).because("Your second sum adds the block's input. Add what norm1 returns, which the feed-forward gets too."),
        mistake(
            "second residual from before norm1", {**KEPT, f"self.norm2(x + {SECOND})": f"self.norm2(y + {SECOND})"}
        ).because("Your second sum adds what norm1 gets. Add what norm1 returns."),
        mistake("feed-forward from before norm1", {**KEPT, FEED_FORWARD: FEED_FORWARD.replace("(x", "(y")}).because(
            "Your feed-forward gets what norm1 gets. Give it what norm1 returns."
        ),
        mistake("first half not kept", {"x = self.norm1(": "self.norm1("}).because(
            "You throw the result of your first line away. Assign it: x = norm1(…)."
        ),
    ),
    *with_question(
        MASK_ON,
        mistake("mask forgotten", {"(x, mask)": "(x)"}).because("You don't pass the mask on. The attention needs it."),
        mistake("mask inverted", {"(x, mask)": "(x, None if mask is None else mask == 0)"}).because(
            "You pass the opposite of the mask on. True means visible: pass it as it is."
        ),
        mistake("mask transposed", {"(x, mask)": "(x, None if mask is None else mask.swapaxes(-2, -1))"}).because(
            "You exchange the mask's queries and keys. Its rows are the queries: pass it as it is."
        ),
        mistake(
            "one mask for all samples", {"(x, mask)": "(x, mask[:1] if mask is not None and mask.ndim > 2 else mask)"}
        ).because("You use the mask of the first sample for all of them. Pass the whole mask."),
        mistake("mask without a test for None", {"(x, mask)": "(x, mask.astype(bool))"}).because(
            "mask is None when nothing is hidden, and None has no methods. Pass it on as it is."
        ),
        mistake(
            "one mask for all heads", {"(x, mask)": "(x, mask[:, :1] if mask is not None and mask.ndim > 3 else mask)"}
        ).because("You use the first head's mask for all heads. Pass on the whole mask."),
    ),
    *with_question(
        WHEN,
        mistake("no dropout", {FIRST: ATTENTION, SECOND: FEED_FORWARD}).because(
            "Nothing drops after your sub-layers: you don't call self.dropout, or it doesn't have the rate. Call it "
            "twice."
        ),
        mistake("dropout once", {SECOND: FEED_FORWARD}).because("You drop after the attention only. Drop after both."),
        mistake("dropout of the feed-forward only", {FIRST: ATTENTION}).because(
            "You drop after the feed-forward only. Drop after both."
        ),
        mistake(
            "dropout of the sum",
            {f"x + {FIRST}": f"self.dropout(x + {ATTENTION}, **noise)"}
            | {f"x + {SECOND}": f"self.dropout(x + {FEED_FORWARD}, **noise)"},
        ).because("You drop from the sum, and with it from x. Drop from the sub-layer's output, before the sum."),
        mistake("dropout of the first sum", {f"x + {FIRST}": f"self.dropout(x + {ATTENTION}, **noise)"}).because(
            "You drop from the first sum, and with it from x. Drop from the attention's output, before the sum."
        ),
        mistake("dropout of the second sum", {f"x + {SECOND}": f"self.dropout(x + {FEED_FORWARD}, **noise)"}).because(
            "You drop from the second sum, and with it from x. Drop from linear_net's output, before the sum."
        ),
        mistake(
            "dropout after the norm",
            {f"self.norm1(x + {FIRST})": f"self.dropout(self.norm1(x + {ATTENTION}), **noise)"}
            | {f"self.norm2(x + {SECOND})": f"self.dropout(self.norm2(x + {FEED_FORWARD}), **noise)"},
        ).because("You drop what the norm returns. Drop from the sub-layer's output, before the sum."),
    ),
    *with_question(
        FLAGS,
        mistake("flag not passed to the feed-forward", {FEED_FORWARD: "self.linear_net(x)"}).because(
            "You don't tell the feed-forward that you train, so nothing drops inside it. Pass both flags on."
        ),
        *told_half("feed-forward"),
        mistake("flag inverted", {NOISE: '{"deterministic": not deterministic, "rngs": rngs}'}).because(
            "You drop when `deterministic` is True. Pass it on as it is."
        ),
        mistake("in training by default", {"deterministic: bool = True": "deterministic: bool = False"}).because(
            "Your block drops entries when nobody tells it to train. The default is `deterministic=True`; pass it on."
        ),
        mistake("dropout by default", {"dropout: float = 0.0": "dropout: float = 0.5"}).because(
            "Your block drops even when no dropout is given. The default is 0."
        ),
    ),
    mistake("another width inside", {"dim_feedforward, dropout,": "4 * input_dim, dropout,"}).because(
        "Your feed-forward isn't dim_feedforward wide. Pass dim_feedforward on.", TAKEN
    ),
    rngs_of_its_own("        self.self_attn ="),
    drawn_apart("MultiheadAttention(input_dim, input_dim, num_heads, rngs=rngs)", "an attention"),
    drawn_alike(4),
    mistake(
        "flax's own formula for the variance", {BOTH_NORMS: f"nnx.{BOTH_NORMS[:-1]}, epsilon=1e-5)"}, times=2
    ).because(
        "Your norms use flax's fast formula for the variance, which loses digits when the mean is large. Use the "
        "LayerNorm of the page, or pass `use_fast_variance=False`.",
        "What is the mean of x² minus the square of the mean, in float32, when x is near 300?",
    ),
    *with_question(
        "Over which axes does your dropout draw, and over which does it repeat what it drew?",
        *(
            mistake(
                name, {"nnx.Dropout(dropout)": f"nnx.Dropout(dropout, broadcast_dims=({axis},))"}, shown_by=TOGETHER
            ).because(
                "Your dropout draws once for several entries (`broadcast_dims`), so they drop together. Draw for each."
            )
            for name, axis in (("whole tokens drop", 2), ("one mask for all tokens", 1), ("one mask for the batch", 0))
        ),
    ),
    keeps_what_it_saw("        noise = "),
    mistake("no dropout inside", {"dim_feedforward, dropout,": "dim_feedforward,"}).because(
        "You make the feed-forward without the dropout. Pass it on.", TAKEN
    ),
    mistake("one head", {"input_dim, num_heads,": "input_dim, 1,"}).because(
        "num_heads doesn't reach the attention. Pass it on.", TAKEN
    ),
    *with_question(
        "Which key does each dropout of one call get, and who used it before?",
        mistake(
            "one key for both dropouts",
            {NOISE: '{"deterministic": deterministic, "rngs": None if rngs is None else rngs.dropout()}'},
            shown_by=SAME_MASK,
        ).because("You take one key and give it to every dropout, so the same entries drop. Pass `rngs` itself on."),
        mistake(
            "a key of its own",
            {NOISE: '{"deterministic": deterministic, "rngs": nnx.Rngs(dropout=0)}'},
            shown_by="another key drops the same entries",
        ).because("You make a key inside, so every call drops the same entries. Use the `rngs` that you are given."),
    ),
    *new_keys_in_every_call(
        "EncoderBlock", lambda rngs: {NOISE: f'{{"deterministic": deterministic, "rngs": {rngs}}}'}
    ),
    *with_question(
        STATE,
        keeps_keys(
            "keys kept in the dropout, and drawn from",
            {
                "nnx.Dropout(dropout)": "nnx.Dropout(dropout, rngs=rngs)",
                FIRST: FIRST.replace("**noise", "deterministic=deterministic"),
                SECOND: SECOND.replace("net(x, **noise), **noise", "net(x, **noise), deterministic=deterministic"),
            },
        ),
        mistake("a key kept in the dropout", {"nnx.Dropout(dropout)": "nnx.Dropout(dropout, rngs=rngs)"}).because(
            KEPT_STATE
        ),
        mistake(
            "a counter in the state",
            {"nnx.Dropout(dropout)": "nnx.Dropout(dropout)\n        self.calls = nnx.Variable(jnp.zeros(()))"},
        ).because("Your block keeps a Variable that isn't a parameter. Keep parameters only."),
        mistake(
            "an array as an attribute",
            {"nnx.Dropout(dropout)": "nnx.Dropout(dropout)\n        self.scale = jnp.ones(())"},
        ).because(
            "You keep an array as an attribute, so it is in nnx.state and an optimiser trains it. Keep parameters only."
        ),
    ),
    *with_question(
        PARTS,
        mistake("one norm in both places", {f"self.norm2 = {BOTH_NORMS}": "self.norm2 = self.norm1"}).because(
            "norm1 and norm2 are the same object, so they share their parameters. Make two."
        ),
        mistake("flax's own epsilon", {BOTH_NORMS: "nnx.LayerNorm(input_dim, rngs=rngs)"}, times=2).because(
            "You use nnx.LayerNorm as is, with an epsilon of 1e-6. Use the LayerNorm of the page (1e-5)."
        ),
        mistake(
            "norms over the batch",
            {BOTH_NORMS: "LayerNorm(input_dim, reduction_axes=(0, 1, 2), rngs=rngs)"},
            times=2,
        ).because("Your norms take one mean over all samples and tokens. Normalise each token by itself."),
        mistake(
            "norms over the tokens",
            {BOTH_NORMS: "LayerNorm(input_dim, reduction_axes=(-2, -1), rngs=rngs)"},
            times=2,
        ).because("Your norms take one mean over all tokens of a sample. Normalise each token by itself."),
        mistake(
            "norms along the tokens", {BOTH_NORMS: "LayerNorm(input_dim, reduction_axes=-2, rngs=rngs)"}, times=2
        ).because(
            "Your norms take the mean over the tokens, for each feature. Take it over the features of each token."
        ),
    ),
    other_names({"self.self_attn": "self.attention", "self.linear_net": "self.feed_forward"}, times=2),
    decides_by_value(
        "tokens asked for their values",
        {"        x = self.norm1": "        if x.sum() > 1e30:\n            return x\n        x = self.norm1"},
    ),
    *with_question(
        BACKWARD,
        cut("input cut off", {"        noise = ": "        x = jax.lax.stop_gradient(x)\n        noise = "}, "x"),
        cut("attention cut off", {FIRST: f"jax.lax.stop_gradient({FIRST})"}, "the attention"),
        cut("feed-forward cut off", {SECOND: f"jax.lax.stop_gradient({SECOND})"}, "the feed-forward"),
    ),
    mistake(
        "samples mixed", {"        return self.norm2(": "        x = x - x.mean(0)\n        return self.norm2("}
    ).because(
        "One sample changes what another one gets. Leave the batch axis alone.", "Which of your lines sums over axis 0?"
    ),
    mistake("the first mask kept", {"(x, mask)": '(x, self.__dict__.setdefault("kept", mask))'}).because(
        "You keep the mask of the first call and use it in later calls. Use the mask of the call.",
        "What does your module store when it is called?",
    ),
    seeds_numpy("        noise = "),
)
