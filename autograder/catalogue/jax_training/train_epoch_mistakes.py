"""What goes wrong in `train_epoch`."""

from autograder.catalogue.common_jax_mistakes import decides_by_value, kept_in_a_global, seeds_numpy
from autograder.catalogue.edits import mistake, with_question

SPLIT = "jax.random.split(state.key)"
ROWS = "jax.random.permutation(order_key, rows)"
CUT = "[: rows // batch_size * batch_size]"
SCAN = "jax.lax.scan(one, state._replace(key=key), order.reshape(-1, batch_size))"
CHOSEN = "jax.tree.map(lambda leaf: leaf[chosen], data)"
OLD_KEY = "the steps begin with the key that came in"
OLD_ORDER_KEY = "the order is drawn with the key that came in, which is then split or passed on"
NOT_COUNTED_ON = "the state hasn't counted N // batch_size steps more"
BACKWARDS = "the outputs don't come in the order of the steps"
IN_FLOATS = "numbers is float32, expected int32"
COPIES = "the program holds the step several times"
ERROR = 'ValueError(f"batch_size ({batch_size}) must be between 1 and the number of rows ({rows})")'
OTHER_AXES = "a leaf [N, 3] doesn't come as [batch_size, 3]"
EXCHANGED = "there are batch_size batches of N // batch_size rows"
LEAVES_APART = "rows of one leaf come with other rows of another"
SAME_KEY = "two steps begin with the same key"
IN_ORDER, NEIGHBOURS = "the rows come in their old order", "rows that are neighbours stay neighbours"
TOGETHER, WHOLE = "the same rows meet in a batch, whatever the key", "only whole batches change places"
ALL_REFUSED, ONE_REFUSED = "a batch_size of N is refused", "a batch_size of 1 is refused"
LIMITS = "1 <= batch_size <= rows"
RENEWED = "state._replace(key=key)"
LOOP = (
    "outputs, state = [], state._replace(key=key)\n"
    "    for chosen in order.reshape(-1, batch_size):\n"
    "        state, output = one(state, chosen)\n"
    "        outputs.append(output)\n"
    "    return state, jax.tree.map(lambda *parts: jnp.stack(parts), *outputs)"
)

MISTAKES = (
    *with_question(
        "Which rows does the second batch hold, and can one of them be in the first?",
        mistake("drawn with replacement", {ROWS: "jax.random.randint(order_key, (rows,), 0, rows)"}).because(
            "You draw rows with replacement, so some come twice. Use jax.random.permutation."
        ),
        mistake("not shuffled", {ROWS: "jnp.arange(rows)"}, shown_by=IN_ORDER).because(
            "You take the rows in order. Shuffle them."
        ),
        mistake(
            "rolled by a random number",
            {ROWS: "jnp.roll(jnp.arange(rows), jax.random.randint(order_key, (), 1, rows))"},
            shown_by=NEIGHBOURS,
        ).because("You move the rows, but neighbours stay together. Shuffle them: jax.random.permutation."),
        mistake(
            "rows shuffled within their batch",
            {
                f"{ROWS}{CUT}": f"jax.random.permutation(order_key, jnp.arange(rows){CUT}"
                ".reshape(-1, batch_size), axis=1, independent=True).ravel()"
            },
            shown_by=TOGETHER,
        ).because("You shuffle the rows within each batch, so the same rows meet in every epoch. Shuffle all rows."),
        mistake(
            "batches shuffled, not rows",
            {
                f"{ROWS}{CUT}": f"jax.random.permutation(order_key, jnp.arange(rows){CUT}"
                ".reshape(-1, batch_size)).ravel()"
            },
            shown_by=WHOLE,
        ).because("You shuffle whole batches, so the same rows meet in every epoch. Shuffle the rows."),
        mistake(
            "one batch too few",
            {CUT: "[: (rows // batch_size - 1) * batch_size]", LIMITS: "1 <= batch_size < rows + 1"},
        ).because("You leave out one whole batch. Take N // batch_size batches."),
        mistake(
            "the last rows never used", {f"{ROWS}{CUT}": f"{ROWS.replace('rows)', 'rows // batch_size * batch_size)')}"}
        ).because("You leave out the same rows in every epoch. Shuffle all N rows first, then drop what is left over."),
        mistake(
            "the rest filled up", {f"{ROWS}{CUT}": f"jnp.resize({ROWS}, -(-rows // batch_size) * batch_size)"}
        ).because("You fill the last batch up with rows that have been used. Drop the rows that are left over."),
        mistake(
            "the same batch in every step",
            {"order.reshape(-1, batch_size)": "jnp.tile(order[:batch_size], (rows // batch_size, 1))"},
        ).because("Every step gets the same batch. Give each step its own rows: `order.reshape(-1, batch_size)`."),
        mistake("(N − 1) // batch_size batches", {CUT: "[: (rows - 1) // batch_size * batch_size]"}).because(
            "You make (N − 1) // batch_size batches, one too few if all rows fit. Make N // batch_size."
        ),
        mistake("the rest kept", {CUT: ""}).because(
            "You keep the rows that are left over, and they fill no batch. Drop them: N // batch_size batches."
        ),
        mistake(
            "batches exchanged with steps",
            {"order.reshape(-1, batch_size)": "order.reshape(batch_size, -1)"},
            shown_by=EXCHANGED,
        ).because("You make batch_size batches of N // batch_size rows. Exchange the two."),
    ),
    mistake(
        "each leaf shuffled by itself",
        {CHOSEN: "jax.tree.map(lambda leaf: leaf[chosen if leaf.ndim == 1 else chosen[::-1]], data)"},
        shown_by=LEAVES_APART,
    ).because(
        "Your leaves are shuffled each in its own way, so inputs come with other targets. Use one order for all.",
        "How often do you draw an order?",
    ),
    mistake("taken from the flattened leaf", {"leaf[chosen]": "jnp.take(leaf, chosen)"}, shown_by=OTHER_AXES).because(
        "You take entries of the flattened leaf, as `jnp.take` does without an axis. Take rows: `axis=0`.",
        "Which shape has a batch of a leaf [N, 3]?",
    ),
    *with_question(
        "Which key shuffles, which one does the first step get, and which is in the state at the end?",
        mistake("key not renewed", {"state._replace(key=key)": "state"}, shown_by=OLD_KEY).because(
            "Your steps get the key that came in. Split it: one part to shuffle, the other for the steps."
        ),
        mistake(
            "shuffled with the key that came in", {ROWS: ROWS.replace("order_key", "state.key")}, shown_by=OLD_ORDER_KEY
        ).because(
            "You shuffle with the key that came in, and split or pass on the same key afterwards. Split it first: one "
            "part to shuffle, the other for the steps."
        ),
        mistake(
            "the key that shuffles passed on", {"state._replace(key=key)": "state._replace(key=order_key)"}
        ).because("The steps get the key that shuffled. Pass on the other part of the split."),
        mistake("one order for ever", {ROWS: "jax.random.permutation(jax.random.key(0), rows)"}).because(
            "You make a key inside, so every epoch has the same order. Use one that `split` gave."
        ),
        mistake("shuffled by NumPy's global generator", {ROWS: "jnp.asarray(np.random.permutation(rows))"}).because(
            "You shuffle with NumPy, which jit runs once, while tracing. Use jax.random.permutation and a key."
        ),
        mistake(
            "shuffled by NumPy",
            {
                "def train_epoch(": "generator = np.random.default_rng(0)\n\n\ndef train_epoch(",
                ROWS: "jnp.asarray(generator.permutation(rows))",
            },
            shown_by="the same key gives another order",
        ).because("You shuffle with NumPy, which jit runs once, while tracing. Use jax.random.permutation and a key."),
    ),
    *with_question(
        "What does `jax.lax.scan` hand from one call of its function to the next?",
        mistake(
            "states not carried",
            {"return step(state, ": "return state, step(state, ", f"{CHOSEN})\n": f"{CHOSEN})[1]\n"},
        ).because("Every step begins from the same state. Return the new one as the carry."),
        mistake(
            "steps counted from 0", {RENEWED: "state._replace(key=key, step=jnp.int32(0))"}, shown_by=NOT_COUNTED_ON
        ).because("Your count starts from 0 in every epoch. Leave it alone: the steps count on from state.step."),
        mistake(
            "the last batch first",
            {"order.reshape(-1, batch_size))": "order.reshape(-1, batch_size), reverse=True)"},
            shown_by=BACKWARDS,
        ).because("Your scan runs backwards, so the first outputs are those of the last step. Leave `reverse` out."),
        mistake("state lost", {f"return {SCAN}": f"return state, {SCAN}[1]"}).because(
            "You return the old state. Return the last one."
        ),
        mistake(
            "the last outputs only",
            {
                f"return {SCAN}": f"state, outputs = {SCAN}\n    "
                "return state, jax.tree.map(lambda leaf: leaf[-1], outputs)"
            },
        ).because("You return the outputs of the last step. Return those of all, stacked, as scan gives them."),
        mistake(
            "outputs averaged",
            {
                f"return {SCAN}": f"state, outputs = {SCAN}\n    "
                "return state, jax.tree.map(lambda leaf: leaf.mean(0), outputs)"
            },
        ).because("You average the outputs. Return those of all steps, stacked, as scan gives them."),
        mistake(
            "one key for all steps", {"return step(state,": "return step(state._replace(key=key),"}, shown_by=SAME_KEY
        ).because("You give every step the same key. Leave the key that the step before returned."),
        mistake("outputs lost", {f"return {SCAN}": f"return {SCAN}[0], None"}).because(
            "You return no outputs. Return what scan stacked."
        ),
    ),
    mistake("a loop over the batches", {f"return {SCAN}": LOOP}, shown_by="the step is traced for every batch").because(
        "A Python loop is unrolled: JAX traces and compiles the step once per batch. Use jax.lax.scan.",
        "How often is `step` called while your epoch is traced?",
    ),
    mistake(
        "a loop over a jitted step",
        {
            "    def one(": "    @jax.jit\n    def one(",
            f"return {SCAN}": LOOP,
        },
        shown_by=COPIES,
    ).because(
        "A Python loop over a jitted step traces it once, and still puts one copy of it into the program for each "
        "batch. Use jax.lax.scan.",
        "How long is the program of your epoch if there are 1,000 batches?",
    ),
    mistake(
        "leaves turned into floats", {"leaf[chosen]": "leaf[chosen].astype(jnp.float32)"}, shown_by=IN_FLOATS
    ).because(
        "You turn every leaf into floats, but labels must stay integers. Take the rows, and leave the dtype alone.",
        "Which dtype do the labels of a batch have?",
    ),
    mistake("data taken for a pair", {CHOSEN: "(data[0][chosen], data[1][chosen])"}).because(
        "You take data for a pair. It may be any tree: take the rows of every leaf with `jax.tree.map`.",
        "What is `data` if it is a dict of arrays?",
    ),
    kept_in_a_global("    key, order_key ="),
    mistake("rows drawn by NumPy", {"leaf[chosen]": "np.asarray(leaf)[np.asarray(chosen)]"}).because(
        "You take the rows with NumPy, so the data leaves JAX. Index with leaf[chosen].",
        "What type has a batch in your loop?",
    ),
    *with_question(
        "What should somebody read who asks for batches of 24 of 23 rows?",
        mistake(
            "an error without the numbers",
            {ERROR: 'ValueError("no such batch")'},
            shown_by="the message of ValueError does not mention 0, 23",
        ).because("Your error doesn't say which batch_size, or how many rows. Name both."),
        mistake(
            "rows counted along the last axis", {"len(jax.tree.leaves(data)[0])": "jax.tree.leaves(data)[0].shape[-1]"}
        ).because("You count along the last axis of a leaf. A leaf is [N, …]: take the length of its first axis."),
        mistake("entries counted", {"len(jax.tree.leaves(data)[0])": "jax.tree.leaves(data)[0].size"}).because(
            "You count the entries of a leaf. A leaf is [N, …]: take the length of its first axis."
        ),
        mistake("rows counted by the leaves", {"len(jax.tree.leaves(data)[0])": "len(data)"}).because(
            "You take the length of the tree, which is the number of its parts. Take that of a leaf: "
            "`len(jax.tree.leaves(data)[0])`."
        ),
        mistake("AssertionError instead of ValueError", {ERROR: ERROR.replace("ValueError", "AssertionError")}).because(
            "You raise an AssertionError. Raise a ValueError that names both numbers."
        ),
        mistake("any batch_size taken", {f"not {LIMITS}": "False"}).because(
            "You take any batch_size. Raise a ValueError for one that is below 1 or above N, and name both."
        ),
        mistake("batches of no rows taken", {LIMITS: "0 <= batch_size <= rows"}).because(
            "You take a batch_size of 0. Raise a ValueError for it that names both numbers."
        ),
        mistake("too large a batch taken", {LIMITS: "1 <= batch_size"}).because(
            "A batch_size above N gives no batch, and nobody is told. Raise a ValueError."
        ),
        mistake("a batch of all refused", {LIMITS: "1 <= batch_size < rows"}, shown_by=ALL_REFUSED).because(
            "You refuse a batch of all rows. It fits."
        ),
        mistake("batches of one refused", {LIMITS: "1 < batch_size <= rows"}, shown_by=ONE_REFUSED).because(
            "You refuse batches of one row. They fit: batch_size may be 1."
        ),
    ),
    decides_by_value(
        "if on the step",
        {"    key, order_key =": "    if state.step > 1_000_000:\n        return state, None\n    key, order_key ="},
    ),
    seeds_numpy("    key, order_key ="),
)
