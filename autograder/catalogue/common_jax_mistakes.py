"""Rows that the exercises of the JAX track share, and what checks of transformations say."""

from collections.abc import Callable, Mapping

from autograder.catalogue.common_mistakes import changed
from autograder.catalogue.edits import KnownMistake, mistake, with_question

UNDER_JIT = (
    "What does your code know about an array while `jax.jit` traces it: its values, or only its shape and dtype?"
)
BACKWARD = "Which of your calls takes an array out of JAX's differentiation?"
NOISE = '{"deterministic": deterministic, "rngs": rngs}'  # what a module passes on when it is told to train
BY_VALUE = (
    "You decide (with `if`, `and`, `while`, …) by the values of an array, which has none while tracing. Use "
    "`jnp.where` to choose between arrays."
)
BY_NUMPY = "You compute with NumPy, which needs the numbers themselves, and a tracer has none. Use `jnp` instead."
GLOBAL, ATTRIBUTE = "value of a global variable", "set of the module's attributes"  # as the probes note it
NOT_DRAWN = "the constructor draws nothing from the rngs that it is given"
PARTLY_DRAWN = "a kernel isn't drawn from the rngs that the constructor is given"
ALIKE = "two kernels begin with the same numbers"
KEY_USED_TWICE = "one key of a call is used for two draws"
KEPT_STATE = (
    "Your module holds state that isn't a parameter of the contract: a key that a dropout keeps, or an array as an "
    "attribute. Keep parameters only, and pass `rngs` with the call."
)
NO_KEY = "the same key drops other entries"
GUESSED = "with `rngs` alone, and `deterministic` left True, something drops"
BY_RNGS = "You train whenever you get `rngs`, whatever `deterministic` says. Pass `deterministic` on as it is."
BY_NO_RNGS = (
    "What drops doesn't depend on the `rngs` that you are given, but on NumPy's or Python's random numbers: the same "
    "`rngs` drop other entries in the next call. Draw from `rngs`."
)
PURE = "What is different in the second call, when the function has been traced and is only replayed?"


def decides_by_value(name: str, edits: Mapping[str, str], **more) -> KnownMistake:
    """An answer with an `if` on a traced array, which has no value yet."""
    return mistake(name, edits, **more).because(BY_VALUE, UNDER_JIT)


def leaves_jax(name: str, edits: Mapping[str, str], **more) -> KnownMistake:
    """An answer that calls NumPy on an array that may be traced."""
    return mistake(name, edits, **more).because(BY_NUMPY, UNDER_JIT)


def kept_in_a_global(before: str) -> KnownMistake:
    """An answer that writes into a global variable, before this text of the reference."""
    assigned = f"{before[: len(before) - len(before.lstrip())]}globals()['kept'] = object()"
    return mistake("kept in a global", {before: f"{assigned}\n{before}"}, shown_by=changed(GLOBAL)).because(
        "Your code changes a global variable, so it isn't pure: under `jax.jit` that happens only while tracing, and "
        "what is kept may be a tracer. Return what you need later.",
        PURE,
    )


def seeds_numpy(before: str) -> KnownMistake:
    """An answer that sets NumPy's global seed, before this text of the reference."""
    seeded = f"{before[: len(before) - len(before.lstrip())]}np.random.seed(0)"
    return mistake("NumPy seeded", {before: f"{seeded}\n{before}"}, shown_by=changed("random seed")).because(
        "You set NumPy's global seed, which other code relies on. Leave it alone: JAX draws from keys.",
        "What is NumPy's random state before your call, and after it?",
    )


def rngs_of_its_own(before: str) -> KnownMistake:
    """A constructor that takes no notice of the `rngs` that it is given, from this line of the reference on."""
    assigned = f"        rngs = nnx.Rngs(0)\n{before}"
    return mistake("a constructor with keys of its own", {before: assigned}, shown_by=NOT_DRAWN).because(
        "Your constructor doesn't draw from the `rngs` that it is given, so every module begins with the same numbers. "
        "Pass `rngs` on.",
        "With which numbers do two of your modules begin, if each gets another seed?",
    )


def drawn_apart(part: str, name: str) -> KnownMistake:
    """A constructor one part of which, this text of the reference, takes no notice of the `rngs`."""
    own = {part: part.replace("rngs=rngs", "rngs=nnx.Rngs(0)")}
    return mistake(f"{name} with keys of its own", own, shown_by=PARTLY_DRAWN).because(
        "A part of your module doesn't draw from the `rngs` that the constructor is given, so it begins with the same "
        "numbers whatever the seed. Pass `rngs` on to every part that has parameters.",
        "Which parts of two of your modules begin alike, if each gets another seed?",
    )


def drawn_alike(times: int) -> KnownMistake:
    """A constructor that gives the same key to all of its parts, this many."""
    return mistake(
        "one key for all parts", {"rngs=rngs": "rngs=nnx.Rngs(rngs.default.key[...])"}, times=times, shown_by=ALIKE
    ).because(
        "Your parts get `Rngs` of one key, so they begin with the same numbers. Pass `rngs` itself on, which gives a "
        "new key each time.",
        "Which key does the second part draw from, and which the first?",
    )


def keeps_keys(name: str, edits: Mapping[str, str]) -> KnownMistake:
    """A module whose dropouts keep keys, and draw from them."""
    return mistake(name, edits).because(
        "Your dropout keeps keys of its own (`nnx.Dropout(rate, rngs=rngs)`) and draws from them, so they are part of "
        "the state, and the `rngs` of the call decide nothing. Make it with the rate only, and pass `rngs` with each "
        "call.",
        "What does `nnx.state(module)` show? Which of its leaves should an optimiser train?",
    )


def keeps_what_it_saw(before: str) -> KnownMistake:
    """A module that keeps, in a call, an array as an attribute."""
    says = "You set an attribute while the module is called, so its state grows. Keep the array in a variable."
    kept = {before: f"{before[: len(before) - len(before.lstrip())]}self.seen = x\n{before}"}
    return mistake("an attribute set in the call", kept, shown_by=changed(ATTRIBUTE)).because(says, PURE)


def cut(name: str, edits: Mapping[str, str], what: str, **more) -> KnownMistake:
    """An answer that gradients do not flow through."""
    says = f"The numbers are right, but `stop_gradient` cuts off {what}. Let the gradient through."
    return mistake(name, edits, **more).because(says, BACKWARD)


def told_half(parts: str) -> tuple[KnownMistake, ...]:
    """A module that passes only half of `NOISE` to these parts, or guesses one half from the other."""
    return (
        mistake("flag not passed on", {NOISE: '{"deterministic": True, "rngs": rngs}'}).because(
            f"Nothing drops, whatever `deterministic` says. Pass it on to both dropouts and the {parts}."
        ),
        mistake("rngs not passed on", {NOISE: '{"deterministic": deterministic}'}).because(
            "You pass `deterministic` on and not `rngs`, so nnx.Dropout finds no key. Pass both."
        ),
        mistake(
            "flag guessed from rngs", {NOISE: '{"deterministic": rngs is None, "rngs": rngs}'}, shown_by=GUESSED
        ).because(BY_RNGS),
    )


def new_keys_in_every_call(module: str, told: Callable[[str], Mapping[str, str]]) -> tuple[KnownMistake, ...]:
    """A module that draws keys of its own in every call; `told(rngs)` are the edits that pass these on."""
    line = f"class {module}(nnx.Module):"
    generator = {line: f"generator = np.random.default_rng(0)\n\n\n{line}"}
    return with_question(
        "What has to be the same for two calls to drop the same entries?",
        mistake("keys from NumPy", dict(told("nnx.Rngs(dropout=np.random.randint(2**30))")), shown_by=NO_KEY).because(
            BY_NO_RNGS
        ),
        mistake(
            "keys from a generator of NumPy's",
            {**told("nnx.Rngs(dropout=int(generator.integers(2**30)))"), **generator},
            shown_by=NO_KEY,
        ).because(BY_NO_RNGS),
    )


MODEL_TOLD_BY_RNGS = mistake(
    "deterministic guessed from rngs", {"deterministic=deterministic": "deterministic=rngs is None"}, shown_by=GUESSED
).because(BY_RNGS)
MODEL_NEVER_TOLD = mistake(
    "flags not passed on",
    {", deterministic=deterministic, rngs=rngs": ""},
).because("`deterministic` or `rngs` doesn't reach the model, so it never drops anything. Pass both on.")
