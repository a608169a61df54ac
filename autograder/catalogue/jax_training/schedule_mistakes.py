"""What goes wrong in `cosine_warmup_schedule`."""

from autograder.catalogue.common_jax_mistakes import decides_by_value, leaves_jax
from autograder.catalogue.edits import mistake, with_question
from autograder.catalogue.training.cosine_warmup_mistakes import END, START

COSINE = "0.5 * (1 + jnp.cos(jnp.pi * step / max_iters))"
CHOICE = "jnp.where(step < warmup, step / max(warmup, 1), 1.0)"
RATE = f"base_lr * factor * {CHOICE}"
UPSIDE_DOWN = "Your climb is warmup / step, which begins high and falls to 1. Turn the fraction over: step / warmup."
SCALAR = "a rate isn't a float32 array without axes"

MISTAKES = (
    *with_question(
        START,
        mistake("no warm-up", {f" * {CHOICE}": ""}).because(
            "Your rate begins at its largest. Multiply it by the climb."
        ),
        mistake(
            "the climb begins at 1 / warmup", {"step / max(warmup, 1), 1.0": "(step + 1) / max(warmup, 1), 1.0"}
        ).because("Your climb counts steps from 1. Count from 0, so nothing moves at step 0."),
        mistake("one step ahead", {"def rate(step):\n": "def rate(step):\n        step = step + 1\n"}).because(
            "Your rates are one step early. The first one is that of step 0."
        ),
    ),
    mistake(
        "starts again at max_iters", {"jnp.pi * step / max_iters": "jnp.pi * (step % max_iters) / max_iters"}
    ).because(
        "Your cosine starts again at step max_iters, so without a warm-up the rate jumps back to its base. Let it end "
        "at 0.",
        "What is `step % max_iters` at step max_iters?",
    ),
    mistake("the climb never ends", {CHOICE: "(step / max(warmup, 1) if warmup else 1.0)"}).because(
        "step / warmup goes on growing beyond 1. Choose 1 from step = warmup on.",
        "For which steps does the climb multiply?",
    ),
    mistake(
        "divided by a warm-up of 0",
        {"max(warmup, 1)": "jnp.float32(warmup)", "where(step < warmup": "where(step <= warmup"},
    ).because(
        "Where warmup is 0 you divide by zero. Divide by max(warmup, 1).",
        "What does your code compute at step 0 when warmup is 0?",
    ),
    mistake("divided by zero by Python", {"max(warmup, 1)": "warmup"}).because(
        "Where warmup is 0 you divide by zero. Divide by max(warmup, 1), or test `warmup` first.",
        "What does your code compute at step 0 when warmup is 0?",
    ),
    mistake(
        "the published version",
        {
            f"return {RATE}": "factor = 0.5 * (1 + np.cos(np.pi * step / max_iters))\n"
            "        return base_lr * factor * (step / warmup if step <= warmup else 1.0)"
        },
    ).because(
        "You compute as the published version does, with `np.cos` and `if`: both need a value, and a traced step has "
        "none. Use `jnp.cos` and `jnp.where`, and don't divide by a warm-up of 0.",
        "What does your code know of the step while `jax.jit` traces it?",
    ),
    mistake("a smaller of two by Python", {CHOICE: "min(step / max(warmup, 1), 1.0)"}).because(
        "`min` compares, and a traced step has no value. And without a warm-up your first rate is 0. Use `jnp.where`.",
        "What does your code know of the step while `jax.jit` traces it?",
    ),
    mistake("a smaller of two", {CHOICE: "jnp.minimum(step / max(warmup, 1), 1.0)"}).because(
        "Without a warm-up your first rate is 0, as step / max(warmup, 1) is 0 at step 0. Choose 1 wherever step isn't "
        "below warmup.",
        "What does your code compute at step 0 when warmup is 0?",
    ),
    mistake("a climb of one step more", {CHOICE: "jnp.minimum(step / (warmup + 1), 1.0)"}).because(
        "You divide by warmup + 1, so your climb takes a step too many. Divide by warmup.", START
    ),
    mistake("a climb of one step less", {"step / max(warmup, 1), 1.0": "step / max(warmup - 1, 1), 1.0"}).because(
        "You divide by warmup − 1, so your climb is over a step too soon. Divide by warmup.", START
    ),
    mistake("nothing after the climb", {"max(warmup, 1), 1.0)": "max(warmup, 1), 0.0)"}).because(
        "After the climb your rate is 0. Choose 1 there, so that the cosine is left.",
        "Which branch is taken from step = warmup on?",
    ),
    mistake("a rate instead of a function", {"    return rate": "    return rate(0)"}).because(
        "You return a number. Return the function `rate` itself, which optax calls in every step.",
        "What does optax give to a schedule, and what does it get?",
    ),
    mistake(
        "a counter of its own",
        {
            "    def rate(step):\n": "    steps = iter(range(1 << 30))\n\n"
            "    def rate(step):\n        step = next(steps)\n"
        },
    ).because(
        "You count the calls yourself, and under jit there is only one, while tracing. Use the step that comes in.",
        "How often is `rate` called when `jax.vmap` asks for 30 steps?",
    ),
    mistake(
        "the cosine begins after the climb",
        {"pi * step / max_iters": "pi * jnp.maximum(step - warmup, 0) / (max_iters - warmup)"},
    ).because(
        "Your cosine begins after the climb, as in optax's own schedule. Here it runs from step 0.",
        "How far has the cosine come at step = warmup?",
    ),
    *with_question(
        "What is the factor halfway, at step = max_iters / 2?",
        mistake("a quarter of a wave", {COSINE: "jnp.cos(0.5 * jnp.pi * step / max_iters)"}).because(
            "Your factor is the first quarter of a cosine. Use ½(1 + cos), the first half."
        ),
        mistake("a straight line", {COSINE: "(1 - step / max_iters)"}).because(
            "Your rate falls along a straight line. Let it fall along half a cosine."
        ),
        mistake("no fall", {COSINE: "1.0"}).because("Your rate never falls. Multiply it by ½(1 + cos)."),
    ),
    mistake("branches swapped", {CHOICE: "jnp.where(step < warmup, 1.0, step / max(warmup, 1))"}).because(
        "Your climb comes after the warm-up. Swap the two branches.", "Which branch is taken where the test is true?"
    ),
    mistake("whole steps of the climb", {"step / max(warmup, 1), 1.0": "step // max(warmup, 1), 1.0"}).because(
        "`//` rounds down, so your rate stays 0 in the whole climb. Divide with `/`.", "What is 3 // 4?"
    ),
    mistake("climbs over the whole run", {"step / max(warmup, 1), 1.0": "step / max_iters, 1.0"}).because(
        "In the climb you divide by max_iters. Divide by warmup.", "Where should the climb reach 1?"
    ),
    mistake(
        "no cosine in the climb", {RATE: "base_lr * jnp.where(step < warmup, step / max(warmup, 1), factor)"}
    ).because(
        "In the climb your factor is step / warmup alone. Multiply it by the cosine.",
        "What are the two factors at step = warmup / 2?",
    ),
    mistake("warm-up upside down", {"step / max(warmup, 1), 1.0": "warmup / step, 1.0"}).because(UPSIDE_DOWN, START),
    mistake(
        "warm-up upside down, from 1", {"step / max(warmup, 1), 1.0": "warmup / jnp.maximum(step, 1), 1.0"}
    ).because(UPSIDE_DOWN, START),
    mistake("not halved", {"0.5 * (1": "(1"}).because(
        "1 + cos begins at 2, so your rate is doubled. Halve it.", "What is 1 + cos(0)?"
    ),
    *with_question(
        "At which step is the angle π, and the rate 0?",
        *(
            mistake(name, {"jnp.pi * step / max_iters": f"jnp.pi * step / ({length.replace('−', '-')})"}).because(
                f"You divide by {length}, so the cosine doesn't end at step max_iters. Divide by max_iters."
            )
            for name, length in (
                ("at its end one step early", "max_iters − 1"),
                ("at its end one step late", "max_iters + 1"),
                ("at its end before the run is, by the warm-up", "max_iters − warmup"),
                ("at its end after the run is, by the warm-up", "max_iters + warmup"),
            )
        ),
    ),
    *with_question(
        "What is the angle at the end of the run?",
        mistake("π forgotten", {"jnp.pi * ": ""}).because("Your angle ends at 1. It ends at π."),
        mistake("a whole wave", {"jnp.pi": "2 * jnp.pi"}).because("Your cosine comes up again. The angle ends at π."),
    ),
    mistake("the bare cosine", {COSINE: "jnp.cos(jnp.pi * step / max_iters)"}).because(
        "cos alone is negative in the second half, which would climb the loss. Use ½(1 + cos).",
        "Which numbers turn −1…1 into 0…1?",
    ),
    mistake("the cosine upside down", {"1 + jnp.cos": "1 - jnp.cos"}).because(
        "1 − cos grows: your rate is largest at the end. Use 1 + cos.", END
    ),
    mistake("a lowest rate", {RATE: f"jnp.where(step < warmup, {RATE}, base_lr * jnp.maximum(factor, 0.05))"}).because(
        "Your factor has a lowest value of its own. Let it come down to 0.", END
    ),
    mistake("base rate ignored", {"base_lr * factor": "factor"}).because(
        "You return the factor itself. Multiply it by base_lr.", "Where do you use base_lr?"
    ),
    mistake("one base rate", {"base_lr * factor": "0.3 * factor"}).because(
        "Your rate doesn't depend on base_lr. Multiply the factor by base_lr.",
        "What should the rate be at the end of the climb?",
    ),
    decides_by_value(
        "if on the step",
        {RATE: "base_lr * factor * (step / warmup if step < warmup else 1.0)"},
    ),
    leaves_jax(
        "cosine by NumPy",
        {"jnp.cos(jnp.pi * step / max_iters)": "np.cos(np.pi * np.asarray(step) / max_iters)"},
    ),
    mistake("a number of Python's", {f"return {RATE}": f"return float({RATE})"}).because(
        "You turn the rate into a Python number, which it isn't while JAX traces. Return the array.",
        "What does your code know of the step while `jax.jit` traces it?",
    ),
    mistake("in half precision", {f"return {RATE}": f"return ({RATE}).astype(jnp.float16)"}).because(
        "You return float16. Return float32.", "What is rate(3).dtype?"
    ),
    mistake("an axis too many", {f"return {RATE}": f"return ({RATE})[None]"}).because(
        "You return an array with an axis. Return a scalar: the shape of step.", "What is `rate(3).shape`?"
    ),
    mistake(
        "a rate that isn't an array",
        {
            f"return {RATE}": f"found = {RATE}\n"
            "        return found if isinstance(found, jax.core.Tracer) else float(found)"
        },
        shown_by=SCALAR,
    ).because(
        "Your rate is a Python number where it isn't traced. Return the float32 array.",
        "What is the type of `rate(3)`?",
    ),
)
