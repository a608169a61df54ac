"""What goes wrong in `PositionalEncoding`."""

from autograder.catalogue.edits import mistake
from autograder.catalogue.positions.adding import of_adding

FREQUENCY = "What is the angle in row 1, column 2, for d_model = 6? The formula says 1 / 10000^(2/6) = 0.0464."
COLUMNS = "Row 0 is sin(0), cos(0), sin(0), cos(0), … How does yours begin?"
KEEPING = "What must move to the GPU with the model, and what belongs in a checkpoint?"
GROW = "the frequencies grow with the column"

# pieces of the reference
EXPONENTS, ANGLES = "-torch.arange(0, d_model, 2) / d_model", "positions * frequencies"
POSITIONS = "torch.arange(max_len)"
SINES, COSINES = "pe[0, :, 0::2] = angles.sin()", "pe[0, :, 1::2] = angles[:, : d_model // 2].cos()"
KEPT = 'self.register_buffer("pe", pe, persistent=False)'
ROWS = "self.pe[:, :length]"

OF_THE_TABLE = (
    *(
        mistake(name, {EXPONENTS: f"-({exponents})"}).because(
            f"Your exponent {what}; the formula has 2i/d_model.", FREQUENCY
        )
        for name, exponents, what in (
            (
                "exponent doubled",
                "2 * torch.arange(0, d_model, 2) / d_model",
                "is 4i/d_model, as `arange(0, d_model, 2)` holds 2i already",
            ),
            ("exponent halved", "torch.arange((d_model + 1) // 2) / d_model", "is i/d_model"),
            ("exponent up to one", "torch.linspace(0, 1, (d_model + 1) // 2)", "goes from 0 to 1"),
            ("exponent rounded down", "torch.arange(0, d_model, 2) // d_model", "is 0 everywhere, as by `//`"),
            ("divided by d_model − 1", "torch.arange(0, d_model, 2) / max(d_model - 1, 1)", "has d_model − 1 below"),
            ("divided by d_model − 2", "torch.arange(0, d_model, 2) / max(d_model - 2, 1)", "has d_model − 2 below"),
            ("divided by d_model + 1", "torch.arange(0, d_model, 2) / (d_model + 1)", "has d_model + 1 below"),
            ("width rounded up", "torch.arange(0, d_model, 2) / (d_model + d_model % 2)", "has the next even width"),
        )
    ),
    mistake("sign of the exponent", {ANGLES: "positions / frequencies"}, shown_by=GROW).because(
        "Your frequencies grow with the column; make them fall: divide by 10000^(2i/d_model).", FREQUENCY
    ),
    mistake("another base", {"10000.0": "1000.0"}).because(
        "Your wavelengths grow with powers of another base; use 10000.", FREQUENCY
    ),
    mistake("base e", {"10000.0": "math.e"}).because(
        "Your frequencies are powers of e; take powers of 10000.", FREQUENCY
    ),
    mistake(
        "a frequency for each column",
        {"0, d_model, 2": "d_model", "angles.sin": "angles[:, 0::2].sin", ": d_model // 2]": "1::2]"},
    ).because(
        "Your cosines have frequencies of their own; the cosine in column 2i + 1 must share the exponent "
        "2i/d_model with its sine.",
        "What are the frequencies of columns 0 and 1?",
    ),
    *(
        mistake(name, edits).because(says, COLUMNS)
        for name, edits, says in (
            (
                "sine and cosine exchanged",
                {"angles.sin()": "angles.cos()", "].cos()": "].sin()"},
                "Your even columns are cosines; they must be sines.",
            ),
            (
                "sines first, then cosines",
                {"0::2]": ": (d_model + 1) // 2]", "1::2]": "(d_model + 1) // 2 :]"},
                "Your sines fill the left half and your cosines the right one; alternate them, column by column.",
            ),
            ("only sines", {"].cos()": "].sin()"}, "All your columns are sines; make the odd ones cosines."),
            (
                "only cosines",
                {"angles.sin()": "angles.cos()"},
                "All your columns are cosines; make the even ones sines.",
            ),
            (
                "positions from 1",
                {POSITIONS: "torch.arange(1, max_len + 1)"},
                "Your first row is position 1; start at position 0.",
            ),
        )
    ),
    *(
        mistake(name, {ANGLES: angles}).because(says, "What is sin(1)?")
        for name, angles, says in (
            (
                "positions as fractions",
                "positions / max_len * frequencies",
                "You divide the positions by max_len; use them unchanged.",
            ),
            (
                "degrees",
                f"torch.deg2rad({ANGLES})",
                "You convert the angles; sin and cos take radians, so leave them unchanged.",
            ),
            (
                "whole turns",
                f"2 * torch.pi * {ANGLES}",
                "You multiply the angles by 2π; the formula doesn't, so leave them unchanged.",
            ),
        )
    ),
    mistake("even widths only", {"angles[:, : d_model // 2]": "angles"}).because(
        "Your assignment fails for an odd d_model, which has one cosine column fewer; drop the last frequency there.",
        "d_model = 7: how many columns has pe[:, 0::2], and how many pe[:, 1::2]?",
    ),
    mistake(
        "odd widths refused",
        {"        pe = torch": "        if d_model % 2:\n            raise ValueError(d_model)\n        pe = torch"},
    ).because(
        "You refuse an odd d_model, but it is allowed; its last column is a sine.",
        "d_model = 7: how many columns has pe[:, 0::2], and how many pe[:, 1::2]?",
    ),
    mistake("first cosine left out", {"angles[:, : d_model // 2]": "angles[:, d_model % 2 :]"}).because(
        "With an odd d_model your cosines leave out the first frequency; leave out the last one.",
        "d_model = 7: which frequency does column 1 share with column 0?",
    ),
    mistake(
        "last column empty", {SINES: "pe[0, :, 0 : d_model // 2 * 2 : 2] = angles[:, : d_model // 2].sin()"}
    ).because(
        "With an odd d_model your last column stays 0; it must be a sine.", "d_model = 7: is column 6 even or odd?"
    ),
    mistake("an empty table", {SINES: "pe[0, :, 0::2].add(angles.sin())", COSINES: "pass"}).because(
        "Your table is all zeros; assign the sines and cosines to its columns.",
        "Does your assignment change the table itself?",
    ),
)

OF_KEEPING = (
    *(
        mistake(name, {KEPT: kept}).because(says, KEEPING)
        for name, kept, says in (
            (
                "a plain attribute",
                "self.pe = pe",
                "Your pe is a plain tensor, which does not move with the model; use register_buffer.",
            ),
            (
                "saved with the model",
                KEPT.replace(", persistent=False", ""),
                "Your buffer is saved with the model; pass persistent=False.",
            ),
            (
                "a parameter",
                "self.pe = nn.Parameter(pe)",
                "Your pe is a parameter, so it would be trained; make it a buffer.",
            ),
        )
    ),
    *(
        mistake(f"a table of {name}", {"pe, persistent": f"pe.{method}(), persistent"}).because(
            f"Your table is {name}, which keeps only {digits} digits; keep it in float32.",
            "How many digits of sin(1) = 0.84147 does your table hold?",
        )
        for name, method, digits in (("float16", "half", "three"), ("bfloat16", "bfloat16", "two"))
    ),
    mistake(
        "batch axis missing",
        {"pe, persistent": "pe[0], persistent", "self.pe.shape[1]": "len(self.pe)", "pe[:, :length]": "pe[:length]"},
    ).because(
        "Your pe is [max_len, d_model]; the contract says [1, max_len, d_model].",
        "Which axis of x does the 1 stand for?",
    ),
    mistake("another name", {'"pe", pe': '"table", pe', "self.pe.": "self.table.", "self.pe[": "self.table["}).because(
        "Your buffer has another name than the docstring's; call it pe.", "Which name does the docstring give?"
    ),
    mistake(
        "constructor arguments swapped",
        {"d_model: int, max_len: int = 5000": "max_len: int = 5000, d_model: int = 512"},
    ).because(
        "Your constructor takes max_len first; take d_model first, then max_len.",
        "What does the signature in the contract say?",
    ),
    mistake("another default", {"max_len: int = 5000": "max_len: int = 512"}).because(
        "Without max_len your table does not have 5000 positions; make 5000 the default.",
        "What does the signature in the contract say?",
    ),
    mistake(
        "max_len ignored", {POSITIONS: "torch.arange(5000)", "torch.zeros(1, max_len": "torch.zeros(1, 5000"}
    ).because("Your table always has the same number of rows; it must have max_len.", "What is max_len for?"),
    mistake(
        "batch taken for the second axis",
        {
            "pe, persistent": "pe.transpose(0, 1), persistent",
            "x.shape[1], self.pe.shape[1]": "x.shape[0], self.pe.shape[0]",
            ROWS: "self.pe[:length]",
        },
    ).because(
        "Your pe is [max_len, 1, d_model], which suits x [T, B, d_model]; x is [B, T, d_model], so make it "
        "[1, max_len, d_model].",
        "Which axis of x is the position?",
    ),
)

MISTAKES = OF_THE_TABLE + OF_KEEPING + of_adding(ROWS, "self.pe")
