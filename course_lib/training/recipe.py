"""What a run of training needs to know, apart from the model and the data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    """How a model is trained.

    Attributes:
        learning_rate: the base rate of Adam, reached when the warm-up ends.
        batch_size: sequences, or sets, in one step; of sentences, tokens.
        max_steps: steps (not epochs) after which training ends and the rate has come down to 0.
        warmup: steps in which the rate climbs from 0.
        max_norm: the gradient of all parameters together is clipped to this length.
        validate_every: steps between two looks at the validation data.
        target_accuracy: stop as soon as the validation accuracy is at least this; None trains to the end. With a
            target, training batches that reach it are a reason to look at the validation data out of turn.
        betas: of Adam: how much of its averages of the gradient, and of its square, a step keeps. With 0.9 and
            0.999 they reach back some 10 and 1,000 steps; a run of a hundred steps wants shorter memories.
        average_last: what the model is left with: 0, the weights of its best validation; more, the mean of the weights
            at so many last validations.
        seed: of the order of the batches and of dropout (the weights are drawn before, by whoever makes the model).
    """

    learning_rate: float
    batch_size: int
    max_steps: int
    warmup: int = 50
    max_norm: float = 5.0
    validate_every: int = 100
    target_accuracy: float | None = None
    betas: tuple[float, float] = (0.9, 0.999)
    average_last: int = 0
    seed: int = 0
