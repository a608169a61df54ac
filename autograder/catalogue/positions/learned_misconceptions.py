"""What a good assistant would say of each wrong way to write `LearnedPositions`."""

from autograder.catalogue.exercise import Misconception
from autograder.catalogue.positions import learned_mistakes as wrong
from autograder.catalogue.positions.said_of_both import SAID


class Share:
    """The names of the properties."""

    PARAMETERS = "parameters of the contract"
    ROWS = "row t is added to token t"
    SAMPLES = "the same for every sample"
    LEARNED = "the rows that are used learn"
    REFUSAL = "too long a sequence is an error"


WHICH = "Which row of the table does the first token of each sample get?"
NAMES = "What is the table called, how many rows has it, and how wide are they?"
TOO_LONG = "What has the table to say about a position that it has no row for?"

MISCONCEPTIONS = (
    Misconception(
        "along the batch axis",
        wrong.AlongTheBatch,
        "You look up one row for each sample; it is the tokens that have positions.",
        WHICH,
        (Share.ROWS, Share.SAMPLES, Share.LEARNED, Share.REFUSAL),
    ),
    Misconception(
        "positions from 1",
        wrong.FromOne,
        "Your first token gets row 1; positions begin at 0.",
        WHICH,
        (Share.ROWS, Share.LEARNED),
    ),
    Misconception("backwards", wrong.Backwards, "Your first token gets the last row.", WHICH, (Share.ROWS,)),
    Misconception(
        "the same for every position",
        wrong.SameForAll,
        "Every token gets row 0: nobody can tell them apart.",
        WHICH,
        (Share.ROWS, Share.LEARNED, Share.REFUSAL),
    ),
    Misconception(
        "tokens lost",
        wrong.OnlyThePositions,
        "You return the rows alone; they are to be added to x.",
        "Where is x in your result?",
        (Share.ROWS, Share.SAMPLES, Share.LEARNED),
    ),
    Misconception(
        "multiplied",
        wrong.Multiplied,
        "You multiply the tokens by the rows; they are to be added.",
        "What should happen to a token when its row is 0?",
        (Share.ROWS, Share.SAMPLES, Share.LEARNED),
    ),
    Misconception(
        "the whole table",
        wrong.WholeTable,
        "You add all rows: that fits sequences of max_len tokens only.",
        "How many tokens has x?",
        (Share.ROWS, Share.SAMPLES, Share.LEARNED),
    ),
    Misconception(
        "numbered through the batch",
        wrong.Numbered,
        "You go on counting from one sample to the next; each sample begins at position 0.",
        WHICH,
        (Share.ROWS, Share.SAMPLES, Share.LEARNED, Share.REFUSAL),
    ),
    Misconception(
        "tokens scaled",
        wrong.Scaled,
        "You multiply the tokens by √d_model first; that belongs to the embedding, not here.",
        "What must come out when the rows are subtracted again?",
        (Share.ROWS, Share.SAMPLES),
    ),
    Misconception(
        "cut from the graph",
        wrong.Detached,
        "`.data`, `.detach()` or `requires_grad_(False)` cuts the table off: it is never trained.",
        "Along which path does a gradient get from the output to the table?",
        (Share.LEARNED,),
    ),
    Misconception(
        "arguments exchanged",
        wrong.Exchanged,
        "Your table has d_model rows of max_len numbers: nn.Embedding takes the number of rows first.",
        NAMES,
        (Share.PARAMETERS, Share.ROWS, Share.SAMPLES, Share.LEARNED),
    ),
    Misconception(
        "a plain parameter",
        wrong.PlainParameter,
        "Your table is a Parameter named `table`; the contract has an Embedding, whose weight is `table.weight`.",
        NAMES,
        (Share.PARAMETERS, Share.ROWS),
    ),
    Misconception(
        "another name for table",
        wrong.AnotherName,
        "Your Embedding has another name than `table`: saved weights would not fit.",
        NAMES,
        (Share.PARAMETERS, Share.ROWS),
    ),
    Misconception(
        "the last row for the rest",
        wrong.Clamped,
        "Beyond max_len every token gets the last row, and nobody is told.",
        TOO_LONG,
        (Share.REFUSAL,),
    ),
    Misconception(
        "from the beginning again",
        wrong.Wrapped,
        "After max_len your positions begin at 0 again: two tokens share a row, and nobody is told.",
        TOO_LONG,
        (Share.REFUSAL,),
    ),
    Misconception(
        "cut off in silence",
        wrong.CutOff,
        "You cut a long sequence off without a word: its last tokens disappear.",
        TOO_LONG,
        (Share.REFUSAL,),
    ),
    Misconception(
        "no position for the rest",
        wrong.WithoutPosition,
        "Beyond max_len your tokens get no position, and nobody is told.",
        TOO_LONG,
        (Share.REFUSAL,),
    ),
    Misconception(
        "dropout by default",
        wrong.DropoutByDefault,
        *SAID["dropout by default"],
        (Share.ROWS,),
        shown_by="in training something else is added",
    ),
    Misconception(
        "tokens cut from the graph",
        wrong.TokensCutOff,
        *SAID["tokens cut from the graph"],
        (Share.LEARNED,),
    ),
    Misconception(
        "rows of the first call kept",
        wrong.KeepsItsRows,
        *SAID["rows of the first call kept"],
        (Share.ROWS,),
    ),
    Misconception(
        "the last rows",
        wrong.TheLastRows,
        "You take the last rows of the table; the first token must get row 0.",
        WHICH,
        (Share.ROWS, Share.LEARNED),
    ),
)
