"""What goes wrong in `init_attention`."""

from collections.abc import Sequence

from autograder.catalogue.common_jax_mistakes import seeds_numpy
from autograder.catalogue.edits import mistake, with_question
from autograder.catalogue.jax_attention.init_attention_range_mistakes import RANGE_MISTAKES, UNIFORM
from autograder.catalogue.multi_head.refusals_mistakes import refusals

SPLIT = "jax.random.split(key)"
KERNEL = '{"kernel": kernel, "bias": jnp.zeros(width_out)}'
OF_KEYS = "Which key does each of the two draws get, and who used it before?"
NOT_OF_JAX = "an array of the tree isn't one of JAX's"
KEY_READ = "your code asks a traced key for a number"
SAME_IN_LINE = "where input_dim is embed_dim, both kernels hold the same numbers"
COME_AGAIN = "numbers of a kernel come again in the same kernel"
SAME_SIZE = "where both kernels have the same number of entries, they hold the same numbers"


def other_shape(name: str, actual: Sequence[int], expected: Sequence[int]) -> str:
    """What is found where an array has another shape."""
    return f"{name} is {list(actual)}, expected {list(expected)}"


MISTAKES = (
    *with_question(
        OF_KEYS,
        mistake(
            "one key for both kernels", {SPLIT: "key, key"}, shown_by="both kernels begin with the same numbers"
        ).because(
            "You draw both kernels from one key, so they begin with the same numbers. Split the key: one for each draw."
        ),
        mistake(
            "one key for q, k and v",
            {
                UNIFORM: "jnp.concatenate([jax.random.uniform(key, (width_in, part), minval=-limit, maxval=limit) "
                "for part in [embed_dim] * (width_out // embed_dim)], axis=1)"
            },
            shown_by=COME_AGAIN,
        ).because(
            "You use one key for several parts of a kernel, so the same numbers come again: q, k and v start out "
            "alike, for example. Draw the whole kernel at once, or split the key: one for each draw."
        ),
        *(
            mistake(
                f"a key from {what}",
                {SPLIT: "key, key", UNIFORM: UNIFORM.replace("(key,", f"(jax.random.fold_in(key, {number}),")},
                shown_by=found,
            ).because(
                f"Two kernels with the same {what} hold the same numbers, perhaps in another order. Draw each from a "
                "key of its own: split the key, and don't make one from a width."
            )
            for what, number, found in (
                ("input width", "width_in", SAME_IN_LINE),
                ("number of entries", "width_in * width_out", SAME_SIZE),
            )
        ),
        mistake(
            "a key of its own",
            {SPLIT: "jax.random.split(jax.random.key(0))"},
            shown_by="another key gives the same numbers",
        ).because(
            "A kernel of yours doesn't depend on the key, so every layer gets the same numbers there. Draw each kernel "
            "from the key you are given."
        ),
        mistake(
            "drawn by NumPy",
            {UNIFORM: "jnp.array(np.random.uniform(-limit, limit, (width_in, width_out)), jnp.float32)"},
            shown_by="the same key gives different numbers",
        ).because(
            "You draw with NumPy's global generator, so the key decides nothing. Draw with `jax.random` and the key."
        ),
    ),
    *RANGE_MISTAKES,
    *with_question(
        "Print `jax.tree.map(jnp.shape, params)`: which names and shapes does the docstring give?",
        mistake(
            "kernel stored as in torch",
            {UNIFORM: f"{UNIFORM}.T"},
            shown_by=other_shape("qkv_proj.kernel", (18, 5), (5, 18)),
        ).because(
            "You store the kernel [out, in], as torch does. Here it is [in, out]: the input multiplies from the left."
        ),
        mistake("named weight", {'"kernel": kernel': '"weight": kernel'}).because(
            "You call the kernel `weight`. Name it `kernel`, as flax and the published checkpoint do."
        ),
        mistake("named out_proj", {'"o_proj": linear': '"out_proj": linear'}).because(
            "You call the last layer `out_proj`. Name it `o_proj`, as the published checkpoint does."
        ),
        mistake("no biases", {KERNEL: '{"kernel": kernel}'}).because(
            "You leave the biases out. Add `bias`, zeros [out]."
        ),
        mistake(
            "qkv_proj too narrow",
            {"input_dim, 3 * embed_dim)": "input_dim, embed_dim)"},
            shown_by=other_shape("qkv_proj.kernel", (5, 6), (5, 18)),
        ).because("Your qkv_proj makes embed_dim numbers. It must make 3·embed_dim: query, key and value."),
        mistake(
            "o_proj as wide as the input",
            {"linear(o_key, embed_dim, embed_dim)": "linear(o_key, input_dim, embed_dim)"},
            shown_by=other_shape("o_proj.kernel", (5, 6), (6, 6)),
        ).because("Your o_proj takes input_dim numbers. It takes what the heads give: embed_dim."),
        mistake(
            "o_proj back to the input",
            {"linear(o_key, embed_dim, embed_dim)": "linear(o_key, embed_dim, input_dim)"},
            shown_by=other_shape("o_proj.kernel", (6, 5), (6, 6)),
        ).because("Your o_proj gives input_dim numbers. It gives embed_dim."),
        mistake(
            "a bias with two axes",
            {"jnp.zeros(width_out)": "jnp.zeros((1, width_out))"},
            shown_by=other_shape("qkv_proj.bias", (1, 18), (18,)),
        ).because("Your biases are [1, out]. They have one axis: [out]."),
        mistake("biases by NumPy", {"jnp.zeros(width_out)": "np.zeros(width_out)"}, shown_by=NOT_OF_JAX).because(
            "Your tree holds an array of NumPy's, or a number. Make every leaf with `jnp`, in float32."
        ),
    ),
    *(
        mistake(name, edits, shown_by=KEY_READ).because(
            "You turn the key, or what is drawn from it, into a Python number, which is impossible while JAX traces. "
            "Draw with `jax.random` and the key itself.",
            "What does your code know of the key while `jax.jit` or `jax.vmap` traces it?",
        )
        for name, edits in (
            (
                "key read as a number",
                {SPLIT: "jax.random.split(jax.random.key(int(jax.random.key_data(key)[-1])))"},
            ),
            (
                "NumPy's generator, seeded from the key",
                {
                    "    def linear(": "    seed = int(jax.random.randint(key, (), 0, 2**31 - 1))\n"
                    "    generator = np.random.default_rng(seed)\n\n    def linear(",
                    UNIFORM: "jnp.array(generator.uniform(-limit, limit, (width_in, width_out)), jnp.float32)",
                },
            ),
        )
    ),
    mistake("input_dim checked", {"if embed_dim % num_heads": "if input_dim % num_heads"}).because(
        "You check whether the heads divide input_dim. They must divide embed_dim.", "Which width is split into heads?"
    ),
    mistake(
        "kernels in float16",
        {UNIFORM: f"{UNIFORM}.astype(jnp.float16)"},
        shown_by="o_proj.kernel is float16, expected float32",
    ).because(
        "You return half precision. Parameters are float32.", "Which dtype does `jax.random.uniform` return by default?"
    ),
    seeds_numpy("    qkv_key, o_key"),
    *refusals("embed_dim", 14, 4),
)
