"""What goes wrong in `CrossAttention`."""

from dataclasses import replace

from autograder.catalogue.common_mistakes import (
    NAMES,
    drops_in_training,
    in_double_precision,
    other_names,
    random_in_every_call,
)
from autograder.catalogue.edits import mistake
from autograder.catalogue.multi_head.both_layers_mistakes import ATTEND, HIDING, OF_BOTH_LAYERS, PAIR, SCALE, of_parts
from autograder.catalogue.multi_head.multihead_attention_mistakes import MISTAKES as MULTIHEAD_MISTAKES

WHENCE = "Where do the queries come from, and where do the keys and values?"
LAST_KEY = "Which is the last key that query 0 may see? And query 1?"
AND = "A key is hidden by one of the two masks and visible in the other. Is it seen?"

OUTPUT = "self.out_proj(merge_heads(output))"
MASK, BOTH = "expand_mask(mask).bool()", "causal if mask is None else mask & causal"
TRIANGLE, ONES = "causal_mask(max(L, S))[:L, :S]", "torch.ones(L, S, dtype=torch.bool)"
SAID = {mistake.name: (mistake.says, mistake.asks) for mistake in MULTIHEAD_MISTAKES}


INPUTS = (
    mistake("one head", {"self.num_heads)": "1)"}, times=3).because(*SAID["one head"]),
    mistake(
        "q and k exchanged",
        {
            "q = split_heads(self.q_proj(queries)": "q = split_heads(self.k_proj(keys)",
            "k = split_heads(self.k_proj(keys)": "k = split_heads(self.q_proj(queries)",
        },
    ).because("You use the keys as queries, so the output has one row per key; it needs one per query.", WHENCE),
    *(
        mistake(f"{name}_proj from {wrong}_dim", {f"nn.Linear({right}_dim, ": f"nn.Linear({wrong}_dim, "}).because(
            f"Your {name}_proj takes {wrong}_dim features; the {what} have {right}_dim.", NAMES
        )
        for name, what, right, wrong in (
            ("k", "keys", "key", "query"),
            ("k", "keys", "key", "value"),
            ("v", "values", "value", "key"),
            ("v", "values", "value", "query"),
        )
    ),
    mistake("the keys projected as queries", {"self.q_proj(queries)": "self.q_proj(keys)"}).because(
        "You pass the keys to q_proj; pass it the queries.", WHENCE
    ),
    mistake(
        "attends to itself",
        {
            "(key_dim": "(query_dim",
            "(value_dim": "(query_dim",
            "_proj(keys)": "_proj(queries)",
            "(values)": "(queries)",
        },
    ).because(
        "Queries, keys and values all come from the first argument; take keys and values from their own arguments.",
        WHENCE,
    ),
    mistake("keys for both", {"(value_dim": "(key_dim", "_proj(values)": "_proj(keys)"}).because(
        "You project the keys twice; project the values, a separate argument with its own width.", WHENCE
    ),
)

KEYS_AND_VALUES = (
    mistake("keys and values exchanged", {ATTEND: "(q, v, k, mask)"}).because(
        "You compare the queries with the values and average the keys; swap the two.",
        "In which order does scaled_dot_product take queries, keys and values?",
    ),
    mistake("the keys projected as values", {"_proj(values)": "_proj(keys)"}).because(
        "You pass the keys to v_proj; pass it the values.", WHENCE
    ),
    mistake("the values projected as keys", {"_proj(keys)": "_proj(values)"}).because(
        "You pass the values to k_proj; pass it the keys.", WHENCE
    ),
)

OUTPUTS = (
    mistake("a pair returned", {f"return {OUTPUT}": f"return {OUTPUT}, _"}).because(
        "You return a pair; return only the output.", "What does the docstring say that forward returns?"
    ),
    mistake(
        "output as wide as the values", {"nn.Linear(embed_dim, query_dim)": "nn.Linear(embed_dim, value_dim)"}
    ).because("Your out_proj maps to the width of the values; map to the width of the queries.", NAMES),
    *(
        mistake(f"{name}_proj without a bias", {made: f"{made[:-1]}, bias=False)"}).because(
            f"Your {name}_proj has no bias; use a plain Linear, which has one.", NAMES
        )
        for name, made in (
            ("q", "nn.Linear(query_dim, embed_dim)"),
            ("k", "nn.Linear(key_dim, embed_dim)"),
            ("v", "nn.Linear(value_dim, embed_dim)"),
            ("out", "nn.Linear(embed_dim, query_dim)"),
        )
    ),
    mistake("no output projection", {OUTPUT: "merge_heads(output)"}).because(
        "You create out_proj but never call it; apply it to the merged heads.",
        "How does the result get back to the width of the queries?",
    ),
    mistake("residual inside", {OUTPUT: f"queries + {OUTPUT}"}).because(
        "You add the queries to the output; leave the residual to the block.",
        "What does the layer return if all values are 0?",
    ),
    drops_in_training(
        {"merge_heads(output)": "merge_heads(nn.functional.dropout(output, 0.1, self.training))"}, "dropout by default"
    ),
    random_in_every_call({"merge_heads(output)": "merge_heads(nn.functional.dropout(output, 0.1))"}),
    mistake(
        "merged by the number of keys", {"merge_heads(output)": "output.transpose(1, 2).reshape(*keys.shape[:2], -1)"}
    ).because(
        "You merge the heads into S tokens, one for each key; there are L, one for each query. Use merge_heads.",
        "How many tokens does the output have?",
    ),
    mistake("query_dim checked instead of embed_dim", {"if embed_dim %": "if query_dim %"}).because(
        "You require that num_heads divides query_dim; it must divide only embed_dim.",
        "Which of the widths is split into heads?",
    ),
    mistake("scaled by key_dim", {ATTEND: "(q * (q.shape[-1] / keys.shape[-1]) ** 0.5, k, v, mask)"}).because(
        "You divide the scores by √key_dim; divide them by √d, the root of the width of one head.", SCALE
    ),
    mistake(
        "output as wide as the heads", {"nn.Linear(embed_dim, query_dim)": "nn.Linear(embed_dim, embed_dim)"}
    ).because(
        "Your out_proj maps to embed_dim; map to the width of the queries, so that the output can be added to them.",
        NAMES,
    ),
    other_names({"self.out_proj": "self.o_proj"}, times=2),
    mistake("no biases", {"_dim)\n": "_dim, bias=False)\n"}, times=4).because(*SAID["no biases"]),
    mistake("a pair not unpacked", {"output, _ = ": "output = "}).because(*PAIR),
    in_double_precision("output", {OUTPUT: f"{OUTPUT}.double()"}),
)

MASKS = (
    mistake("mask forgotten", {f"None if mask is None else {MASK}": "None"}).because(*SAID["mask forgotten"]),
    mistake("given mask inverted", {MASK: f"~{MASK}"}).because(
        "You invert the given mask before you combine it with the triangle; in both, True means visible.", HIDING
    ),
    *(
        replace(row, edits={MASK: "expand_mask(mask)", "mask & causal": "mask.bool() & causal"})
        for row in of_parts("inverted mask, booleans only", "booleans only", "a mask of floats added")
    ),
)

TRIANGLES = (
    mistake("is_causal without effect", {"if is_causal:": "if False:"}).because(
        "With is_causal=True your queries still see the future; hide it.", LAST_KEY
    ),
    mistake("always causal", {"if is_causal:": "if True:"}).because(
        "Your layer hides the future even if is_causal is False; hide nothing then.",
        "May the first target token look at the last source token?",
    ),
    *(
        mistake(name, {TRIANGLE: f"{ONES}.{triangle}"}).because(says, LAST_KEY)
        for name, (triangle, says) in {
            "triangle one too high": (
                "tril(1)",
                "In your layer each query sees the key after its own position; lower the diagonal by one.",
            ),
            "triangle one too low": (
                "tril(-1)",
                "In your layer no query sees the key at its own position; raise the diagonal by one.",
            ),
            "triangle on the wrong side": (
                "triu()",
                "Your triangle is on the wrong side: each query sees the later keys; it must see the earlier ones.",
            ),
            "triangle aligned at the end": (
                "tril(S - L)",
                "Your triangle starts from the last row and column; query i must see the keys 0 to i, for any L and S.",
            ),
        }.items()
    ),
    *(
        mistake(f"a square of {size}", {TRIANGLE: f"causal_mask({size})"}).because(
            f"Your triangle is [{size}, {size}]; make it [L, S], to fit the scores for any number of {others}.",
            "What shape do the scores have?",
        )
        for size, others in (("L", "keys"), ("S", "queries"))
    ),
    *(
        mistake(f"cut out of a square of {size}", {TRIANGLE: f"causal_mask({size})[:L, :S]"}).because(
            f"You cut your triangle out of a square of {size}, which is too small if there are {more}. Make "
            "it as large as the larger of L and S before you cut it.",
            "How large must a square be to contain [L, S]?",
        )
        for size, more in (("L", "more keys than queries"), ("S", "more queries than keys"))
    ),
    mistake("cut out of a square of 64", {TRIANGLE: "causal_mask(64)[:L, :S]"}).because(
        "You cut your triangle out of a square of fixed size, which is too small for longer sequences. Make it as "
        "large as the larger of L and S.",
        "What does your layer do with 1,000 keys?",
    ),
    mistake(
        "causal from then on",
        {"if is_causal:": 'self.causal = getattr(self, "causal", False) or is_causal\n        if self.causal:'},
    ).because(
        "After one call with is_causal=True, all later calls are causal. Take is_causal from the call.",
        "What does your module store in forward?",
    ),
    *(
        mistake(f"causal only if {sizes}", {"if is_causal:": f"if is_causal and {test}:"}).because(
            f"You use is_causal only if {sizes}. Hide the keys after position i for any L and S.",
            "Under which condition do you build the triangle?",
        )
        for sizes, test in (
            ("L = S", "queries.shape[1] == keys.shape[1]"),
            ("L ≤ S", "queries.shape[1] <= keys.shape[1]"),
            ("L ≥ S", "queries.shape[1] >= keys.shape[1]"),
        )
    ),
    mistake("the first triangle kept", {TRIANGLE: f'self.__dict__.setdefault("kept", {TRIANGLE})'}).because(
        "You keep the causal mask of the first call and use it in later calls. Make one for the lengths of the call.",
        "What does your module store in forward?",
    ),
    mistake("mask lost when causal", {BOTH: "causal"}).because(
        "With is_causal=True you ignore the given mask; combine the two.", AND
    ),
    mistake("causality lost when masked", {BOTH: "causal if mask is None else mask"}).because(
        "With a mask you ignore is_causal; combine the two.", AND
    ),
    mistake("one or the other", {"mask & causal": "mask | causal"}).because(
        "You combine the two masks with or, so a key that only one of them hides is visible; use and.", AND
    ),
    mistake("booleans only when causal", {MASK: "expand_mask(mask)"}).because(
        "You combine a mask of floats with `&`, which needs booleans; convert it first with `.bool()`.",
        "What is the dtype of a mask of 0.0 and 1.0?",
    ),
)

MISTAKES = MASKS + TRIANGLES + OF_BOTH_LAYERS + INPUTS + KEYS_AND_VALUES + OUTPUTS
