"""What goes wrong in `DecoderBlock`."""

from autograder.catalogue.common_mistakes import in_double_precision, other_names, overwrites
from autograder.catalogue.edits import mistake

SELF, CROSS = "self.self_attn(x, visible)", "self.cross_attn(x, memory, memory, memory_mask)"
SUB_LAYERS = {1: SELF, 2: CROSS, 3: "self.linear_net(x)"}
CAUSAL, MASK = "causal_mask(x.shape[1])", "expand_mask(mask).bool()"

TRUE = "What does True mean in a mask of this course?"
LEFT = "With everything dropped, what should be left: nothing, or x?"
MEMORY_CHANGED = "If you change the memory, what changes in your output?"
PLUS_SIGNS = "How many plus signs does your forward have?"

MISTAKES = (
    mistake("dropout always on", {"self.dropout(": "F.dropout(p=self.dropout.p, input="}, times=3).because(
        "You apply `F.dropout` in eval mode too; pass `training=self.training`.",
        "Do two calls in eval mode return the same?",
    ),
    mistake("dropout forgotten", {"self.dropout(": "("}, times=3).because(
        "You add the sub-layers' outputs without dropout; apply it before the sum.",
        "Where in forward do you use `self.dropout`?",
    ),
    *(
        mistake(name, {"x + self.dropout(": dropped}, times=3).because(
            "You apply dropout to x; apply it only to the sub-layer's output.", LEFT
        )
        for name, dropped in (
            ("dropout on the residual", "self.dropout(x) + ("),
            ("dropout on the sum", "self.dropout(x + "),
        )
    ),
    *(
        mistake(
            f"dropout on the sum with sub-layer {i}", {f"x + self.dropout({layer}": f"self.dropout(x + {layer}"}
        ).because(f"You apply dropout to the sum at sub-layer {i}; apply it only to the sub-layer's output.", LEFT)
        for i, layer in ((1, SELF), (2, CROSS))
    ),
    mistake("nn.Dropout without the rate", {"nn.Dropout(dropout)": "nn.Dropout()"}).because(
        "You create nn.Dropout without a rate, so it drops half. Pass `dropout`.", "What is the default of nn.Dropout?"
    ),
    mistake(
        "dropout after the norm",
        {f"self.norm{i}(x + self.dropout(": f"self.dropout(self.norm{i}(x + " for i in SUB_LAYERS},
    ).because("You apply dropout after the norm; apply it to the sub-layer's output, before the sum.", LEFT),
    mistake("feed-forward without dropout", {"dim_feedforward, dropout)": "dim_feedforward)"}).because(
        "You do not pass the block's dropout to the feed-forward.", "Which arguments does FeedForward take?"
    ),
    mistake(
        "a dropout of your own",
        {"dim_feedforward, dropout)": "dim_feedforward, 0.1)", "nn.Dropout(dropout)": "nn.Dropout(0.1)"},
    ).because(
        "Your block applies dropout in training even with dropout=0.0; use the argument.",
        "Which probability do your Dropout modules get?",
    ),
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
    mistake(
        "norms before the sub-layers",
        {
            f"self.norm{i}(x + self.dropout({layer}))": f"x + self.dropout({layer.replace('(x', f'(self.norm{i}(x)')})"
            for i, layer in SUB_LAYERS.items()
        },
    ).because(
        "Your norms come before the sub-layers; put them after the sums, as post-norm does.",
        "With all sub-layers at zero, what should come out: x, or a normalised x?",
    ),
    mistake("no residuals", {"x + self.dropout(": "self.dropout("}, times=3).because(
        "You replace x by each sub-layer's output; add the output to x.",
        "With all sub-layers at zero, what is left of x?",
    ),
    mistake("residual outside the norm", {f"self.norm{i}(x + ": f"x + self.norm{i}(" for i in SUB_LAYERS}).because(
        "You normalise the sub-layer's output and then add it; normalise the sum.",
        "What is inside the parentheses of norm1(…)?",
    ),
    *(
        mistake(f"no residual around the {name}", {f"x + self.dropout({layer}": f"self.dropout({layer}"}).because(
            f"You replace the tokens by the output of the {name}; add it to them.", PLUS_SIGNS
        )
        for name, layer in (("self-attention", SELF), ("cross-attention", CROSS), ("feed-forward", SUB_LAYERS[3]))
    ),
    mistake("one norm for all", {"self.norm2(": "self.norm1(", "self.norm3(": "self.norm1("}).because(
        "You use norm1 three times, norm2 and norm3 never; use one per sub-layer.", "Which parameters get no gradient?"
    ),
    mistake("last norm forgotten", {"self.norm3(x": "(x"}).because(
        "You do not normalise the block's output; apply norm3.", "Where do you use norm3?"
    ),
    mistake("no feed-forward", {" + self.dropout(self.linear_net(x))": ""}).because(
        "You create the feed-forward but never call it; it is the third sub-layer.",
        "Which sub-layer comes after the two attentions?",
    ),
    mistake("the mask of the first call", {CAUSAL: f"self.__dict__.setdefault('causal', {CAUSAL})"}).because(
        "You keep the causal mask of the first call and use it in later calls. Make one for the length of the call.",
        "What does your module store in forward?",
    ),
    mistake("the mask of the first sample", {MASK: f"{MASK}[:1]"}).because(
        "You use the first sentence's mask for the whole batch; use each sentence's own.",
        "What is the first axis of a mask [B, 1, 1, T]?",
    ),
    mistake(
        "the memory mask of the first sample", {", memory_mask)": ", None if memory_mask is None else memory_mask[:1])"}
    ).because(
        "You use the first sample's memory mask for all samples. Pass on the whole mask.",
        "Which part of memory_mask reaches the attention?",
    ),
    mistake(
        "x overwritten",
        {f"x = self.norm1(x + self.dropout({SELF}))": f"x += self.dropout({SELF})\n        x = self.norm1(x)"},
    ).because(
        "`+=` overwrites the caller's tensor, which autograd still needs; write x = x + ….",
        "What is the difference between x += y and x = x + y for a caller who keeps using x?",
    ),
    mistake("a fixed number of heads", {", num_heads)": ", 1)"}, times=2).because(
        "Your attention has one head regardless of num_heads. Pass num_heads.",
        "Through which arguments do the two attentions get their heads?",
    ),
    overwrites(
        "mask",
        {f"{MASK} & visible": f"{MASK}.logical_and_(visible) if mask.shape[-2] > 1 else {MASK} & visible"},
        "the caller has lost it.",
    ),
    in_double_precision("output", {"self.linear_net(x))": "self.linear_net(x).double())"}),
    mistake(
        "samples mixed",
        {f"{layer})": f"(lambda c: c - c.mean(dim=0, keepdim=True))({layer}))" for layer in SUB_LAYERS.values()},
    ).because(
        "Your output for one sample depends on the others in the batch; treat each sample separately.",
        "Along which axes does your forward average or normalise?",
    ),
    other_names({"self.cross_attn": "self.encoder_attn", "self.linear_net": "self.feed_forward"}, times=2),
    mistake(
        "dropout on the feed-forward only",
        {"self.dropout(self.self_attn": "(self.self_attn", "self.dropout(self.cross_attn": "(self.cross_attn"},
    ).because(
        "You add the outputs of the two attentions without dropout; apply it to all three sub-layers.",
        "How many sub-layers are there, and how often do you call `self.dropout`?",
    ),
    mistake(
        "all residuals from the input",
        {"visible = causal": "start = x\n        visible = causal"}
        | {f"self.norm{i}(x": f"self.norm{i}(start" for i in (2, 3)},
    ).because(
        "You add the block's input in every residual; add the output of the previous sub-layer.",
        "What should the second sub-layer be added to?",
    ),
    mistake("GELU for ReLU", {"self.norm1 = ": "self.linear_net[2] = nn.GELU()\n        self.norm1 = "}).because(
        "Your feed-forward uses another non-linearity; use the paper's ReLU.",
        "Which function does equation 2 of the paper apply between the two Linears?",
    ),
    mistake(
        "cross-attention and its norm before self-attention",
        {f"1(x + self.dropout({SELF}": "FIRST", f"2(x + self.dropout({CROSS}": f"1(x + self.dropout({SELF}"}
        | {"FIRST": f"2(x + self.dropout({CROSS}"},
    ).because(
        "You ask the memory before the tokens look at each other. Run the self-attention first.",
        "In which order do the three sub-layers come in the formula?",
    ),
    mistake(
        "feed-forward before the cross-attention",
        {
            f"x = self.norm2(x + self.dropout({CROSS}))": f"x = self.norm3(x + self.dropout({SUB_LAYERS[3]}))",
            f"return self.norm3(x + self.dropout({SUB_LAYERS[3]}))": f"return self.norm2(x + self.dropout({CROSS}))",
        },
    ).because(
        "You run the feed-forward network before the cross-attention. Run it last.",
        "In which order do the three sub-layers come in the formula?",
    ),
    mistake(
        "norm2 and norm3 exchanged",
        {"self.norm2(x": "self.norm_(x", "self.norm3(x": "self.norm2(x", "self.norm_(x": "self.norm3(x"},
    ).because(
        "You use norm3 after the cross-attention and norm2 after the feed-forward. Use them in the order of their "
        "numbers, or published weights do not fit.",
        "Which sub-layer does norm2 follow?",
    ),
    mistake(
        "cross-attention attends to itself, under the memory's mask", {CROSS: "self.cross_attn(x, x, x, memory_mask)"}
    ).because(
        "Your cross-attention attends to the decoder's own tokens. Pass the memory as its keys and values.",
        MEMORY_CHANGED,
    ),
    mistake("the target's mask on the memory, always", {", memory_mask)": ", mask)"}).because(
        "You pass the mask of the target to the cross-attention. Pass memory_mask: its keys are the memory.",
        "Which keys does the cross-attention hide?",
    ),
    *(
        mistake(f"no dropout on the {what}", {f"self.dropout({layer})": layer}).because(
            f"You add the output of the {what} without dropout; apply dropout to it before the sum.",
            "How many sub-layers are there, and how often do you call `self.dropout`?",
        )
        for what, layer in (("self-attention", SELF), ("cross-attention", CROSS), ("feed-forward", SUB_LAYERS[3]))
    ),
    mistake("norm2 twice", {"self.norm3(x": "self.norm2(x"}).because(
        "You apply norm2 twice and norm3 never; use norm3 after the feed-forward.", "Which sub-layer does norm3 follow?"
    ),
    mistake("norm1 twice", {"self.norm2(x": "self.norm1(x"}).because(
        "You apply norm1 twice and norm2 never; use norm2 after the cross-attention.",
        "Which sub-layer does norm2 follow?",
    ),
    mistake(
        "last residual from the input",
        {"visible = causal": "start = x\n        visible = causal", "self.norm3(x": "self.norm3(start"},
    ).because(
        "Around the feed-forward you add the block's input; add the output of norm2.",
        "What should the third sub-layer be added to?",
    ),
    mistake(
        "memory normalised", {CROSS: "self.cross_attn(x, self.norm2(memory), self.norm2(memory), memory_mask)"}
    ).because("You normalise the memory; pass it on unchanged.", "What does the block do to its second argument?"),
    mistake(
        "cross-attention asked by the input",
        {"visible = causal": "start = x\n        visible = causal", CROSS: CROSS.replace("(x,", "(start,")},
    ).because(
        "The queries of your cross-attention are the block's input; take the output of norm1.",
        "Which x does the second line of the formula pass to the cross-attention?",
    ),
    mistake("mask transposed", {MASK: f"{MASK}.transpose(-2, -1)"}).because(
        "You use the mask with queries and keys swapped; rows are queries, columns are keys.",
        "Which axis of the mask belongs to the keys?",
    ),
)
