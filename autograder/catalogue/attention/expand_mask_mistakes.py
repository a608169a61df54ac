"""What goes wrong in `expand_mask`."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake, with_question

SHAPE = "What would you want to read if you had passed a mask with five axes?"
OF_TWO, OF_THREE, REFUSED = "mask[None, None]", "mask[:, None]", "if mask.dim() not in (2, 3, 4)"
NOT_GIVEN = "the message of ValueError does not mention 11, 13, 17"


def at_first(statement):
    """An edit: this statement before the axes are added."""
    axes_are_added = "    if mask.dim() == 2:"
    return {axes_are_added: f"    {statement}\n{axes_are_added}"}


MISTAKES = (
    *with_question(
        "Which axes of the scores [B, h, L, S] does the mask line up with, and where are those of size 1?",
        mistake("batch taken for heads", {OF_THREE: "mask[None]"}).because(
            "Your mask [B, L, S] becomes [1, B, L, S], one mask per head; it must become [B, 1, L, S]."
        ),
        mistake("new axes at the end", {OF_TWO: "mask[..., None, None]", OF_THREE: "mask[..., None]"}).because(
            "You add the new axes at the end; L and S must stay the last two."
        ),
        mistake("[L, S] with its new axes around the queries", {OF_TWO: "mask[None, :, None]"}).because(
            "A mask [L, S] becomes [1, L, 1, S]; it must become [1, 1, L, S]."
        ),
        mistake("[L, S] between its new axes", {OF_TWO: "mask[None, ..., None]"}).because(
            "A mask [L, S] becomes [1, L, S, 1]; it must become [1, 1, L, S]."
        ),
        mistake("[L, S] with its new axes at the end", {OF_TWO: "mask[..., None, None]"}).because(
            "A mask [L, S] becomes [L, S, 1, 1]; it must become [1, 1, L, S]."
        ),
        mistake("the heads at the end", {OF_THREE: "mask[..., None]"}).because(
            "A mask [B, L, S] becomes [B, L, S, 1]; it must become [B, 1, L, S]."
        ),
        mistake("heads behind the queries", {OF_THREE: "mask[:, :, None]"}).because(
            "A mask [B, L, S] becomes [B, L, 1, S]."
        ),
        mistake("[L, S] read as [B, S]", {OF_TWO: "mask[:, None, None]"}).because(
            "You read a mask [L, S] as one row per sample; the same mask serves all samples."
        ),
        mistake("queries and keys exchanged", at_first("mask = mask.mT")).because(
            "Your result is […, S, L]; keep the order […, L, S]."
        ),
    ),
    *with_question(
        "Which entries of the mask may expand_mask change?",
        *(
            mistake(f"a mask of {axes} axes inverted", {find: inverted}).because(
                f"You invert a mask of {axes} axes; add axes, and leave its entries unchanged."
            )
            for axes, find, inverted in (
                ("two", OF_TWO, f"{OF_TWO} == 0"),
                ("three", OF_THREE, f"{OF_THREE} == 0"),
                ("four", "else mask", "else mask.logical_not()"),
            )
        ),
    ),
    *with_question(
        "How many axes must the result have?",
        mistake("four dimensions become five", {" if mask.dim() == 3 else mask": ""}).because(
            "You add a fifth axis to a mask of four; leave it unchanged."
        ),
        mistake("three dimensions returned unchanged", {OF_THREE: "mask"}).because(
            "You return a mask of three axes with three; add the axis for the heads."
        ),
        mistake("one axis more, and no further", {OF_TWO: "mask[None]", OF_THREE: "mask[None]"}).because(
            "You always add one axis; add as many as are missing."
        ),
        mistake("two dimensions become three", {OF_TWO: "mask[None]"}).because(
            "You add one axis to a mask [L, S]; it needs two."
        ),
        mistake("mask returned unchanged", {OF_TWO: "mask", OF_THREE: "mask"}).because(
            "You return masks of two or three axes unchanged; expand them to four."
        ),
    ),
    *with_question(
        "Does the contract say anything about the mask's entries?",
        mistake("inverted mask", at_first("mask = mask == 0")).because("You invert the mask; change only its shape."),
        mistake(
            "a bias instead of a mask", at_first("mask = torch.zeros(mask.shape).masked_fill(mask == 0, -torch.inf)")
        ).because("You return numbers to add to the scores (0 and −inf); change only the mask's shape."),
        mistake("booleans only", at_first("mask = mask & True")).because(
            "You accept only booleans; accept 0 and 1 too."
        ),
        mistake("entries turned into numbers", at_first("mask = mask.float()")).because(
            "You always return floats; keep the mask's dtype."
        ),
        mistake(
            "entries turned into booleans", at_first("mask = mask.bool()"), shown_by="mask is bool, expected float32"
        ).because("You always return booleans; keep the mask's dtype."),
    ),
    *with_question(
        "What does a mask [B, h, L, S] say about the second sample, and about the second head?",
        mistake("the first head for all", {"else mask": "else mask[:, :1]"}).because(
            "You keep only the first head's mask; keep every head's."
        ),
        mistake("the first sample for all", {OF_THREE: "mask[:1, None]", "else mask": "else mask[:1]"}).because(
            "You keep only the first sample's mask; keep every sample's."
        ),
    ),
    *with_question(
        SHAPE,
        mistake("any number of axes", {REFUSED: "if False"}).because(
            "You accept a mask with one axis or with five; raise a ValueError."
        ),
        mistake("five axes accepted", {REFUSED: "if mask.dim() < 2"}).because(
            "You accept a mask with five axes; raise a ValueError."
        ),
        mistake("one axis accepted", {REFUSED: "if mask.dim() > 4"}).because(
            "You accept a mask with one axis; raise a ValueError."
        ),
        mistake("a single number accepted", {REFUSED: "if mask.dim() not in (0, 2, 3, 4)"}).because(
            "You accept a mask without axes; raise a ValueError."
        ),
        mistake("three axes refused", {REFUSED: "if mask.dim() not in (2, 4)"}).because(
            "You refuse a mask with three axes; expand it to four."
        ),
        mistake("four axes refused", {REFUSED: "if mask.dim() not in (2, 3)"}).because(
            "You refuse a mask with four axes; return it unchanged."
        ),
        mistake("two axes refused", {REFUSED: "if mask.dim() not in (3, 4)"}).because(
            "You refuse a mask with two axes; expand it to four."
        ),
        mistake(
            "TypeError instead of ValueError",
            {"raise ValueError": "raise TypeError"},
            shown_by="TypeError was raised, expected ValueError",
        ).because("You raise a TypeError; raise a ValueError."),
        mistake("AssertionError instead of ValueError", {"raise ValueError": "raise AssertionError"}).because(
            "You use `assert`, or raise an AssertionError; raise a ValueError."
        ),
    ),
    mistake("an error without the shape", {"{list(mask.shape)}": "wrong"}, shown_by=NOT_GIVEN).because(
        "Your error does not give the mask's shape.", SHAPE
    ),
    overwrites(
        "mask", at_first("if mask.dim() == 2:\n        mask.unsqueeze_(0)"), "its shape is different after the call."
    ),
)
