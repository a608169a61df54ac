"""What goes wrong in `MultiheadAttention`."""

from autograder.catalogue.common_mistakes import (
    NAMES,
    drops_in_training,
    in_double_precision,
    other_names,
    random_in_every_call,
)
from autograder.catalogue.edits import mistake
from autograder.catalogue.multi_head.both_layers_mistakes import (
    ATTEND,
    DETACHED,
    EXPAND,
    HIDING,
    OF_BOTH_LAYERS,
    PAIR,
    SCALE,
    of_parts,
)

HEADS = "After which operation are the numbers of one head next to each other?"
ORDER = "In which order does the contract name the three parts of a head?"
RETURN = "What does forward return with return_attention=True, and without it?"

SPLIT, CHUNK = "split_heads(self.qkv_proj(x), self.num_heads)", "qkv.chunk(3, dim=-1)"
OUTPUT = "self.o_proj(merge_heads(values))"
BOTH, ASKED = "(output, attention)", "if return_attention"
STRAIGHT_IN = "self.qkv_proj(x).reshape(len(x), self.num_heads, x.shape[1], -1)"
STRAIGHT_OUT = "values.reshape(len(x), x.shape[1], -1)"


HEADS_AND_PARTS = (
    mistake("neither split nor merge moves an axis", {SPLIT: STRAIGHT_IN, "merge_heads(values)": STRAIGHT_OUT}).because(
        "You split and merge by reshape, without moving an axis, so heads mix tokens; swap the axes of tokens "
        "and heads.",
        HEADS,
    ),
    mistake(
        "laid out as [3, h, d]",
        {SPLIT: "self.qkv_proj(x)", CHUNK: f"(split_heads(part, self.num_heads) for part in {CHUNK})"},
    ).because(
        "Your layer is consistent, but it reads qkv_proj as all queries, all keys, all values. Here each "
        "head's q, k and v are next to each other; use that order, or published weights will not fit.",
        "Which comes first: cutting the projection into heads, or cutting it into q, k and v?",
    ),
    mistake("laid out feature by feature", {CHUNK: "qkv.unflatten(-1, (-1, 3)).unbind(-1)"}).because(
        "Within a head you take every third number as the query; take the first d numbers, and the next d as the key.",
        "What does chunk(3, dim=-1) do, and what does a reshape to [..., d, 3] do?",
    ),
    *(
        mistake(name, {"q, k, v = ": f"{order} = "}).because(says, ORDER)
        for name, order, says in (
            ("q and k exchanged", "k, q, v", "You swap queries and keys; the contract's order is q, k, v."),
            ("v first", "v, q, k", "You unpack v, q, k; the contract's order is q, k, v."),
            ("backwards: v, k, q", "v, k, q", "You unpack v, k, q; the contract's order is q, k, v."),
            ("k and v exchanged", "q, v, k", "You swap keys and values; the contract's order is q, k, v."),
        )
    ),
    mistake("queries taken as keys", {ATTEND: "(q, q, v, mask)"}).because(
        "You compare queries with queries. Compare them with the keys.", ORDER
    ),
    mistake("one head", {"self.qkv_proj(x), self.num_heads)": "self.qkv_proj(x), 1)"}).because(
        "Your layer has a single wide head; split it into num_heads.",
        "How many attention maps does your layer compute?",
    ),
)

OUTPUTS = (
    mistake("no output projection", {OUTPUT: "merge_heads(values)"}).because(
        "You create o_proj but never call it; apply it to the merged heads.",
        "What comes after the merge in the formula?",
    ),
    mistake("output projection twice", {OUTPUT: f"self.o_proj({OUTPUT})"}).because(
        "You apply o_proj twice; apply it once.", "What comes after the merge in the formula?"
    ),
    mistake("a ReLU on the projection", {"self.qkv_proj(x)": "self.qkv_proj(x).relu()"}).because(
        "You apply a ReLU to queries, keys and values; use the projection unchanged.",
        "What is between the projection and the scores in the formula?",
    ),
    mistake("residual inside", {OUTPUT: f"x + {OUTPUT}"}).because(
        "You add the input to the output; leave the residual to the block of stage 4.",
        "What would the layer do if input_dim and embed_dim differed?",
    ),
    mistake(
        "the input's width in the merge", {"merge_heads(values)": "values.transpose(1, 2).reshape(x.shape)"}
    ).because(
        "You reshape to input_dim after the attention; reshape to embed_dim, the width of the merged heads.",
        "How wide are all heads together?",
    ),
    mistake(
        "batch and tokens exchanged",
        {"self.qkv_proj(x)": "self.qkv_proj(x.transpose(0, 1))", OUTPUT: f"{OUTPUT}.transpose(0, 1)"},
    ).because(
        "Your layer treats the first axis as the tokens, so samples attend to each other; x is [B, T, input_dim].",
        "Which axis of x counts the samples?",
    ),
    drops_in_training(
        {"merge_heads(values)": "merge_heads(nn.functional.dropout(values, 0.1, self.training))"}, "dropout by default"
    ),
    random_in_every_call({"merge_heads(values)": "merge_heads(nn.functional.dropout(values, 0.1))"}),
)

WEIGHTS = (
    *of_parts("scaled after the softmax", "softmax over axis 0", "causal when no mask is given"),
    *of_parts("attention from before the mask"),
    mistake(
        "scaled by the input's width",
        {ATTEND: "(q * (q.shape[-1] / (x.shape[-1] // self.num_heads)) ** 0.5, k, v, mask)"},
    ).because("You compute the width of a head from input_dim; divide embed_dim by the number of heads.", SCALE),
    mistake(
        "no softmax",
        {
            "values, attention = scaled_dot_product": "attention = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5",
            ATTEND: "\n        if mask is not None:\n            attention = attention.masked_fill(mask == 0, -1e9)",
            "merge_heads(values)": "merge_heads(attention @ v)",
        },
    ).because("You use the raw scores as weights; apply the softmax first.", "What turns scores into weights?"),
)

PARAMETERS = (
    mistake(
        "back to the input's width", {"nn.Linear(embed_dim, embed_dim)": "nn.Linear(embed_dim, input_dim)"}
    ).because("Your o_proj maps back to input_dim; it must map to embed_dim.", NAMES),
    mistake("no biases", {"embed_dim)\n": "embed_dim, bias=False)\n"}, times=2).because(
        "Your projections have no bias; use plain Linears, which have one.", NAMES
    ),
    *(
        mistake(f"{name} without a bias", {made: f"{made[:-1]}, bias=False)"}).because(
            f"Your {name} has no bias; use a plain Linear, which has one.", NAMES
        )
        for name, made in (
            ("qkv_proj", "nn.Linear(input_dim, 3 * embed_dim)"),
            ("o_proj", "nn.Linear(embed_dim, embed_dim)"),
        )
    ),
    mistake(
        "projected from embed_dim", {"nn.Linear(input_dim, 3 * embed_dim)": "nn.Linear(embed_dim, 3 * embed_dim)"}
    ).because("Your qkv_proj takes embed_dim features; the tokens have input_dim.", NAMES),
    mistake(
        "three projections",
        {
            "self.qkv_proj =": "self.q_proj, self.k_proj, self.v_proj =",
            "nn.Linear(input_dim, 3 * embed_dim)": "(nn.Linear(input_dim, embed_dim) for _ in range(3))",
            SPLIT: "self.q_proj(x), self.k_proj(x), self.v_proj(x)",
            CHUNK: "(split_heads(part, self.num_heads) for part in qkv)",
        },
    ).because(
        "You project q, k and v separately, as CrossAttention will; use one Linear, qkv_proj, for all three.", NAMES
    ),
    other_names({"self.o_proj": "self.out_proj"}, times=2),
    mistake("input_dim checked too", {"if embed_dim %": "if input_dim % num_heads or embed_dim %"}).because(
        "You refuse an input_dim that num_heads does not divide, or that differs from embed_dim; it may be any number.",
        "Which of the two widths is split into heads?",
    ),
    mistake("input_dim checked instead of embed_dim", {"if embed_dim %": "if input_dim %"}).because(
        "You require that num_heads divides input_dim; it must divide only embed_dim.",
        "Which of the two widths is split into heads?",
    ),
)

RESULTS = tuple(
    mistake(name, {find: instead}).because(says, RETURN if says else "")
    for name, (find, instead, says) in {
        "attention never returned": (
            BOTH,
            "output",
            "With return_attention=True you return one thing; return (output, attention).",
        ),
        "attention alone": (
            BOTH,
            "attention",
            "With return_attention=True you return only the attention; return (output, attention).",
        ),
        "attention always returned": (
            ASKED,
            "if True",
            "Without return_attention you return a pair; return only the output.",
        ),
        "attention averaged over the heads": (
            BOTH,
            "(output, attention.mean(dim=1))",
            "You return one map for all heads; return one per head, [B, h, T, T].",
        ),
        "attention first": (BOTH, "(attention, output)", "You return (attention, output); return (output, attention)."),
        "scores returned": (
            BOTH,
            "(output, q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5)",
            "You return the scores; return the attention, their softmax.",
        ),
        "the flag inverted": (
            ASKED,
            "if not return_attention",
            "You return the attention if return_attention is False and leave it out if it is True; do the opposite.",
        ),
        "attention transposed": (
            BOTH,
            "(output, attention.transpose(-2, -1))",
            "Your map has keys as rows and queries as columns; return [B, h, queries, keys].",
        ),
    }.items()
)

TENSORS = (
    mistake("cut from the graph", {"self.qkv_proj(x)": "self.qkv_proj(x).detach()"}).because(
        "Your queries, keys and values are detached from their projection, so it cannot learn.", DETACHED
    ),
    mistake(
        "x cut from the graph",
        {"self.qkv_proj(x)": "self.qkv_proj(x.detach())"},
        shown_by="a part of the gradient is missing on its way to x",
    ).because("You detach the tokens before you project them, so the layers below cannot learn.", DETACHED),
    mistake("a pair not unpacked", {"values, attention = ": "values = attention = "}).because(*PAIR),
    in_double_precision("attention", {BOTH: "(output, attention.double())"}, "attention in double precision"),
)

MASKS = (
    mistake("two axes before every mask", {EXPAND: "mask[None, None]"}).because(
        "You put two axes before every mask, which only suits [T, T]: a mask of three axes gets five. Use expand_mask.",
        "How many axes does a mask [B, T, T] have after your line?",
    ),
    mistake("an axis for heads in every mask", {EXPAND: "mask[:, None]"}).because(
        "You put an axis for the heads into every mask, which only suits [B, T, T]. Use expand_mask.",
        "What becomes of a mask [T, T] in your line?",
    ),
    *of_parts("inverted mask, booleans only", "booleans only", "a mask of floats added", "a mask of numbers added"),
    mistake("mask forgotten", {ATTEND: "(q, k, v)"}).because(
        "Your mask has no effect. `masked_fill` returns a new tensor: do you keep it, and do you pass the mask on?",
        HIDING,
    ),
    mistake("mask inverted, by ~", {EXPAND: f"~{EXPAND}"}).because(
        "You hide the visible tokens; here True means visible, and `~mask` does not invert a mask of 0 and 1.", HIDING
    ),
)

MISTAKES = MASKS + OF_BOTH_LAYERS + HEADS_AND_PARTS + OUTPUTS + WEIGHTS + PARAMETERS + RESULTS + TENSORS
