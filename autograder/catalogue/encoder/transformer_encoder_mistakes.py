"""What goes wrong in `TransformerEncoder`."""

from autograder.catalogue.common_mistakes import in_double_precision, other_names, overwrites, switches
from autograder.catalogue.edits import mistake

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
    mistake("the last layer's map alone", {"return attention_maps": "return attention_maps[-1]"}),
    mistake("one block repeated", {BLOCKS: "nn.ModuleList([EncoderBlock(**block_args)] * num_layers)"}).because(
        "`[block] * n` puts the same block in every place: your layers share their weights.", HOW_MANY
    ),
    mistake("a plain list", {BLOCKS: "[EncoderBlock(**block_args) for _ in range(num_layers)]"}).because(
        "A Python list hides its blocks: they are neither trained, saved nor moved. Use nn.ModuleList.", HOW_MANY
    ),
    mistake("one layer", {"range(num_layers)": "range(1)"}).because(
        "Your encoder has a single block, whatever num_layers says.", HOW_MANY
    ),
    mistake("one layer too many", {"range(num_layers)": "range(num_layers + 1)"}).because(
        "Your encoder has a block more than num_layers says.", HOW_MANY
    ),
    other_names({"self.layers": "self.blocks"}, times=3),
    mistake(
        "a norm at the end",
        {
            BLOCKS: f'{BLOCKS}\n        self.norm = nn.LayerNorm(block_args["input_dim"])',
            "return x": "return self.norm(x)",
        },
    ).because("You normalise the result once more; the blocks are post-norm and have done so.", CHAIN),
    mistake("dropout lost", {"(**block_args)": '(**block_args | {"dropout": 0.0})'}).because(
        "The dropout does not reach your blocks.", ROUTE
    ),
    mistake("heads lost", {"(**block_args)": '(**block_args | {"num_heads": 1})'}).because(
        "num_heads does not reach your blocks.", ROUTE
    ),
    mistake("pre-norm blocks", {"(EncoderBlock(": "(PreNormEncoderBlock("}).because(
        "Your stack is made of PreNormEncoderBlock; the contract says EncoderBlock.",
        "Which of the two blocks is the one of the 2017 paper?",
    ),
)

OF_FORWARD = (
    mistake("only the last layer", stepped("y = layer(x, mask)") | {"return x": "return y"}).because(
        "Every block gets the original x, and you return what the last one gives: the others are lost.", CHAIN
    ),
    mistake("only the first layer", looped("self.layers[:1]")).because(
        "You return inside the loop: only the first block runs.", CHAIN
    ),
    mistake("all but the last layer", looped("self.layers[:-1]")).because("The last block never runs.", CHAIN),
    mistake("all but the first layer", looped("self.layers[1:]")).because("The first block never runs.", CHAIN),
    mistake("backwards", looped("self.layers[::-1]")).because("Your blocks run from the last to the first.", CHAIN),
    mistake("layers not assigned", stepped("layer(x, mask)")).because(
        "What each block gives is thrown away: x = layer(x, mask).", CHAIN
    ),
    mistake("layers summed", {LOOP: "x = sum(layer(x, mask) for layer in self.layers)"}).because(
        "Your blocks stand side by side, and their outputs are added; run them one after the other.", CHAIN
    ),
    mistake(
        "a residual around the stack", {LOOP: f"before = x\n        {LOOP}", "return x": "return before + x"}
    ).because("You add x to the result; the residuals are inside the blocks.", CHAIN),
    mistake("mask forgotten in forward", stepped("x = layer(x)")).because("No block gets the mask.", EVERY),
    mistake("mask for the first layer only", stepped("x, mask = layer(x, mask), None")).because(
        "Only the first block gets the mask: from the second on, every token sees all others.", EVERY
    ),
    mistake(
        "mask nowhere", {"for layer in self.layers:": "mask = None\n        for layer in self.layers:"}, times=2
    ).because("Neither forward nor the maps use the mask.", EVERY),
    mistake("cut from the graph", {"    def forward(": "    @torch.no_grad()\n    def forward("}).because(
        "forward runs without gradients, so nothing learns; torch.no_grad is for the maps, if at all.",
        "Which of your two methods is used in training?",
    ),
    mistake("layers averaged", {LOOP: "x = sum(layer(x, mask) for layer in self.layers) / len(self.layers)"}).because(
        "Your blocks stand side by side, and their outputs are averaged; run them one after the other.", CHAIN
    ),
    mistake("a residual around each block", stepped("x = x + layer(x, mask)")).because(
        "You add x to what each block gives; the residuals are inside the blocks.", CHAIN
    ),
    mistake(
        "mask for the last layer only", stepped("x = layer(x, mask if layer is self.layers[-1] else None)")
    ).because("Only the last block gets the mask: before it, every token has seen all others.", EVERY),
)

OF_MAPS = (
    mistake("every map from the input", {NEXT: "append(attention)"}).because(
        "You ask every layer's attention with the original x; from the second layer on, x is another.", SAME_WAY
    ),
    mistake(
        "maps from the output of each layer", {MAP: f"x = layer(x, mask)\n            {MAP}", NEXT: "append(attention)"}
    ).because("You ask a layer's attention with what the layer gives; it is to be asked with what it gets.", SAME_WAY),
    mistake("attention instead of the layer", {"_, attention": "x, attention", NEXT: "append(attention)"}).because(
        "For the maps you hand on the attention's output; the rest of the block is missing.", SAME_WAY
    ),
    mistake("mask lost on the way", {NEXT: NEXT.replace(", mask", "")}).because(
        "Each map is masked, but x goes on without the mask: later maps are not those of forward.", SAME_WAY
    ),
    mistake("maps without the mask, on a masked way", {"self_attn(x, mask": "self_attn(x"}).because(
        "The layers get the mask, but you ask for their maps without it.", EVERY
    ),
    mistake("maps without the mask", {"attention_maps = []": "attention_maps, mask = [], None"}).because(
        "get_attention_maps does not use the mask.", EVERY
    ),
    mistake("maps averaged over the heads", {"append(attention)": "append(attention.mean(dim=1))"}).because(
        "You average over the heads; each head has a map of its own.", "Which shape has the attention of one layer?"
    ),
    mistake("outputs instead of maps", {"_, attention": "attention, _"}).because(
        "These are the outputs of the attention, not its weights: return_attention=True.",
        "What does self_attn return when you ask for the attention?",
    ),
    mistake("pairs instead of maps", {"_, attention": "attention"}).because(
        "self_attn gives a pair, output and attention, and you keep both; the map is the second.", COLLECT
    ),
    mistake("the last map only", {"return attention_maps": "return attention_maps[-1:]"}).because(
        "You return the map of the last layer; every layer has one.", COLLECT
    ),
    switches(
        "mode of the module itself",
        "eval for the maps",
        {"attention_maps = []": "self.eval()\n        attention_maps = []"},
        "get_attention_maps changes the model's mode. Leave the model in the mode in which you got it.",
    ),
    mistake("mask for the first map only", {NEXT: f"{NEXT}\n            mask = None"}).because(
        "Only the first map is made with the mask.", EVERY
    ),
    mistake("outputs unpacked", {", return_attention=True": ""}).because(
        "You ask self_attn for no attention, and unpack its output: return_attention=True.", COLLECT
    ),
    mistake("the first map only", {"return attention_maps": "return attention_maps[:1]"}).because(
        "You return the map of the first layer; every layer has one.", COLLECT
    ),
    mistake("maps backwards", {"return attention_maps": "return attention_maps[::-1]"}).because(
        "Your maps begin with the last layer.", COLLECT
    ),
)

MISTAKES = (
    *OF_LAYERS,
    *OF_FORWARD,
    *OF_MAPS,
    mistake(
        "one mask for all samples", stepped("x = layer(x, mask[:1] if mask is not None and mask.ndim > 2 else mask)")
    ),
    *(
        mistake(
            f"mask.{method} without a test for None",
            {f"        {LOOP}": f"        mask = mask.{method}\n        {LOOP}"},
        ).because("mask is None when nothing is hidden: test for it first, or hand it on as it is.", EVERY)
        for method in ("bool()", "unsqueeze(-3)")
    ),
    mistake("input cut from the graph", {LOOP: f"x = x.detach()\n        {LOOP}"}),
    mistake("dropout by default", {"return x": "return F.dropout(x, 0.1, self.training)"}),
    overwrites(
        "x",
        {NEXT: NEXT.replace("x = layer(x, mask)", "x.copy_(layer(x, mask))")},
        "Asking for the maps overwrites the caller's x: make new tensors, x = layer(x, mask).",
    ),
    in_double_precision("output", {"return x": "return x.double()"}),
)
