"""What goes wrong in `TransformerEncoder`."""

from autograder.catalogue.common_mistakes import in_double_precision, other_names, overwrites, switches
from autograder.catalogue.edits import mistake

BLOCKS = "nn.ModuleList(EncoderBlock(**block_args) for _ in range(num_layers))"
LOOP = "for layer in self.layers:\n            x = layer(x, mask)"  # that of forward
MAP = "_, attention = layer.self_attn(x, mask, return_attention=True)"
NEXT = "append(attention)\n            x = layer(x, mask)"

HOW_MANY = "How many blocks does your constructor create, and does the module know them?"
CHAIN = "What is the second block's input, and what does forward return?"
EVERY = "Which layers get the mask?"
SAME_WAY = "Which x does layer 2 get in forward? Which x do you pass to its attention?"
ROUTE = "Through which arguments does EncoderBlock get its dropout and its heads?"
COLLECT = "Where do you collect the maps?"


def looped(layers: str) -> dict[str, str]:
    """An edit: forward goes through these layers."""
    return {LOOP: LOOP.replace("self.layers", layers)}


def stepped(step: str) -> dict[str, str]:
    """An edit: this is what forward does with each layer."""
    return {LOOP: LOOP.replace("x = layer(x, mask)", step)}


OF_LAYERS = (
    mistake("the last layer's map alone", {"return attention_maps": "return attention_maps[-1]"}).because(
        "You return the map of the last layer only. Return a list with one map per layer.", COLLECT
    ),
    mistake("one block repeated", {BLOCKS: "nn.ModuleList([EncoderBlock(**block_args)] * num_layers)"}).because(
        "`[block] * n` repeats the same block, so your layers share their weights; create a new block for each.",
        HOW_MANY,
    ),
    mistake("a plain list", {BLOCKS: "[EncoderBlock(**block_args) for _ in range(num_layers)]"}).because(
        "Your blocks are in a Python list, so they are neither trained, saved nor moved; use nn.ModuleList.", HOW_MANY
    ),
    mistake("one layer", {"range(num_layers)": "range(1)"}).because(
        "Your encoder has a single block; create num_layers of them.", HOW_MANY
    ),
    mistake("one layer too many", {"range(num_layers)": "range(num_layers + 1)"}).because(
        "Your encoder has one block too many; create num_layers of them.", HOW_MANY
    ),
    mistake("one layer too few", {"range(num_layers)": "range(num_layers - 1)"}).because(
        "Your encoder has too few blocks; create num_layers of them.", HOW_MANY
    ),
    other_names({"self.layers": "self.blocks"}, times=3),
    mistake(
        "a norm at the end",
        {
            BLOCKS: f'{BLOCKS}\n        self.norm = nn.LayerNorm(block_args["input_dim"])',
            "return x": "return self.norm(x)",
        },
    ).because("You normalise the result again; leave that out, because the blocks are post-norm.", CHAIN),
    mistake("dropout lost", {"(**block_args)": '(**block_args | {"dropout": 0.0})'}).because(
        "You do not pass dropout to your blocks.", ROUTE
    ),
    mistake("heads lost", {"(**block_args)": '(**block_args | {"num_heads": 1})'}).because(
        "You do not pass num_heads to your blocks.", ROUTE
    ),
    mistake("pre-norm blocks", {"(EncoderBlock(": "(PreNormEncoderBlock("}).because(
        "Your stack is made of PreNormEncoderBlock; use EncoderBlock.",
        "Which of the two blocks is the one of the 2017 paper?",
    ),
)

OF_FORWARD = (
    mistake("the first layer every time", stepped("x = self.layers[0](x, mask)")).because(
        "You run the first block num_layers times; run each block once.", CHAIN
    ),
    mistake("mask inverted", stepped("x = layer(x, None if mask is None else mask == 0)")).because(
        "You pass on the inverted mask; here True means visible.", EVERY
    ),
    mistake("only the last layer", stepped("y = layer(x, mask)") | {"return x": "return y"}).because(
        "Every block gets the original x, so only the last one counts; feed each the output of the one before.", CHAIN
    ),
    mistake("only the first layer", looped("self.layers[:1]")).because(
        "You return inside the loop, so only the first block runs; return after it.", CHAIN
    ),
    mistake("all but the last layer", looped("self.layers[:-1]")).because(
        "You never run the last block; run all of them.", CHAIN
    ),
    mistake("all but the first layer", looped("self.layers[1:]")).because(
        "You never run the first block; run all of them.", CHAIN
    ),
    mistake("backwards", looped("self.layers[::-1]")).because(
        "You run your blocks from the last to the first; start with the first.", CHAIN
    ),
    mistake("layers not assigned", stepped("layer(x, mask)")).because(
        "You discard each block's output; write x = layer(x, mask).", CHAIN
    ),
    mistake("layers summed", {LOOP: "x = sum(layer(x, mask) for layer in self.layers)"}).because(
        "You run your blocks side by side and add their outputs; run them one after the other.", CHAIN
    ),
    mistake(
        "a residual around the stack", {LOOP: f"before = x\n        {LOOP}", "return x": "return before + x"}
    ).because("You add x to the result; leave the residuals to the blocks.", CHAIN),
    mistake("mask forgotten in forward", stepped("x = layer(x)")).because(
        "You pass the mask to no block; pass it to all of them.", EVERY
    ),
    mistake("mask for the first layer only", stepped("x, mask = layer(x, mask), None")).because(
        "You pass the mask only to the first block, so from the second on every token sees all others; pass it to all.",
        EVERY,
    ),
    mistake(
        "mask nowhere", {"for layer in self.layers:": "mask = None\n        for layer in self.layers:"}, times=2
    ).because("You use the mask neither in forward nor for the maps; use it in both.", EVERY),
    mistake("cut from the graph", {"    def forward(": "    @torch.no_grad()\n    def forward("}).because(
        "Your forward runs without gradients, so nothing learns; use torch.no_grad only for the maps, if at all.",
        "Which of your two methods is used in training?",
    ),
    mistake("layers averaged", {LOOP: "x = sum(layer(x, mask) for layer in self.layers) / len(self.layers)"}).because(
        "You run your blocks side by side and average their outputs; run them one after the other.", CHAIN
    ),
    mistake("a residual around each block", stepped("x = x + layer(x, mask)")).because(
        "You add x to each block's output; leave the residuals to the blocks.", CHAIN
    ),
    mistake(
        "mask for the last layer only", stepped("x = layer(x, mask if layer is self.layers[-1] else None)")
    ).because(
        "You pass the mask only to the last block, when every token has already seen all others; pass it to all.", EVERY
    ),
)

OF_MAPS = (
    mistake("every map from the input", {NEXT: "append(attention)"}).because(
        "You pass the original x to every layer's attention; pass each the output of the layer before.", SAME_WAY
    ),
    mistake(
        "maps from the output of each layer", {MAP: f"x = layer(x, mask)\n            {MAP}", NEXT: "append(attention)"}
    ).because("You pass a layer's output to its attention; pass the layer's input.", SAME_WAY),
    mistake("attention instead of the layer", {"_, attention": "x, attention", NEXT: "append(attention)"}).because(
        "For the maps you pass on only the attention's output; pass on the whole block's output.", SAME_WAY
    ),
    mistake("mask lost on the way", {NEXT: NEXT.replace(", mask", "")}).because(
        "You mask each map but not the layers between, so the later maps are not those of forward; pass the "
        "mask to both.",
        SAME_WAY,
    ),
    mistake("maps without the mask, on a masked way", {"self_attn(x, mask": "self_attn(x"}).because(
        "You pass the mask to the layers but not to their maps; pass it to both.", EVERY
    ),
    mistake("maps without the mask", {"attention_maps = []": "attention_maps, mask = [], None"}).because(
        "Your get_attention_maps ignores the mask; pass it on.", EVERY
    ),
    *(
        mistake(name, {"append(attention)": f"append({averaged})"}).because(
            "You average over the heads; return one map per head.", "What is the shape of one layer's attention?"
        )
        for name, averaged in (
            ("maps averaged over the heads", "attention.mean(dim=1)"),
            ("maps averaged over the heads, with an axis", "attention.mean(dim=1, keepdim=True)"),
            ("the mean map for every head", "attention.mean(dim=1, keepdim=True).expand_as(attention)"),
        )
    ),
    *(
        mistake(name, {"append(attention)": f"append({first})"}).because(
            "You return only the map of the first head; return one map per head.",
            "What is the shape of one layer's attention?",
        )
        for name, first in (
            ("the first head's map alone", "attention[:, 0]"),
            ("the first head's map for every head", "attention[:, :1].expand_as(attention)"),
        )
    ),
    mistake(
        "the first layer's attention every time", {"_, attention = layer.": "_, attention = self.layers[0]."}
    ).because("You take every map from the first layer's attention; take each from its own layer's.", SAME_WAY),
    mistake("outputs instead of maps", {"_, attention": "attention, _"}).because(
        "You return the attention's outputs; return its weights, with return_attention=True.",
        "What does self_attn return when you ask for the attention?",
    ),
    mistake("pairs instead of maps", {"_, attention": "attention"}).because(
        "You keep the whole pair that self_attn returns; keep the second part, the map.", COLLECT
    ),
    mistake("the last map only", {"return attention_maps": "return attention_maps[-1:]"}).because(
        "You return only the last layer's map; return one per layer.", COLLECT
    ),
    switches(
        "mode of the module itself",
        "eval for the maps",
        {"attention_maps = []": "self.eval()\n        attention_maps = []"},
        "Your get_attention_maps changes the model's mode; restore it afterwards.",
    ),
    mistake("mask for the first map only", {NEXT: f"{NEXT}\n            mask = None"}).because(
        "You use the mask only for the first map; use it for all.", EVERY
    ),
    mistake("outputs unpacked", {", return_attention=True": ""}).because(
        "You unpack the output of self_attn without asking for the attention; pass return_attention=True.", COLLECT
    ),
    mistake("the first map only", {"return attention_maps": "return attention_maps[:1]"}).because(
        "You return only the first layer's map; return one per layer.", COLLECT
    ),
    mistake("maps backwards", {"return attention_maps": "return attention_maps[::-1]"}).because(
        "Your maps start with the last layer; start with the first.", COLLECT
    ),
)

MISTAKES = (
    *OF_LAYERS,
    *OF_FORWARD,
    *OF_MAPS,
    mistake(
        "one mask for all samples", stepped("x = layer(x, mask[:1] if mask is not None and mask.ndim > 2 else mask)")
    ).because("You use the first sample's mask for all samples. Pass on the whole mask.", EVERY),
    *(
        mistake(
            f"mask.{method} without a test for None",
            {f"        {LOOP}": f"        mask = mask.{method}\n        {LOOP}"},
        ).because("You use mask even if it is None; test for None first, or pass it on unchanged.", EVERY)
        for method in ("bool()", "unsqueeze(-3)")
    ),
    mistake("input cut from the graph", {LOOP: f"x = x.detach()\n        {LOOP}"}).because(
        "Your input is detached from the graph, so the layers before get no gradient. Keep it in the graph.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    mistake("dropout by default", {"return x": "return F.dropout(x, 0.1, self.training)"}).because(
        "You apply a dropout of your own to the encoder's output. Leave the dropout to the blocks.", ROUTE
    ),
    overwrites(
        "x",
        {NEXT: NEXT.replace("x = layer(x, mask)", "x.copy_(layer(x, mask))")},
        "Your get_attention_maps overwrites the caller's x; make new tensors, x = layer(x, mask).",
    ),
    in_double_precision("output", {"return x": "return x.double()"}),
)
