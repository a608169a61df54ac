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
