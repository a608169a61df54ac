"""What goes wrong in `TransformerEncoder`."""

from autograder.catalogue.edits import wrong
from autograder.catalogue.encoder.rows import in_double, in_place, worded

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


OF_LAYERS = {
    HOW_MANY: {
        "`[block] * n` puts the same block in every place: your layers share their weights.": wrong(
            "one block repeated", {BLOCKS: "nn.ModuleList([EncoderBlock(**block_args)] * num_layers)"}
        ),
        "A Python list hides its blocks: they are neither trained, saved nor moved. Use nn.ModuleList.": wrong(
            "a plain list", {BLOCKS: "[EncoderBlock(**block_args) for _ in range(num_layers)]"}
        ),
        "Your encoder has a single block, whatever num_layers says.": wrong(
            "one layer", {"range(num_layers)": "range(1)"}
        ),
        "Your encoder has a block more than num_layers says.": wrong(
            "one layer too many", {"range(num_layers)": "range(num_layers + 1)"}
        ),
    },
    "Which name does the docstring give under “Parameters”?": {
        "Your blocks are kept under another name than `layers`: saved weights would not fit.": wrong(
            "another name for layers", {"self.layers": "self.blocks"}, times=3
        ),
    },
    CHAIN: {
        "You normalise the result once more; the blocks are post-norm and have done so.": wrong(
            "a norm at the end",
            {
                BLOCKS: f'{BLOCKS}\n        self.norm = nn.LayerNorm(block_args["input_dim"])',
                "return x": "return self.norm(x)",
            },
        ),
    },
    "Which of the two blocks is the one of the 2017 paper?": {
        "Your stack is made of PreNormEncoderBlock; the contract says EncoderBlock.": wrong(
            "pre-norm blocks", {"(EncoderBlock(": "(PreNormEncoderBlock("}
        ),
    },
    ROUTE: {
        "The dropout does not reach your blocks.": wrong(
            "dropout lost", {"(**block_args)": '(**block_args | {"dropout": 0.0})'}
        ),
        "num_heads does not reach your blocks.": wrong(
            "heads lost", {"(**block_args)": '(**block_args | {"num_heads": 1})'}
        ),
    },
}

OF_FORWARD = {
    CHAIN: {
        "Every block gets the original x, and you return what the last one gives: the others are lost.": wrong(
            "only the last layer", stepped("y = layer(x, mask)") | {"return x": "return y"}
        ),
        "You return inside the loop: only the first block runs.": wrong(
            "only the first layer", looped("self.layers[:1]")
        ),
        "The last block never runs.": wrong("all but the last layer", looped("self.layers[:-1]")),
        "The first block never runs.": wrong("all but the first layer", looped("self.layers[1:]")),
        "Your blocks run from the last to the first.": wrong("backwards", looped("self.layers[::-1]")),
        "What each block gives is thrown away: x = layer(x, mask).": wrong(
            "layers not assigned", stepped("layer(x, mask)")
        ),
        "Your blocks stand side by side, and their outputs are added; run them one after the other.": wrong(
            "layers summed", {LOOP: "x = sum(layer(x, mask) for layer in self.layers)"}
        ),
        "Your blocks stand side by side, and their outputs are averaged; run them one after the other.": wrong(
            "layers averaged", {LOOP: "x = sum(layer(x, mask) for layer in self.layers) / len(self.layers)"}
        ),
        "You add x to the result; the residuals are inside the blocks.": wrong(
            "a residual around the stack", {LOOP: f"before = x\n        {LOOP}", "return x": "return before + x"}
        ),
        "You add x to what each block gives; the residuals are inside the blocks.": wrong(
            "a residual around each block", stepped("x = x + layer(x, mask)")
        ),
    },
    EVERY: {
        "No block gets the mask.": wrong("mask forgotten in forward", stepped("x = layer(x)")),
        "Only the first block gets the mask: from the second on, every token sees all others.": wrong(
            "mask for the first layer only", stepped("x, mask = layer(x, mask), None")
        ),
        "Only the last block gets the mask: before it, every token has seen all others.": wrong(
            "mask for the last layer only", stepped("x = layer(x, mask if layer is self.layers[-1] else None)")
        ),
        "Neither forward nor the maps use the mask.": wrong(
            "mask nowhere", {"for layer in self.layers:": "mask = None\n        for layer in self.layers:"}, times=2
        ),
    },
    "Which of your two methods is used in training?": {
        "forward runs without gradients, so nothing learns; torch.no_grad is for the maps, if at all.": wrong(
            "cut from the graph", {"    def forward(": "    @torch.no_grad()\n    def forward("}
        ),
    },
}

OF_MAPS = {
    SAME_WAY: {
        "You ask every layer's attention with the original x; from the second layer on, x is another.": wrong(
            "every map from the input", {NEXT: "append(attention)"}
        ),
        "You ask a layer's attention with what the layer gives; it is to be asked with what it gets.": wrong(
            "maps from the output of each layer",
            {MAP: f"x = layer(x, mask)\n            {MAP}", NEXT: "append(attention)"},
        ),
        "For the maps you hand on the attention's output; the rest of the block is missing.": wrong(
            "attention in the place of the layer", {"_, attention": "x, attention", NEXT: "append(attention)"}
        ),
        "Each map is masked, but x goes on without the mask: later maps are not those of forward.": wrong(
            "mask lost on the way", {NEXT: NEXT.replace(", mask", "")}
        ),
    },
    EVERY: {
        "The layers get the mask, but you ask for their maps without it.": wrong(
            "maps without the mask, on a masked way", {"self_attn(x, mask": "self_attn(x"}
        ),
        "Only the first map is made with the mask.": wrong(
            "mask for the first map only", {NEXT: f"{NEXT}\n            mask = None"}
        ),
        "get_attention_maps does not use the mask.": wrong(
            "maps without the mask", {"attention_maps = []": "attention_maps, mask = [], None"}
        ),
    },
    "Which shape has the attention of one layer?": {
        "You average over the heads; each head has a map of its own.": wrong(
            "maps averaged over the heads", {"append(attention)": "append(attention.mean(dim=1))"}
        ),
    },
    "What does self_attn return when you ask for the attention?": {
        "These are the outputs of the attention, not its weights: return_attention=True.": wrong(
            "outputs in the place of maps", {"_, attention": "attention, _"}
        ),
    },
    COLLECT: {
        "self_attn gives a pair, output and attention, and you keep both; the map is the second.": wrong(
            "pairs in the place of maps", {"_, attention": "attention"}
        ),
        "You ask self_attn for no attention, and unpack its output: return_attention=True.": wrong(
            "outputs unpacked", {", return_attention=True": ""}
        ),
        "You return the map of the last layer; every layer has one.": wrong(
            "the last map only", {"return attention_maps": "return attention_maps[-1:]"}
        ),
        "You return the map of the first layer; every layer has one.": wrong(
            "the first map only", {"return attention_maps": "return attention_maps[:1]"}
        ),
        "Your maps begin with the last layer.": wrong(
            "maps backwards", {"return attention_maps": "return attention_maps[::-1]"}
        ),
    },
    "In which mode is the model after your call, and in which was it before?": {
        "get_attention_maps leaves the model in eval mode: whoever goes on training trains without dropout.": wrong(
            "eval for the maps",
            {"attention_maps = []": "self.eval()\n        attention_maps = []"},
            shown_by="the mode of the module itself is another one after the call",
        ),
    },
}

MISTAKES = (
    *worded(OF_LAYERS),
    *worded(OF_FORWARD),
    *worded(OF_MAPS),
    wrong(
        "one mask for all samples", stepped("x = layer(x, mask[:1] if mask is not None and mask.ndim > 2 else mask)")
    ),
    *(
        wrong(
            f"mask.{method} without a test for None",
            {f"        {LOOP}": f"        mask = mask.{method}\n        {LOOP}"},
            "mask is None when nothing is hidden: test for it first, or hand it on as it is.",
            EVERY,
        )
        for method in ("bool()", "unsqueeze(-3)")
    ),
    wrong("the first mask kept", stepped('x = layer(x, self.__dict__.setdefault("kept", mask))')),
    wrong("layers cut from each other", stepped("x = layer(x.detach(), mask)")),
    wrong("input cut from the graph", {LOOP: f"x = x.detach()\n        {LOOP}"}),
    wrong("dropout by default", {"return x": "return F.dropout(x, 0.1, self.training)"}),
    in_place(
        "x",
        {NEXT: NEXT.replace("x = layer(x, mask)", "x.copy_(layer(x, mask))")},
        "Asking for the maps overwrites the caller's x: make new tensors, x = layer(x, mask).",
    ),
    in_double({"return x": "return x.double()"}),
    wrong("the first maps kept", {"return attention_maps": 'return self.__dict__.setdefault("kept", attention_maps)'}),
)
