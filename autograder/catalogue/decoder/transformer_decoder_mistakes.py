"""What goes wrong in `TransformerDecoder`."""

from autograder.catalogue.common_mistakes import in_double_precision, other_names, overwrites
from autograder.catalogue.edits import mistake

CALL = "layer(x, memory, mask, memory_mask)"
BLOCK = "DecoderBlock(**block_args)"
BLOCKS = f"nn.ModuleList({BLOCK} for _ in range(num_layers))"
NOT_NAMED = "the blocks are not kept as `layers`"

MISTAKES = (
    *(
        mistake(
            f"{name} for the first layer only", {CALL: f"{CALL}\n            {name.replace(' ', '_')} = None"}
        ).because(
            f"Only the first layer gets the {name}; the others see what it hides.",
            f"What is the value of your {name} in the second round of your loop?",
        )
        for name in ("mask", "memory mask")
    ),
    *(
        mistake(name, {CALL: call}).because(f"{says} the layers.", "With which arguments do you call each layer?")
        for name, call, says in (
            ("mask dropped", "layer(x, memory, None, memory_mask)", "The mask does not reach"),
            ("memory mask dropped", "layer(x, memory, mask)", "The memory mask does not reach"),
            ("both masks dropped", "layer(x, memory)", "Neither of the two masks reaches"),
        )
    ),
    mistake("masks exchanged", {CALL: "layer(x, memory, memory_mask, mask)"}).because(
        "The layers get the memory mask where they expect the mask, and the other way round.",
        "In which order does DecoderBlock take its masks?",
    ),
    mistake("all layers get the input", {"x = layer": "output = layer", "return x": "return output"}).because(
        "Every layer starts again from the first x, and only the last one's result is kept.",
        "What does the second layer take in?",
    ),
    mistake("results not kept", {"x = layer": "layer"}).because(
        "The layers are called, and what they give is thrown away: x comes back as it was.",
        "Which of your lines gives x a new value?",
    ),
    mistake("last layer forgotten", {"in self.layers": "in self.layers[:-1]"}).because(
        "The last layer is never called.", "How often does your loop run with three layers?"
    ),
    mistake("returns inside the loop", {"x = layer": "return layer"}).because(
        "The return stands inside the loop: the first layer is the only one.", "How far is your return indented?"
    ),
    mistake("memory replaced by the output", {"x = layer": "memory = x = layer"}).because(
        "After the first layer the memory is gone: the others attend to the layer before.",
        "Should the second layer still be able to read the source?",
    ),
    mistake("memory forgotten", {CALL: "layer(x, x, mask)"}).because(
        "The layers get the tokens instead of the memory: nothing of the source is read.",
        "What is the second argument of DecoderBlock?",
    ),
    *(
        mistake(name, edits).because(
            "A last norm belongs to pre-norm models; here every block ends with one already.",
            "What stands after your loop besides `return x`?",
        )
        for name, edits in (
            (
                "a norm at the end",
                {
                    BLOCKS: f"{BLOCKS}\n        self.norm = nn.LayerNorm(block_args['input_dim'])",
                    "return x": "return self.norm(x)",
                },
            ),
            ("a norm without weights at the end", {"return x": "return nn.functional.layer_norm(x, x.shape[-1:])"}),
        )
    ),
    mistake("one block for all layers", {BLOCKS: f"nn.ModuleList([{BLOCK}] * num_layers)"}).because(
        "The same block stands in every place: the layers share their weights.",
        "What does `[block] * 3` repeat, the block or its construction?",
    ),
    mistake("a Python list", {BLOCKS: f"[{BLOCK} for _ in range(num_layers)]"}).because(
        "A Python list hides its modules: .parameters() does not find them, so nothing is trained.",
        "What does nn.ModuleList do that a list does not?",
    ),
    mistake("one layer too many", {"range(num_layers)": "range(num_layers + 1)"}).because(
        "You make one layer more than num_layers.", "How many numbers does range(3 + 1) give?"
    ),
    mistake("a fixed number of layers", {"range(num_layers)": "range(3)"}),
    *(
        mistake(name, {BLOCK: f"DecoderBlock(**block_args | {fixed})"}).because(
            says, "Which arguments does each block get?"
        )
        for name, fixed, says in (
            ("a fixed number of heads", {"num_heads": 1}, "The blocks have one head each, whatever num_heads says."),
            ("a fixed feed-forward", {"dim_feedforward": 24}, "dim_feedforward does not reach the blocks."),
            ("a dropout of your own", {"dropout": 0.1}, "The blocks drop although they were asked for dropout=0.0."),
            ("dropout not handed on", {"dropout": 0.0}, "The blocks never hear of dropout."),
        )
    ),
    *(
        mistake(f"{name} cut off", {CALL: CALL.replace(argument, f"{argument}.detach()", 1)}).because(
            f"The numbers are right, but the {name} is cut out of autograd: what comes before will never learn.",
            "Which call takes a tensor out of autograd?",
        )
        for name, argument in (("memory", "memory"), ("layers' input", "x"))
    ),
    other_names({"self.layers": "self.blocks"}, times=2, shown_by=NOT_NAMED),
    overwrites(
        "mask",
        {"for layer": "if mask is not None:\n            mask &= causal_mask(x.shape[1])\n        for layer"},
        "whoever made it has lost it.",
    ),
    in_double_precision("output", {"return x": "return x.double()"}),
    mistake("a residual around each block", {"x = layer": "x = x + layer"}),
)
