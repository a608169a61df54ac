"""What goes wrong in `TransformerEncoder`."""

from autograder.catalogue.edits import wrong

BLOCKS = "nn.ModuleList(EncoderBlock(**block_args) for _ in range(num_layers))"
LOOP = "for layer in self.layers:\n            x = layer(x, mask)"  # that of forward
MAP = "_, attention = layer.self_attn(x, mask, return_attention=True)"
NEXT = "append(attention)\n            x = layer(x, mask)"

HOW_MANY = "How many blocks does your constructor make, and does the module know them?"
CHAIN = "What does the second block get, and what does forward return?"
EVERY = "Which layers get the mask?"
SAME_WAY = "Which x does layer 2 see in forward? Which x do you ask its attention with?"
ROUTE = "Through which arguments does EncoderBlock get its dropout and its heads?"
COLLECT = "Where do you collect the maps?"


def looped(layers: str) -> dict[str, str]:
    """An edit: forward goes through these layers."""
    return {LOOP: LOOP.replace("self.layers", layers)}


def stepped(step: str) -> dict[str, str]:
    """An edit: this is what forward does with each layer."""
    return {LOOP: LOOP.replace("x = layer(x, mask)", step)}


OF_LAYERS = (
    wrong(
        "one block repeated",
        {BLOCKS: "nn.ModuleList([EncoderBlock(**block_args)] * num_layers)"},
        "`[block] * n` puts the same block in every place: your layers share their weights.",
        HOW_MANY,
    ),
    wrong(
        "a plain list",
        {BLOCKS: "[EncoderBlock(**block_args) for _ in range(num_layers)]"},
        "A Python list hides its blocks from the module: they are neither trained, saved nor moved. Use nn.ModuleList.",
        HOW_MANY,
    ),
    wrong(
        "one layer",
        {"range(num_layers)": "range(1)"},
        "Your encoder has a single block, whatever num_layers says.",
        HOW_MANY,
    ),
    wrong("one layer too many", {"range(num_layers)": "range(num_layers + 1)"}),
    wrong(
        "another name for layers",
        {"self.layers": "self.blocks"},
        "Your blocks are kept under another name than `layers`: saved weights would not fit.",
        "Which name does the docstring give under “Parameters”?",
        times=3,
    ),
    wrong(
        "a norm at the end",
        {
            BLOCKS: f'{BLOCKS}\n        self.norm = nn.LayerNorm(block_args["input_dim"])',
            "return x": "return self.norm(x)",
        },
        "You normalise the result once more; the blocks are post-norm and have done so.",
        CHAIN,
    ),
    wrong(
        "pre-norm blocks",
        {"(EncoderBlock(": "(PreNormEncoderBlock("},
        "Your stack is made of PreNormEncoderBlock; the contract says EncoderBlock.",
        "Which of the two blocks is the one of the 2017 paper?",
    ),
    wrong(
        "dropout lost",
        {"(**block_args)": '(**block_args | {"dropout": 0.0})'},
        "The dropout does not reach your blocks.",
        ROUTE,
    ),
    wrong(
        "heads lost",
        {"(**block_args)": '(**block_args | {"num_heads": 1})'},
        "num_heads does not reach your blocks.",
        ROUTE,
    ),
)

OF_FORWARD = (
    wrong(
        "only the last layer",
        stepped("y = layer(x, mask)") | {"return x": "return y"},
        "Every block gets the original x, and the output of the last one is returned: the others work for nothing.",
        CHAIN,
    ),
    wrong(
        "only the first layer",
        looped("self.layers[:1]"),
        "You return inside the loop: only the first block runs.",
        CHAIN,
    ),
    wrong("all but the last layer", looped("self.layers[:-1]"), "The last block never runs.", CHAIN),
    wrong("all but the first layer", looped("self.layers[1:]"), "The first block never runs.", CHAIN),
    wrong("backwards", looped("self.layers[::-1]")),
    wrong(
        "layers summed",
        {LOOP: "x = sum(layer(x, mask) for layer in self.layers)"},
        "Your blocks stand side by side, and their outputs are added up; they are to be run one after the other.",
        CHAIN,
    ),
    wrong("layers averaged", {LOOP: "x = sum(layer(x, mask) for layer in self.layers) / len(self.layers)"}),
    wrong("a residual around the stack", {LOOP: f"before = x\n        {LOOP}", "return x": "return before + x"}),
    wrong("a residual around each block", stepped("x = x + layer(x, mask)")),
    wrong("mask forgotten in forward", stepped("x = layer(x)"), "No block gets the mask.", EVERY),
    wrong(
        "mask for the first layer only",
        stepped("x, mask = layer(x, mask), None"),
        "Only the first block gets the mask: from the second on, every token sees all others.",
        EVERY,
    ),
    wrong("mask for the last layer only", stepped("x = layer(x, mask if layer is self.layers[-1] else None)")),
    wrong(
        "mask nowhere",
        {"for layer in self.layers:": "mask = None\n        for layer in self.layers:"},
        "Neither forward nor the maps use the mask.",
        EVERY,
        times=2,
    ),
    wrong("the first mask kept", stepped('x = layer(x, self.__dict__.setdefault("kept", mask))')),
    wrong(
        "cut from the graph",
        {"    def forward(": "    @torch.no_grad()\n    def forward("},
        "forward runs without gradients, so nothing learns; torch.no_grad is for the maps, if at all.",
        "Which of your two methods is used in training?",
    ),
    wrong("layers cut from each other", stepped("x = layer(x.detach(), mask)")),
    wrong("input cut from the graph", {LOOP: f"x = x.detach()\n        {LOOP}"}),
    wrong("dropout by default", {"return x": "return F.dropout(x, 0.1, self.training)"}),
)

OF_MAPS = (
    wrong(
        "every map from the input",
        {NEXT: "append(attention)"},
        "You ask every layer's attention with the original x; from the second layer on, x is another.",
        SAME_WAY,
    ),
    wrong(
        "maps from the output of each layer",
        {MAP: f"x = layer(x, mask)\n            {MAP}", NEXT: "append(attention)"},
        "You let x through the layer first and ask its attention then: that is the x of the next layer.",
        SAME_WAY,
    ),
    wrong(
        "attention in the place of the layer",
        {"_, attention": "x, attention", NEXT: "append(attention)"},
        "For the maps you hand the attention's output on to the next layer; the rest of the block is missing.",
        SAME_WAY,
    ),
    wrong(
        "maps without the mask, on a masked way",
        {"self_attn(x, mask": "self_attn(x"},
        "The layers get the mask, but you ask for their maps without it.",
        EVERY,
    ),
    wrong(
        "mask lost on the way",
        {NEXT: NEXT.replace(", mask", "")},
        "Each map is masked, but the x between them is made without the mask: later maps are not those of forward.",
        SAME_WAY,
    ),
    wrong("mask for the first map only", {NEXT: f"{NEXT}\n            mask = None"}),
    wrong(
        "maps without the mask",
        {"attention_maps = []": "attention_maps, mask = [], None"},
        "get_attention_maps does not use the mask.",
        EVERY,
    ),
    wrong(
        "maps averaged over the heads",
        {"append(attention)": "append(attention.mean(dim=1))"},
        "You average over the heads; each head has a map of its own.",
        "Which shape has the attention of one layer?",
    ),
    wrong(
        "outputs in the place of maps",
        {"_, attention": "attention, _"},
        "These are the outputs of the attention, not its weights: return_attention=True.",
        "What does self_attn return when you ask for the attention?",
    ),
    wrong(
        "the last map only",
        {"return attention_maps": "return attention_maps[-1:]"},
        "You return the map of the last layer; every layer has one.",
        COLLECT,
    ),
    wrong(
        "the first map only",
        {"return attention_maps": "return attention_maps[:1]"},
        "You return the map of the first layer; every layer has one.",
        COLLECT,
    ),
    wrong("maps backwards", {"return attention_maps": "return attention_maps[::-1]"}),
    wrong("the first maps kept", {"return attention_maps": 'return self.__dict__.setdefault("kept", attention_maps)'}),
)

MISTAKES = OF_LAYERS + OF_FORWARD + OF_MAPS
