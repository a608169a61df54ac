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
        "`F.dropout` drops also in eval mode, unless it is told `training=self.training`.",
        "Do two calls in eval mode give the same?",
    ),
    mistake("dropout forgotten", {"self.dropout(": "("}, times=3).because(
        "The outputs of the sub-layers are added without dropout.", "Where in forward do you use `self.dropout`?"
    ),
    *(
        mistake(name, {"x + self.dropout(": dropped}, times=3).because(
            "You drop x with it or in its place; it is the sub-layer's output that is to be dropped, alone.", LEFT
        )
        for name, dropped in (
            ("dropout on the residual", "self.dropout(x) + ("),
            ("dropout on the sum", "self.dropout(x + "),
        )
    ),
    *(
        mistake(f"dropout on the sum with sub-layer {i}", {f"x + self.dropout({layer}": f"self.dropout(x + {layer}"})
        for i, layer in ((1, SELF), (2, CROSS))
    ),
    mistake("nn.Dropout without the rate", {"nn.Dropout(dropout)": "nn.Dropout()"}),
    mistake(
        "dropout after the norm",
        {f"self.norm{i}(x + self.dropout(": f"self.dropout(self.norm{i}(x + " for i in SUB_LAYERS},
    ).because(
        "You drop what leaves the norm; it is the sub-layer's output that is to be dropped, before it is added.", LEFT
    ),
    mistake("feed-forward without dropout", {"dim_feedforward, dropout)": "dim_feedforward)"}).because(
        "The feed-forward does not get the dropout that the block was given.", "Which arguments does FeedForward take?"
    ),
    mistake(
        "a dropout of your own",
        {"dim_feedforward, dropout)": "dim_feedforward, 0.1)", "nn.Dropout(dropout)": "nn.Dropout(0.1)"},
        "The block drops while training although it was asked for dropout=0.0.",
        "Which probability do your Dropout modules get?",
    ),
    mistake("not causal", {SELF: "self.self_attn(x, mask)"}).because(
        "Without a mask every token sees the later ones, the answers too: perfect in training, useless at writing.",
        "What does your self-attention get when no mask is given?",
    ),
    mistake("the mask takes the place of causality", {f"{MASK} & visible": MASK}).because(
        "As soon as a mask is given, your block is no longer causal.",
        "A mask hides the padding; does it hide the future too?",
    ),
    mistake("mask ignored", {f"{MASK} & visible": "visible"}).because(
        "Your self-attention is causal and never uses the mask that it is given.",
        "Where in forward does `mask` appear?",
    ),
    mistake("mask or causality", {f"{MASK} & visible": f"{MASK} | visible"}).because(
        "A token is seen when the mask OR causality allows it; both must.", "Which of `&` and `|` means “both”?"
    ),
    mistake("mask inverted", {MASK: f"~{MASK}"}).because(
        "Your block shows what the mask hides; in this course True means visible.", TRUE
    ),
    mistake("causal diagonal one too high", {CAUSAL: "torch.ones(x.shape[1], x.shape[1]).tril(1).bool()"}).because(
        "Each token sees the next one, which is the one to be guessed.", "Which is the last column that row 0 may see?"
    ),
    mistake("causal diagonal one too low", {CAUSAL: f"{CAUSAL}.tril(-1)"}).because(
        "No token attends to itself, and the first one to nothing; the residual hides it from a quick look.",
        "May a token use its own input?",
    ),
    mistake("causality upside down", {CAUSAL: f"{CAUSAL}.T"}).because(
        "Your triangle lies on the wrong side: every token sees the future and not the past.",
        "Row i belongs to query i. Which columns j may it see?",
    ),
    mistake("only boolean masks", {MASK: "expand_mask(mask)"}).because(
        "`&` works on booleans; a mask of floats, 0. and 1., gives an error.",
        "What does `mask.bool()` do to a mask of numbers?",
    ),
    mistake("queries from the memory", {CROSS: "self.cross_attn(memory, x, x, memory_mask)"}).because(
        "The memory asks and the tokens answer: the output has the length of the memory, and leaks later tokens.",
        "How many outputs must there be: as many as tokens, or as many as memory rows?",
    ),
    mistake("cross-attention attends to itself", {CROSS: "self.cross_attn(x, x, x)"}).because(
        "Keys and values of your cross-attention come from the tokens: nothing of the source is ever read.",
        MEMORY_CHANGED,
    ),
    mistake("memory mask ignored", {CROSS: "self.cross_attn(x, memory, memory)"}).because(
        "The padding of the memory is attended to like everything else.", "Where in forward does `memory_mask` appear?"
    ),
    mistake(
        "memory mask inverted", {", memory_mask)": ", None if memory_mask is None else ~memory_mask.bool())"}
    ).because("Your block attends to the padding of the memory and to nothing else.", TRUE),
    mistake(
        "the target's mask on the memory", {", memory_mask)": ", mask if memory_mask is None else memory_mask)"}
    ).because(
        "The mask [T, T] of the tokens is used on the scores [T, S] of the memory: it fits only by accident.",
        "Which shape have the scores of the cross-attention, and which mask has it too?",
    ),
    mistake(
        "masks exchanged",
        {"if mask is": "if memory_mask is", MASK: "expand_mask(memory_mask).bool()", ", memory_mask)": ", mask)"},
        "Your self-attention gets the mask of the memory, and the cross-attention that of the tokens.",
        "Over which axes is each of the two masks: [T, T] or [T, S]?",
    ),
    *(
        mistake(name, {", memory_mask)": f", {masks})"}).because(
            "Token i sees only the memory 0…i; but the whole source is known before the first word is written.",
            "Which part of the source should be hidden from the first token?",
        )
        for name, masks in (
            ("a causal cross-attention", "memory_mask, is_causal=True"),
            ("the causal mask on the memory", "visible"),
            ("a causal cross-attention without its mask", "None, is_causal=True"),
        )
    ),
    mistake("values from the tokens", {"(x, memory, memory,": "(x, memory, x,"}).because(
        "Keys come from the memory and values from the tokens: they do not belong to each other.",
        "What is a value the value of?",
    ),
    mistake("no cross-attention", {f"x = self.norm2(x + self.dropout({CROSS}))": ""}).because(
        "The cross-attention is built and never called.", MEMORY_CHANGED
    ),
    mistake("cross-attention before self-attention", {SELF: "FIRST", CROSS: SELF, "FIRST": CROSS}).because(
        "The tokens ask the memory before they have looked at each other.",
        "In which order does figure 1 of the paper stack the three sub-layers?",
    ),
    mistake(
        "norms before the sub-layers",
        {
            f"self.norm{i}(x + self.dropout({layer}))": f"x + self.dropout({layer.replace('(x', f'(self.norm{i}(x)')})"
            for i, layer in SUB_LAYERS.items()
        },
        "This is the pre-norm block: the norms stand before the sub-layers. Asked for is post-norm.",
        "With all sub-layers at zero, what should come out: x, or a normalised x?",
    ),
    mistake("no residuals", {"x + self.dropout(": "self.dropout("}, times=3).because(
        "Nothing is added to x: each sub-layer replaces what came in.",
        "With all sub-layers at zero, what is left of x?",
    ),
    mistake("residual outside the norm", {f"self.norm{i}(x + ": f"x + self.norm{i}(" for i in SUB_LAYERS}).because(
        "You normalise the change and then add it; the sum is what has to be normalised.",
        "What stands inside the parentheses of norm1(…)?",
    ),
    *(
        mistake(f"no residual around the {name}", {f"x + self.dropout({layer}": f"self.dropout({layer}"}).because(
            f"What the {name} gives replaces the tokens instead of being added to them.", PLUS_SIGNS
        )
        for name, layer in (("self-attention", SELF), ("cross-attention", CROSS), ("feed-forward", SUB_LAYERS[3]))
    ),
    mistake("one norm for all", {"self.norm2(": "self.norm1(", "self.norm3(": "self.norm1("}).because(
        "norm1 is used three times, norm2 and norm3 never.", "Which parameters get no gradient?"
    ),
    mistake("last norm forgotten", {"self.norm3(x": "(x"}).because(
        "What leaves the block has not been normalised.", "Where do you use norm3?"
    ),
    mistake("no feed-forward", {" + self.dropout(self.linear_net(x))": ""}).because(
        "The feed-forward is built and never called.", "Which sub-layer comes after the two attentions?"
    ),
    mistake("the mask of the first call", {CAUSAL: f"self.__dict__.setdefault('causal', {CAUSAL})"}),
    mistake("the mask of the first sample", {MASK: f"{MASK}[:1]"}).because(
        "Every sentence of the batch gets the mask of the first one.", "What is the first axis of a mask [B, 1, 1, T]?"
    ),
    mistake(
        "the memory mask of the first sample", {", memory_mask)": ", None if memory_mask is None else memory_mask[:1])"}
    ),
    mistake(
        "x overwritten",
        {f"x = self.norm1(x + self.dropout({SELF}))": f"x += self.dropout({SELF})\n        x = self.norm1(x)"},
        "`+=` writes into the tensor that the caller gave, and autograd still needs what stood there.",
        "What is the difference between x += y and x = x + y for a caller who goes on using x?",
    ),
    mistake("a fixed number of heads", {", num_heads)": ", 1)"}, times=2),
    overwrites(
        "mask",
        {f"{MASK} & visible": f"{MASK}.logical_and_(visible) if mask.shape[-2] > 1 else {MASK} & visible"},
        "whoever made it has lost it.",
    ),
    in_double_precision("output", {"self.linear_net(x))": "self.linear_net(x).double())"}),
    mistake(
        "samples mixed",
        {f"{layer})": f"(lambda c: c - c.mean(dim=0, keepdim=True))({layer}))" for layer in SUB_LAYERS.values()},
        "What one sample gives depends on which others are in the batch.",
        "Along which axes does your forward average or normalise?",
    ),
    other_names({"self.cross_attn": "self.encoder_attn", "self.linear_net": "self.feed_forward"}, times=2),
    mistake(
        "dropout on the feed-forward only",
        {"self.dropout(self.self_attn": "(self.self_attn", "self.dropout(self.cross_attn": "(self.cross_attn"},
    ).because(
        "The outputs of the two attentions are added without dropout.",
        "How many sub-layers are there, and how often do you call `self.dropout`?",
    ),
    mistake(
        "all residuals from the input",
        {"visible = causal": "start = x\n        visible = causal"}
        | {f"self.norm{i}(x": f"self.norm{i}(start" for i in (2, 3)},
    ).because(
        "Every residual adds the x that came into the block, not what the last sub-layer made of it.",
        "What should the second sub-layer be added to?",
    ),
    mistake("GELU for ReLU", {"self.norm1 = ": "self.linear_net[2] = nn.GELU()\n        self.norm1 = "}).because(
        "Your feed-forward bends with another function than ReLU; that came after 2017.",
        "Which function does equation 2 of the paper apply between the two Linears?",
    ),
    mistake(
        "cross-attention and its norm before self-attention",
        {f"1(x + self.dropout({SELF}": "FIRST", f"2(x + self.dropout({CROSS}": f"1(x + self.dropout({SELF}"}
        | {"FIRST": f"2(x + self.dropout({CROSS}"},
    ),
    mistake(
        "feed-forward before the cross-attention",
        {
            f"x = self.norm2(x + self.dropout({CROSS}))": f"x = self.norm3(x + self.dropout({SUB_LAYERS[3]}))",
            f"return self.norm3(x + self.dropout({SUB_LAYERS[3]}))": f"return self.norm2(x + self.dropout({CROSS}))",
        },
    ),
)
