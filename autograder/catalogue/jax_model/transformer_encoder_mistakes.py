"""What goes wrong in flax's `TransformerEncoder`."""

from autograder.catalogue.common_jax_mistakes import (
    BY_RNGS,
    GUESSED,
    cut,
    decides_by_value,
    keeps_what_it_saw,
    new_keys_in_every_call,
    rngs_of_its_own,
    seeds_numpy,
)
from autograder.catalogue.common_mistakes import other_names
from autograder.catalogue.edits import mistake, with_question
from autograder.catalogue.encoder.transformer_encoder_mistakes import CHAIN, COLLECT, EVERY, HOW_MANY, ROUTE, SAME_WAY

BLOCKS = "nnx.List([EncoderBlock(**block_args, rngs=rngs) for _ in range(num_layers)])"
STEP = "x = layer(x, mask, deterministic=deterministic, rngs=rngs)"
LOOP = f"for layer in self.layers:\n            {STEP}"
MAP = "_, attention = layer.self_attn(x, mask, return_attention=True)"
NEXT = "append(attention)\n            x = layer(x, mask)"
ALIKE_AT_FIRST = "two layers begin with the same numbers"
SAME_KEY = "two layers get the same key"
NOISY_MAPS = "with a dropout the maps are others, although nobody trains"


def looped(layers: str) -> dict[str, str]:
    """An edit: the call goes through these layers."""
    return {LOOP: LOOP.replace("self.layers", layers)}


def stepped(step: str) -> dict[str, str]:
    """An edit: this is what the call does with each layer."""
    return {LOOP: LOOP.replace(STEP, step)}


def told(flags: str) -> dict[str, str]:
    """An edit: this is what the call tells each layer."""
    return stepped(f"x = layer(x, mask{flags})")


OF_LAYERS = (
    *with_question(
        HOW_MANY,
        mistake(
            "one block repeated", {BLOCKS: "nnx.List([EncoderBlock(**block_args, rngs=rngs)] * num_layers)"}
        ).because(
            "`[block] * n` puts the same block in every place, so your layers share their parameters. Make new ones."
        ),
        mistake("a plain list", {BLOCKS: BLOCKS.removeprefix("nnx.List(").removesuffix(")")}).because(
            "flax refuses a plain list of modules, which it couldn't see inside. Use nnx.List."
        ),
        mistake("one layer", {"range(num_layers)": "range(1)"}).because(
            "Your encoder has a single block, whatever num_layers says. Make num_layers of them."
        ),
        mistake("one layer too few", {"range(num_layers)": "range(num_layers - 1)"}).because(
            "Your encoder has one block fewer than num_layers says. Make num_layers of them."
        ),
        mistake("one layer too many", {"range(num_layers)": "range(num_layers + 1)"}).because(
            "Your encoder has one block more than num_layers says. Make num_layers of them."
        ),
    ),
    mistake(
        "every layer draws with the same key", {", rngs=rngs) for": ", rngs=nnx.Rngs(0)) for"}, shown_by=ALIKE_AT_FIRST
    ).because(
        "You make the same Rngs for every block, so all layers begin alike. Hand the one that you were given to all.",
        "Which key does the second block draw from, and which the first?",
    ),
    rngs_of_its_own("        self.layers = "),
    keeps_what_it_saw("        for layer in self.layers:\n            x = layer"),
    other_names({"self.layers": "self.blocks"}, times=3),
    mistake(
        "a norm at the end",
        {
            BLOCKS: f'{BLOCKS}\n        self.norm = LayerNorm(block_args["input_dim"], rngs=rngs)',
            "return x": "return self.norm(x)",
        },
    ).because("You normalise the result again. The blocks are post-norm and have done so.", CHAIN),
    mistake("a counter in the state", {BLOCKS: f"{BLOCKS}\n        self.calls = nnx.Variable(jnp.zeros(()))"}).because(
        "Your encoder keeps a Variable that isn't a parameter. Keep parameters only.",
        "What does `nnx.state(encoder)` show? Which of its leaves should an optimiser train?",
    ),
    *with_question(
        ROUTE,
        mistake("dropout lost", {"(**block_args": '(**block_args | {"dropout": 0.0}'}).because(
            "The dropout doesn't reach your blocks. Pass all of block_args on."
        ),
        mistake("heads lost", {"(**block_args": '(**block_args | {"num_heads": 1}'}).because(
            "num_heads doesn't reach your blocks. Pass all of block_args on."
        ),
    ),
)

OF_THE_CALL = (
    *with_question(
        CHAIN,
        mistake("only the last layer", stepped(STEP.replace("x =", "y =")) | {"return x": "return y"}).because(
            "Every block gets the original x. Give each one what the one before it returns."
        ),
        mistake("only the first layer", looped("self.layers[:1]")).because("Only your first block runs. Run them all."),
        mistake("all but the last layer", looped("self.layers[:-1]")).because(
            "Your last block never runs. Run them all."
        ),
        mistake("all but the first layer", looped("self.layers[1:]")).because(
            "Your first block never runs. Run them all."
        ),
        mistake("backwards", looped("self.layers[::-1]")).because(
            "Your blocks run from the last to the first. Reverse them."
        ),
        mistake("layers not assigned", stepped(STEP.removeprefix("x = "))).because(
            "You throw away what each block returns. Assign it: x = layer(x, …)."
        ),
        mistake("layers summed", {LOOP: "x = sum(layer(x, mask) for layer in self.layers)"}).because(
            "You add the outputs of blocks that stand side by side. Run them one after the other."
        ),
        mistake("a residual around each block", stepped(STEP.replace("x = ", "x = x + "))).because(
            "You add x to what each block returns. The residuals are inside the blocks."
        ),
    ),
    *with_question(
        EVERY,
        mistake("mask forgotten in the call", stepped(STEP.replace("(x, mask", "(x"))).because(
            "No block gets the mask. Pass it to every layer."
        ),
        mistake("mask for the first layer only", stepped(f"x, mask = {STEP[4:]}, None")).because(
            "Only the first block gets the mask, so from the second on every token sees all others. Pass it to all."
        ),
        mistake(
            "mask for the last layer only", stepped(STEP.replace("mask", "mask if layer is self.layers[-1] else None"))
        ).because("Only the last block gets the mask. Pass it to every layer."),
        mistake(
            "mask nowhere", {"for layer in self.layers:": "mask = None\n        for layer in self.layers:"}, times=2
        ).because("Neither the call nor the maps use the mask. Pass it to every layer."),
    ),
    *with_question(
        "What does a block have to be told before it drops anything, and who tells it?",
        mistake("flag not passed on", told(", rngs=rngs")).because("Your blocks never train. Pass `deterministic` on."),
        mistake("rngs not passed on", told(", deterministic=deterministic")).because(
            "You pass `deterministic` on and not `rngs`, so the blocks find no key. Pass both."
        ),
        mistake(
            "flags for the first layer only",
            told(", deterministic=deterministic or layer is not self.layers[0], rngs=rngs"),
        ).because("Only your first block is told to train. Tell every layer."),
        mistake("flag guessed from rngs", told(", deterministic=rngs is None, rngs=rngs"), shown_by=GUESSED).because(
            BY_RNGS
        ),
        mistake("flag inverted", told(", deterministic=not deterministic, rngs=rngs")).because(
            "Your blocks drop when `deterministic` is True. Pass it on as it is."
        ),
        mistake(
            "rngs made inside",
            told(", deterministic=deterministic, rngs=nnx.Rngs(dropout=0)"),
            shown_by="another key drops the same entries",
        ).because(
            "You make a key inside, so every call drops the same entries. Pass the `rngs` that you are given on."
        ),
        mistake(
            "one key for all layers",
            {
                LOOP: "key = None if rngs is None else rngs.dropout()\n        "
                + LOOP.replace("rngs=rngs", "rngs=None if key is None else nnx.Rngs(dropout=key)")
            },
            shown_by=SAME_KEY,
        ).because("You take one key for all layers, so the same entries drop in each. Pass `rngs` itself on."),
    ),
    *new_keys_in_every_call("TransformerEncoder", lambda rngs: told(f", deterministic=deterministic, rngs={rngs}")),
    mistake("cut from the graph", {"return x": "return jax.lax.stop_gradient(x)"}).because(
        "No gradient comes back through your encoder, so nothing learns. Take `stop_gradient` away.",
        "Which of your calls takes an array out of JAX's differentiation?",
    ),
)

OF_MAPS = (
    *with_question(
        SAME_WAY,
        mistake("every map from the input", {NEXT: "append(attention)"}).because(
            "You ask every layer with the original x. Ask each with what the layer before it returns."
        ),
        mistake(
            "maps from the output of each layer",
            {MAP: f"x = layer(x, mask)\n            {MAP}", NEXT: "append(attention)"},
        ).because("You ask a layer's attention with what the layer returns. Ask with what it gets."),
        mistake("attention instead of the layer", {"_, attention": "x, attention", NEXT: "append(attention)"}).because(
            "You pass the attention's output on; the rest of the block is missing. Pass on what the layer returns."
        ),
        mistake("mask lost on the way", {NEXT: NEXT.replace(", mask", "")}).because(
            "Each map is masked, but x goes on without the mask. Give it to the layer too."
        ),
    ),
    *with_question(
        EVERY,
        mistake("maps without the mask, on a masked way", {"self_attn(x, mask": "self_attn(x"}).because(
            "The layers get the mask, but you ask for their maps without it. Pass it there, too."
        ),
        mistake("maps without the mask", {"attention_maps = []": "attention_maps, mask = [], None"}).because(
            "get_attention_maps ignores the mask. Pass it to the attention and to the layer."
        ),
    ),
    *with_question(
        COLLECT,
        mistake("outputs instead of maps", {"_, attention": "attention, _"}).because(
            "You collect the attention's outputs. The map is the second of the pair."
        ),
        mistake("the last map only", {"return attention_maps": "return attention_maps[-1:]"}).because(
            "You return the map of the last layer. Return one for each."
        ),
        mistake("one map, not a list", {"return attention_maps": "return attention_maps[-1]"}).because(
            "You return the map of the last layer. Return a list, with one for each."
        ),
        mistake(
            "maps of a training pass",
            {NEXT: NEXT.replace("mask)", "mask, deterministic=False, rngs=nnx.Rngs(0))")},
            shown_by=NOISY_MAPS,
        ).because("Your maps are drawn with dropout switched on. They are those of the deterministic pass."),
        mistake("maps averaged over the heads", {"append(attention)": "append(attention.mean(1))"}).because(
            "You average over the heads. Each head has a map of its own."
        ),
        mistake("maps backwards", {"return attention_maps": "return attention_maps[::-1]"}).because(
            "Your maps begin with the last layer. Begin with the first."
        ),
    ),
)

MISTAKES = (
    *OF_LAYERS,
    *OF_THE_CALL,
    *OF_MAPS,
    decides_by_value(
        "tokens asked for their values",
        {f"        {LOOP}": f"        if x.sum() > 1e30:\n            return x\n        {LOOP}"},
    ),
    cut("input cut off", {LOOP: f"x = jax.lax.stop_gradient(x)\n        {LOOP}"}, "x"),
    mistake(
        "one mask for all samples",
        stepped(STEP.replace("mask", "mask[:1] if mask is not None and mask.ndim > 2 else mask", 1)),
    ).because(
        "You use the first sample's mask for all samples. Pass on the whole mask.",
        "Which part of the mask reaches each block?",
    ),
    seeds_numpy(f"        {LOOP}"),
)
