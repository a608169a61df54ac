"""What goes wrong in `expand_mask`."""

from autograder.catalogue.edits import wrong

HOW_MANY = "How many axes must the result have?"
ENTRIES = "Is anything asked here of the mask's entries?"
OF_TWO, OF_THREE = "mask[None, None]", "mask[:, None]"


def at_first(statement):
    """An edit: this statement before the axes are added."""
    axes_are_added = "    if mask.dim() == 2:"
    return {axes_are_added: f"    {statement}\n{axes_are_added}"}


MISTAKES = (
    wrong(
        "batch taken for heads",
        {OF_THREE: "mask[None]"},
        "A mask [B, L, S] becomes [1, B, L, S]: every sample gets the mask of another, one a head.",
        "Where does the axis of the heads belong: before the batch, or after it?",
    ),
    wrong(
        "new axes at the end",
        {OF_TWO: "mask[..., None, None]", OF_THREE: "mask[..., None]"},
        "The new axes stand at the end; L and S must stay the last two.",
        "Which axes of the scores [B, h, L, S] does the mask line up with?",
    ),
    wrong(
        "four dimensions become five",
        {" if mask.dim() == 3 else mask": ""},
        "A mask that has four dimensions already gets a fifth.",
        "What is there to do for a mask [B, h, L, S]?",
    ),
    wrong(
        "[L, S] read as [B, S]",
        {OF_TWO: "mask[:, None, None]"},
        "You read a mask [L, S] as one row for each sample; in this course two dimensions are query and key.",
        "What do the rows of a causal mask stand for?",
    ),
    wrong(
        "three dimensions left alone",
        {OF_THREE: "mask"},
        "A mask [B, L, S] comes back with three dimensions: it would broadcast its batch against the heads.",
        HOW_MANY,
    ),
    wrong(
        "queries and keys exchanged",
        at_first("mask = mask.mT"),
        "Your result is […, S, L]: queries and keys have changed places.",
        "Which axis belongs to the queries?",
    ),
    wrong(
        "inverted mask",
        at_first("mask = mask == 0"),
        "The mask comes back inverted; only its shape is to change.",
        ENTRIES,
    ),
    wrong(
        "inverted mask, by ~",
        at_first("mask = ~mask"),
        "The mask comes back inverted; only its shape is to change.",
        ENTRIES,
    ),
    wrong("booleans only", at_first("mask = mask & True")),
    wrong(
        "one axis more, and no further",
        {OF_TWO: "mask[None]", OF_THREE: "mask[None]"},
        "You add one axis in front, whatever the mask has; four are to come out.",
        HOW_MANY,
    ),
    wrong(
        "left alone",
        {OF_TWO: "mask", OF_THREE: "mask"},
        "The mask comes back as it was: two or three axes do not line up with [B, h, L, S].",
        HOW_MANY,
    ),
    wrong(
        "a bias instead of a mask",
        at_first("mask = torch.zeros(mask.shape).masked_fill(mask == 0, -torch.inf)"),
        "These are numbers to add to the scores (0 and −inf); only the mask's shape is to change.",
        ENTRIES,
    ),
    wrong("the first head for all", {"else mask": "else mask[:, :1]"}),
    wrong("the first sample for all", {OF_THREE: "mask[:1, None]", "else mask": "else mask[:1]"}),
)
