"""What goes wrong in JAX's `expand_mask`."""

from autograder.catalogue.common_jax_mistakes import decides_by_value, leaves_jax, seeds_numpy
from autograder.catalogue.edits import mistake, with_question

OF_TWO, OF_THREE, REFUSED = "mask[None, None]", "mask[:, None]", "if mask.ndim not in (2, 3, 4)"
NOT_GIVEN = "the message of ValueError does not mention 11, 13, 17"
FIRST = "    if mask.ndim == 2:"

MISTAKES = (
    mistake(
        "unsqueeze, as in the published version",
        {OF_TWO: "mask.unsqueeze(0).unsqueeze(0)", OF_THREE: "mask.unsqueeze(1)"},
    ).because(
        "You call `.unsqueeze`, which is torch's. Index with None instead, or use `jnp.expand_dims`.",
        "Which attributes does a `jax.Array` have? Try `mask.unsqueeze` in a cell of its own.",
    ),
    *with_question(
        "Which axes of the scores [B, h, L, S] does the mask line up with, and where are those of size 1?",
        mistake("batch taken for heads", {OF_THREE: "mask[None]"}).because(
            "You turn [B, L, S] into [1, B, L, S]. Insert axis 1."
        ),
        mistake("new axes at the end", {OF_TWO: "mask[..., None, None]", OF_THREE: "mask[..., None]"}).because(
            "You add the new axes at the end. L and S must stay the last two."
        ),
        mistake("heads at the end", {OF_THREE: "mask[..., None]"}).because("You build [B, L, S, 1]. Insert axis 1."),
        mistake("heads after the queries", {OF_THREE: "mask[:, :, None]"}).because(
            "You build [B, L, 1, S]. Insert axis 1."
        ),
        mistake("[L, S] read as [B, S]", {OF_TWO: "mask[:, None, None]"}).because(
            "You read a mask [L, S] as one row per sample. Put both new axes first."
        ),
        mistake("queries and keys swapped", {FIRST: f"    mask = mask.mT\n{FIRST}"}).because(
            "You return […, S, L]. Leave the last two axes in their order."
        ),
    ),
    *with_question(
        "How many axes must the result have?",
        mistake("four dimensions become five", {" if mask.ndim == 3 else mask": ""}).because(
            "You add a fifth axis to a mask with four. Return that one unchanged."
        ),
        mistake(
            "heads melted into the batch",
            {" if mask.ndim == 3 else mask": " if mask.ndim == 3 else mask.reshape(-1, 1, *mask.shape[2:])"},
        ).because("You turn a mask with four axes into [B·h, 1, L, S]. Return it unchanged."),
        mistake(
            "the first head for all", {" if mask.ndim == 3 else mask": " if mask.ndim == 3 else mask[:, :1]"}
        ).because("You take the first head's mask for all heads. Return a mask with four axes unchanged."),
        mistake("three dimensions returned unchanged", {OF_THREE: "mask"}).because(
            "You return three axes as three. Add one for the heads."
        ),
        mistake("two dimensions become three", {OF_TWO: "mask[None]"}).because("You add one axis to [L, S]. Add two."),
    ),
    mistake("inverted mask", {FIRST: f"    mask = mask == 0\n{FIRST}"}).because(
        "You return the mask inverted. Change only its shape.", "Does the contract say anything about the entries?"
    ),
    mistake("entries turned into floats", {FIRST: f"    mask = mask.astype(jnp.float32)\n{FIRST}"}).because(
        "You always return floats. Keep the dtype of the mask.", "Which dtype does your result have?"
    ),
    decides_by_value(
        "if on an entry of the mask",
        {FIRST: f"    if mask.ravel()[0] > 1:\n        mask = mask > 1\n{FIRST}"},
    ),
    leaves_jax("axes added by NumPy", {OF_THREE: "jnp.asarray(np.expand_dims(mask, 1))"}),
    *with_question(
        "What should someone read who passes a mask with five axes?",
        mistake("any number of axes", {REFUSED: "if False"}).because(
            "You accept any mask. Raise a ValueError for one or five axes."
        ),
        mistake("one axis accepted", {"not in (2, 3, 4)": "not in (1, 2, 3, 4)"}).because(
            "You accept a mask with one axis. Raise a ValueError for fewer than two."
        ),
        mistake("five axes accepted", {"mask.ndim not in (2, 3, 4)": "mask.ndim < 2"}).because(
            "You accept a mask with five axes. Raise a ValueError for more than four."
        ),
        mistake("four axes refused", {"not in (2, 3, 4)": "not in (2, 3)"}).because(
            "You refuse a mask that already has four axes. Return it unchanged."
        ),
        mistake("AssertionError instead of ValueError", {"raise ValueError": "raise AssertionError"}).because(
            "You raise an AssertionError. Raise a ValueError."
        ),
        mistake("an error without the shape", {"{list(mask.shape)}": "wrong"}, shown_by=NOT_GIVEN).because(
            "Your error doesn't give the mask's shape. Put `mask.shape` into its message."
        ),
    ),
    seeds_numpy(FIRST),
)
