"""What goes wrong in flax's `TransformerPredictor`."""

from autograder.catalogue.common_jax_mistakes import (
    NOISE,
    cut,
    decides_by_value,
    drawn_alike,
    drawn_apart,
    keeps_what_it_saw,
    rngs_of_its_own,
    seeds_numpy,
)
from autograder.catalogue.common_mistakes import other_names
from autograder.catalogue.edits import mistake, with_question
from autograder.catalogue.jax_model.predictor_noise_mistakes import ENCODED, INPUT, NOISE_MISTAKES, OUTPUT

WIDE = "self.input_layer.out_features"
SCALED = "You multiply by √model_dim what input_layer returns. Go on with it as it is."
IF_POSITIONS = "if add_positional_encoding:"
HIDDEN = "nnx.relu(self.output_norm(self.output_hidden(x)))"
MAPS = "self.transformer.get_attention_maps(x, mask)"
OF_MAPS = "-> list[jax.Array]:\n"

PLACES = "Where do you use `add_positional_encoding`, in the call and in the maps?"
FIVE = "Linear, LayerNorm, ReLU, Dropout, Linear: which of the five do you call, and in which order?"
WHICH_MASK = "With which arguments do you call the transformer, and with which do you ask for its maps?"

MISTAKES = (
    *with_question(
        PLACES,
        mistake("positions always added", {IF_POSITIONS: "if True:"}, times=2).because(
            "You add positions even when they aren't wanted, which gives a set an order. Ask add_positional_encoding."
        ),
        mistake("positions never added", {IF_POSITIONS: "if False:"}, times=2).because(
            "You never call positional_encoding, so the model can't tell first from last. Call it."
        ),
        mistake("positions inverted", {IF_POSITIONS: "if not add_positional_encoding:"}, times=2).because(
            "You add the positions when they aren't wanted, and leave them out when they are. Invert the `if`."
        ),
        mistake("positions off by default", {"encoding: bool = True": "encoding: bool = False"}, times=2).because(
            "Your model adds no positions by default. The default is to add them."
        ),
        mistake(
            "positions always in the call",
            {f"        noise = {NOISE}": f"        noise, add_positional_encoding = {NOISE}, True"},
        ).because("The maps leave the positions out when told to, but the call doesn't. Ask in both."),
        mistake(
            "positions always in the maps", {OF_MAPS: f"{OF_MAPS}        add_positional_encoding = True\n"}
        ).because("The call leaves the positions out when told to, but the maps don't. Ask in both."),
        mistake(
            "positions off by default in the call",
            {"add_positional_encoding: bool = True,\n        *": "add_positional_encoding: bool = False,\n        *"},
        ).because("Your call adds no positions by default. The default is to add them."),
        mistake(
            "positions before the input layer",
            {
                "self.positional_encoding = PositionalEncoding(model_dim)": "self.positional_encoding = "
                "PositionalEncoding(input_dim)",
                f"        x = {INPUT}": "        if add_positional_encoding:\n            "
                f"x = self.positional_encoding(x)\n            add_positional_encoding = False\n        x = {INPUT}",
            },
        ).because("You add the positions to the tokens that come in. Add them to what input_layer gives."),
        mistake(
            "tokens scaled up",
            {f"x = {INPUT}": f"x = {INPUT}\n        if add_positional_encoding:\n            x *= x.shape[-1] ** 0.5"},
        ).because(SCALED),
        mistake("tokens scaled up in the call", {f"x = {INPUT}": f"x = {WIDE} ** 0.5 * {INPUT}"}).because(SCALED),
        mistake(
            "tokens scaled up in both",
            {
                f"x = {INPUT}": f"x = {WIDE} ** 0.5 * {INPUT}",
                "x = self.input_layer(x)": f"x = {WIDE} ** 0.5 * self.input_layer(x)",
            },
        ).because(SCALED),
        mistake(
            "tokens scaled up before the positions, in both",
            {"x = self.positional_encoding(x)": f"x = self.positional_encoding({WIDE} ** 0.5 * x)"},
            times=2,
        ).because(SCALED),
        mistake(
            "tokens scaled down in both",
            {
                f"x = {INPUT}": f"x = {WIDE} ** -0.5 * {INPUT}",
                "x = self.input_layer(x)": f"x = {WIDE} ** -0.5 * self.input_layer(x)",
            },
        ).because("You divide by √model_dim what input_layer returns. Go on with it as it is."),
        mistake("maps without positions", {OF_MAPS: f"{OF_MAPS}        add_positional_encoding = False\n"}).because(
            "Your maps never see positions. Go the same way as the call."
        ),
        mistake(
            "tokens added twice", {"x = self.positional_encoding(x)": "x = x + self.positional_encoding(x)"}, times=2
        ).because("positional_encoding returns x with the positions added. Don't add x again."),
    ),
    *with_question(
        WHICH_MASK,
        mistake("mask dropped", {ENCODED: "self.transformer(x, **noise)"}).because(
            "Your call takes a mask and never passes it on. Give it to the transformer."
        ),
        mistake("mask dropped in the maps", {MAPS: "self.transformer.get_attention_maps(x)"}).because(
            "You compute the maps without the mask. Pass it on."
        ),
        mistake("only the last map", {MAPS: f"{MAPS}[-1:]"}).because(
            "You return the last map. Return one for each layer."
        ),
        mistake("heads averaged", {MAPS: f"[attention.mean(1, keepdims=True) for attention in {MAPS}]"}).because(
            "You average over the heads. Every head has a map of its own."
        ),
        mistake("no maps come back", {f"return {MAPS}": MAPS}).because(
            "get_attention_maps computes the maps and returns nothing. Return them."
        ),
        mistake(
            "all maps of the input",
            {MAPS: "[layer.self_attn(x, mask, return_attention=True)[1] for layer in self.transformer.layers]"},
        ).because("You ask every layer about the first x. Ask each about what the layer before it returned."),
        mistake("maps of the raw input", {OF_MAPS: f"{OF_MAPS}        return {MAPS}\n"}).because(
            "You ask the encoder about the tokens as they came. Send them through input_layer first."
        ),
    ),
    *with_question(
        FIVE,
        mistake("ReLU forgotten", {"nnx.relu(self": "(self"}).because(
            "You leave the ReLU out, so what comes out is nearly linear. Call it after the norm."
        ),
        mistake("ReLU before the norm", {HIDDEN: "self.output_norm(nnx.relu(self.output_hidden(x)))"}).because(
            "Your norm comes after the ReLU. It comes before."
        ),
        mistake("GELU for ReLU", {"nnx.relu": "nnx.gelu"}).because("You use GELU. Use ReLU."),
        mistake("norm forgotten", {"self.output_norm(self.output_hidden(x))": "self.output_hidden(x)"}).because(
            "You never call output_norm. It comes after output_hidden."
        ),
        mistake("averaged over the tokens", {HIDDEN: HIDDEN.replace("(x)", "(x.mean(axis=1))")}).because(
            "You average over the tokens and guess once for each sequence. Guess for every token."
        ),
        mistake("probabilities instead of logits", {OUTPUT: f"nnx.softmax({OUTPUT})"}).because(
            "You return probabilities. Return logits: the loss has the softmax."
        ),
    ),
    *NOISE_MISTAKES,
    other_names({"self.input_layer": "self.embed"}, times=3),
    *with_question(
        "Which dim_feedforward, num_heads and num_layers does the encoder get?",
        mistake("feed-forward too narrow", {"2 * model_dim": "model_dim"}).because(
            "Your feed-forward is model_dim wide. The published parameters have 2·model_dim."
        ),
        mistake(
            "heads and layers exchanged",
            {"            num_layers,\n": "            num_heads,\n", "num_heads=num_heads": "num_heads=num_layers"},
        ).because("You give the encoder num_heads layers with num_layers heads. Exchange the two."),
        mistake("feed-forward too wide", {"2 * model_dim": "4 * model_dim"}).because(
            "Your feed-forward is 4·model_dim wide. The published parameters have 2·model_dim."
        ),
        mistake("a fixed number of heads", {"num_heads=num_heads": "num_heads=1"}).because(
            "Your encoder has one head, whatever num_heads says. Pass it on."
        ),
        mistake("encoder not used", {ENCODED: "x"}).because(
            "You never call the transformer, so no token listens to another."
        ),
    ),
    mistake("flax's own epsilon", {"output_norm = LayerNorm(": "output_norm = nnx.LayerNorm("}).because(
        "You use nnx.LayerNorm as is, with an epsilon of 1e-6. Use the LayerNorm of the page (1e-5).",
        "Which epsilon does `nnx.LayerNorm` have by default?",
    ),
    mistake("an output without bias", {"num_classes, rngs=rngs": "num_classes, use_bias=False, rngs=rngs"}).because(
        "Your output_layer has no bias. Use a plain nnx.Linear, which has one.",
        "Which names does `nnx.state(model)` show, and which does the docstring list?",
    ),
    rngs_of_its_own("        self.input_dropout ="),
    drawn_apart("self.output_layer = nnx.Linear(model_dim, num_classes, rngs=rngs)", "an output layer"),
    drawn_alike(5),
    mistake(
        "logits of hidden tokens set to 0",
        {OUTPUT: f"{OUTPUT} * (1 if mask is None else (mask != 0).any(-2)[..., None])"},
    ).because(
        "You set the logits of a hidden token to 0. Guess for every token: a mask hides keys from queries, and nothing "
        "else."
    ),
    mistake(
        "flax's own formula for the variance",
        {"output_norm = LayerNorm(model_dim,": "output_norm = nnx.LayerNorm(model_dim, epsilon=1e-5,"},
    ).because(
        "Your norm uses flax's fast formula for the variance, which loses digits when the mean is large. Use the "
        "LayerNorm of the page, or pass `use_fast_variance=False`.",
        "What is the mean of x² minus the square of the mean, in float32, if the variance is small?",
    ),
    mistake("norm before output_hidden", {HIDDEN: "nnx.relu(self.output_hidden(self.output_norm(x)))"}).because(
        "Your norm comes before output_hidden. It comes after it, before the ReLU.",
        "In which order does the page name the five parts after the encoder?",
    ),
    mistake("mask inverted", {ENCODED: "self.transformer(x, None if mask is None else mask == 0, **noise)"}).because(
        "You pass the opposite of the mask on. True means visible: pass it unchanged.",
        "What does a 0 in the mask mean?",
    ),
    mistake("training by default", {"deterministic: bool = True": "deterministic: bool = False"}).because(
        "Your model drops entries when nobody tells it to train. The default is `deterministic=True`; pass it on.",
    ),
    keeps_what_it_saw("        noise = "),
    mistake("one guess for the whole sequence", {OUTPUT: f"{OUTPUT}.mean(1)"}).because(
        "You average over the tokens. Guess for each of them.", "Which shape has the output?"
    ),
    mistake("samples mixed", {INPUT: INPUT.replace("(x,", "(x - x.mean(0),")}).because(
        "What one sample gets depends on the others in the batch. Leave the batch axis alone.",
        "Along which axes do you average or normalise?",
    ),
    cut("input layer cut off", {INPUT: f"jax.lax.stop_gradient({INPUT})"}, "the input layer"),
    decides_by_value(
        "tokens asked for their values",
        {f"        noise = {NOISE}": f"        noise = {NOISE}\n        if x.sum() > 1e30:\n            return x"},
    ),
    seeds_numpy("        noise = "),
)
