"""What goes wrong in `expand_mask`."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake, with_question

SHAPE = "What should somebody read who gives a mask of five axes?"
OF_TWO, OF_THREE, REFUSED = "mask[None, None]", "mask[:, None]", "if mask.dim() not in (2, 3, 4)"
NOT_GIVEN = "the message of ValueError does not mention 11, 13, 17"


def at_first(statement):
    """An edit: this statement before the axes are added."""
    axes_are_added = "    if mask.dim() == 2:"
    return {axes_are_added: f"    {statement}\n{axes_are_added}"}


MISTAKES = (
    *with_question(
        "Which axes of the scores [B, h, L, S] does the mask line up with, and where are those of size 1?",
        mistake(
            "batch taken for heads", {OF_THREE: "mask[None]"}, "A mask [B, L, S] becomes [1, B, L, S], one a head."
        ),
        mistake("new axes at the end", {OF_TWO: "mask[..., None, None]", OF_THREE: "mask[..., None]"}).because(
            "The new axes stand at the end; L and S must stay the last two."
        ),
        mistake("heads behind the queries", {OF_THREE: "mask[:, :, None]"}, "A mask [B, L, S] becomes [B, L, 1, S]."),
        mistake("[L, S] read as [B, S]", {OF_TWO: "mask[:, None, None]"}).because(
            "You read a mask [L, S] as a row for each sample."
        ),
        mistake("queries and keys exchanged", at_first("mask = mask.mT"), "Your result is […, S, L]."),
    ),
    *with_question(
        "How many axes must the result have?",
        mistake(
            "four dimensions become five", {" if mask.dim() == 3 else mask": ""}, "A mask of four axes gets a fifth."
        ),
        mistake("three dimensions left alone", {OF_THREE: "mask"}, "A mask of three axes comes back with three."),
        mistake("one axis more, and no further", {OF_TWO: "mask[None]", OF_THREE: "mask[None]"}).because(
            "You add one axis, always."
        ),
        mistake("two dimensions become three", {OF_TWO: "mask[None]"}).because(
            "A mask [L, S] gets one axis of the two that it lacks."
        ),
        mistake(
            "left alone", {OF_TWO: "mask", OF_THREE: "mask"}, "The mask comes back as it was, of two or three axes."
        ),
    ),
    *with_question(
        "Is anything asked here of the mask's entries?",
        mistake(
            "inverted mask", at_first("mask = mask == 0"), "The mask comes back inverted; only its shape is to change."
        ),
        mistake(
            "a bias instead of a mask", at_first("mask = torch.zeros(mask.shape).masked_fill(mask == 0, -torch.inf)")
        ).because("These are numbers to add to the scores (0 and −inf); only the mask's shape is to change."),
        mistake("booleans only", at_first("mask = mask & True"), "You serve booleans only; 0 and 1 may come too."),
        mistake(
            "entries turned into numbers", at_first("mask = mask.float()"), "Your mask comes back as floats, always."
        ),
    ),
    *with_question(
        "What does a mask [B, h, L, S] say about the second sample, and about the second head?",
        mistake(
            "the first head for all", {"else mask": "else mask[:, :1]"}, "You keep the mask of the first head alone."
        ),
        mistake("the first sample for all", {OF_THREE: "mask[:1, None]", "else mask": "else mask[:1]"}).because(
            "You keep the mask of the first sample alone."
        ),
    ),
    *with_question(
        SHAPE,
        mistake("any number of axes", {REFUSED: "if False"}, "A mask of one axis, or of five, gives no ValueError."),
        mistake("AssertionError instead of ValueError", {"raise ValueError": "raise AssertionError"}).because(
            "You use `assert`, or raise an AssertionError; the contract has a ValueError."
        ),
    ),
    mistake("an error without the shape", {"{list(mask.shape)}": "wrong"}, shown_by=NOT_GIVEN).because(
        "Your error does not say which shape came.", SHAPE
    ),
    overwrites(
        "mask", at_first("if mask.dim() == 2:\n        mask.unsqueeze_(0)"), "it has another shape after the call."
    ),
)
