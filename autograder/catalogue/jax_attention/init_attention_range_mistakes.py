"""What goes wrong in `init_attention` where numbers are drawn: how they are spread, and how far they reach."""

from autograder.catalogue.edits import mistake, with_question

UNIFORM = "jax.random.uniform(key, (width_in, width_out), minval=-limit, maxval=limit)"
LIMIT = "math.sqrt(6 / (width_in + width_out))"
NOT_UNIFORM = "the kernels aren't drawn uniformly"
USE = "Use √(6/(in+out))."
RANGE = "How far do your numbers reach, and how far should they? Print `abs(kernel).max()` beside √(6/(in+out))."


def both(of_qkv: float, of_o: float) -> tuple[tuple[float, float], ...]:
    """The ends of two symmetric draws."""
    return (-of_qkv, of_qkv), (-of_o, of_o)


def other_range(*ends: tuple[float, float]) -> str:
    """What is found where the kernels reach too far, or not far enough, in units of their limits."""
    far = (f"from {low + 0.0:.1f} to {high + 0.0:.1f}" for low, high in ends)
    qkv, o = (one.replace("-0.0", "0.0") for one in far)
    return f"in units of √(6/(in+out)), qkv_proj runs {qkv}, o_proj {o}"


# instead of the limit; how far the two kernels then reach, from 64 to 288 and from 96 to 96, in units of the limit
OTHER_LIMITS = (
    ("no root", LIMIT.removeprefix("math.sqrt"), (0.1, 0.2), "Your limit is 6/(in+out). Take the root of it."),
    ("only the input, 6/in", "math.sqrt(6 / width_in)", (2.3, 1.4), f"Your limit is √(6/in). {USE}"),
    ("only the output, 6/out", "math.sqrt(6 / width_out)", (1.1, 1.4), f"Your limit is √(6/out). {USE}"),
    ("torch's own limit", "math.sqrt(1 / width_in)", (1.0, 0.6), f"Your limit is 1/√in, as in torch's Linear. {USE}"),
    (
        "only the input counts",
        "math.sqrt(3 / width_in)",
        (1.7, 1.0),
        f"Your limit depends on the input width only. {USE}",
    ),
    (
        "only the output counts",
        "math.sqrt(3 / width_out)",
        (0.8, 1.0),
        f"Your limit depends on the output width only. {USE}",
    ),
    ("limit of a unit cube", "1.0", (7.7, 5.7), "You draw between −1 and 1. Use the limit √(6/(in+out))."),
    (
        "3 instead of 6",
        "math.sqrt(3 / (width_in + width_out))",
        (0.7, 0.7),
        "Your limit is too small by √2. It is √(6/(in+out)).",
    ),
    (
        "the deviation as limit",
        "math.sqrt(2 / (width_in + width_out))",
        (0.6, 0.6),
        "Your limit is √(2/(in+out)), which is the standard deviation. The limit of the draw is √(6/(in+out)).",
    ),
    (
        "the limit as deviation",
        "math.sqrt(18 / (width_in + width_out))",
        (1.7, 1.7),
        "Your limit is too large by √3. √(6/(in+out)) is the limit itself, not the standard deviation.",
    ),
    (
        "one limit for both kernels",
        "math.sqrt(6 / (2 * embed_dim))",
        (1.4, 1.0),
        "Your limit is the same for both kernels. Each has its own: √(6/(in+out)), with its own widths.",
    ),
    (
        "the first kernel's limit for both",
        "math.sqrt(6 / (input_dim + 3 * embed_dim))",
        (1.0, 0.7),
        "Your limit is the same for both kernels. Each has its own: √(6/(in+out)), with its own widths.",
    ),
    (
        "the limit of a third",
        "math.sqrt(6 / (input_dim + embed_dim if width_out > embed_dim else 2 * embed_dim))",
        (1.5, 1.0),
        "You take qkv_proj for three kernels of embed_dim outputs. It is one, with out = 3·embed_dim in its limit.",
    ),
)

RANGE_MISTAKES = with_question(
    RANGE,
    mistake(
        "normal instead of uniform",
        {UNIFORM: "limit / 3**0.5 * jax.random.normal(key, (width_in, width_out))"},
        shown_by=NOT_UNIFORM,
    ).because("You draw from a normal distribution. Draw uniformly between −limit and limit."),
    *(
        mistake(name, edits, shown_by=other_range(*ends)).because(says)
        for name, edits, ends, says in (
            (
                "from 0 upwards",
                {"minval=-limit": "minval=0.0"},
                ((0, 1), (0, 1)),
                "You draw from 0 to the limit. Start at −limit.",
            ),
            (
                "from 0 to 1",
                {", minval=-limit, maxval=limit": ""},
                ((0, 7.7), (0, 5.7)),
                "You draw between 0 and 1, the default of `jax.random.uniform`. Draw between −limit and limit.",
            ),
            (
                "from −limit to 1",
                {", maxval=limit": ""},
                ((-1, 7.7), (-1, 5.7)),
                "You draw from −limit to 1, the default of `jax.random.uniform`. Stop at limit.",
            ),
            (
                "from −limit to 0",
                {"maxval=limit": "maxval=0.0"},
                ((-1, 0), (-1, 0)),
                "You draw from −limit to 0. Stop at limit.",
            ),
            *((name, {LIMIT: limit}, both(*ends), says) for name, limit, ends, says in OTHER_LIMITS),
        )
    ),
    mistake("biases of 1", {"jnp.zeros(width_out)": "jnp.ones(width_out)"}, shown_by="a bias isn't 0").because(
        "Your biases don't start at 0. Start them there: nothing is drawn for them."
    ),
)
