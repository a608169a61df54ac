"""What a good assistant would say of each wrong way to write `PositionalEncoding`."""

from autograder.exercise import Misconception
from autograder.exercises.positions import encoding_mistakes as wrong


class Share:
    """The names of the properties."""

    TABLE = "the table of sines and cosines"
    ODD = "an odd d_model"
    ADDED = "added to the tokens of every sample"
    LENGTH = "max_len positions, 5000 by default"
    BUFFER = "a buffer that is not saved"
    REFUSAL = "too long a sequence is a clear error"


FREQUENCY = "What is the angle in row 1, column 2, for d_model = 6? The formula says 1 / 10000^(2/6) = 0.0464."
COLUMNS = "Row 0 is sin(0), cos(0), sin(0), cos(0), … How does yours begin?"
ROWS = "Which axis of x is the position, and which row of pe does the first token get?"
KEEPING = "What must move to the GPU with the model, and what belongs in a checkpoint?"
LENGTH = "What should somebody read who gives 13 tokens to a module with max_len = 12?"

MISCONCEPTIONS = (
    Misconception(
        "exponent doubled",
        wrong.ExponentDoubled,
        "Your exponent is 4i/d_model: `arange(0, d_model, 2)` holds 2i already. Row 0 is right, the rest is not.",
        FREQUENCY,
        (Share.TABLE,),
    ),
    Misconception(
        "exponent halved",
        wrong.ExponentHalved,
        "Your exponent is i/d_model; the formula has 2i/d_model.",
        FREQUENCY,
        (Share.TABLE,),
    ),
    Misconception(
        "exponent up to one",
        wrong.ExponentByHalf,
        "You spread the exponents from 0 to 1; the paper's last one is (d_model − 2)/d_model.",
        FREQUENCY,
        (Share.TABLE,),
    ),
    Misconception(
        "another base",
        wrong.AnotherBase,
        "Your wavelengths do not grow with powers of 10000.",
        FREQUENCY,
        (Share.TABLE,),
    ),
    Misconception(
        "sign of the exponent",
        wrong.Faster,
        "Your frequencies grow with the column; they must fall: divide by 10000^(2i/d_model).",
        FREQUENCY,
        (Share.TABLE,),
    ),
    Misconception(
        "exponent rounded down",
        wrong.WholeExponents,
        "All your columns have the same frequency. If you divide with `//`, that rounds your exponents down to 0.",
        FREQUENCY,
        (Share.TABLE,),
    ),
    Misconception(
        "a frequency for each column",
        wrong.EachItsOwn,
        "Sine and cosine of a pair share one frequency: the cosine in column 2i + 1 has the exponent 2i/d_model too.",
        "Which frequency has column 1, and which has column 0?",
        (Share.TABLE,),
    ),
    Misconception(
        "sine and cosine exchanged",
        wrong.SineAndCosineExchanged,
        "Your even columns are cosines; they are to be sines.",
        COLUMNS,
        (Share.TABLE,),
    ),
    Misconception(
        "sines first, then cosines",
        wrong.SinesThenCosines,
        "Your sines fill the left half and your cosines the right one; here they take turns, column by column.",
        COLUMNS,
        (Share.TABLE,),
    ),
    Misconception(
        "only sines",
        wrong.OnlySines,
        "All your columns are sines.",
        COLUMNS,
        (Share.TABLE,),
    ),
    Misconception(
        "positions from 1",
        wrong.FromOne,
        "Your first row is position 1; positions begin at 0.",
        COLUMNS,
        (Share.TABLE,),
    ),
    Misconception(
        "positions as fractions",
        wrong.Fractions,
        "You divide the positions by max_len: then the code of a position depends on the longest sequence.",
        "What is sin(1)?",
        (Share.TABLE,),
    ),
    Misconception(
        "degrees",
        wrong.InDegrees,
        "You convert the angles; sin and cos take them as they are, in radians.",
        "What is sin(1)?",
        (Share.TABLE,),
    ),
    Misconception(
        "an empty table",
        wrong.NoPositions,
        "Your table is all zeros: no token learns where it stands.",
        "Is the result of your assignment kept?",
        (Share.TABLE, Share.ODD, Share.ADDED),
    ),
    Misconception(
        "even widths only",
        wrong.EvenOnly,
        "With an odd d_model there are fewer cosine columns than sine columns, and your assignment fails.",
        "d_model = 7: how many columns has pe[:, 0::2], and how many pe[:, 1::2]?",
        (Share.ODD,),
    ),
    Misconception(
        "last column empty",
        wrong.LastColumnEmpty,
        "With an odd d_model your last column stays 0; it is to be a sine.",
        "d_model = 7: is column 6 even or odd?",
        (Share.ODD,),
    ),
    Misconception(
        "width rounded up",
        wrong.RoundedUp,
        "For an odd width you take the frequencies of the next even one.",
        "What stands below 2i in the exponent?",
        (Share.ODD,),
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
        "In training your layer drops something though nobody asked for it: by default it only adds.",
        "Which of your calls differs between train and eval?",
        (Share.ADDED,),
        shown_by="in training something else is added",
    ),
    Misconception(
        "tokens cut from the graph",
        wrong.TokensCutOff,
        "The tokens are cut off from the output: nothing that made them can learn.",
        "Along which path does a gradient get from the output to x?",
        (Share.ADDED,),
    ),
    Misconception(
        "rows of the first call kept",
        wrong.KeepsItsRows,
        "Your layer keeps the rows that its first sequence needed; a later one may be longer.",
        "Which of your attributes outlive a call of forward?",
        (Share.ADDED,),
    ),
    Misconception(
        "only cosines",
        wrong.OnlyCosines,
        "All your columns are cosines.",
        COLUMNS,
        (Share.TABLE,),
    ),
    Misconception(
        "divided by d_model − 1",
        wrong.WidthLessOne,
        "In the exponent you divide by d_model − 1; the formula has 2i/d_model.",
        FREQUENCY,
        (Share.TABLE,),
    ),
    Misconception(
        "added twice",
        wrong.AddedTwice,
        "You add the encoding twice.",
        "What is left of your output when you take x away?",
        (Share.ADDED,),
    ),
)
