"""What goes wrong in JAX's `anomaly_loss`."""

from autograder.catalogue.common_jax_mistakes import (
    BACKWARD,
    MODEL_NEVER_TOLD,
    MODEL_TOLD_BY_RNGS,
    UNDER_JIT,
    cut,
    decides_by_value,
    kept_in_a_global,
    seeds_numpy,
)
from autograder.catalogue.edits import mistake, with_question
from autograder.catalogue.jax_training.loss_checks import OTHER_PASS

SQUEEZED = "[..., 0]"
LOSS = "optax.softmax_cross_entropy_with_integer_labels(logits, target)"
PROBABILITY = "(jax.nn.softmax(logits) * jax.nn.one_hot(target, logits.shape[-1])).sum(-1)"
RIGHT = "(logits.argmax(-1) == target)"

MISTAKES = (
    mistake("positional encoding left on", {"add_positional_encoding=False, ": ""}).because(
        "Your model sees positions, so the order of a set changes the loss. Pass add_positional_encoding=False.",
        "What is the fifth image of a set, if the set has no order?",
    ),
    *with_question(
        "Print the shape of the logits. Which axis holds the images that compete?",
        mistake("every axis of size 1 squeezed", {SQUEEZED: ".squeeze()"}).because(
            "`squeeze()` removes the batch axis too if it holds one set. Remove the last axis only."
        ),
        mistake("softmax over the batch", {"labels(logits, target)": "labels(logits.T, target)"}).because(
            "Your sets compete with each other. The images of one set do: the last axis."
        ),
        mistake(
            "each image by itself",
            {LOSS: "optax.sigmoid_binary_cross_entropy(logits, jax.nn.one_hot(target, logits.shape[1]))"},
        ).because(
            "You ask of each image by itself whether it is the odd one. Let the S images compete: a softmax over them."
        ),
        mistake(
            "each image by itself, added up",
            {LOSS: "optax.sigmoid_binary_cross_entropy(logits, jax.nn.one_hot(target, logits.shape[1])).sum(-1)"},
        ).because(
            "You ask of each image by itself whether it is the odd one. Let the S images compete: a softmax over them."
        ),
        mistake("every set with every target", {LOSS: "-jax.nn.log_softmax(logits)[:, target]"}).because(
            "You index with `[:, target]`, which pairs every set with every target. Take one image of each set: "
            "`[jnp.arange(B), target]`, or `jnp.take_along_axis`."
        ),
        mistake(
            "averaged over the images, too",
            {LOSS: "-(jax.nn.log_softmax(logits) * jax.nn.one_hot(target, logits.shape[1]))"},
        ).because(
            "You divide by the number of images, too: of the S numbers of a set, S − 1 are 0. Add them up, and take "
            "the mean over the sets."
        ),
        mistake("always ten images", {LOSS: "optax.softmax_cross_entropy(logits, jax.nn.one_hot(target, 10))"}).because(
            "Your one-hot targets are always 10 wide. A set has S images: `logits.shape[-1]`."
        ),
        mistake("axis left in place", {SQUEEZED: ""}).because(
            "Your logits are still [B, S, 1]. Take the last axis away: the S images are the classes."
        ),
    ),
    *with_question(
        "Which of the two does optax's cross-entropy take, logits or probabilities?",
        mistake("cross-entropy on probabilities", {"labels(logits": "labels(jax.nn.softmax(logits)"}).because(
            "You take the softmax twice: optax's loss has it already. Give it the logits."
        ),
        mistake(
            "logarithm of probabilities",
            {LOSS: f"-jnp.log({PROBABILITY})"},
            shown_by="with logits 200 times as large the loss isn't finite",
        ).because(
            "You take the logarithm of a probability that rounds to 0, so a model that is sure gets an infinite loss. "
            "Use the loss on logits."
        ),
        *(
            mistake(name, {LOSS: f"-jnp.log({probability})"}).because(
                "You keep the probability away from 0, so a model that is sure and wrong gets too small a loss, and no "
                "gradient. Use the loss on logits."
            )
            for name, probability in (
                ("a small number in the logarithm", f"{PROBABILITY} + 1e-9"),
                ("a larger number in the logarithm", f"{PROBABILITY} + 1e-6"),
                ("probabilities clipped", f"jnp.clip({PROBABILITY}, 1e-7, 1)"),
            )
        ),
    ),
    mistake("sum over the batch", {f"{LOSS}.mean()": f"{LOSS}.sum()"}).because(
        "You add the losses up, so the step grows with the batch. Take the mean.", "By how many sets do you divide?"
    ),
    *with_question(
        "Of 5 sets, 3 are guessed right. What is the accuracy?",
        mistake("accuracy as a count", {f"{RIGHT}.mean()": f"{RIGHT}.sum()"}).because(
            "You count the sets. Return their share."
        ),
        mistake("more than half", {RIGHT: f"({PROBABILITY} > 0.5)"}).because(
            "You count a set only if the odd one's probability is above ½. It is found if its logit is the largest."
        ),
        mistake("every guess with every target", {RIGHT: "(logits.argmax(-1)[:, None] == target)"}).because(
            "You compare [B, 1] with [B], which pairs every guess with every target. Take the last axis away first."
        ),
        mistake("argmax over one number", {RIGHT: "(logits[..., None].argmax(-1) == target[:, None])"}).because(
            "You take the argmax over the last axis, which has one entry, so every guess is 0. Take it over the images."
        ),
        mistake("the least likely image", {"argmax(-1)": "argmin(-1)"}).because(
            "You guess the smallest logit. Take the largest."
        ),
    ),
    *with_question(
        "What does the model have to be told before it drops anything?",
        MODEL_NEVER_TOLD,
        MODEL_TOLD_BY_RNGS,
        mistake("rngs not passed on", {", rngs=rngs)": ")"}).because(
            "You don't pass `rngs` on, so dropout has no key. Pass it to the model."
        ),
        mistake(
            "rngs made inside",
            {"rngs=rngs": "rngs=nnx.Rngs(0)", "    sets, target": "    from flax import nnx\n\n    sets, target"},
        ).because("You make keys inside, so every call drops the same entries. Pass the `rngs` that you are given on."),
    ),
    mistake("sign of the loss", {f"{LOSS}.mean()": f"-{LOSS}.mean()"}).because(
        "Your loss is negative: optax's cross-entropy already has its minus. Leave the sign.",
        "Is the loss of a model larger or smaller when it is wrong?",
    ),
    mistake("guesses along the batch", {"argmax(-1)": "argmax(0)"}).because(
        "Your guess is a set. It is the image with the largest logit: the last axis.",
        "Which axis of the logits holds the images of one set?",
    ),
    kept_in_a_global("    loss = "),
    decides_by_value("if on the sets", {"    loss =": "    if sets.max() > 1e6:\n        return 0.0, 0.0\n    loss ="}),
    mistake("a number of Python's", {"    return loss,": "    return float(loss),"}).because(
        "You turn the loss into a Python number, so nothing can be differentiated. Return the array.", UNDER_JIT
    ),
    *with_question(
        BACKWARD, cut("loss cut off", {"    return loss,": "    return jax.lax.stop_gradient(loss),"}, "the loss")
    ),
    mistake("percent", {f"{RIGHT}.mean()": f"{RIGHT}.mean() * 100"}).because(
        "You return percent. Return a share, between 0 and 1.", "What is the accuracy of a model that is always right?"
    ),
    mistake(
        "accuracy of a second pass",
        {RIGHT: RIGHT.replace("logits", "model(sets, add_positional_encoding=False)[..., 0]")},
        shown_by=OTHER_PASS,
    ).because(
        "You call the model again for the accuracy, and that call isn't told to train. Call the model once: loss and "
        "accuracy are those of the same logits.",
        "How often does your function call the model, and what is each call told?",
    ),
    mistake("accuracy first", {f"return loss, {RIGHT}.mean()": f"return {RIGHT}.mean(), loss"}).because(
        "You return (accuracy, loss). Return (loss, accuracy).", "What does the docstring list under “Returns”?"
    ),
    seeds_numpy("    loss ="),
)
