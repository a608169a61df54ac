"""What goes wrong in `GroupedQueryAttention`."""

from autograder.catalogue.common_mistakes import in_double_precision, no_super, other_names, overwrites
from autograder.catalogue.edits import mistake
from autograder.catalogue.language_model.grouped_query_cache_mistakes import (
    CACHE_MISTAKES,
    MEMORY,
    REPEATED,
    RETURNED,
    ROTATED,
    SEES,
)
from autograder.catalogue.language_model.grouped_query_score_mistakes import SCORE_MISTAKES

Q, K, V = (
    f"self.{name}_proj(x).unflatten(-1, (self.{heads}, -1)).transpose(1, 2)"
    for name, heads in (("q", "num_heads"), ("k", "num_kv_heads"), ("v", "num_kv_heads"))
)
MERGED = "mixed.transpose(1, 2).flatten(2)"
FIT, GROUPS, EVEN = "if model_dim % num_heads:", "if num_heads % num_kv_heads:", "if head_dim % 2:"

WHOSE = "With 6 heads in 2 groups, which key-value head does query head 1 use: 1 // 3 or 1 % 2?"
ORDER = "x.view(B, h, T, d) on [B, T, h·d]: which numbers become head 0?"
NUMBERS = "Which two numbers would you like to read in the error?"
NUMBER = "Which number would you like to read in the error?"

MISTAKES = (
    mistake("heads tiled", {REPEATED: "k, v = keys.repeat(1, group, 1, 1), values.repeat(1, group, 1, 1)"}).because(
        "Your query heads use the groups 0 1 0 1 0 1 (that is what `repeat` gives). Head i uses i // (h / g): "
        "0 0 0 1 1 1, which is `repeat_interleave`.",
        WHOSE,
    ),
    mistake("the first group for all", {REPEATED: "k, v = keys[:, :1], values[:, :1]"}).because(
        "All query heads use the first key-value head; each group has its own.", WHOSE
    ),
    mistake("groups averaged", {REPEATED: "k, v = keys.mean(1, keepdim=True), values.mean(1, keepdim=True)"}).because(
        "You average the key-value heads into one; each group of query heads has its own.", WHOSE
    ),
    mistake(
        "groups in reverse",
        {
            REPEATED: f"keys, values = keys.flip(1), values.flip(1)\n        {REPEATED}\n"
            f"        keys, values = keys.flip(1), values.flip(1)"
        },
    ).because("The first query heads use the last key-value head; head i uses i // (h / g).", WHOSE),
    mistake(
        "keys tiled, values interleaved",
        {REPEATED: "k, v = keys.repeat(1, group, 1, 1), values.repeat_interleave(group, dim=1)"},
    ).because(
        "Keys and values of a query head come from different groups: repeat both with `repeat_interleave`.", WHOSE
    ),
    *CACHE_MISTAKES,
    *SCORE_MISTAKES,
    mistake("only the output returned", {RETURNED: "flatten(2))"}).because(
        "You return only the output; return the output and the cache.", "What does forward return, one thing or two?"
    ),
    mistake("not causal", {"scaled_dot_product(q, k, v, mask)": "scaled_dot_product(q, k, v)"}).because(
        "Your tokens see what comes after them. While training, the model would read the answer.",
        "Which tokens may the token at position 2 see?",
    ),
    mistake("mask inverted", {" <= positions": " > positions"}).because(
        "Your mask is inverted: it should be True where the query may look.", "What does True mean in your mask?"
    ),
    mistake("a token does not see itself", {" <= positions": " < positions"}).because(
        "The token at P + i sees only P + i keys; it also sees itself.", SEES
    ),
    mistake("sees the next token", {" <= positions": " <= 1 + positions"}).because(
        "Each token sees the next one as well: the diagonal is off by one.", SEES
    ),
    mistake("no rotation", {ROTATED: "pass"}).because(
        "You never rotate: the layer has no idea of the order of its keys.", "Where do positions enter your layer?"
    ),
    mistake("only queries rotated", {"rotate(keys, positions, self.base)": "keys"}).because(
        "You rotate only the queries; scores depend on differences if both are rotated.",
        "What is the score of a query and a key at the same position?",
    ),
    mistake("only keys rotated", {"rotate(q, positions, self.base)": "q"}).because(
        "You rotate only the keys; scores depend on differences if both are rotated.",
        "What is the score of a query and a key at the same position?",
    ),
    mistake("values rotated as well", {V: f"rotate({V}, positions, self.base)"}).because(
        "You rotate the values too; only queries and keys are rotated.", "Which two vectors make a score?"
    ),
    mistake(
        "rotated before the heads",
        {
            Q: "rotate(self.q_proj(x), positions, self.base).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)",
            K: "rotate(self.k_proj(x), positions, self.base).unflatten(-1, (self.num_kv_heads, -1)).transpose(1, 2)",
            ROTATED: "pass",
        },
    ).because(
        "You rotate before you split into heads, so the heads get different speeds: split first, then rotate.",
        "What is d in base^(−2i/d): the width of a head, or of the model?",
    ),
    *(
        mistake(
            f"base not passed on for the {name}", {f"rotate({x}, positions, self.base)": f"rotate({x}, positions)"}
        ).because(f"base reaches the {other} only: the {name} are rotated with 10,000.", "Where do you use `base`?")
        for name, x, other in (("queries", "q", "keys"), ("keys", "keys", "queries"))
    ),
    mistake("another default for the base", {"base: float = 10000.0": "base: float = 500000.0"}).because(
        "Your default base has another value; make it 10,000.", "What does the signature say about base?"
    ),
    mistake(
        "only a number as base",
        {"self.base = num_heads, num_kv_heads, base": "self.base = num_heads, num_kv_heads, float(base)"},
    ).because(
        "Your code takes only a number as base. A tensor [d/2], which gives each pair its own base, should work too: "
        "pass it to `rotate` unchanged.",
        "What may base be, and what does your line do with a tensor [d/2]?",
    ),
    mistake(
        "pairs turned as halves",
        {
            ROTATED: "q, keys = (torch.cat([part[..., 0::2], part[..., 1::2]], dim=-1) for part in (rotate("
            "torch.stack(heads.chunk(2, dim=-1), dim=-1).flatten(-2), positions, self.base) for heads in (q, keys)))"
        },
    ).because(
        "You turn feature i together with feature i + d/2, as Hugging Face's Llama does. Here the pairs are "
        "neighbours, 2i and 2i + 1, as in your `rotate`.",
        "Which features are turned together with feature 0: 1, or d/2?",
    ),
    mistake("base not passed on", {"positions, self.base)": "positions)"}, times=2).because(
        "Your base never reaches `rotate`: it is always 10,000.", "Where do you use `base`?"
    ),
    mistake(
        "heads split by reshape", {Q: "self.q_proj(x).reshape(x.shape[0], self.num_heads, x.shape[1], -1)"}
    ).because("reshape to [B, h, T, d] mixes tokens with features; split into [B, T, h, d] and transpose.", ORDER),
    mistake(
        "all heads split by reshape",
        {
            Q: "self.q_proj(x).reshape(x.shape[0], self.num_heads, x.shape[1], -1)",
            K: "self.k_proj(x).reshape(x.shape[0], self.num_kv_heads, x.shape[1], -1)",
            V: "self.v_proj(x).reshape(x.shape[0], self.num_kv_heads, x.shape[1], -1)",
        },
    ).because("reshape to [B, h, T, d] mixes tokens with features; split into [B, T, h, d] and transpose.", ORDER),
    mistake(
        "all heads split and merged by reshape",
        {
            Q: "self.q_proj(x).reshape(x.shape[0], self.num_heads, x.shape[1], -1)",
            K: "self.k_proj(x).reshape(x.shape[0], self.num_kv_heads, x.shape[1], -1)",
            V: "self.v_proj(x).reshape(x.shape[0], self.num_kv_heads, x.shape[1], -1)",
            MERGED: "mixed.reshape(x.shape)",
        },
    ).because(
        "reshape to [B, h, T, d] and back mixes tokens with features; split into [B, T, h, d] and transpose, and "
        "transpose again before you merge.",
        ORDER,
    ),
    mistake("features merged before heads", {MERGED: "mixed.permute(0, 2, 3, 1).flatten(2)"}).because(
        "You merge the heads as [d, h]; o_proj expects [h, d]: transpose(1, 2), then flatten.", ORDER
    ),
    mistake("heads merged without moving them back", {MERGED: "mixed.reshape(x.shape)"}).because(
        "You merge [B, h, T, d] without moving the heads back behind the tokens: transpose first.", ORDER
    ),
    mistake(
        "head width and heads exchanged", {Q: "self.q_proj(x).unflatten(-1, (-1, self.num_heads)).permute(0, 3, 1, 2)"}
    ).because("You split each query into [d, h]; the heads come first: [h, d].", ORDER),
    mistake("no output projection", {f"self.o_proj({MERGED})": MERGED}).because(
        "o_proj has no effect.", "What happens to the heads after they are merged?"
    ),
    mistake("with a residual", {f"self.o_proj({MERGED})": f"x + self.o_proj({MERGED})"}).because(
        "You add x. The residual belongs to the block, which would then add x twice.",
        "What should come out when o_proj is 0?",
    ),
    mistake("with biases", {", bias=False": ""}, times=4).because(
        "Your projections have biases; all four should be Linear with bias=False.",
        "Which parameters does the docstring list?",
    ),
    mistake(
        "as many key-value heads as heads",
        {
            "self.k_proj = nn.Linear(model_dim, num_kv_heads": "num_kv_heads = self.num_kv_heads = num_heads\n"
            "        self.k_proj = nn.Linear(model_dim, num_kv_heads"
        },
    ).because("Your k_proj and v_proj have h heads; they should have g.", MEMORY),
    mistake(
        "model_dim and num_heads not checked",
        {FIT: "if False:", "model_dim // num_heads": "model_dim // num_heads + (model_dim % num_heads > 0)"},
        shown_by="the message of ValueError does not mention 10, 4",
    ).because(
        "A model_dim that num_heads does not divide must be refused with a ValueError that names both; yours names "
        "neither.",
        NUMBERS,
    ),
    mistake("num_heads and num_kv_heads not checked", {GROUPS: "if False:"}).because(
        "A num_heads that num_kv_heads does not divide must be refused with a ValueError that names both.", NUMBERS
    ),
    mistake("odd head width not checked", {EVEN: "if False:"}).because(
        "An odd head width must be refused when the layer is made: its features cannot be paired.",
        "With which feature would the last of three be turned?",
    ),
    mistake(
        "num_kv_heads not named in the error",
        {"num_kv_heads ({num_kv_heads})": "num_kv_heads"},
        shown_by="the message of ValueError does not mention 4",
    ).because("Your ValueError does not name both numbers; name them.", NUMBERS),
    mistake(
        "model_dim not named in the error",
        {"model_dim ({model_dim})": "model_dim"},
        shown_by="the message of ValueError does not mention 10",
    ).because("Your ValueError does not name both numbers; name them.", NUMBERS),
    mistake(
        "head width not named in the error",
        {", but it is {head_dim}": ""},
        shown_by="the message of ValueError does not mention 3",
    ).because("Your ValueError does not name the head width; name it.", NUMBER),
    mistake("values detached from the graph", {V: f"{V}.detach()"}).because(
        "The values are detached from the graph: v_proj never learns.",
        "Along which path does a gradient get from the output to v_proj?",
    ),
    mistake(
        "attention detached from the graph", {"scaled_dot_product(q, k,": "scaled_dot_product(q.detach(), k.detach(),"}
    ).because(
        "Queries and keys are detached from the graph: q_proj and k_proj never learn.",
        "Along which path does a gradient get from the output to q_proj?",
    ),
    other_names(
        {"self.q_proj": "self.wq", "self.k_proj": "self.wk", "self.v_proj": "self.wv", "self.o_proj": "self.wo"},
        times=2,
    ),
    no_super(),
    overwrites(
        "cache",
        {
            "past = 0 if cache is None": "if cache is not None:\n            whole = cache[0].clone(), "
            "cache[1].clone()\n"
            "            cache[0].zero_(), cache[1].zero_()\n            cache = whole\n"
            "        past = 0 if cache is None"
        },
        "a second way to continue the same text starts from something else.",
    ),
    overwrites(
        "x",
        {f"return self.o_proj({MERGED})": f"return (0 if x.requires_grad else 0 * x.mul_(2)) + self.o_proj({MERGED})"},
        "the residual path adds it again.",
    ),
    in_double_precision("output", {f"self.o_proj({MERGED})": f"self.o_proj({MERGED}).double()"}),
    mistake(
        "q_proj, k_proj and v_proj with biases",
        {
            "nn.Linear(model_dim, num_heads * head_dim, bias=False)": "nn.Linear(model_dim, num_heads * head_dim)",
            "self.k_proj = nn.Linear(model_dim, num_kv_heads * head_dim, bias=False)": "self.k_proj = nn.Linear("
            "model_dim, num_kv_heads * head_dim)",
            "self.v_proj = nn.Linear(model_dim, num_kv_heads * head_dim, bias=False)": "self.v_proj = nn.Linear("
            "model_dim, num_kv_heads * head_dim)",
        },
    ).because(
        "Three of your projections have biases, as in some models; all four should be Linear with bias=False.",
        "Which parameters does the docstring list?",
    ),
    mistake(
        "o_proj with a bias",
        {"nn.Linear(num_heads * head_dim, model_dim, bias=False)": "nn.Linear(num_heads * head_dim, model_dim)"},
    ).because(
        "One of your projections has a bias; all four should be Linear with bias=False.",
        "Which parameters does the docstring list?",
    ),
    mistake(
        "keys interleaved, values tiled",
        {REPEATED: "k, v = keys.repeat_interleave(group, dim=1), values.repeat(1, group, 1, 1)"},
    ).because(
        "Keys and values of a query head come from different groups: repeat both with `repeat_interleave`.", WHOSE
    ),
    mistake("values from the keys' projection", {V: V.replace("v_proj", "k_proj")}).because(
        "Your values come from k_proj, and v_proj has no effect. Make the values with v_proj.",
        "Which projection is never called?",
    ),
)
