"""What a good assistant would say of each wrong way to write `PositionalEncoding`."""

from autograder.catalogue.exercise import Misconception
from autograder.catalogue.positions import encoding_mistakes as wrong
from autograder.catalogue.positions.encoding_shares import KEEPING, LENGTH, ROWS, Share
from autograder.catalogue.positions.said_of_both import SAID
from autograder.catalogue.positions.table_misconceptions import OF_THE_TABLE

OTHERS = (
    Misconception(
        "an empty table",
        wrong.NoPositions,
        "Your table is all zeros: no token learns where it stands.",
        "Is the result of your assignment kept?",
        (Share.TABLE, Share.ODD, Share.ADDED),
    ),
    Misconception(
        "along the batch axis",
        wrong.AlongTheBatch,
        "You add row b of pe to sample b: every token of a sample gets the same, and the samples differ.",
        ROWS,
        (Share.ADDED,),
    ),
    Misconception(
        "batch taken for the second axis",
        wrong.BatchSecond,
        "Your pe is [max_len, 1, d_model], made for x [T, B, d_model]; here x is [B, T, d_model].",
        ROWS,
        (Share.TABLE, Share.ODD, Share.ADDED, Share.LENGTH, Share.REFUSAL),
    ),
    Misconception(
        "the same for every position",
        wrong.SameForAll,
        "Every token gets row 0: nobody can tell them apart.",
        ROWS,
        (Share.ADDED,),
    ),
    Misconception(
        "the last rows",
        wrong.TheLastRows,
        "You take the last rows of pe; the first token must get row 0.",
        ROWS,
        (Share.ADDED,),
    ),
    Misconception(
        "tokens lost",
        wrong.OnlyThePositions,
        "You return the encoding alone; it is to be added to x.",
        "Where is x in your result?",
        (Share.ADDED,),
    ),
    Misconception(
        "multiplied",
        wrong.Multiplied,
        "You multiply the tokens by the encoding; at position 0, half of every token is wiped out.",
        "What is sin(0)?",
        (Share.ADDED,),
    ),
    Misconception(
        "tokens scaled",
        wrong.TokensScaled,
        "You multiply the tokens by √d_model first; that belongs to the embedding, not here.",
        "What must come out when pe is subtracted again?",
        (Share.ADDED,),
    ),
    Misconception(
        "the whole table",
        wrong.WholeTable,
        "You add all rows of pe: that fits sequences of max_len tokens only.",
        ROWS,
        (Share.ADDED,),
    ),
    Misconception(
        "never added",
        wrong.NotUsed,
        "forward gives x back: the table is made and not used.",
        "Where is pe in your result?",
        (Share.ADDED,),
    ),
    Misconception(
        "a plain attribute",
        wrong.Attribute,
        "A plain tensor does not move with the model: on a GPU your layer would fail. Use register_buffer.",
        KEEPING,
        (Share.BUFFER,),
    ),
    Misconception(
        "saved with the model",
        wrong.Saved,
        "Your buffer is saved in every checkpoint, though it can be computed anew: persistent=False.",
        KEEPING,
        (Share.BUFFER,),
    ),
    Misconception(
        "a parameter",
        wrong.Parameter,
        "As a parameter, pe would be trained; it is to stay as it is.",
        KEEPING,
        (Share.BUFFER,),
    ),
    Misconception(
        "batch axis missing",
        wrong.TwoAxes,
        "Your pe is [max_len, d_model]; the contract says [1, max_len, d_model].",
        "Which axis of x does the 1 stand for?",
        (Share.TABLE, Share.ODD, Share.LENGTH),
    ),
    Misconception(
        "left to broadcasting",
        wrong.Unchecked,
        "Too long a sequence fails in the addition, with a message about shapes that nobody understands.",
        LENGTH,
        (Share.REFUSAL,),
        shown_by="the error comes from broadcasting: it does not say that the sequence is too long",
    ),
    Misconception(
        "cut off in silence",
        wrong.CutOff,
        "You cut a long sequence off without a word: its last tokens disappear.",
        LENGTH,
        (Share.REFUSAL,),
    ),
    Misconception(
        "from the beginning again",
        wrong.Wrapped,
        "After max_len your positions begin at 0 again: two tokens share a code, and nobody is told.",
        LENGTH,
        (Share.REFUSAL,),
    ),
    Misconception(
        "an error without the numbers",
        wrong.SilentAssert,
        "Your error does not say how long the sequence was, or what the limit is.",
        LENGTH,
        (Share.REFUSAL,),
        shown_by="the error names neither the length (13) nor max_len (12)",
    ),
    Misconception(
        "one token too strict",
        wrong.OneShort,
        "You refuse a sequence of exactly max_len tokens; it fits.",
        "Which is the longest sequence that pe has rows for?",
        (Share.ADDED,),
    ),
    Misconception(
        "another default",
        wrong.AnotherDefault,
        "Without max_len there are to be 5000 positions.",
        "What does the signature in the contract say?",
        (Share.LENGTH,),
    ),
    Misconception(
        "max_len ignored",
        wrong.MaxLenIgnored,
        "Your table always has the same number of rows, whatever max_len says.",
        "What is max_len for?",
        (Share.TABLE, Share.ODD, Share.LENGTH, Share.REFUSAL),
    ),
    Misconception(
        "dropout by default",
        wrong.DropoutByDefault,
        *SAID["dropout by default"],
        (Share.ADDED,),
        shown_by="in training something else is added",
    ),
    Misconception(
        "tokens cut from the graph",
        wrong.TokensCutOff,
        *SAID["tokens cut from the graph"],
        (Share.ADDED,),
    ),
    Misconception(
        "rows of the first call kept",
        wrong.KeepsItsRows,
        *SAID["rows of the first call kept"],
        (Share.ADDED,),
    ),
    Misconception(
        "added twice",
        wrong.AddedTwice,
        "You add the encoding twice.",
        "What is left of your output when you take x away?",
        (Share.ADDED,),
    ),
)

MISCONCEPTIONS = OTHERS + OF_THE_TABLE
