"""What goes wrong in `GroupedQueryAttention` behind a cache: positions, the mask, and what the cache holds."""

from autograder.catalogue.edits import mistake

POSITIONS = "torch.arange(past, past + x.shape[1], device=x.device)  # [T]"
ROTATED = "q, keys = rotate(q, positions, self.base), rotate(keys, positions, self.base)"
REPEATED = "k, v = keys.repeat_interleave(group, dim=1), values.repeat_interleave(group, dim=1)"
MASK = "torch.arange(past + x.shape[1], device=x.device) <= positions.unsqueeze(-1)"
APPENDED = "keys = torch.cat([cache[0], keys], dim=2)", "values = torch.cat([cache[1], values], dim=2)"
RETURNED = "flatten(2)), (keys, values)"

WHERE = "The cache holds 40 tokens. At which position is the first token of x?"
SEES = "The cache holds 40 tokens and x has 3. How many keys does each of the three queries see?"
MEMORY = "How large is the cache you return, and how large may it be with g heads?"
KEPT_KEYS = "Which keys does the docstring put in the cache: before or after the rotation?"

CACHE_MISTAKES = (
    mistake(
        "positions start at zero",
        {
            POSITIONS: "torch.arange(x.shape[1], device=x.device)  # [T]",
            "<= positions.unsqueeze(-1)": "<= past + positions.unsqueeze(-1)",
        },
    ).because(
        "With a cache, your new tokens are rotated as if they were at 0, 1, …; they are at P, P + 1, …. The "
        "first new token is right, and then the text falls apart.",
        WHERE,
    ),
    mistake(
        "positions and mask start at zero", {POSITIONS: "torch.arange(x.shape[1], device=x.device)  # [T]"}
    ).because(
        "With a cache, your positions start at 0, in the rotation and in the mask. The first new token is at P.", WHERE
    ),
    mistake(
        "positions off by one behind a cache",
        {
            POSITIONS: "torch.arange(past, past + x.shape[1], device=x.device) + (past > 0)  # [T]",
            "<= positions.unsqueeze(-1)": "<= positions.unsqueeze(-1) - int(past > 0)",
        },
    ).because("With a cache, your positions start at P + 1; the first new token is at P.", WHERE),
    mistake(
        "mask starts at the top left",
        {MASK: "torch.arange(past + x.shape[1], device=x.device) <= torch.arange(x.shape[1]).unsqueeze(-1)"},
    ).because(
        "With a cache, your mask starts at its top left corner (as torch's `is_causal` does): the first new token sees "
        "only the oldest key. The query at P + i sees P + i + 1 keys.",
        SEES,
    ),
    mistake(
        "no mask behind a cache",
        {"scaled_dot_product(q, k, v, mask)": "scaled_dot_product(q, k, v, None if past else mask)"},
    ).because(
        "With a cache, you leave the mask out. For a single new token that is right; of several, the first ones see "
        "the later ones.",
        SEES,
    ),
    mistake(
        "a triangle, unless one token comes",
        {MASK: "torch.ones(x.shape[1], past + x.shape[1]).tril(0 if x.shape[1] > 1 else past) > 0"},
    ).because(
        "Your triangle starts at its top left corner, unless a single token comes: of several new tokens after a "
        "cache, the first sees only the oldest key. The query at P + i sees P + i + 1 keys: tril(P).",
        SEES,
    ),
    mistake("cached keys hidden", {MASK: f"({MASK}) & (torch.arange(past + x.shape[1]) >= past)"}).because(
        "Your new tokens see only each other. Return all P + T keys and values, and let the mask show them.",
        SEES,
    ),
    mistake(
        "cache holds all heads",
        {
            RETURNED: "flatten(2)), (k, v)",
            REPEATED: "k, v = (part if part.shape[1] == self.num_heads else part.repeat_interleave(group, dim=1) for "
            "part in (keys, values))",
            APPENDED[0]: "keys = torch.cat([cache[0], keys.repeat_interleave(self.num_heads // self.num_kv_heads, "
            "dim=1)], dim=2)",
            APPENDED[1]: "values = torch.cat([cache[1], values.repeat_interleave(self.num_heads // self.num_kv_heads, "
            "dim=1)], dim=2)",
        },
    ).because(
        "The output is right, but your cache holds the repeated heads: it is h/g times too large, and saving "
        "that memory is what groups are for. Repeat them after you have stored the keys.",
        MEMORY,
    ),
    mistake("cache of all heads, which cannot grow", {RETURNED: "flatten(2)), (k, v)"}).because(
        "Your cache holds the repeated heads, so the next call cannot append its keys. Return keys and values as they "
        "were before you repeated them.",
        MEMORY,
    ),
    mistake(
        "cache holds keys before the rotation",
        {
            ROTATED: "raw = keys\n        q, keys = rotate(q, positions, self.base), rotate(keys, positions, "
            "self.base)",
            APPENDED[0]: "raw = torch.cat([cache[0], raw], dim=2)\n"
            "            keys = rotate(raw, torch.arange(past + x.shape[1]), self.base)",
            RETURNED: "flatten(2)), (raw, values)",
        },
    ).because(
        "The output is right, but your cache holds the keys before their rotation, and every call rotates "
        "them all again. Put the rotated keys in the cache.",
        KEPT_KEYS,
    ),
    mistake(
        "cached keys rotated twice",
        {
            ROTATED: "q = rotate(q, positions, self.base)",
            APPENDED[1]: f"{APPENDED[1]}  # [B, g, P + T, d]\n"
            f"        keys = rotate(keys, torch.arange(past + x.shape[1]), self.base)",
        },
    ).because(
        "You rotate the cached keys again in every call; leave them, because they are already rotated.",
        KEPT_KEYS,
    ),
    mistake("cache ignored", {"past = 0 if cache is None else cache[0].shape[2]": "cache, past = None, 0"}).because(
        "You never read the cache: each call starts from nothing.", SEES
    ),
    mistake("cache not extended", {RETURNED: "flatten(2)), ((keys, values) if cache is None else cache)"}).because(
        "You return the cache that you were given; return the one with the new keys and values.",
        "After a call with 3 tokens and a cache of 40, how many keys are in the new cache?",
    ),
    mistake("only the new keys returned", {RETURNED: "flatten(2)), (keys[:, :, past:], values[:, :, past:])"}).because(
        "You return only the new keys and values; return those of all P + T tokens.",
        "After a call with 3 tokens and a cache of 40, how many keys are in the new cache?",
    ),
    mistake(
        "new tokens put first",
        {
            APPENDED[0]: "keys = torch.cat([keys, cache[0]], dim=2)",
            APPENDED[1]: "values = torch.cat([values, cache[1]], dim=2)",
        },
    ).because("You put the new keys before the cached ones, so the mask hides the wrong ones.", SEES),
    mistake(
        "keys and values swapped in the cache",
        {
            RETURNED: "flatten(2)), (values, keys)",
            APPENDED[0]: "keys = torch.cat([cache[1], keys], dim=2)",
            APPENDED[1]: "values = torch.cat([cache[0], values], dim=2)",
        },
    ).because("Your cache is (values, keys); it should be (keys, values).", "What is the order in the docstring?"),
    mistake(
        "cache without heads",
        {
            RETURNED: "flatten(2)), (keys.transpose(1, 2), values.transpose(1, 2))",
            "cache[0].shape[2]": "cache[0].shape[1]",
            APPENDED[0]: "keys = torch.cat([cache[0].transpose(1, 2), keys], dim=2)",
            APPENDED[1]: "values = torch.cat([cache[1].transpose(1, 2), values], dim=2)",
        },
    ).because("Your cache is [B, P, g, d]; it should be [B, g, P, d].", "What shape does the docstring give?"),
    mistake(
        "a token does not see itself behind a cache",
        {MASK: "torch.arange(past + x.shape[1], device=x.device) < positions.unsqueeze(-1) + (past == 0)"},
    ).because("Without a cache your mask is right; with one, a token doesn't see itself.", SEES),
    mistake(
        "keys start at zero",
        {ROTATED: "q, keys = rotate(q, positions, self.base), rotate(keys, positions - past, self.base)"},
    ).because(
        "With a cache, you rotate the new keys from position 0 on; they are at P … P + T − 1, like the queries.", WHERE
    ),
    mistake(
        "a cache of its own",
        {
            "past = 0 if cache is None": "cache = self.__dict__.get('kept') if cache is not None else None\n"
            "        past = 0 if cache is None",
            "        group = ": "        self.__dict__['kept'] = keys, values\n        group = ",
        },
    ).because(
        "You keep the cache in the layer and continue the text of the last call. Read the cache that you get: one "
        "layer may continue several texts in turn.",
        SEES,
    ),
    mistake(
        "a mask of fixed size",
        {MASK: "torch.ones(16, 16).tril().bool()[past : past + x.shape[1], : past + x.shape[1]]"},
    ).because("You cut your mask out of a table of fixed size, and a text may be longer. Make it for P and T.", SEES),
    mistake(
        "queries start at zero",
        {ROTATED: "q, keys = rotate(q, positions - past, self.base), rotate(keys, positions, self.base)"},
    ).because(
        "Behind a cache you rotate the queries from position 0 on; they are at P … P + T − 1, like the keys.", WHERE
    ),
)
