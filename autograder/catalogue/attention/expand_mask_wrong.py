"""What goes wrong in `expand_mask`."""

from autograder.catalogue.edits import wrong

HOW_MANY = "How many axes must the result have?"
ENTRIES = "Is anything asked here of the mask's entries?"
SHAPE = "What should somebody read who gives a mask of five axes?"
OF_TWO, OF_THREE, REFUSED = "mask[None, None]", "mask[:, None]", "if mask.dim() not in (2, 3, 4)"
GIVEN, NOT_GIVEN = "{list(mask.shape)}", "the message of ValueError does not mention 11, 13, 17"
TAKEN = "A mask of one axis, or of five, is not refused with a ValueError of your own."
ASSERTED = "You use `assert`, or raise an AssertionError: python -O leaves the one out, and nobody expects the other."


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
        "queries and keys exchanged",
        at_first("mask = mask.mT"),
        "Your result is […, S, L]: queries and keys have changed places.",
        "Which axis belongs to the queries?",
    ),
    *(
        wrong(
            name, at_first(f"mask = {inverted}"), "The mask comes back inverted; only its shape is to change.", ENTRIES
        )
        for name, inverted in (("inverted mask", "mask == 0"), ("inverted mask, by ~", "~mask"))
    ),
    wrong(
        "a bias instead of a mask",
        at_first("mask = torch.zeros(mask.shape).masked_fill(mask == 0, -torch.inf)"),
        "These are numbers to add to the scores (0 and −inf); only the mask's shape is to change.",
        ENTRIES,
    ),
    wrong(
        "booleans only",
        at_first("mask = mask & True"),
        "Your code works for booleans only; a mask may also hold the numbers 0 and 1.",
        "Which of your operations does a mask of floats not know?",
    ),
    *(
        wrong(
            f"the first {one} for all",
            edits,
            f"You keep the mask of the first {one} alone.",
            f"What does a mask [B, h, L, S] say about the second {one}?",
        )
        for one, edits in (
            ("head", {"else mask": "else mask[:, :1]"}),
            ("sample", {OF_THREE: "mask[:1, None]", "else mask": "else mask[:1]"}),
        )
    ),
    *(
        wrong(name, edits, says, SHAPE, shown_by=shown_by)
        for name, edits, says, shown_by in (
            ("any number of axes", {REFUSED: "if False"}, TAKEN, None),
            ("AssertionError in the place of ValueError", {"raise ValueError": "raise AssertionError"}, ASSERTED, None),
            ("an error without the shape", {GIVEN: "wrong"}, "Your error does not say which shape came.", NOT_GIVEN),
        )
    ),
    wrong(
        "mask overwritten",
        at_first("if mask.dim() == 2:\n        mask.unsqueeze_(0)"),
        "You add an axis in place: the caller's mask has another shape after the call.",
        "What is the difference between `unsqueeze_` and `unsqueeze`?",
        shown_by="the argument mask is another one after the call",
    ),
    wrong(
        "entries turned into numbers",
        at_first("mask = mask.float()"),
        "Your mask comes back as floats, whatever came in; only its shape is to change.",
        ENTRIES,
        shown_by="mask is float32 where bool is due",
    ),
)
