"""What goes wrong in JAX's `reverse_loss`."""

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

MODEL = "model(jax.nn.one_hot(tokens, num_classes), deterministic=deterministic, rngs=rngs)"
LOSS = "optax.softmax_cross_entropy_with_integer_labels(logits, targets)"
PROBABILITY = "(jax.nn.softmax(logits) * jax.nn.one_hot(targets, num_classes)).sum(-1)"
RIGHT = "(logits.argmax(-1) == targets)"
WIDTH = "What does `jax.nn.one_hot` need to know before the data comes, and which argument says it?"
TELL = "What does the model have to be told before it drops anything?"

MISTAKES = (
    *with_question(
        TELL,
        MODEL_NEVER_TOLD,
        MODEL_TOLD_BY_RNGS,
        mistake("rngs not passed on", {", rngs=rngs": ""}).because(
            "You don't pass `rngs` on, so dropout has no key. Pass it to the model."
        ),
    ),
    *with_question(
        "Which of `tokens` and `targets` does the model read, and with which do you compare its guess?",
        mistake("targets read", {"one_hot(tokens": "one_hot(targets"}).because(
            "Your model reads the targets. Let it read the tokens."
        ),
        mistake("tokens for targets in the loss", {"labels(logits, targets)": "labels(logits, tokens)"}).because(
            "Your loss compares with the tokens. Compare with the targets."
        ),
        mistake("tokens for targets in the accuracy", {"== targets": "== tokens"}).because(
            "Your accuracy compares with the tokens. Compare with the targets."
        ),
        mistake("reversed again", {"labels(logits, targets)": "labels(logits, targets[:, ::-1])"}).because(
            "You reverse the targets in your loss. They come reversed: leave them."
        ),
    ),
    mistake("targets reversed", {"tokens, targets = batch": "tokens, targets = batch[0], batch[1][:, ::-1]"}).because(
        "You reverse the targets. They come reversed: leave them.", "Which token comes first in the targets?"
    ),
    mistake("sign of the loss", {f"{LOSS}.mean()": f"-{LOSS}.mean()"}).because(
        "Your loss is negative: optax's cross-entropy already has its minus. Leave the sign.",
        "Is the loss of a model larger or smaller when it is wrong?",
    ),
    mistake("an accuracy for each token", {f"{RIGHT}.mean()": RIGHT}).because(
        "You return which tokens are right. Return their share: the mean.", "Which shape has an accuracy?"
    ),
    mistake(
        "rngs made inside",
        {"rngs=rngs": "rngs=nnx.Rngs(0)", "    tokens, targets": "    from flax import nnx\n\n    tokens, targets"},
    ).because(
        "You make keys inside, so every call drops the same entries. Pass the `rngs` that you are given on.", TELL
    ),
    kept_in_a_global("    loss = "),
    mistake("only the last token", {"labels(logits, targets)": "labels(logits[:, -1], targets[:, -1])"}).because(
        "Your loss is that of the last token only. Take the mean over all tokens.", "How many tokens does a batch hold?"
    ),
    mistake("percent", {f"{RIGHT}.mean()": f"{RIGHT}.mean() * 100"}).because(
        "You return percent. Return a share, between 0 and 1.", "What is the accuracy of a model that is always right?"
    ),
    *with_question(
        "Which of the two does optax's cross-entropy take, logits or probabilities, and over which axis?",
        mistake("cross-entropy on probabilities", {"labels(logits": "labels(jax.nn.softmax(logits)"}).because(
            "You take the softmax twice: optax's loss has it already. Give it the logits."
        ),
        mistake(
            "softmax over the places", {"labels(logits, targets)": "labels(logits.swapaxes(1, 2), targets)"}
        ).because("Your tokens compete with each other. The categories compete, for each token: the last axis."),
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
        mistake(
            "each category by itself",
            {LOSS: "optax.sigmoid_binary_cross_entropy(logits, jax.nn.one_hot(targets, num_classes))"},
        ).because(
            "You ask of each category by itself whether it is the right one. Let the categories compete, in a softmax."
        ),
        mistake(
            "each category by itself, added up",
            {LOSS: "optax.sigmoid_binary_cross_entropy(logits, jax.nn.one_hot(targets, num_classes)).sum(-1)"},
        ).because(
            "You ask of each category by itself whether it is the right one. Let the categories compete, in a softmax."
        ),
        mistake(
            "squared differences", {LOSS: "jnp.square(logits - jax.nn.one_hot(targets, num_classes)).sum(-1)"}
        ).because("Your loss is the squared difference between logits and one-hot targets. Take the cross-entropy."),
        mistake(
            "averaged over the categories, too",
            {LOSS: "-(jax.nn.log_softmax(logits) * jax.nn.one_hot(targets, num_classes))"},
        ).because(
            "You divide by the number of categories, too: of the C numbers of a token, C − 1 are 0. Add them up, and "
            "take the mean over the tokens."
        ),
        mistake("no logarithm", {LOSS: f"1 - {PROBABILITY}"}).because(
            "Your loss is 1 minus the probability of the right token. Take minus the logarithm of the probability."
        ),
    ),
    *with_question(
        "By how many tokens should the sum be divided?",
        mistake("sum over all tokens", {f"{LOSS}.mean()": f"{LOSS}.sum()"}).because(
            "You add the losses up, so the step grows with the batch. Take the mean over all tokens."
        ),
        mistake("sum over the sequence", {f"{LOSS}.mean()": f"{LOSS}.sum(-1).mean()"}).because(
            "You add up the losses of a sequence. Take the mean over all tokens."
        ),
    ),
    *with_question(
        "Of 20 tokens in 2 sequences, 15 are guessed right. What is the accuracy?",
        mistake("whole sequences counted", {RIGHT: f"{RIGHT}.all(-1)"}).because(
            "You count a sequence only if all of it is right. Count tokens."
        ),
        mistake("accuracy as a count", {f"{RIGHT}.mean()": f"{RIGHT}.sum()"}).because(
            "You count the tokens. Return their share."
        ),
        mistake("more than half", {RIGHT: f"({PROBABILITY} > 0.5)"}).because(
            "You count a token only if its probability is above ½. It is right if no other category has a larger logit."
        ),
        mistake("every guess with every target", {RIGHT: "(logits.argmax(-1)[..., None] == targets[:, None])"}).because(
            "You compare every guess of a sequence with every target of it. Compare token by token: two arrays [B, T]."
        ),
        mistake("guesses along the places", {"argmax(-1)": "argmax(1)"}).because(
            "Your guess is a place. It is the category with the largest logit: the last axis."
        ),
    ),
    *with_question(
        "What is `batch`, and which of its two parts should the model predict?",
        mistake(
            "compared with the tokens", {"tokens, targets = batch": "tokens, targets = batch[0], batch[0]"}
        ).because("You compare the guesses with the tokens that came in. Compare with the targets."),
        mistake("tokens and targets exchanged", {"tokens, targets = batch": "targets, tokens = batch"}).because(
            "You show the model the targets. The tokens come first."
        ),
        mistake(
            "reversed by yourself", {"tokens, targets = batch": "tokens, targets = batch[0], batch[0][:, ::-1]"}
        ).because("You reverse the tokens yourself. Compare with the targets of the batch."),
    ),
    mistake(
        "positions left out", {", deterministic=det": ", add_positional_encoding=False, deterministic=det"}
    ).because(
        "You switch the positions off, and without them nobody can reverse. Leave add_positional_encoding alone.",
        "What does the model need to know to find the mirrored token?",
    ),
    *with_question(
        WIDTH,
        mistake("always ten categories", {"one_hot(tokens, num_classes)": "one_hot(tokens, 10)"}).because(
            "Your one-hot vectors are always 10 wide. Use num_classes."
        ),
        mistake(
            "width from the data",
            {"one_hot(tokens, num_classes)": "one_hot(tokens, num_classes + 0 * int(tokens.max()))"},
        ).because("You ask the tokens for their largest value, which a tracer doesn't have. Use num_classes."),
        mistake("tokens without one-hot", {"jax.nn.one_hot(tokens, num_classes)": "tokens"}).because(
            "You give the model token numbers. It takes one-hot vectors [B, T, num_classes]."
        ),
        mistake(
            "one-hot of integers", {"one_hot(tokens, num_classes)": "one_hot(tokens, num_classes, dtype=int)"}
        ).because("Your one-hot vectors are integers. The model takes float32, the default of jax.nn.one_hot."),
    ),
    decides_by_value(
        "if on the tokens",
        {"    loss =": "    if tokens.max() > 1e6:\n        return 0.0, 0.0\n    loss ="},
    ),
    mistake("a number of Python's", {"    return loss,": "    return float(loss),"}).because(
        "You turn the loss into a Python number, so nothing can be differentiated. Return the array.", UNDER_JIT
    ),
    *with_question(
        BACKWARD, cut("loss cut off", {"    return loss,": "    return jax.lax.stop_gradient(loss),"}, "the loss")
    ),
    mistake(
        "accuracy of a second pass",
        {RIGHT: RIGHT.replace("logits", "model(jax.nn.one_hot(tokens, num_classes))")},
        shown_by=OTHER_PASS,
    ).because(
        "You call the model again for the accuracy, and that call isn't told to train. Call the model once: loss and "
        "accuracy are those of the same logits.",
        "How often does your function call the model, and what is each call told?",
    ),
    mistake("accuracy first", {f"return loss, {RIGHT}.mean()": f"return {RIGHT}.mean(), loss"}).because(
        "You return (accuracy, loss). Return (loss, accuracy).", "What does the docstring list under “Returns”?"
    ),
    mistake("loss only", {f"return loss, {RIGHT}.mean()": "return loss"}).because(
        "You return the loss only. Return (loss, accuracy).", "What does the docstring list under “Returns”?"
    ),
    seeds_numpy("    loss ="),
)
