"""Parts of `DecoderBlock` that are wired differently: what each reads, what is added to what, where dropout acts."""

from autograder.catalogue.decoder.decoder_block_mistakes import CROSS, SELF, SUB_LAYERS
from autograder.catalogue.edits import mistake

NAMES = {1: "self-attention", 2: "cross-attention", 3: "feed-forward"}
LINES = {i: f"self.norm{i}(x + self.dropout({layer}))" for i, layer in SUB_LAYERS.items()}
START = "visible = causal"
FORMULA = "x = norm(x + dropout(sub-layer(x))): which of these symbols is missing or misplaced in your code?"
WHEN = "Is dropout applied to what a sub-layer reads, or to what it returns?"

OF_WIRING = (
    *(
        mistake(f"norm{i} inside the branch", {LINES[i]: f"x + self.norm{i}(self.dropout({SUB_LAYERS[i]}))"}).because(
            f"You apply norm{i} to the output of the {name} and add x afterwards; normalise the sum.", FORMULA
        )
        for i, name in NAMES.items()
    ),
    *(
        mistake(
            f"norm{i} before the {name}",
            {LINES[i]: f"x + self.dropout({SUB_LAYERS[i].replace('(x', f'(self.norm{i}(x)')})"},
        ).because(f"You apply norm{i} to the input of the {name}; apply it to the sum of x and its output.", FORMULA)
        for i, name in NAMES.items()
    ),
    mistake("norm1 forgotten", {LINES[1]: LINES[1].replace("self.norm1", "")}).because(
        "You do not normalise the sum after the self-attention; apply norm1.", FORMULA
    ),
    mistake("norm2 forgotten", {LINES[2]: LINES[2].replace("self.norm2", "")}).because(
        "You do not normalise the sum after the cross-attention; apply norm2.", FORMULA
    ),
    *(
        mistake(f"{what} from a normalised memory", {CROSS: f"self.cross_attn(x, {given}, memory_mask)"}).because(
            f"You take the {what} of the cross-attention from the normalised memory; take them from the memory itself.",
            "What does the block do to its second argument?",
        )
        for what, given in (("keys", "self.norm2(memory), memory"), ("values", "memory, self.norm2(memory)"))
    ),
    mistake(
        "second residual from the input", {START: f"start = x\n        {START}", "self.norm2(x": "self.norm2(start"}
    ).because(
        "Around the cross-attention you add the block's input; add the output of norm1.",
        "What should the second sub-layer be added to?",
    ),
    mistake(
        "last residual from norm1",
        {f"x = {LINES[2]}": f"first, x = x, {LINES[2]}", "self.norm3(x": "self.norm3(first"},
    ).because(
        "Around the feed-forward you add the output of norm1; add the output of norm2.",
        "What should the third sub-layer be added to?",
    ),
    *(
        mistake(f"feed-forward of {what}", {SUB_LAYERS[3]: "self.linear_net(read)", old: new}).because(
            f"Your feed-forward reads {what}; give it the output of norm2.",
            "Which x does the last line of the formula read?",
        )
        for what, old, new in (
            ("the block's input", START, f"read = x\n        {START}"),
            ("the output of norm1", f"x = {LINES[2]}", f"read, x = x, {LINES[2]}"),
            ("the cross-attention's output", f"self.dropout({CROSS})", f"(read := self.dropout({CROSS}))"),
        )
    ),
    mistake(
        "queries from the self-attention's output",
        {f"self.dropout({SELF})": f"(read := self.dropout({SELF}))", CROSS: CROSS.replace("(x", "(read")},
    ).because(
        "The queries of your cross-attention are the output of the self-attention; take the output of norm1.",
        "Which x does the second line of the formula pass to the cross-attention?",
    ),
    *(
        mistake(
            f"dropout twice after the {NAMES[i]}", {f"self.dropout({layer})": f"self.dropout(self.dropout({layer}))"}
        ).because(f"You apply dropout twice to the output of the {NAMES[i]}; apply it once.", WHEN)
        for i, layer in SUB_LAYERS.items()
    ),
    mistake("dropout on the memory", {CROSS: f"(lambda memory: {CROSS})(self.dropout(memory))"}).because(
        "You apply dropout to the memory; apply it only to the outputs of the sub-layers.", WHEN
    ),
    *(
        mistake(
            f"dropout before the {name}",
            {f"self.dropout({SUB_LAYERS[i]})": SUB_LAYERS[i].replace("(x", "(self.dropout(x)")},
        ).because(f"You apply dropout to the input of the {name}; apply it to the output.", WHEN)
        for i, name in ((1, "self-attention"), (2, "cross-attention"))
    ),
)
