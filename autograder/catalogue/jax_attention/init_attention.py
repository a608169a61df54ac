"""init_attention(key, input_dim, embed_dim, num_heads) → the tree of an attention layer's parameters."""

import math

import jax
import jax.numpy as jnp
import numpy as np

import course_lib.jax.attention as reference
from autograder.catalogue import exercise
from autograder.catalogue.checks import is_true, moved, raises, unmoved
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.jax_attention.init_attention_mistakes import (
    COME_AGAIN,
    KEY_READ,
    MISTAKES,
    NOT_OF_JAX,
    SAME_IN_LINE,
    SAME_SIZE,
    SPLIT,
    other_shape,
)
from autograder.catalogue.jax_attention.init_attention_range_mistakes import NOT_UNIFORM, UNIFORM, other_range
from autograder.catalogue.results import Finding

INPUT, EMBED, HEADS = 64, 96, 8
ALIKE = 24  # both widths of a layer, in the usual case
KERNELS, BIASES = ("qkv_proj.kernel", "o_proj.kernel"), ("qkv_proj.bias", "o_proj.bias")
SHAPES, RANGE, KEYS = (
    "names and shapes of the contract",
    "Xavier-uniform kernels, biases of 0",
    "keys decide, each once",
)
REFUSED = "heads that do not divide embed_dim are refused"
SAME_NUMBERS = "both kernels begin with the same numbers"


def drawn(seed=7, **settings):
    """A key, and the widths of a layer."""
    return lambda g: {"seed": seed, "input_dim": INPUT, "embed_dim": EMBED, "num_heads": HEADS} | settings


def in_limits(kernel):
    """A kernel in units of its own limit."""
    return kernel.astype(np.float64) / math.sqrt(6 / sum(kernel.shape))


def xavier(kernel):
    scaled = in_limits(kernel)
    return abs(scaled).max() > 0.97 and abs(scaled.std() * 3**0.5 - 1) < 0.03


def reach(results):
    """From where to where the kernels run, if that isn't from −1 to 1 times their limits."""
    scaled = [in_limits(results.output("drawn", name)) for name in KERNELS]
    ends = [(kernel.min(), kernel.max()) for kernel in scaled]
    near = all(0.97 < -low < 1 + 1e-3 and 0.97 < high < 1 + 1e-3 for low, high in ends)
    return None if near else Finding(other_range(*ends), "drawn", KERNELS[0])


def bulges(kernel):
    """Whether more numbers lie near the mean than of a uniform draw, whose kurtosis is 1.8; a normal one has 3."""
    apart = kernel.astype(np.float64) - kernel.mean()
    return (apart**4).mean() > 2.1 * (apart**2).mean() ** 2


def shapes_hold(results):
    """The first array that is missing or has another shape, with both shapes."""
    for name in (*KERNELS, *BIASES):
        actual, expected = (get("shapes", name).tolist() for get in (results.output, results.expected_output))
        if actual != expected:
            return Finding(other_shape(name, actual, expected), "shapes")
    return None


def unlike(one, other, most=0.1):
    length = min(one.size, other.size, 2000)
    first = [kernel.ravel()[:length].astype(np.float64) for kernel in (one, other)]
    first = [kernel - kernel.mean() for kernel in first]
    return abs(np.vdot(*first)) <= most * math.prod(map(np.linalg.norm, first))


def come_once(*kernels):
    """Whether the numbers of each kernel are drawn one by one: among 18,432 uniform ones, 20 come twice."""
    return all(np.unique(kernel).size > 0.9 * kernel.size for kernel in kernels)


def apart(one, other):
    """Whether the numbers of two kernels differ, in whatever order, in units of their limits and up to their sign."""
    if not unlike(one, other, 0.5):  # by chance alone, 576 numbers reach 0.2
        return False
    of_one, of_other = (np.sort(abs(in_limits(kernel)), axis=None) for kernel in (one, other))
    places = np.searchsorted(of_one, of_other + 2e-7) - np.searchsorted(of_one, of_other - 2e-7)
    return (places > 0).mean() < 0.1


def key_is_traced(results):
    """None, or that the code asked a traced key for a number: it is the only value that comes in."""
    error = results.actual.get("traced", {}).get("error", {})
    return Finding(KEY_READ, "traced") if error.get("type") == "ConcretizationTypeError" else None


def gives_three_layers(results):
    """None, or that three keys at once don't give three times what one key gives."""
    for name in KERNELS:
        one, three = (results.output(case, name) for case in ("kernels of one size", "an ensemble"))
        if three.shape != (3, *one.shape):
            return Finding("vmap over three keys doesn't give three layers", "an ensemble")
    return None


def by_initializers(key, input_dim, embed_dim, num_heads):
    if embed_dim % num_heads:
        raise ValueError(f"{embed_dim} features for {num_heads} heads")
    init, keys = jax.nn.initializers.glorot_uniform(), jax.random.split(key, 2)
    sizes = {"qkv_proj": (input_dim, 3 * embed_dim), "o_proj": (embed_dim, embed_dim)}
    return {
        name: {"kernel": init(k, size, jnp.float32), "bias": jnp.zeros((size[1],), jnp.float32)}
        for k, (name, size) in zip(keys, sizes.items(), strict=True)
    }


JAX_INIT_ATTENTION = Exercise(
    id="jax_init_attention",
    title="Parameters from a key",
    reference=reference.init_attention,
    cases=(
        Case("shapes", lambda g: {"seed": 7, "input_dim": 5, "embed_dim": 6, "num_heads": 3, "ask": "shapes"}),
        Case("drawn", drawn()),
        Case("drawn again", drawn()),
        Case("another key", drawn(seed=11)),
        Case("equal widths", drawn(input_dim=ALIKE, embed_dim=ALIKE)),
        Case("kernels of one size", drawn(input_dim=ALIKE // 3, embed_dim=ALIKE)),
        Case("traced", drawn(ask="jit")),
        Case("an ensemble", drawn(input_dim=ALIKE // 3, embed_dim=ALIKE, ask="ensemble")),
        Case("14 features for 4 heads", lambda g: {"seed": 7, "input_dim": 5, "embed_dim": 14, "num_heads": 4}),
    ),
    criteria=(
        Criterion(SHAPES, 0.5, shapes_hold),
        Criterion(
            RANGE,
            0.75,
            is_true("drawn", KERNELS, lambda *kernels: not any(map(bulges, kernels)), NOT_UNIFORM),
            reach,
            is_true("drawn", [KERNELS[0]], xavier, "qkv_proj isn't U(±√(6/(in+out)))"),
            is_true("drawn", [KERNELS[1]], xavier, "o_proj isn't U(±√(6/(in+out)))"),
            is_true("drawn", BIASES, lambda *b: not any(bias.any() for bias in b), "a bias isn't 0"),
        ),
        Criterion(
            KEYS,
            0.75,
            is_true("drawn", KERNELS, come_once, COME_AGAIN),
            is_true("drawn", KERNELS, unlike, SAME_NUMBERS),
            is_true("equal widths", KERNELS, apart, SAME_IN_LINE),
            is_true("kernels of one size", KERNELS, apart, SAME_SIZE),
            unmoved("drawn", "drawn again", *KERNELS, text="the same key gives different numbers"),
            moved("drawn", "another key", *KERNELS, text="another key gives the same numbers"),
        ),
        Criterion(
            "it works under jit and vmap",
            0.5,
            key_is_traced,
            unmoved("drawn", "traced", *KERNELS, text="under jit the same key gives different numbers"),
            gives_three_layers,
        ),
        Criterion(REFUSED, 0.25, raises("14 features for 4 heads", "ValueError", "14", "4")),
        exercise.common_criterion(0.25, is_true("shapes", ["are_arrays"], bool, NOT_OF_JAX)),
    ),
    mistakes=MISTAKES,
    right_variants=(
        right("by fold_in", {SPLIT: "(jax.random.fold_in(key, 0), jax.random.fold_in(key, 1))"}),
        right("stretched afterwards", {UNIFORM: "(2 * jax.random.uniform(key, (width_in, width_out)) - 1) * limit"}),
        by_initializers,
    ),
)
