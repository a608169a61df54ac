"""What goes wrong in JAX's `scaled_dot_product`."""

from autograder.catalogue.common_jax_mistakes import (
    BACKWARD,
    cut,
    decides_by_value,
    kept_in_a_global,
    leaves_jax,
    seeds_numpy,
)
from autograder.catalogue.common_mistakes import cut_off_scores
from autograder.catalogue.edits import mistake, with_question

# pieces of the reference
ROOT, LOWEST = "math.sqrt(q.shape[-1])", "jnp.finfo(scores.dtype).min"
SCALED, WEIGHTS = f" / {ROOT}", "jax.nn.softmax(scores, axis=-1)"
MASKED = f"jnp.where(mask == 0, {LOWEST}, scores)"
SWAPPED = "jnp.swapaxes(k, -2, -1)"
SHIFTED = "np.asarray(scores) - np.asarray(scores).max(-1, keepdims=True)"
IF_MASKED = "    if mask is not None:"
NAN_IN_HALF = "in float16 a fully hidden row gives NaN"

MISTAKES = (
    *with_question(
        "The variance of the scores is d_k. What is their standard deviation, and what makes it 1?",
        mistake("no scaling", {SCALED: ""}).because("You use the raw scores. Divide them by √d_k."),
        mistake("divided by d_k", {ROOT: "q.shape[-1]"}).because("You divide by d_k. Divide by its square root."),
        mistake("multiplied by √d_k", {f"/ {ROOT}": f"* {ROOT}"}).because(
            "You multiply the scores by √d_k. Divide them by it."
        ),
        mistake("scaled by d_v", {"q.shape[-1]": "v.shape[-1]"}).because(
            "You scale by the width of v. Use the width of q."
        ),
        mistake("scaled by the number of queries", {"q.shape[-1]": "q.shape[-2]"}).because(
            "You scale by the number of queries. Use the width of q."
        ),
        mistake("scaled by the number of keys", {"q.shape[-1]": "k.shape[-2]"}).because(
            "You scale by the number of keys. Use the width of q."
        ),
    ),
    *with_question(
        "The attention is [..., L, S]. Along which axis must it sum to 1, however many axes there are?",
        mistake("softmax over the queries", {"axis=-1": "axis=-2"}).because(
            "Your softmax runs over the queries. Run it over the keys, axis −1."
        ),
        mistake("softmax over axis 1", {"axis=-1": "axis=1"}).because(
            "You count the axis from the front; a batch or vmap shifts it. Count from the end: axis −1."
        ),
        mistake("sigmoid instead of softmax", {WEIGHTS: "jax.nn.sigmoid(scores)"}).because(
            "Your weights don't sum to 1. Use a softmax over the keys."
        ),
        mistake(
            "one sum for everything", {WEIGHTS: "jnp.exp(scores - scores.max()) / jnp.exp(scores - scores.max()).sum()"}
        ).because("You divide by the sum over all queries too. Divide by the sum over the keys of each query."),
        mistake("no softmax", {WEIGHTS: "scores", LOWEST: "0.0"}).because(
            "You weight the values with the raw scores. Turn the scores into weights with a softmax."
        ),
    ),
    mistake(".T of more than two axes", {SWAPPED: "k.T"}).because(
        "`k.T` reverses every axis of k, batch and heads too. Swap the last two: `jnp.swapaxes(k, -2, -1)`.",
        "What does `k.T` do to an array with four axes?",
    ),
    mistake("axes counted from the front", {SWAPPED: "jnp.swapaxes(k, 1, 2)"}).because(
        "You swap axes 1 and 2, which are the tokens and the width only if k has three axes. Count from the end: "
        "`jnp.swapaxes(k, -2, -1)`.",
        "Which axis is number 2 in [B, h, S, d_k], and which in [S, d_k]?",
    ),
    mistake("keys averaged", {"attention @ v": "attention @ k"}).because(
        "You average the keys. Average the values.", "What width does the output have, d_k or d_v?"
    ),
    mistake("values only", {"@ v, attention": "@ v"}).because(
        "You return the values only. Return (values, attention).", "What does the docstring list under “Returns”?"
    ),
    mistake(
        "returned in the other order", {"return attention @ v, attention": "return attention, attention @ v"}
    ).because(
        "You return (attention, values). Return (values, attention).", "What does the docstring list under “Returns”?"
    ),
    mistake("arguments in another order", {"q: jax.Array, k: jax.Array, v: jax.Array": "q, v, k"}).because(
        "Your second argument is the values. The order is q, k, v.", "In which order does the signature name them?"
    ),
    *with_question(
        "In `jnp.where(condition, a, b)`, which entries are taken from a, and where does the result go?",
        mistake("inverted mask", {"mask == 0": "mask != 0"}).because(
            "Your mask is inverted. Hide the keys where it is 0 or False."
        ),
        mistake("result of .at[].set dropped", {f"scores = {MASKED}": MASKED}).because(
            "Your mask hides nothing. Apply it, and assign the result: `jnp.where` and `.at[…].set(…)` return a "
            "new array."
        ),
        mistake("booleans only", {"mask == 0": "~mask"}).because(
            "`~mask` is right for booleans only. Compare: `mask == 0`."
        ),
    ),
    mistake("written into the scores", {f"scores = {MASKED}": "scores[..., 0] = -1e9"}).because(
        "You assign to entries of an array; JAX's arrays are immutable. Use `jnp.where`, or `x = x.at[…].set(…)`.",
        "Which operation returns a new array in which the hidden scores are low?",
    ),
    mistake("−inf on a fully hidden row", {LOWEST: "-jnp.inf"}).because(
        "A query from which everything is hidden gets NaN, 0 / 0. Hide with the lowest finite number, not with −inf or "
        "a weight of 0, and let the softmax subtract each query's own largest score.",
        "What are the weights of a row in which everything is hidden?",
    ),
    mistake("−1e9 in float16", {LOWEST: "-1e9"}, shown_by=NAN_IN_HALF).because(
        "The number that you hide with, such as −1e9, is −inf in float16, so a query that sees no key gets NaN there. "
        "Use the lowest finite number of the scores' own dtype.",
        "What is `jnp.float16(-1e9)`, and what is `jnp.finfo(jnp.float16).min`?",
    ),
    *with_question(
        "Which score does exp turn into 0, whatever the other scores are?",
        mistake("hidden scores set to 0", {LOWEST: "0.0"}).because(
            "You hide with 0, and exp(0) = 1. Use the lowest number."
        ),
        mistake("hidden scores set to a high number", {LOWEST: "1e9"}).because(
            "Your sign is wrong. Use a very low number."
        ),
        mistake(
            "hidden scores not low enough",
            {LOWEST: "-20.0"},
            shown_by="among scores far below 0, a hidden key has weight",
        ).because("Your number isn't low enough if all scores are far below 0. Use the dtype's lowest number."),
        mistake("hidden scores set to −10", {LOWEST: "-10.0"}).because(
            "You hide with −10, and exp(−10) isn't 0. Use the dtype's lowest number."
        ),
        *(
            mistake(
                f"hidden {low} below the smallest score of {whose}", {LOWEST: f"scores.min({axis}) - {low}"}
            ).because(
                f"You hide with the smallest score minus {low}, so a hidden key keeps some weight. Use the dtype's "
                "lowest number."
            )
            for whose, low, axis in (
                ("its query", "1", "axis=-1, keepdims=True"),
                ("its query", "10", "axis=-1, keepdims=True"),
                ("all", "1", ""),
            )
        ),
        *(
            mistake(f"{low} taken off the hidden scores", {LOWEST: f"scores - {low}"}).because(
                f"You subtract {low} from a hidden score, so a high one keeps some weight. Put the dtype's lowest "
                "number in its place."
            )
            for low in ("1", "10")
        ),
    ),
    mistake(
        "not renormalised after masking",
        {f"scores = {MASKED}": "pass", WEIGHTS: f"{WEIGHTS} * (1 if mask is None else mask)"},
    ).because(
        "You set weights to 0 after the softmax, so the rest no longer sum to 1. Lower the scores before it.",
        "How much weight is lost when a key is hidden, and which keys should get it?",
    ),
    mistake("no maximum subtracted", {WEIGHTS: "jnp.exp(scores) / jnp.exp(scores).sum(-1, keepdims=True)"}).because(
        "Your own softmax overflows: exp of a large score is inf, and exp of very low ones adds up to 0. Subtract the "
        "largest score of each query first, or use `jax.nn.softmax`.",
        "What is `jnp.exp(1000.0)`, and what is it divided by?",
    ),
    mistake(
        "written for four axes",
        {"q @ jnp.swapaxes(k, -2, -1)": 'jnp.einsum("bhld,bhsd->bhls", q, k)'},
    ).because(
        "You name four axes, so your code takes nothing else, and any number of leading ones may come. Write `...`.",
        "How many axes do q, k and v have under `jax.vmap`?",
    ),
    kept_in_a_global("    attention = jax.nn"),
    decides_by_value(
        "if on the mask's values",
        {IF_MASKED: "    if mask is not None and bool((mask == 0).any()):"},
    ),
    leaves_jax(
        "softmax by NumPy",
        {WEIGHTS: f"jnp.array(np.exp({SHIFTED}) / np.exp({SHIFTED}).sum(-1, keepdims=True))"},
    ),
    mistake(
        "an axis for heads put into the mask", {"mask == 0": "(mask[:, None] if mask.ndim == 3 else mask) == 0"}
    ).because(
        "You add an axis to a mask with three axes. Use the mask unchanged: q, k and v need no heads here.",
        "How does a mask [B, L, S] line up with scores [B, L, S]?",
    ),
    mistake(
        "a mask [h, L, S] read as [B, L, S]",
        {"mask == 0": "(mask[:, None] if mask.ndim == 3 and scores.ndim == 4 else mask) == 0"},
    ).because(
        "You add an axis to a mask with three axes if the scores have four. Use the mask unchanged: its axes line up "
        "with the last ones of the scores.",
        "Which axes of the scores [B, h, L, S] does a mask with three axes line up with?",
    ),
    *with_question(
        "Which axis of the scores does a mask with one axis line up with?",
        mistake(
            "a mask [S] treated as one of queries", {"mask == 0": "(mask[:, None] if mask.ndim == 1 else mask) == 0"}
        ).because("You treat a mask with one axis as a mask of queries. Broadcasting makes it a mask of keys, [S]."),
        mistake(
            "a mask [S] refused",
            {IF_MASKED: f"{IF_MASKED}\n        if mask.ndim < 2:\n            raise ValueError(mask.shape)"},
        ).because("You refuse a mask with one axis. Take any mask that broadcasts to [..., L, S]."),
    ),
    mistake("mask transposed", {"mask == 0": "mask.mT == 0"}).because(
        "You swap the mask's axes. Its rows are the queries, as in the scores.",
        "Which axes does the mask have, and which do the scores have?",
    ),
    mistake("one mask for all samples", {"mask == 0": "mask.reshape(-1, *mask.shape[-2:])[0] == 0"}).because(
        "You use the first sample's mask for all samples. Let the whole mask broadcast.",
        "What does a mask [B, 1, L, S] say about the second sample?",
    ),
    *with_question(
        BACKWARD,
        cut("values cut off", {"@ v,": "@ jax.lax.stop_gradient(v),"}, "v"),
        *(
            cut(
                name,
                {
                    WEIGHTS: f"jnp.exp(scores - {largest}); attention = attention / "
                    "jax.lax.stop_gradient(attention.sum(-1, keepdims=True))"
                },
                "the sum that the weights are divided by",
            )
            for name, largest in (
                ("the sum of the weights cut off", "scores.max(-1, keepdims=True)"),
                ("the largest score and the sum cut off", "jax.lax.stop_gradient(scores.max(-1, keepdims=True))"),
            )
        ),
        cut("keys cut off", {SWAPPED: f"jax.lax.stop_gradient({SWAPPED})"}, "k"),
        cut("queries cut off", {"q @": "jax.lax.stop_gradient(q) @"}, "q"),
        cut(
            "scores cut off",
            {
                "scores = q @ jnp": "scores = jax.lax.stop_gradient(q) @ jax.lax.stop_gradient(jnp",
                f"-1){SCALED}": f"-1)){SCALED}",
            },
            "what q and k contribute",
        ),
    ),
    mistake(
        "in float32 whatever came in",
        {"scores = q @": "v = v.astype(jnp.float32)\n    scores = q.astype(jnp.float32) @"},
    ).because(
        "You always return float32. Return the dtype of the input.",
        "Which dtype do your values have when q, k and v are float16?",
    ),
    *with_question(
        "Which dtype do your values and your attention have when q, k and v are float16?",
        mistake(
            "attention left in float32",
            {
                WEIGHTS: WEIGHTS.replace("scores", "scores.astype(jnp.float32)"),
                "attention @ v": "attention.astype(v.dtype) @ v",
            },
        ).because("Your values have the dtype of the input, but your attention is always float32. Cast both back."),
        mistake("values left in float32", {"attention @ v": "attention.astype(jnp.float32) @ v"}).because(
            "Your attention has the dtype of the input, but your values are always float32. Cast both back."
        ),
    ),
    seeds_numpy("    attention = "),
    mistake(
        "the first call kept",
        {
            f"scores = {MASKED}": f"scores = jnp.where(kept.setdefault('mask', mask) == 0, {LOWEST}, scores)",
            "scores = q @": "kept = scaled_dot_product.__dict__\n    scores = q @",
        },
    ).because(
        "You keep the first mask that you were given and use it for every later call. Use the argument.",
        "What does your function remember between two calls?",
    ),
    *cut_off_scores(lambda limits: {IF_MASKED: f"    scores = jnp.clip(scores, {limits})\n{IF_MASKED}"}),
)
