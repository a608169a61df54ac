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
            f"You pass the {name} only to the first layer, so the others see what it hides; pass it to all.",
            f"What is the value of your {name} in the second round of your loop?",
        )
        for name in ("mask", "memory mask")
    ),
    *(
        mistake(name, {CALL: call}).because(f"{says} the layers.", "With which arguments do you call each layer?")
        for name, call, says in (
            ("mask dropped", "layer(x, memory, None, memory_mask)", "You do not pass the mask to"),
            ("memory mask dropped", "layer(x, memory, mask)", "You do not pass the memory mask to"),
            ("both masks dropped", "layer(x, memory)", "You pass neither of the two masks to"),
        )
    ),
    mistake("masks exchanged", {CALL: "layer(x, memory, memory_mask, mask)"}).because(
        "You swap the mask and the memory mask; pass each where the layers expect it.",
        "In which order does DecoderBlock take its masks?",
    ),
    mistake("all layers get the input", {"x = layer": "output = layer", "return x": "return output"}).because(
        "You start every layer from the first x, so only the last one counts; feed each the output of the one before.",
        "What is the input of the second layer?",
    ),
    mistake("results not kept", {"x = layer": "layer"}).because(
        "You discard the layers' outputs and return x unchanged; write x = layer(x, …).",
        "Which of your lines gives x a new value?",
    ),
    mistake("last layer forgotten", {"in self.layers": "in self.layers[:-1]"}).because(
        "You never call the last layer; call all of them.", "How often does your loop run with three layers?"
    ),
    mistake("returns inside the loop", {"x = layer": "return layer"}).because(
        "Your return is inside the loop, so only the first layer runs; return after the loop.",
        "How far is your return indented?",
    ),
    mistake("memory replaced by the output", {"x = layer": "memory = x = layer"}).because(
        "Your layers after the first attend to the previous layer's output instead of the memory; pass the "
        "memory to all.",
        "Should the second layer still be able to read the source?",
    ),
    mistake("memory forgotten", {CALL: "layer(x, x, mask)"}).because(
        "You pass the tokens to the layers instead of the memory, so the source is never read; pass the memory.",
        "What is the second argument of DecoderBlock?",
    ),
    *(
        mistake(name, edits).because(
            "You add a last norm; leave it out, because every post-norm block already ends with one.",
            "What comes after your loop besides `return x`?",
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
        "You repeat the same block, so the layers share their weights; create a new block for each.",
        "What does `[block] * 3` repeat, the block or its construction?",
    ),
    mistake("a Python list", {BLOCKS: f"[{BLOCK} for _ in range(num_layers)]"}).because(
        "You keep the layers in a Python list, where .parameters() does not find them; use nn.ModuleList.",
        "What does nn.ModuleList do that a list does not?",
    ),
    mistake("one layer too many", {"range(num_layers)": "range(num_layers + 1)"}).because(
        "You create one layer too many; create num_layers of them.", "How many numbers does range(3 + 1) give?"
    ),
    mistake("one layer too few", {"range(num_layers)": "range(num_layers - 1)"}).because(
        "You create too few layers; create num_layers of them.", "How many numbers does range(3 - 1) give?"
    ),
    mistake("the first layer every time", {CALL: f"self.layers[0]{CALL.removeprefix('layer')}"}).because(
        "You run the first layer num_layers times; run each layer once.", "What do you call inside your loop?"
    ),
    mistake("one mask for both", {CALL: "layer(x, memory, mask, mask)"}).because(
        "You pass the mask of the tokens as that of the memory; pass memory_mask there.",
        "With which arguments do you call each layer?",
    ),
    mistake("backwards", {"in self.layers": "in reversed(self.layers)"}).because(
        "You run the layers from the last to the first; start with the first.", "Which layer gets the input?"
    ),
    mistake("tokens and memory exchanged", {CALL: "layer(memory, x, mask, memory_mask)"}).because(
        "You pass the memory to the layers as their tokens, and the tokens as their memory; swap the two.",
        "In which order does DecoderBlock take tokens and memory?",
    ),
    mistake("a fixed number of layers", {"range(num_layers)": "range(3)"}).because(
        "You create three blocks regardless of num_layers. Create num_layers of them.",
        "How many blocks does your constructor create?",
    ),
    *(
        mistake(name, {BLOCK: f"DecoderBlock(**block_args | {fixed})"}).because(
            says, "Which arguments does each block get?"
        )
        for name, fixed, says in (
            ("a fixed number of heads", {"num_heads": 1}, "Your blocks always have one head; pass num_heads to them."),
            ("a fixed feed-forward", {"dim_feedforward": 24}, "You do not pass dim_feedforward to the blocks."),
            (
                "a dropout of your own",
                {"dropout": 0.1},
                "Your blocks apply dropout even with dropout=0.0; pass dropout to them.",
            ),
            ("dropout not passed on", {"dropout": 0.0}, "You do not pass dropout to the blocks."),
        )
    ),
    *(
        mistake(f"{name} cut off", {CALL: CALL.replace(argument, f"{argument}.detach()", 1)}).because(
            f"The numbers are right, but the {name} is detached from the graph, so the layers before it never learn.",
            "Which call detaches a tensor from the graph?",
        )
        for name, argument in (("memory", "memory"), ("layers' input", "x"))
    ),
    other_names({"self.layers": "self.blocks"}, times=2, shown_by=NOT_NAMED),
    overwrites(
        "mask",
        {"for layer": "if mask is not None:\n            mask &= causal_mask(x.shape[1])\n        for layer"},
        "the caller has lost it.",
    ),
    in_double_precision("output", {"return x": "return x.double()"}),
    mistake("a residual around each block", {"x = layer": "x = x + layer"}).because(
        "You add each block's input to its output. The block does that for each sub-layer: pass on its output only.",
        "What should forward return, given the output of the last block?",
    ),
)
