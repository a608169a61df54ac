"""What goes wrong in `expand_mask`."""

from autograder.catalogue.edits import asked, wrong
from autograder.catalogue.slips import overwrites

SHAPE = "What should somebody read who gives a mask of five axes?"
OF_TWO, OF_THREE, REFUSED = "mask[None, None]", "mask[:, None]", "if mask.dim() not in (2, 3, 4)"
NOT_GIVEN = "the message of ValueError does not mention 11, 13, 17"


def at_first(statement):
    """An edit: this statement before the axes are added."""
    axes_are_added = "    if mask.dim() == 2:"
    return {axes_are_added: f"    {statement}\n{axes_are_added}"}


MISTAKES = (
    *asked(
        "Which axes of the scores [B, h, L, S] does the mask line up with, and where are those of size 1?",
        wrong("batch taken for heads", {OF_THREE: "mask[None]"}, "A mask [B, L, S] becomes [1, B, L, S], one a head."),
        wrong("new axes at the end", {OF_TWO: "mask[..., None, None]", OF_THREE: "mask[..., None]"}).because(
            "The new axes stand at the end; L and S must stay the last two."
        ),
        wrong("heads behind the queries", {OF_THREE: "mask[:, :, None]"}, "A mask [B, L, S] becomes [B, L, 1, S]."),
        wrong("[L, S] read as [B, S]", {OF_TWO: "mask[:, None, None]"}).because(
            "You read a mask [L, S] as a row for each sample."
        ),
        wrong("queries and keys exchanged", at_first("mask = mask.mT"), "Your result is […, S, L]."),
    ),
    *asked(
        "How many axes must the result have?",
        wrong(
            "four dimensions become five", {" if mask.dim() == 3 else mask": ""}, "A mask of four axes gets a fifth."
        ),
        wrong("three dimensions left alone", {OF_THREE: "mask"}, "A mask of three axes comes back with three."),
        wrong("one axis more, and no further", {OF_TWO: "mask[None]", OF_THREE: "mask[None]"}).because(
            "You add one axis, always."
        ),
        wrong("two dimensions become three", {OF_TWO: "mask[None]"}).because(
            "A mask [L, S] gets one axis of the two that it lacks."
        ),
        wrong("left alone", {OF_TWO: "mask", OF_THREE: "mask"}, "The mask comes back as it was, of two or three axes."),
    ),
    *asked(
        "Is anything asked here of the mask's entries?",
        wrong(
            "inverted mask", at_first("mask = mask == 0"), "The mask comes back inverted; only its shape is to change."
        ),
        wrong(
            "a bias instead of a mask", at_first("mask = torch.zeros(mask.shape).masked_fill(mask == 0, -torch.inf)")
        ).because("These are numbers to add to the scores (0 and −inf); only the mask's shape is to change."),
        wrong("booleans only", at_first("mask = mask & True"), "You serve booleans only; 0 and 1 may come too."),
        wrong(
            "entries turned into numbers", at_first("mask = mask.float()"), "Your mask comes back as floats, always."
        ),
    ),
    *asked(
        "What does a mask [B, h, L, S] say about the second sample, and about the second head?",
        wrong(
            "the first head for all", {"else mask": "else mask[:, :1]"}, "You keep the mask of the first head alone."
        ),
        wrong("the first sample for all", {OF_THREE: "mask[:1, None]", "else mask": "else mask[:1]"}).because(
            "You keep the mask of the first sample alone."
        ),
    ),
    *asked(
        SHAPE,
        wrong("any number of axes", {REFUSED: "if False"}, "A mask of one axis, or of five, gives no ValueError."),
        wrong("AssertionError instead of ValueError", {"raise ValueError": "raise AssertionError"}).because(
            "You use `assert`, or raise an AssertionError; the contract has a ValueError."
        ),
    ),
    wrong("an error without the shape", {"{list(mask.shape)}": "wrong"}, shown_by=NOT_GIVEN).because(
        "Your error does not say which shape came.", SHAPE
    ),
    overwrites(
        "mask", at_first("if mask.dim() == 2:\n        mask.unsqueeze_(0)"), "it has another shape after the call."
    ),
)
