"""The reverse task with the published recipe: the same steps, batches and model, ours against Lightning and JAX.

An epoch of each in turn, three times over, and the best epoch of each counts: whatever else the machine is doing
disturbs all of them alike.
"""

from dataclasses import replace

from benchmarks.measure import entry
from course_lib.tasks import REVERSE_PUBLISHED, reverse_task, train

ROUNDS = 3
EPOCHS = 10
STEPS = 390  # an epoch
RECIPE = replace(REVERSE_PUBLISHED, max_steps=STEPS)


def run() -> list[dict]:
    """Seconds for ten epochs."""
    task = reverse_task()

    def our_epoch() -> float:
        return train(task, recipe=RECIPE, progress=False)[1].seconds

    train(task, recipe=replace(RECIPE, max_steps=10), progress=False)
    return against_lightning(our_epoch) + against_jax(our_epoch)


def against_lightning(our_epoch) -> list[dict]:
    """Nothing where lightning is not installed."""
    try:
        from benchmarks.baselines import lightning_reverse
    except ImportError as error:
        print(f"reverse against Lightning: skipped ({error}); pip install lightning")
        return []
    with lightning_reverse.quickest_threads():
        rounds = [(our_epoch(), lightning_reverse.train(epochs=1).seconds) for _ in range(ROUNDS)]
    ours, theirs = map(min, zip(*rounds, strict=True))
    return [entry("reverse, published recipe, Lightning", EPOCHS * ours, EPOCHS * theirs, "s", 2.3)]


def against_jax(our_epoch) -> list[dict]:
    """Nothing where jax, flax or optax is not installed."""
    try:
        from benchmarks.baselines import jax_reverse
    except ImportError as error:
        print(f"reverse against JAX: skipped ({error}); pip install jax flax optax")
        return []
    jax_run = jax_reverse.Run()
    rounds = [(our_epoch(), jax_run.epoch()[0]) for _ in range(ROUNDS)]
    ours, theirs = map(min, zip(*rounds, strict=True))
    whole = EPOCHS * theirs + jax_run.compile_seconds
    return [
        entry("reverse, published recipe, JAX with its compilation", EPOCHS * ours, whole, "s", 1.0),
        entry("reverse, published recipe, JAX once compiled", EPOCHS * ours, EPOCHS * theirs, "s", None),
    ]
