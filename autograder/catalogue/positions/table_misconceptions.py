"""What a good assistant would say of each wrong table of sines and cosines."""

from autograder.catalogue.exercise import Misconception
from autograder.catalogue.positions import table_mistakes as wrong
from autograder.catalogue.positions.encoding_shares import COLUMNS, FREQUENCY, Share

OF_THE_TABLE = (
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
)
