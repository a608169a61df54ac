"""What goes wrong in flax's `TransformerPredictor` where entries drop: rates, places, flags and keys."""

from autograder.catalogue.common_jax_mistakes import (
    KEPT_STATE,
    KEY_USED_TWICE,
    NOISE,
    keeps_keys,
    new_keys_in_every_call,
    told_half,
)
from autograder.catalogue.edits import mistake, with_question

INPUT = "self.input_layer(self.input_dropout(x, **noise))"
ENCODED = "self.transformer(x, mask, **noise)"
OUTPUT = "self.output_layer(self.output_dropout(hidden, **noise))"

TOLD = "Which parts can drop something, and what does each of them have to be told?"

NOISE_MISTAKES = (
    *with_question(
        TOLD,
        *told_half("transformer"),
        mistake("encoder never told", {ENCODED: "self.transformer(x, mask)"}).because(
            "You don't tell the transformer that you train, so nothing drops inside it. Pass deterministic and rngs on."
        ),
        mistake("input dropout never called", {"self.input_dropout(x, **noise)": "x"}).because(
            "You never call input_dropout. It comes before input_layer."
        ),
        mistake("input dropout after input_layer", {INPUT: "self.input_dropout(self.input_layer(x), **noise)"}).because(
            "Your first dropout drops from what input_layer returns. Drop from the tokens, before input_layer."
        ),
        mistake(
            "output dropout at the end", {OUTPUT: "self.output_dropout(self.output_layer(hidden), **noise)"}
        ).because("Your second dropout drops from the logits. Drop from what comes into output_layer."),
        mistake(
            "output dropout before output_hidden",
            {
                "self.output_hidden(x)": "self.output_hidden(self.output_dropout(x, **noise))",
                OUTPUT: "self.output_layer(hidden)",
            },
        ).because("Your second dropout comes before output_hidden. It comes after the ReLU, before output_layer."),
        mistake("output dropout never called", {"self.output_dropout(hidden, **noise)": "hidden"}).because(
            "Nothing drops before output_layer when `dropout` is set: you don't call output_dropout, or it has another "
            "rate. Call it there, with the rate `dropout`."
        ),
        mistake(
            "input dropout always on",
            {"self.input_dropout(x, **noise)": "self.input_dropout(x, deterministic=False, rngs=rngs or nnx.Rngs(0))"},
        ).because("Your input drops even when nobody trains. Pass `deterministic` on."),
        mistake(
            "dropout not passed on",
            {"dropout=dropout,\n": "dropout=0.0,\n", "nnx.Dropout(dropout)": "nnx.Dropout(0.0)"},
        ).because("You take dropout and never use it. Give it to the encoder and to output_dropout."),
        mistake(
            "encoder without dropout",
            {"dropout=dropout,\n": "dropout=0.0,\n"},
            shown_by="with dropout, nothing drops inside the transformer",
        ).because("You give dropout to output_dropout only. Give it to the encoder, too."),
        mistake("output network without dropout", {"nnx.Dropout(dropout)": "nnx.Dropout(0.0)"}).because(
            "You give dropout to the encoder only. Give it to output_dropout, too."
        ),
        mistake("dropout for input_dropout", {"nnx.Dropout(input_dropout)": "nnx.Dropout(dropout)"}).because(
            "Your first Dropout has the rate `dropout`. Give it input_dropout."
        ),
        mistake("input_dropout not passed on", {"nnx.Dropout(input_dropout)": "nnx.Dropout(0.0)"}).because(
            "You take input_dropout and never use it. Give it to the first Dropout."
        ),
        mistake(
            "the two Dropouts exchanged",
            {
                "nnx.Dropout(input_dropout)": "nnx.Dropout(dropout)",
                "output_dropout = nnx.Dropout(dropout)": "output_dropout = nnx.Dropout(input_dropout)",
            },
        ).because(
            "Your input Dropout has the rate of the output, and the output the rate of the input. Exchange them."
        ),
        mistake(
            "dropouts exchanged",
            {
                "nnx.Dropout(input_dropout)": "nnx.Dropout(dropout)",
                "dropout=dropout,\n": "dropout=input_dropout,\n",
                "output_dropout = nnx.Dropout(dropout)": "output_dropout = nnx.Dropout(input_dropout)",
            },
        ).because("dropout goes to the input, and input_dropout to all the rest. Exchange them."),
    ),
    mistake(
        "one key for all calls",
        {NOISE: '{"deterministic": deterministic, "rngs": nnx.Rngs(dropout=0)}'},
        shown_by="another key drops the same entries",
    ).because(
        "You make a key inside, so every call drops the same entries. Use the `rngs` that you are given.",
        "Which key does the second call get, and which the first?",
    ),
    *new_keys_in_every_call(
        "TransformerPredictor", lambda rngs: {NOISE: f'{{"deterministic": deterministic, "rngs": {rngs}}}'}
    ),
    mistake(
        "one key for both dropouts",
        {NOISE: '{"deterministic": deterministic, "rngs": None if rngs is None else rngs.dropout()}'},
    ).because(
        "You take one key and give it to every part, so they draw alike. Pass `rngs` itself on.",
        "Which key does each dropout of one call get, and who used it before?",
    ),
    mistake(
        "the output dropout with the key of the input dropout",
        {
            f"        noise = {NOISE}": f"        noise = {NOISE}\n"
            "        first = {} if rngs is None else {'rngs': nnx.Rngs(dropout=rngs.dropout.key[...])}",
            "self.output_dropout(hidden, **noise)": "self.output_dropout(hidden, **noise | first)",
        },
        shown_by=KEY_USED_TWICE,
    ).because(
        "You make new `Rngs` from a key that another dropout of this call has used, so both drop the same entries. "
        "Pass `rngs` itself on.",
        "Which key does each dropout of one call get, and who used it before?",
    ),
    keeps_keys(
        "keys kept in a dropout, and drawn from",
        {
            "nnx.Dropout(input_dropout)": "nnx.Dropout(input_dropout, rngs=rngs)",
            "self.input_dropout(x, **noise)": "self.input_dropout(x, deterministic=deterministic)",
        },
    ),
    mistake(
        "a key kept in the dropout", {"nnx.Dropout(input_dropout)": "nnx.Dropout(input_dropout, rngs=rngs)"}
    ).because(
        KEPT_STATE,
        "What does `nnx.state(model)` show? Which of its leaves should an optimiser train?",
    ),
    mistake(
        "a counter in the state",
        {"nnx.Dropout(input_dropout)": "nnx.Dropout(input_dropout)\n        self.calls = nnx.Variable(jnp.zeros(()))"},
        shown_by="nnx.state(module) holds more than Params",
    ).because(
        "Your model keeps a Variable that isn't a parameter. Keep parameters only.",
        "What does `nnx.state(model)` show? Which of its leaves should an optimiser train?",
    ),
)
