"""The settings of a training run, apart from the model and the data."""

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
            target, the validation data are also looked at as soon as training batches reach it.
        betas: of Adam: how much of its averages of the gradient, and of its square, a step keeps. With 0.9 and
            0.999 they reach back about 10 and 1,000 steps; a run of a hundred steps needs shorter memories.
        average_last: 0 leaves the model with the weights of its best validation, n with the mean of the weights at
            the last n validations.
        seed: of the order of the batches and of dropout (the initial weights are drawn when the model is made).
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
