"""What goes wrong in JAX's `train_step`."""

from autograder.catalogue.common_jax_mistakes import decides_by_value, kept_in_a_global, seeds_numpy
from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake, with_question

SPLIT = "jax.random.split(state.key)"
LOOK = "jax.value_and_grad(loss_fn, has_aux=True)(state.params, batch, used)"
UPDATE = "optimizer.update(gradients, state.opt_state, state.params)"
APPLIED = "optax.apply_updates(state.params, updates)"
NEXT = f"TrainState({APPLIED}, opt_state, key, state.step + 1)"
KEY_SHARED = (
    "The key that the loss gets is also in a state, old or new, so the same random numbers come twice. Split "
    "state.key: one part for the loss, the other for the next state."
)
SAME_KEY = "two steps get the same key"
OF_ANOTHER = {who: f"from another state.key the {who} gets the same key" for who in ("loss", "next state")}
MADE_INSIDE = (
    "Your loss gets the same key in every step of a compiled run: you make it inside, or draw it with NumPy, which "
    "happens once, while tracing. Pass on a part of state.key: the one that `split` gave."
)
OF_KEYS = "Which keys are there after `jax.random.split`, and who gets each of them?"
OF_STATE = "Which four parts has a TrainState, and which of them change in a step?"

MISTAKES = (
    *with_question(
        OF_KEYS,
        mistake("state.key returned unchanged", {NEXT: NEXT.replace("key,", "state.key,")}).because(
            "You return the old key, so every step draws the same noise. Return one that `split` gave."
        ),
        mistake(
            "a key from the old one and the step",
            {SPLIT: "state.key, jax.random.fold_in(state.key, state.step)"},
            shown_by="state.key stays the same",
        ).because(
            "Your next state has the key of this one. Give it one of its own: split state.key in two, one part for the "
            "loss."
        ),
        mistake(
            "state.key passed to the loss",
            {"batch, used)": "batch, state.key)"},
            shown_by="the key that the loss gets is also a key of the state",
        ).because(KEY_SHARED),
        mistake(
            "one key for both",
            {"key, used =": "key = used =", SPLIT: "jax.random.split(state.key)[0]"},
            shown_by="the key that the loss gets is also a key of the state",
        ).because(KEY_SHARED),
        mistake("a key of its own", {SPLIT: "jax.random.split(jax.random.key(0))"}).because(
            "You make a key inside, so every step draws the same noise. Split state.key."
        ),
        mistake(
            "keys counted by the step",
            {SPLIT: "state.key, jax.random.fold_in(jax.random.key(0), state.step)"},
        ).because(
            "Your keys don't come from state.key, and the next state has the old one. Split state.key: one part for "
            "the loss, the other for the next state."
        ),
        mistake("one key for every loss", {"batch, used)": "batch, jax.random.key(0))"}, shown_by=SAME_KEY).because(
            MADE_INSIDE
        ),
        mistake(
            "the loss's key from a generator of NumPy's",
            {
                "def train_step(": "generator = np.random.default_rng(0)\n\n\ndef train_step(",
                "batch, used)": "batch, jax.random.key(generator.integers(2**30)))",
            },
            shown_by=SAME_KEY,
        ).because(MADE_INSIDE),
        mistake(
            "the loss's key from the global generator of NumPy's",
            {"batch, used)": "batch, jax.random.key(np.random.randint(2**30)))"},
        ).because(MADE_INSIDE),
        mistake(
            "the loss's key from the step alone",
            {"batch, used)": "batch, jax.random.fold_in(jax.random.key(0), state.step))"},
            shown_by=OF_ANOTHER["loss"],
        ).because(
            "Your loss gets a key that only the step decides, so the seed of a training decides nothing. Split "
            "state.key: one part for the loss."
        ),
        mistake(
            "the next key from the step alone",
            {NEXT: NEXT.replace("key,", "jax.random.fold_in(jax.random.key(7), state.step),")},
            shown_by=OF_ANOTHER["next state"],
        ).because(
            "Your next state gets a key that only the step decides, so the seed of a training decides nothing. Split "
            "state.key: one part for the next state."
        ),
    ),
    *with_question(
        OF_STATE,
        mistake("updates not applied", {APPLIED: "state.params"}).because(
            "You compute the updates and never apply them. Use optax.apply_updates."
        ),
        mistake("updates for parameters", {APPLIED: "updates"}).because(
            "You return the updates in place of the parameters. Add them: optax.apply_updates."
        ),
        mistake(
            "opt_state not renewed",
            {"updates, opt_state = optimizer": "opt_state = state.opt_state\n    updates, _ = optimizer"},
        ).because(
            "You keep the optimiser's old state, so momentum and schedule stand still. Keep the one that it returned."
        ),
        mistake(
            "optimiser started from scratch", {"state.opt_state, state": "optimizer.init(state.params), state"}
        ).because("You make a new optimiser state in every step, so it forgets. Pass on state.opt_state."),
        mistake(
            "the optimiser asked twice",
            {
                "    return TrainState": f"    updates, opt_state = {UPDATE.replace('state.opt_state', 'opt_state')}\n"
                "    return TrainState"
            },
        ).because("You call optimizer.update twice, so one step counts as two for the optimiser. Call it once."),
        mistake(
            "updates of a second call",
            {
                "    return TrainState": f"    updates, _ = {UPDATE.replace('state.opt_state', 'opt_state')}\n"
                "    return TrainState"
            },
        ).because("You call optimizer.update twice and apply the updates of the second call. Call it once."),
        *(
            mistake(
                f"step as {kind}", {"state.step + 1": f"{text}"}, shown_by=f"step is {kind}, expected int32"
            ).because(
                f"Your counter becomes {kind}. Keep it int32, or a scan over the step refuses it: `state.step + 1`."
            )
            for kind, text in (("float32", "state.step + 1.0"), ("float16", "(state.step + 1).astype(jnp.float16)"))
        ),
        mistake("step counted by two", {"state.step + 1": "state.step + 2"}).because(
            "You count two steps for one. Add 1 to state.step."
        ),
        mistake("step not counted", {"state.step + 1": "state.step"}).because(
            "You don't count the step. Add 1 to state.step."
        ),
    ),
    *with_question(
        "Which arguments does `optimizer.update` take, and which do adamw and weight decay look at?",
        mistake("params not given to the optimiser", {", state.params)\n": ")\n"}).because(
            "You don't give the parameters to optimizer.update, and weight decay needs them. Pass state.params."
        ),
        mistake("updates subtracted", {APPLIED: "jax.tree.map(jnp.subtract, state.params, updates)"}).because(
            "You subtract the updates, which have their minus already. Add them: optax.apply_updates."
        ),
        mistake("gradients for updates", {APPLIED: "optax.apply_updates(state.params, gradients)"}).because(
            "You add the gradients themselves. Add the updates, which the optimiser made of them."
        ),
        mistake("uphill", {UPDATE: UPDATE.replace("gradients", "jax.tree.map(jnp.negative, gradients)")}).because(
            "Your step increases the loss. Pass the gradients to the optimiser with their sign unchanged."
        ),
        mistake(
            "down without the optimiser", {APPLIED: "jax.tree.map(lambda p, g: p - 0.05 * g, state.params, gradients)"}
        ).because("You subtract the gradients yourself. Apply the updates of the optimiser."),
    ),
    *with_question(
        "What does loss_fn return, of which part is the gradient, and for which parameters?",
        mistake(
            "gradient of the accuracy",
            {
                LOOK: LOOK.replace("loss_fn", "lambda *given: loss_fn(*given)[::-1]"),
                "(loss, accuracy), gradients": "(accuracy, loss), gradients",
            },
        ).because("You take the gradient of the accuracy. Take that of the loss, the first of the two."),
        mistake(
            "gradient of both",
            {LOOK: LOOK.replace("loss_fn", "lambda *given: (sum(loss_fn(*given)), loss_fn(*given)[1])")},
        ).because("You take the gradient of loss plus accuracy. Take that of the loss only."),
        mistake("has_aux forgotten", {", has_aux=True": ""}).because(
            "You don't say that loss_fn returns something besides the loss. Pass has_aux=True."
        ),
        mistake(
            "measured after the step",
            {f"    return {NEXT}": f"    loss, accuracy = loss_fn({APPLIED}, batch, used)\n    return {NEXT}"},
        ).because("You compute the loss again after the step. Return the one whose gradient you took."),
        mistake(
            "accuracy measured after the step",
            {f"    return {NEXT}": f"    _, accuracy = loss_fn({APPLIED}, batch, used)\n    return {NEXT}"},
        ).because("You compute the accuracy again after the step. Return the one that came with the loss."),
        mistake(
            "gradient clipped again",
            {UPDATE: UPDATE.replace("gradients", "optax.clip_by_global_norm(1.0).update(gradients, ())[0]")},
        ).because("You clip the gradient yourself. The optimiser does that where it is made to."),
    ),
    *with_question(
        "What does the docstring list under “Returns”, and in which order?",
        mistake("accuracy first", {f"{NEXT}, (loss, accuracy)": f"{NEXT}, (accuracy, loss)"}).because(
            "You return (accuracy, loss). Return (loss, accuracy)."
        ),
        mistake("loss only", {f"{NEXT}, (loss, accuracy)": f"{NEXT}, loss"}).because(
            "You return the loss only. Return (loss, accuracy)."
        ),
        mistake("a tuple for the state", {NEXT: NEXT.removeprefix("TrainState")}).because(
            "You return the four parts of the state in something else, such as a tuple or a dict. Return a TrainState: "
            "a scan refuses a state of another kind."
        ),
        mistake("parts of the state swapped", {NEXT: NEXT.replace("opt_state, key", "key, opt_state")}).because(
            "You pass TrainState its parts in the wrong order. It is params, opt_state, key, step; you may name them."
        ),
        mistake("state only", {f"{NEXT}, (loss, accuracy)": NEXT}).because(
            "You don't return a pair of the state and (loss, accuracy). Return both, in this order."
        ),
    ),
    mistake("the state written into", {"    key, used =": "    state.step = state.step + 1\n    key, used ="}).because(
        "A TrainState is a NamedTuple, whose attributes can't be set. Build a new one: `TrainState(…)` or "
        "`state._replace(…)`.",
        OF_STATE,
    ),
    overwrites(
        "state",
        {
            "    return TrainState": "    state.params.update(optax.apply_updates(state.params, updates))\n"
            "    return TrainState"
        },
        "the dict of its parameters has changed. Build a new tree.",
    ),
    kept_in_a_global("    updates, opt_state"),
    decides_by_value(
        "if on the loss",
        {"    updates, opt_state": "    if loss > 1e30:\n        return state, (loss, loss)\n    updates, opt_state"},
    ),
    mistake("numbers of Python's", {f"{NEXT}, (loss, accuracy)": f"{NEXT}, (float(loss), float(accuracy))"}).because(
        "You turn the loss into a Python number, which it isn't while JAX traces. Return the arrays.",
        "What does your code know of the loss while `jax.jit` traces it?",
    ),
    seeds_numpy("    updates, opt_state"),
)
