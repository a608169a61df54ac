"""What goes wrong in `dropout`."""

from autograder.catalogue.common_jax_mistakes import UNDER_JIT, cut, seeds_numpy
from autograder.catalogue.common_mistakes import changed
from autograder.catalogue.edits import mistake, with_question

KEPT = "jax.random.bernoulli(key, 1 - rate, x.shape)"
WHERE, SCALED = "jnp.where(kept, x / (1 - rate), 0)", "x / (1 - rate), 0"
OFF, ALL = "if deterministic or rate == 0:", "    if rate == 1:\n        return jnp.zeros_like(x)\n"
COUNTED = "with each key exactly the same number of entries is kept"
ENTRYWISE = "whole rows or columns are dropped together"
SAME_KEY = "the same key drops other entries"
OTHER_DTYPE = "bfloat16 in, and the output is not bfloat16"
NOT_SCALED, SCALED_DOWN = "what is kept isn't scaled up", "what is kept is multiplied by 1 − rate, not divided"
BY_RATE, BY_SHARE = "what is kept is divided by the rate", "what is kept is divided by the share that this key keeps"
KEPT_RATE = "the share that is kept is the rate, not 1 − rate"
OF_NORMAL = "the share that is kept is that of normal numbers on one side of the rate"

MISTAKES = (
    *with_question(
        "What is the mean of your result, over many entries, when x is 1 everywhere?",
        mistake("not scaled up", {SCALED: "x, 0"}, shown_by=NOT_SCALED).because(
            "You don't scale what is kept. Divide it by 1 − rate, so the mean stays."
        ),
        mistake("scaled by the rate", {SCALED: "x / rate, 0"}, shown_by=BY_RATE).because(
            "You divide by the rate. Divide by 1 − rate."
        ),
        mistake("scaled down", {SCALED: "x * (1 - rate), 0"}, shown_by=SCALED_DOWN).because(
            "You multiply by 1 − rate. Divide by it."
        ),
        mistake(
            "rate kept instead of dropped", {"bernoulli(key, 1 - rate": "bernoulli(key, rate"}, shown_by=KEPT_RATE
        ).because("You keep a share of `rate`. Keep 1 − rate and drop the rest."),
        mistake(
            "scaled by the share that was kept", {SCALED: "x / kept.mean().astype(x.dtype), 0"}, shown_by=BY_SHARE
        ).because(
            "You divide by the share that this draw keeps, so an entry depends on all others. Divide by 1 − rate."
        ),
        *(
            mistake(
                f"normal numbers {side} the rate",
                {KEPT: f"(jax.random.normal(key, x.shape) {text})"},
                shown_by=OF_NORMAL,
            ).because(
                "You compare normal numbers with the rate. Compare uniform ones, or draw with `jax.random.bernoulli`."
            )
            for side, text in (("above", ">= rate"), ("below 1 −", "< 1 - rate"))
        ),
        mistake("dropped entries left unchanged", {SCALED: "x / (1 - rate), x"}).because(
            "You leave the dropped entries unchanged. Set them to 0."
        ),
        mistake("rate in tenths", {KEPT: KEPT.replace("1 - rate", "1 - int(10 * rate) / 10")}).because(
            "You drop another share than the rate: you round it to tenths. Use the rate as it is."
        ),
        mistake("dropped and kept swapped", {WHERE: "jnp.where(kept, 0, x / (1 - rate))"}).because(
            "You zero what should be kept. Swap the two branches."
        ),
    ),
    *with_question(
        "Which shape does your mask have, and how many entries does one draw decide?",
        mistake("whole rows dropped", {"x.shape)": "(x.shape[0], 1))"}, shown_by=ENTRYWISE).because(
            "You draw once per row. Draw once per entry."
        ),
        mistake("one draw for all entries", {"rate, x.shape)": "rate)"}).because(
            "You draw once for all of x, so everything drops or nothing does. Draw once per entry: give "
            "`jax.random.bernoulli` the shape of x."
        ),
        mistake(
            "an exact share dropped",
            {KEPT: "jax.random.permutation(key, x.size).reshape(x.shape) >= rate * x.size"},
            shown_by=COUNTED,
        ).because("You drop an exact number of entries, so one entry depends on the others. Draw once per entry."),
        mistake("whole columns dropped", {"x.shape)": "x.shape[-1:])"}, shown_by=ENTRYWISE).because(
            "You draw once per column. Draw once per entry."
        ),
    ),
    *with_question(
        "Where does the randomness come from, and what is different in the next call?",
        mistake("a key of its own", {"bernoulli(key,": "bernoulli(jax.random.key(0),"}).because(
            "You make a key inside, so every call drops the same entries. Draw from the key that you are given."
        ),
        mistake(
            "drawn by NumPy",
            {KEPT: "jnp.array(np.random.rand(*x.shape) < 1 - rate)"},
            shown_by=changed("random seed"),
        ).because("You draw with NumPy's generator; under jit that happens once, while tracing. Draw with the key."),
        mistake(
            "drawn by a generator of NumPy's",
            {
                "def dropout(": "generator = np.random.default_rng(0)\n\n\ndef dropout(",
                KEPT: "jnp.array(generator.random(x.shape) < 1 - rate)",
            },
            shown_by=SAME_KEY,
        ).because(
            "What drops depends on something besides the key, such as a generator of NumPy's or a counter of calls; "
            "under jit that is asked once, while tracing. Draw with the key only."
        ),
    ),
    *with_question(
        "Which values of `rate` and `deterministic` need no draw at all?",
        mistake("deterministic only without a key", {OFF: "if key is None or rate == 0:"}).because(
            "With a key you drop even when deterministic. Look at `deterministic` and not at the key."
        ),
        mistake(
            "rate 1 before deterministic", {ALL: "", OFF: f"if rate == 1:\n        return jnp.zeros_like(x)\n    {OFF}"}
        ).because("At rate 1 you return zeros even when deterministic. Look at `deterministic` first."),
        mistake("deterministic ignored", {OFF: "if rate == 0:"}).because(
            "You drop even when deterministic. Return x there."
        ),
        mistake(
            "deterministic scales",
            {"        return x\n    if rate": "        return x / (1 - rate) if rate < 1 else x\n    if rate"},
        ).because("You scale x when deterministic. Return it unchanged: the scaling happened in training."),
        mistake(
            "deterministic scales down", {"        return x\n    if rate": "        return x * (1 - rate)\n    if rate"}
        ).because("You scale x when deterministic. Return it unchanged: the scaling happened in training."),
        mistake("the key touched first", {OFF: f"key, _ = jax.random.split(key)\n    {OFF}"}).because(
            "You split the key before you look at `deterministic`, and the key may be None then. Return x first."
        ),
        mistake("nothing dropped at rate 1", {"return jnp.zeros_like(x)": "return x"}).because(
            "At rate 1 you return x. Everything is dropped there: return zeros."
        ),
        mistake("deterministic by default", {"deterministic: bool = False": "deterministic: bool = True"}).because(
            "Your function drops nothing unless it is told to. The default is `deterministic=False`."
        ),
        mistake("nothing dropped", {WHERE: "x / (1 - rate)"}).because(
            "You scale every entry and drop none. Apply the mask, and use its result: `jnp.where` and "
            "`.at[…].set(…)` return a new array."
        ),
        mistake("divided by 0 at rate 1", {ALL: "", WHERE: "x * kept / (1 - rate)"}).because(
            "At rate 1 you divide by 0, which gives NaN. Return zeros there."
        ),
        mistake(
            "divided by 0 in the branch not taken", {ALL: ""}, shown_by="at rate 1 the gradient isn't finite"
        ).because(
            "At rate 1 you divide by 0. `jnp.where` hides it in the result, not in the gradient. Return zeros there."
        ),
    ),
    cut("gradient cut off", {SCALED: "jax.lax.stop_gradient(x) / (1 - rate), 0"}, "x"),
    cut(
        "gradient cut off where nothing drops",
        {"        return x\n    if rate": "        return jax.lax.stop_gradient(x)\n    if rate"},
        "x where nothing drops",
    ),
    cut("scale cut off", {WHERE: f"x * kept + jax.lax.stop_gradient({WHERE} - x * kept)"}, "the scale"),
    mistake(
        "key read as a number", {"bernoulli(key,": "bernoulli(jax.random.key(int(jax.random.key_data(key)[-1])),"}
    ).because(
        "You turn the key into a Python number, which it isn't while JAX traces. Pass the key itself.", UNDER_JIT
    ),
    mistake(
        "in float32 whatever came in", {SCALED: "x.astype(jnp.float32) / (1 - rate), 0"}, shown_by=OTHER_DTYPE
    ).because("You always return float32. Keep the dtype of x.", "Which dtype does x have, and which your result?"),
    mistake(
        "in half precision", {WHERE: f"{WHERE}.astype(jnp.float16)"}, shown_by="output is float16, expected float32"
    ).because("You return half precision. Keep the dtype of x.", "Which dtype does x have, and which your result?"),
    seeds_numpy("    kept = "),
)
