"""What goes wrong in `DecoderBlock` with causality, the masks and the memory."""

from autograder.catalogue.decoder.decoder_block_mistakes import CAUSAL, CROSS, MASK, MEMORY_CHANGED, SELF, TRUE
from autograder.catalogue.edits import mistake

OF_ATTENTION = (
    mistake("not causal", {SELF: "self.self_attn(x, mask)"}).because(
        "Without a mask, your tokens see the later ones, even the answers: perfect in training, useless for "
        "writing. Always hide them.",
        "What does your self-attention get if no mask is given?",
    ),
    mistake("the mask takes the place of causality", {f"{MASK} & visible": MASK}).because(
        "With a mask your block is no longer causal; combine the mask with causality.",
        "A mask hides the padding; does it hide the future too?",
    ),
    mistake("mask ignored", {f"{MASK} & visible": "visible"}).because(
        "Your self-attention is causal but never uses the given mask; combine the two.",
        "Where in forward does `mask` appear?",
    ),
    mistake("mask or causality", {f"{MASK} & visible": f"{MASK} | visible"}).because(
        "You show a token if the mask OR causality allows it; both must allow it.", "Which of `&` and `|` means “both”?"
    ),
    mistake("mask inverted", {MASK: f"~{MASK}"}).because(
        "Your block shows what the mask hides; here True means visible.", TRUE
    ),
    *(
        mistake(f"the mask of the {which}", {MASK: f"{MASK}[{rows}]"}).because(
            f"You use the mask of the {which} for all of them. Pass on the whole mask.",
            "What are the four axes of a mask [B, h, T, T]?",
        )
        for which, rows in (("last query", ":, :, -1:"), ("first head", ":, :1"))
    ),
    *(
        mistake(f"the {what} always visible", {f"{MASK} & visible": f"({MASK} | {shown}) & visible"}).because(
            f"You show the {what} even if the mask hides it; mask and causality must both allow it.",
            "May a mask hide a token from itself?",
        )
        for what, shown in (
            ("token itself", "torch.eye(x.shape[1]).bool()"),
            ("first token", "(torch.arange(x.shape[1]) == 0)"),
        )
    ),
    *(
        mistake(
            f"the memory mask of the {which}",
            {", memory_mask)": f", None if memory_mask is None else expand_mask(memory_mask){rows})"},
        ).because(
            f"You use the memory mask of the {which} for all of them. Pass on the whole mask.",
            "What are the four axes of a mask [B, h, T, S]?",
        )
        for which, rows in (("first query", "[:, :, :1]"), ("first head", "[:, :1]"))
    ),
    mistake(
        "only memory masks of padding",
        {", memory_mask)": ", None if memory_mask is None else memory_mask.reshape(len(x), 1, -1))"},
    ).because(
        "You reshape the memory mask to [B, 1, S], but it may also be [T, S] or have four axes. Pass it on unchanged.",
        "Which shapes does `expand_mask` take?",
    ),
    mistake("causal diagonal one too high", {CAUSAL: "torch.ones(x.shape[1], x.shape[1]).tril(1).bool()"}).because(
        "In your block each token sees the next one, which it must predict; lower the diagonal by one.",
        "Which is the last column that row 0 may see?",
    ),
    mistake("causal diagonal one too low", {CAUSAL: f"{CAUSAL}.tril(-1)"}).because(
        "In your block no token attends to itself, and the first one to nothing; raise the diagonal by one. "
        "(The residual hides this at first sight.)",
        "May a token use its own input?",
    ),
    mistake("causality upside down", {CAUSAL: f"{CAUSAL}.T"}).because(
        "Your triangle is on the wrong side: every token sees the future; it must see the past.",
        "Row i belongs to query i. Which columns j may it see?",
    ),
    mistake("only boolean masks", {MASK: "expand_mask(mask)"}).because(
        "You use `&` on a mask of floats, which is an error; convert it to booleans first.",
        "What does `mask.bool()` do to a mask of numbers?",
    ),
    mistake("queries from the memory", {CROSS: "self.cross_attn(memory, x, x, memory_mask)"}).because(
        "You use the memory as queries and the tokens as keys, so the output has the memory's length and "
        "leaks later tokens; swap them.",
        "How many outputs must there be: as many as tokens, or as many as memory rows?",
    ),
    mistake("cross-attention attends to itself", {CROSS: "self.cross_attn(x, x, x)"}).because(
        "You take the keys and values of the cross-attention from the tokens, so the source is never read; "
        "take them from the memory.",
        MEMORY_CHANGED,
    ),
    mistake("memory mask ignored", {CROSS: "self.cross_attn(x, memory, memory)"}).because(
        "You attend to the memory's padding; use memory_mask.", "Where in forward does `memory_mask` appear?"
    ),
    mistake(
        "memory mask inverted", {", memory_mask)": ", None if memory_mask is None else ~memory_mask.bool())"}
    ).because("Your block attends only to the memory's padding; True means visible.", TRUE),
    mistake(
        "the target's mask on the memory", {", memory_mask)": ", mask if memory_mask is None else memory_mask)"}
    ).because(
        "You use the tokens' mask [T, T] on the memory's scores [T, S], which it fits only by accident; use "
        "memory_mask.",
        "What is the shape of the scores in the cross-attention, and which mask has that shape?",
    ),
    mistake(
        "masks exchanged",
        {"if mask is": "if memory_mask is", MASK: "expand_mask(memory_mask).bool()", ", memory_mask)": ", mask)"},
    ).because(
        "You swap the masks: the self-attention needs the tokens' mask, the cross-attention the memory's.",
        "Over which axes is each of the two masks: [T, T] or [T, S]?",
    ),
    *(
        mistake(name, {", memory_mask)": f", {masks})"}).because(
            "Your token i sees only the memory 0…i; show it the whole memory, which is known before the first "
            "word is written.",
            "Which part of the source should be hidden from the first token?",
        )
        for name, masks in (
            ("a causal cross-attention", "memory_mask, is_causal=True"),
            ("the causal mask on the memory", "visible"),
            ("a causal cross-attention without its mask", "None, is_causal=True"),
        )
    ),
    mistake("values from the tokens", {"(x, memory, memory,": "(x, memory, x,"}).because(
        "You take the keys from the memory and the values from the tokens; take both from the memory.",
        "What is a value the value of?",
    ),
    mistake("no cross-attention", {f"x = self.norm2(x + self.dropout({CROSS}))": ""}).because(
        "You create the cross-attention but never call it; it is the second sub-layer.", MEMORY_CHANGED
    ),
    mistake("cross-attention before self-attention", {SELF: "FIRST", CROSS: SELF, "FIRST": CROSS}).because(
        "You apply the cross-attention before the self-attention; swap them.",
        "In which order does figure 1 of the paper stack the three sub-layers?",
    ),
)
