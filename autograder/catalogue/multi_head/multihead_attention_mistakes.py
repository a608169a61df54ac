"""What goes wrong in `MultiheadAttention`."""

from autograder.catalogue.common_mistakes import drops_in_training, in_double_precision, other_names
from autograder.catalogue.edits import mistake
from autograder.catalogue.multi_head.both_layers_mistakes import (
    ATTEND,
    DETACHED,
    EXPAND,
    HIDING,
    NAMES,
    OF_BOTH_LAYERS,
    PAIR,
    SCALE,
    of_parts,
)

HEADS = "After which operation do the numbers of one head lie together?"
ORDER = "In which order does the contract name the three parts of a head?"
RETURN = "What does forward return with return_attention=True, and what without?"

SPLIT, CHUNK = "split_heads(self.qkv_proj(x), self.num_heads)", "qkv.chunk(3, dim=-1)"
OUTPUT = "self.o_proj(merge_heads(values))"
BOTH, ASKED = "(output, attention)", "if return_attention"
STRAIGHT_IN = "self.qkv_proj(x).reshape(len(x), self.num_heads, x.shape[1], -1)"
STRAIGHT_OUT = "values.reshape(len(x), x.shape[1], -1)"


HEADS_AND_PARTS = (
    mistake("neither split nor merge moves an axis", {SPLIT: STRAIGHT_IN, "merge_heads(values)": STRAIGHT_OUT}).because(
        "You reshape both on the way in and on the way out without moving an axis: heads mix tokens.", HEADS
    ),
    mistake(
        "laid out as [3, h, d]",
        {SPLIT: "self.qkv_proj(x)", CHUNK: f"(split_heads(part, self.num_heads) for part in {CHUNK})"},
        "Your layer is consistent, but it reads qkv_proj as all queries, all keys, all values. In this course each "
        "head's q, k and v lie next to each other, so published weights would not fit yours.",
        "Which comes first: cutting the projection into heads, or cutting it into q, k and v?",
    ),
    mistake("laid out feature by feature", {CHUNK: "qkv.unflatten(-1, (-1, 3)).unbind(-1)"}).because(
        "Within a head you take every third number as query; the first d numbers are the query, the next d the key.",
        "What does chunk(3, dim=-1) do, and what does a reshape to [..., d, 3] do?",
    ),
    *(
        mistake(name, {"q, k, v = ": f"{order} = "}).because(says, ORDER)
        for name, order, says in (
            ("q and k exchanged", "k, q, v", "You take the keys for queries and the queries for keys."),
            ("v first", "v, q, k", "You unpack v, q, k; the contract's order is q, k, v."),
            ("backwards: v, k, q", "v, k, q", "You unpack v, k, q; the contract's order is q, k, v."),
            ("k and v exchanged", "q, v, k", "You take the values for keys and the keys for values."),
        )
    ),
    mistake("queries taken as keys", {ATTEND: "(q, q, v, mask)"}),
    mistake("one head", {"self.qkv_proj(x), self.num_heads)": "self.qkv_proj(x), 1)"}).because(
        "num_heads has no effect: your layer attends with a single wide head.",
        "How many attention maps does your layer make?",
    ),
)

OUTPUTS = (
    mistake("no output projection", {OUTPUT: "merge_heads(values)"}).because(
        "o_proj is made but never called: the heads are merged and not mixed.",
        "What comes after the merge in the formula?",
    ),
    mistake("residual inside", {OUTPUT: f"x + {OUTPUT}"}).because(
        "You add the input to the output; the residual belongs to the block of stage 4, not to the attention.",
        "What would the layer do when input_dim and embed_dim differ?",
    ),
    mistake(
        "the input's width in the merge", {"merge_heads(values)": "values.transpose(1, 2).reshape(x.shape)"}
    ).because(
        "You reshape to input_dim after the attention; the merged heads are embed_dim wide.",
        "How wide are all heads together?",
    ),
    mistake(
        "batch and tokens exchanged",
        {"self.qkv_proj(x)": "self.qkv_proj(x.transpose(0, 1))", OUTPUT: f"{OUTPUT}.transpose(0, 1)"},
        "Your layer takes the first axis for the tokens, so samples attend to each other. x is [B, T, input_dim].",
        "Which axis of x counts the samples?",
    ),
    drops_in_training(
        {"merge_heads(values)": "merge_heads(nn.functional.dropout(values, 0.1, self.training))"}, "dropout by default"
    ),
)

WEIGHTS = (
    *of_parts("scaled after the softmax", "softmax over axis 0", "causal when no mask is given"),
    mistake(
        "scaled by the input's width",
        {ATTEND: "(q * (q.shape[-1] / (x.shape[-1] // self.num_heads)) ** 0.5, k, v, mask)"},
    ).because("You take the width of a head from input_dim; it is embed_dim that the heads share out.", SCALE),
    mistake(
        "no softmax",
        {
            "values, attention = scaled_dot_product": "attention = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5",
            ATTEND: "\n        if mask is not None:\n            attention = attention.masked_fill(mask == 0, -1e9)",
            "merge_heads(values)": "merge_heads(attention @ v)",
        },
    ).because(
        "The raw scores are used as weights: they are neither positive nor sum to 1.", "What turns scores into weights?"
    ),
)

PARAMETERS = (
    mistake(
        "back to the input's width", {"nn.Linear(embed_dim, embed_dim)": "nn.Linear(embed_dim, input_dim)"}
    ).because("Your o_proj leads back to input_dim; the layer's output is embed_dim wide.", NAMES),
    mistake("no biases", {"embed_dim)\n": "embed_dim, bias=False)\n"}, times=2).because(
        "Your projections have no bias; those of the contract have.", NAMES
    ),
    mistake(
        "three projections",
        {
            "self.qkv_proj =": "self.q_proj, self.k_proj, self.v_proj =",
            "nn.Linear(input_dim, 3 * embed_dim)": "(nn.Linear(input_dim, embed_dim) for _ in range(3))",
            SPLIT: "self.q_proj(x), self.k_proj(x), self.v_proj(x)",
            CHUNK: "(split_heads(part, self.num_heads) for part in qkv)",
        },
    ).because(
        "You project q, k and v apart, as CrossAttention will; here one Linear, qkv_proj, makes all three.", NAMES
    ),
    other_names({"self.o_proj": "self.out_proj"}, times=2),
    mistake("input_dim checked instead of embed_dim", {"if embed_dim %": "if input_dim %"}).because(
        "It is embed_dim that the heads share out; input_dim may be any number.",
        "Which of the two widths is cut into heads?",
    ),
)

RESULTS = tuple(
    mistake(name, {find: instead}).because(says, RETURN if says else "")
    for name, (find, instead, says) in {
        "attention never returned": (BOTH, "output", "With return_attention=True a pair is due: (output, attention)."),
        "attention alone": (BOTH, "attention", "With return_attention=True a pair is due, not the attention alone."),
        "attention always returned": (
            ASKED,
            "if True",
            "Without return_attention the output alone is due, not a pair.",
        ),
        "attention averaged over the heads": (
            BOTH,
            "(output, attention.mean(dim=1))",
            "You return one map for all heads; asked for is one map a head, [B, h, T, T].",
        ),
        "attention first": (BOTH, "(attention, output)", "The pair is (output, attention), in this order."),
        "scores returned": (
            BOTH,
            "(output, q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5)",
            "You return the scores; the attention is what the softmax makes of them.",
        ),
        "the flag turned round": (
            ASKED,
            "if not return_attention",
            "You return the attention when return_attention is False, and leave it out when it is True.",
        ),
        "attention transposed": (BOTH, "(output, attention.transpose(-2, -1))", ""),
    }.items()
)

TENSORS = (
    mistake("cut from the graph", {"self.qkv_proj(x)": "self.qkv_proj(x).detach()"}).because(
        "Queries, keys and values are cut off from their projection, so it cannot learn.", DETACHED
    ),
    mistake(
        "x cut from the graph",
        {"self.qkv_proj(x)": "self.qkv_proj(x.detach())"},
        "The tokens are cut off before you project them: the layers below cannot learn.",
        DETACHED,
        shown_by="a part of the gradient is missing on its way to x",
    ),
    mistake("a pair not unpacked", {"values, attention = ": "values = attention = "}).because(*PAIR),
    in_double_precision("attention", {BOTH: "(output, attention.double())"}, "attention in double precision"),
)

MASKS = (
    *of_parts("inverted mask, booleans only", "booleans only"),
    mistake("mask forgotten", {ATTEND: "(q, k, v)"}).because(
        "The mask has no effect. `masked_fill` gives a new tensor: is yours kept, and is the mask passed on?", HIDING
    ),
    mistake("mask inverted, by ~", {EXPAND: f"~{EXPAND}"}).because(
        "You hide what is visible: in this course True means visible; and `~mask` is no opposite of 0 and 1.", HIDING
    ),
)

MISTAKES = OF_BOTH_LAYERS + HEADS_AND_PARTS + OUTPUTS + WEIGHTS + PARAMETERS + RESULTS + TENSORS + MASKS
