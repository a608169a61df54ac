"""What goes wrong in flax's `PositionalEncoding`."""

from autograder.catalogue.common_jax_mistakes import cut, decides_by_value, leaves_jax, seeds_numpy
from autograder.catalogue.edits import mistake, with_question
from autograder.catalogue.positions.adding import NUMBERS
from autograder.catalogue.positions.positional_encoding_mistakes import COLUMNS, FREQUENCY, GROW

# pieces of the reference
EXPONENTS = "-jnp.arange(0, self.d_model, 2) / self.d_model"
ANGLES = "jnp.arange(length)[:, None] * frequencies"
STACKED = "jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1)"
ROWS = "pe.reshape(length, -1)[:, : self.d_model]"
ADDED = f"x + {ROWS}"
ERROR = 'ValueError(f"a sequence of {length} tokens is longer than max_len ({self.max_len}): raise max_len")'
KEPT = "self.d_model, self.max_len = d_model, max_len"

STATE = "What does `nnx.state(PositionalEncoding(6))` show, and what would an optimiser do with it?"
LENGTH = "What should somebody read who gives 13 tokens to a module with max_len = 12?"
LEFT = "Print `layer(jnp.zeros((1, 3, 4)))`. Which row does the first token get, and is x still in it?"

MISTAKES = (
    *with_question(
        FREQUENCY,
        mistake("exponent doubled", {EXPONENTS: f"2 * {EXPONENTS}"}).because(
            "Your exponent is 4i/d_model: `arange(0, d_model, 2)` already holds 2i. Divide it by d_model."
        ),
        mistake("exponent halved", {"jnp.arange(0, self.d_model, 2)": "jnp.arange((self.d_model + 1) // 2)"}).because(
            "Your exponent is i/d_model. It is 2i/d_model."
        ),
        *(
            mistake(f"an odd width rounded {way}", {EXPONENTS: f"-jnp.arange(0, self.d_model, 2) / {width}"}).because(
                f"With an odd d_model you divide the exponent by the even number {where} it. Divide 2i by d_model."
            )
            for way, width, where in (
                ("up", "(self.d_model + self.d_model % 2)", "above"),
                ("down", "(self.d_model - self.d_model % 2)", "below"),
            )
        ),
        mistake("sign of the exponent", {f"({EXPONENTS})": f"(-({EXPONENTS}))"}, shown_by=GROW).because(
            "Your frequencies grow with the column. Make them fall: divide by 10000^(2i/d_model)."
        ),
        mistake(
            "a frequency for every column",
            {"jnp.cos(angles)": "jnp.cos(angles / 10000.0 ** (1 / self.d_model))"},
        ).because(
            "Your cosine has a lower frequency than its sine. Both columns of a pair share the exponent 2i/d_model."
        ),
        mistake("another base", {"10000.0": "1000.0"}).because("Your base is 1000. It is 10000."),
    ),
    *with_question(
        COLUMNS,
        mistake("sine and cosine exchanged", {STACKED: "jnp.stack([jnp.cos(angles), jnp.sin(angles)], -1)"}).because(
            "Your even columns are cosines. They are sines."
        ),
        mistake("sines first, then cosines", {"axis=-1": "axis=1"}).because(
            "Your sines fill the left half and your cosines the right. They take turns: stack along a new last axis."
        ),
        mistake("only sines", {"jnp.cos(": "jnp.sin("}).because(
            "All your columns are sines. Every second one is a cosine."
        ),
        mistake("positions from 1", {"jnp.arange(length)": "jnp.arange(1, length + 1)"}).because(
            "Your first row is position 1. Begin at 0."
        ),
        mistake("positions as fractions", {ANGLES: f"{ANGLES} / length"}).because(
            "You divide the positions by the length, so a token's row depends on its sequence. Take them as they are."
        ),
    ),
    mistake("even widths only", {"[:, : self.d_model]": ""}).because(
        "With an odd d_model you have one column too many. Cut it off: `[:, :d_model]`.",
        "d_model = 7: how many sines and cosines do you compute, and how many fit?",
    ),
    *with_question(
        LEFT,
        mistake("tokens lost", {ADDED: f"jnp.broadcast_to({ROWS}, x.shape)"}).because(
            "You return the rows alone. Add x."
        ),
        mistake("never added", {ADDED: "x"}).because(
            "You return x as it came. Add the rows; if you fill them by `.at[…].set(…)`, assign the result."
        ),
        mistake("rows alone, without a batch", {ADDED: ROWS}).because("You return the rows alone. Add x."),
        mistake("tokens scaled up", {ADDED: f"x * self.d_model**0.5 + {ROWS}"}).because(
            "You multiply x by √d_model. Add the rows to x as it came."
        ),
        mistake("length of the batch", {"x.shape[1]": "x.shape[0]"}).because(
            "You take the length from axis 0, which counts the samples. The tokens are axis 1."
        ),
        mistake("multiplied", {ADDED: f"x * {ROWS}"}).because("You multiply the tokens by the rows. Add them."),
        mistake("the same for every position", {ADDED: f"x + {ROWS.replace('[:, :', '[:1, :')}"}).because(
            "Every token gets row 0. Token t gets row t."
        ),
        mistake("along the batch axis", {"x.shape[1]": "x.shape[0]", ADDED: f"x + {ROWS}[:, None]"}).because(
            "You count along the batch: every token of a sample gets the same row. The position is axis 1."
        ),
    ),
    *with_question(
        STATE,
        mistake(
            "table kept as an attribute",
            {KEPT: f"{KEPT}\n        self.frequencies = 10000.0 ** (-jnp.arange(0, d_model, 2) / d_model)"},
        ).because(
            "You keep an array as an attribute, so it is in `nnx.state` and an optimiser trains it. "
            "Compute it when it is needed."
        ),
        mistake(
            "table as a parameter",
            {KEPT: f"{KEPT}\n        self.pe = nnx.Param(jnp.zeros((max_len, d_model)))"},
        ).because("You keep the table as a Param, so it is trained and saved. Compute it when it is needed."),
    ),
    mistake("a static table", {KEPT: f"{KEPT}\n        self.pe = nnx.static(np.zeros((max_len, d_model)))"}).because(
        "flax refuses `nnx.static` for an array. Keep none: compute the rows in the call.",
        STATE,
    ),
    mistake(
        "result of .at[].set dropped",
        {
            STACKED: "jnp.zeros((length, self.d_model)).at[:, 0::2].set(jnp.sin(angles))\n"
            "        pe.at[:, 1::2].set(jnp.cos(angles)[:, : self.d_model // 2])",
            ADDED: "x + pe",
        },
    ).because(
        "You drop the result of `.at[…].set(…)`, which returns a new array, so your cosines stay 0. Assign it.",
        "Does `pe.at[…].set(…)` change pe?",
    ),
    mistake(
        "written into the table",
        {STACKED: "jnp.zeros((length, self.d_model))\n        pe[:, 0::2] = jnp.sin(angles)", ADDED: "x + pe"},
    ).because(
        "You assign to entries of an array; JAX's arrays are immutable. Write `pe = pe.at[:, 0::2].set(…)`.",
        "Which operation returns a new array with other numbers in these columns?",
    ),
    decides_by_value(
        "tokens asked for their values",
        {"        return x": "        if x.sum() > 1e30:\n            return x\n        return x"},
    ),
    leaves_jax("added by NumPy", {ADDED: f"jnp.array(np.asarray(x) + np.asarray({ROWS}))"}),
    cut("tokens cut off", {ADDED: f"jax.lax.stop_gradient(x) + {ROWS}"}, "x"),
    *with_question(
        LENGTH,
        *(
            mistake(f"{kind} instead of ValueError", {ERROR: ERROR.replace("ValueError", kind)}).because(
                f"Too long a sequence ends in {kind}. Raise a ValueError with both lengths."
            )
            for kind in ("AssertionError", "IndexError", "RuntimeError")
        ),
        mistake("an error without the numbers", {ERROR: 'ValueError("too long")'}, shown_by=NUMBERS).because(
            "Your error doesn't say how long the sequence was, or what the limit is. Name both."
        ),
        mistake("no limit", {"length > self.max_len": "False"}).because(
            "Your module takes sequences longer than max_len. Raise a ValueError with both lengths."
        ),
    ),
    mistake(
        "an error with one number",
        {ERROR: 'ValueError(f"longer than {self.max_len}")'},
        shown_by="the message of ValueError does not mention 13",
    ).because("Your error doesn't name both lengths. Name the length of the sequence and max_len.", LENGTH),
    mistake("one token too strict", {"length > self.max_len": "length >= self.max_len"}).because(
        "You refuse a sequence of exactly max_len tokens. It fits.", "Which is the longest sequence that is allowed?"
    ),
    mistake("another default", {"max_len: int = 5000": "max_len: int = 512"}).because(
        "Without max_len you allow 512 tokens. The default is 5000.", "What does the signature in the docstring say?"
    ),
    mistake("in half precision", {ADDED: f"({ADDED}).astype(jnp.float16)"}).because(
        "You return half precision. Return float32.", "Which dtype do sines and cosines have by default?"
    ),
    seeds_numpy("        length = "),
)
