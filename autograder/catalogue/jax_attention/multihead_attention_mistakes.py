"""What goes wrong in `multihead_attention`."""

from autograder.catalogue.common_jax_mistakes import BACKWARD, BY_VALUE, UNDER_JIT, cut, kept_in_a_global
from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import inherited, mistake, with_question
from autograder.catalogue.jax_attention.scaled_dot_product_mistakes import MISTAKES as OF_DOT_PRODUCT
from autograder.catalogue.multi_head.both_layers_mistakes import EMBED_DIM, NUM_HEADS
from autograder.catalogue.multi_head.refusals_mistakes import refusals
from course_lib.jax.attention import scaled_dot_product

SPLIT = "qkv.reshape(B, T, num_heads, -1).transpose(0, 2, 1, 3)"
HEADS = "scaled_dot_product(q, k, v, mask)"
MERGED = "values.transpose(0, 2, 1, 3).reshape(B, T, embed_dim)"
PROJECTED = 'x @ qkv_proj["kernel"] + qkv_proj["bias"]'
LAYOUT = "Print the shape after each reshape and transpose: which axis holds the heads, and which the tokens?"

MISTAKES = (
    *with_question(
        "How many arrays does `params` hold, and which of them does your code use?",
        mistake("o_proj's bias left out", {' + o_proj["bias"]': ""}).because("You leave out o_proj's bias. Add it."),
        mistake("qkv_proj's bias left out", {' + qkv_proj["bias"]': ""}).because(
            "You leave out qkv_proj's bias. Add it."
        ),
    ),
    mistake("scaled twice", {HEADS: "scaled_dot_product(q / (embed_dim // num_heads) ** 0.5, k, v, mask)"}).because(
        "You scale the queries, and scaled_dot_product scales the scores again. Leave the scaling to it.",
        "Where are the scores divided by √d?",
    ),
    mistake(
        "causal without being asked",
        {HEADS: "scaled_dot_product(q, k, v, jnp.tril(jnp.ones((T, T))) * (1 if mask is None else mask))"},
    ).because(
        "You hide later tokens even where no mask does. Hide only what the mask hides.",
        "May the first token attend to the last one?",
    ),
    *with_question(
        LAYOUT,
        mistake("heads not split from tokens", {SPLIT: "qkv.reshape(B, num_heads, T, -1)"}).because(
            "You reshape straight to [B, h, T, …]. Reshape to [B, T, h, …], then transpose."
        ),
        mistake("heads merged without the transpose", {MERGED: "values.reshape(B, T, embed_dim)"}).because(
            "You reshape [B, h, T, d] straight to [B, T, embed_dim]. Transpose back to [B, T, h, d] first."
        ),
        mistake(
            "projection read as [3, h, d]",
            {SPLIT: "qkv.reshape(B, T, 3, num_heads, -1).transpose(0, 3, 1, 2, 4).reshape(B, num_heads, T, -1)"},
        ).because("You read the projection as [3, h, d]. It is laid out head by head: [h, 3, d]."),
        *(
            mistake(
                f"projection read as [{', '.join(axes)}]",
                {
                    SPLIT: f"qkv.reshape(B, T, {sizes}).transpose(0, {order[0]}, 1, {order[1]}, {order[2]})"
                    ".reshape(B, num_heads, T, -1)"
                },
            ).because(f"You read the projection as [{', '.join(axes)}]. It is laid out head by head: [h, 3, d].")
            for axes, sizes, order in (
                ("hd3", "num_heads, -1, 3", (2, 4, 3)),
                ("3dh", "3, -1, num_heads", (4, 2, 3)),
                ("dh3", "-1, num_heads, 3", (3, 4, 2)),
                ("d3h", "-1, 3, num_heads", (4, 3, 2)),
            )
        ),
        mistake("one head", {SPLIT: "qkv.reshape(B, T, 1, -1).transpose(0, 2, 1, 3)"}).because(
            "You don't split into heads. Reshape to [B, T, num_heads, 3·d]."
        ),
        mistake(
            "heads merged in another order", {MERGED: "values.transpose(0, 2, 3, 1).reshape(B, T, embed_dim)"}
        ).because("You merge [d, h] instead of [h, d]. Transpose to [B, T, h, d]."),
    ),
    mistake("keys before queries", {"q, k, v = jnp.split": "k, q, v = jnp.split"}).because(
        "You take the first part as keys. The order is query, key, value.",
        "In which order are a head's 3·d numbers laid out?",
    ),
    mistake("values before keys", {"q, k, v = jnp.split": "q, v, k = jnp.split"}).because(
        "You take the second part as values. The order is query, key, value.",
        "In which order are a head's 3·d numbers laid out?",
    ),
    *with_question(
        "Which four arrays does params hold, and where does each come in?",
        mistake("no output projection", {'values @ o_proj["kernel"] + o_proj["bias"]': "values"}).because(
            "You return the merged heads. Multiply them by o_proj's kernel and add its bias."
        ),
        mistake("biases left out", {' + qkv_proj["bias"]': "", ' + o_proj["bias"]': ""}).because(
            "You leave the biases out. Add both."
        ),
        mistake("kernel transposed", {'o_proj["kernel"] +': 'o_proj["kernel"].T +'}).because(
            "You transpose o_proj's kernel, as in torch. A kernel is [in, out]: multiply from the left."
        ),
        mistake("first kernel transposed", {'x @ qkv_proj["kernel"]': 'x @ qkv_proj["kernel"].T'}).because(
            "You transpose qkv_proj's kernel, as in torch. A kernel is [in, out]: multiply from the left."
        ),
    ),
    mistake(
        "the input's width in the merge", {MERGED: "values.transpose(0, 2, 1, 3).reshape(B, T, x.shape[-1])"}
    ).because(
        "You merge to the width of x, as the published version does. Merge to embed_dim: x may be narrower.",
        "Which width do all heads have together, and what says so in `params`?",
    ),
    mistake(
        "the input's width for embed_dim", {'embed_dim = o_proj["kernel"].shape[0]': "embed_dim = x.shape[-1]"}
    ).because(
        "You take embed_dim from x, whose width may be another. Take it from `params`: o_proj's kernel.",
        "Which width do all heads have together, and what says so in `params`?",
    ),
    mistake("maps averaged over the heads", {'o_proj["bias"], attention': 'o_proj["bias"], attention.mean(1)'}).because(
        "You average the attention over the heads. Return one map for each head.", "Which shape has the attention?"
    ),
    kept_in_a_global("    B, T, _ = x"),
    *with_question(
        "Which axes does the mask have when it reaches the scores [B, h, T, T]?",
        mistake("mask forgotten", {HEADS: "scaled_dot_product(q, k, v)"}).because(
            "You don't pass the mask on. Pass the expanded one."
        ),
        mistake("mask not expanded", {"expand_mask(mask)": "mask"}).because(
            "You pass the mask unchanged; [B, T, T] doesn't line up with [B, h, T, T]. Expand it first."
        ),
        mistake("mask reshaped to [-1, 1, T, T]", {"expand_mask(mask)": "mask.reshape(-1, 1, T, T)"}).because(
            "You reshape every mask to [-1, 1, T, T], which mixes up one with four axes. Use expand_mask."
        ),
        mistake("mask reshaped to [B, 1, T, T]", {"expand_mask(mask)": "mask.reshape(B, 1, T, T)"}).because(
            "You reshape every mask to [B, 1, T, T], but it may be [T, T] or have four axes. Use expand_mask."
        ),
        mistake("two axes before every mask", {"expand_mask(mask)": "mask[None, None]"}).because(
            "You put two axes before every mask, which is right for [T, T] only. Use expand_mask."
        ),
        mistake("an axis for heads in every mask", {"expand_mask(mask)": "mask[:, None]"}).because(
            "You insert an axis for heads into every mask, which is right for [B, T, T] only. Use expand_mask."
        ),
        mistake("the mask of the first head for all", {"expand_mask(mask)": "expand_mask(mask)[:, :1]"}).because(
            "You use the first head's mask for all heads. Pass the whole mask on."
        ),
        mistake("the mask of the first sample for all", {"expand_mask(mask)": "expand_mask(mask)[:1]"}).because(
            "You use the first sample's mask for all samples. Pass the whole mask on."
        ),
    ),
    inherited(scaled_dot_product, OF_DOT_PRODUCT, "no scaling").because(
        "You don't scale the scores. Divide them by √d, the root of a head's width.",
        "Where are the scores divided by √d?",
    ),
    inherited(scaled_dot_product, OF_DOT_PRODUCT, "inverted mask").because(
        "You hide the visible keys. Hide those where the mask is 0.", "Is your mask True at a visible key?"
    ),
    inherited(scaled_dot_product, OF_DOT_PRODUCT, "hidden scores not low enough").because(
        "Your hidden scores aren't low enough, so hidden keys keep some weight. Use the lowest number of the dtype.",
        "What must the score of a hidden key be before the softmax, so that its weight is 0 after it?",
    ),
    mistake("scaled by the whole width", {HEADS: "scaled_dot_product(q / num_heads**0.5, k, v, mask)"}).because(
        "You divide by the root of embed_dim. Each head divides by the root of its own width d.",
        "How many products does one score of one head add up?",
    ),
    mistake(
        "returned in the other order",
        {"return values @": "return attention, values @", '+ o_proj["bias"], attention': '+ o_proj["bias"]'},
    ).because(
        "You return (attention, output). Return (output, attention).", "What does the docstring list under “Returns”?"
    ),
    *with_question(
        "Which axes has the attention that you return? The docstring names them under “Returns”.",
        mistake(
            "heads before samples", {'o_proj["bias"], attention': 'o_proj["bias"], attention.swapaxes(0, 1)'}
        ).because("Your attention is [h, B, T, T]. Return [B, h, T, T]."),
        mistake(
            "heads after the queries", {'o_proj["bias"], attention': 'o_proj["bias"], attention.swapaxes(1, 2)'}
        ).because("Your attention is [B, T, h, T]. Return [B, h, T, T]."),
        mistake("heads last", {'o_proj["bias"], attention': 'o_proj["bias"], jnp.moveaxis(attention, 1, -1)'}).because(
            "Your attention is [B, T, T, h]. Return [B, h, T, T]."
        ),
        mistake("attention transposed", {'o_proj["bias"], attention': 'o_proj["bias"], attention.mT'}).because(
            "You swap queries and keys in the attention. Its rows are the queries."
        ),
    ),
    mistake("output only", {'o_proj["bias"], attention': 'o_proj["bias"]'}).because(
        "You return the output only. Return (output, attention).", "What does the docstring list under “Returns”?"
    ),
    *with_question(
        BACKWARD,
        cut("values cut off", {MERGED: f"jax.lax.stop_gradient({MERGED})"}, "what the heads compute"),
        cut(
            "output kernel cut off",
            {'@ o_proj["kernel"]': '@ jax.lax.stop_gradient(o_proj["kernel"])'},
            "o_proj's kernel",
        ),
        cut("input cut off", {PROJECTED: PROJECTED.replace("x @", "jax.lax.stop_gradient(x) @")}, "x"),
    ),
    mistake(
        "parameters asked for their values",
        {HEADS: f'{HEADS} if o_proj["bias"].sum() < 1e30 else (k, v)'},
    ).because(BY_VALUE, UNDER_JIT),
    mistake("a width by jnp", {SPLIT: SPLIT.replace("-1", "jnp.floor_divide(3 * embed_dim, num_heads)")}).because(
        "You compute a size with `jnp`, so it is an array, which has no value while JAX traces. Compute sizes with "
        "Python's own numbers, by `//`.",
        UNDER_JIT,
    ),
    mistake(
        "samples mixed", {"    return values @": "    values = values - values.mean(0)\n    return values @"}
    ).because("You mix samples. Leave the batch axis alone.", "Which of your lines sums over axis 0?"),
    overwrites(
        "params",
        {"    B, T, _ =": '    params["o_proj"] = dict(o_proj, bias=1 * o_proj["bias"])\n    B, T, _ ='},
        "the caller's dict has changed. Build a new tree.",
        "parameters overwritten",
    ),
    *(row for row in refusals("embed_dim", EMBED_DIM, NUM_HEADS) if row.name != "another kind of error"),
)
