"""What goes wrong in `TransformerDecoder`."""

from autograder.catalogue.edits import wrong

CALL = "layer(x, memory, mask, memory_mask)"
BLOCK = "DecoderBlock(**block_args)"
BLOCKS = f"nn.ModuleList({BLOCK} for _ in range(num_layers))"

MISTAKES = (
    wrong("mask for the first layer only", {CALL: f"{CALL}\n            mask = None"}),
    wrong("memory mask for the first layer only", {CALL: f"{CALL}\n            memory_mask = None"}),
    *(
        wrong(name, {CALL: call}, f"{says} the layers.", "With which arguments do you call each layer?")
        for name, call, says in (
            ("mask dropped", "layer(x, memory, None, memory_mask)", "The mask does not reach"),
            ("memory mask dropped", "layer(x, memory, mask)", "The memory mask does not reach"),
            ("both masks dropped", "layer(x, memory)", "Neither of the two masks reaches"),
        )
    ),
    wrong(
        "masks exchanged",
        {CALL: "layer(x, memory, memory_mask, mask)"},
        "The layers get the memory mask where they expect the mask, and the other way round.",
        "In which order does DecoderBlock take its masks?",
    ),
    wrong(
        "all layers get the input",
        {"x = layer": "output = layer", "return x": "return output"},
        "Every layer starts again from the first x, and only the last one's result is kept.",
        "What does the second layer take in?",
    ),
    wrong("layers backwards", {"in self.layers": "in reversed(self.layers)"}),
    wrong("last layer forgotten", {"in self.layers": "in self.layers[:-1]"}),
    wrong(
        "returns inside the loop",
        {"x = layer": "return layer"},
        "The return stands inside the loop: the first layer is the only one.",
        "How far is your return indented?",
    ),
    wrong(
        "memory replaced by the output",
        {"x = layer": "memory = x = layer"},
        "After the first layer the memory is gone: the others attend to the layer before.",
        "Should the second layer still be able to read the source?",
    ),
    wrong(
        "memory forgotten",
        {CALL: "layer(x, x, mask)"},
        "The layers get the tokens instead of the memory: nothing of the source is read.",
        "What is the second argument of DecoderBlock?",
    ),
    wrong("a residual around each block", {"x = layer": "x = x + layer"}),
    wrong(
        "a norm at the end",
        {
            BLOCKS: f"{BLOCKS}\n        self.norm = nn.LayerNorm(block_args['input_dim'])",
            "return x": "return self.norm(x)",
        },
        "A last norm belongs to pre-norm models; here every block ends with one already.",
        "Which parameters has your decoder besides those of its layers?",
    ),
    wrong(
        "one block for all layers",
        {BLOCKS: f"nn.ModuleList([{BLOCK}] * num_layers)"},
        "The same block stands in every place: the layers share their weights.",
        "What does `[block] * 3` repeat, the block or its construction?",
    ),
    wrong(
        "a Python list",
        {BLOCKS: f"[{BLOCK} for _ in range(num_layers)]"},
        "A Python list hides its modules: .parameters() does not find them, so nothing is trained.",
        "What does nn.ModuleList do that a list does not?",
    ),
    wrong("one layer too many", {"range(num_layers)": "range(num_layers + 1)"}),
    wrong("a fixed number of heads", {BLOCK: "DecoderBlock(**block_args | {'num_heads': 1})"}),
    wrong("a fixed feed-forward", {BLOCK: "DecoderBlock(**block_args | {'dim_feedforward': 24})"}),
    wrong("a fixed number of layers", {"range(num_layers)": "range(3)"}),
    wrong("a dropout of your own", {BLOCK: "DecoderBlock(**block_args | {'dropout': 0.1})"}),
    wrong("the memory cut off", {CALL: "layer(x, memory.detach(), mask, memory_mask)"}),
    wrong("cut between the layers", {CALL: "layer(x.detach(), memory, mask, memory_mask)"}),
    wrong("dropout not handed on", {BLOCK: "DecoderBlock(**block_args | {'dropout': 0.0})"}),
)
