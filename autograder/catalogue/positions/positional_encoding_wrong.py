"""What goes wrong in `PositionalEncoding`."""

from autograder.catalogue.edits import wrong

FREQUENCY = "What is the angle in row 1, column 2, for d_model = 6? The formula says 1 / 10000^(2/6) = 0.0464."
COLUMNS = "Row 0 is sin(0), cos(0), sin(0), cos(0), … How does yours begin?"
ROWS = "Which axis of x is the position, and which row of pe does the first token get?"
KEEPING = "What must move to the GPU with the model, and what belongs in a checkpoint?"
LENGTH = "What should somebody read who gives 13 tokens to a module with max_len = 12?"

DROPOUT = (
    "In training your layer drops something though nobody asked for it: by default it only adds.",
    "Which of your calls differs between train and eval?",
)

# pieces of the reference
EXPONENTS = "-torch.arange(0, d_model, 2) / d_model"
POSITIONS = "torch.arange(max_len)"
SINES, COSINES = "pe[0, :, 0::2] = angles.sin()", "pe[0, :, 1::2] = angles[:, : d_model // 2].cos()"
KEPT = 'self.register_buffer("pe", pe, persistent=False)'
TOO_LONG = "if length > max_len"
ADDED = "x + self.pe[:, :length]"

OF_THE_TABLE = (
    wrong(
        "exponent doubled",
        {"(-torch": "(-2 * torch"},
        "Your exponent is 4i/d_model: `arange(0, d_model, 2)` holds 2i already. Row 0 is right, the rest is not.",
        FREQUENCY,
    ),
    wrong(
        "exponent halved",
        {"arange(0, d_model, 2)": "arange((d_model + 1) // 2)"},
        "Your exponent is i/d_model; the formula has 2i/d_model.",
        FREQUENCY,
    ),
    wrong(
        "exponent up to one",
        {EXPONENTS: "-torch.linspace(0, 1, (d_model + 1) // 2)"},
        "You spread the exponents from 0 to 1; the paper's last one is (d_model − 2)/d_model.",
        FREQUENCY,
    ),
    wrong("another base", {"10000.0": "1000.0"}),
    wrong(
        "sign of the exponent",
        {"positions * frequencies": "positions / frequencies"},
        "Your frequencies grow with the column; they must fall: divide by 10000^(2i/d_model).",
        FREQUENCY,
    ),
    wrong(
        "exponent rounded down",
        {EXPONENTS: "-(torch.arange(0, d_model, 2) // d_model)"},
        "All your columns have the same frequency. If you divide with `//`, that rounds your exponents down to 0.",
        FREQUENCY,
    ),
    wrong("divided by d_model − 1", {"2) / d_model": "2) / max(d_model - 1, 1)"}),
    wrong(
        "a frequency for each column",
        {"0, d_model, 2": "d_model", "angles.sin": "angles[:, 0::2].sin", ": d_model // 2]": "1::2]"},
        "Sine and cosine of a pair share one frequency: the cosine in column 2i + 1 has the exponent 2i/d_model too.",
        "Which frequency has column 1, and which has column 0?",
    ),
    wrong(
        "sine and cosine exchanged",
        {"angles.sin()": "angles.cos()", "].cos()": "].sin()"},
        "Your even columns are cosines; they are to be sines.",
        COLUMNS,
    ),
    wrong(
        "sines first, then cosines",
        {"0::2]": ": (d_model + 1) // 2]", "1::2]": "(d_model + 1) // 2 :]"},
        "Your sines fill the left half and your cosines the right one; here they take turns, column by column.",
        COLUMNS,
    ),
    wrong("only sines", {"].cos()": "].sin()"}, "All your columns are sines.", COLUMNS),
    wrong("only cosines", {"angles.sin()": "angles.cos()"}, "All your columns are cosines.", COLUMNS),
    wrong(
        "positions from 1",
        {POSITIONS: "torch.arange(1, max_len + 1)"},
        "Your first row is position 1; positions begin at 0.",
        COLUMNS,
    ),
    wrong(
        "positions as fractions",
        {"positions * frequencies": "positions / max_len * frequencies"},
        "You divide the positions by max_len: then the code of a position depends on the longest sequence.",
        "What is sin(1)?",
    ),
    wrong("degrees", {"positions * frequencies": "torch.deg2rad(positions * frequencies)"}),
    wrong(
        "even widths only",
        {"angles[:, : d_model // 2]": "angles"},
        "With an odd d_model there are fewer cosine columns than sine columns, and your assignment fails.",
        "d_model = 7: how many columns has pe[:, 0::2], and how many pe[:, 1::2]?",
    ),
    wrong(
        "last column empty",
        {SINES: "pe[0, :, 0 : d_model // 2 * 2 : 2] = angles[:, : d_model // 2].sin()"},
        "With an odd d_model your last column stays 0; it is to be a sine.",
        "d_model = 7: is column 6 even or odd?",
    ),
    wrong(
        "width rounded up",
        {"2) / d_model": "2) / (d_model + d_model % 2)"},
        "For an odd width you take the frequencies of the next even one.",
        "What stands below 2i in the exponent?",
    ),
    wrong(
        "an empty table",
        {SINES: "pe[0, :, 0::2].add(angles.sin())", COSINES: "pass"},
        "Your table is all zeros: no token learns where it stands.",
        "Is the result of your assignment kept?",
    ),
)

OF_KEEPING = (
    wrong(
        "a plain attribute",
        {KEPT: "self.pe = pe"},
        "A plain tensor does not move with the model: on a GPU your layer would fail. Use register_buffer.",
        KEEPING,
    ),
    wrong(
        "saved with the model",
        {", persistent=False": ""},
        "Your buffer is saved in every checkpoint, though it can be computed anew: persistent=False.",
        KEEPING,
    ),
    wrong(
        "a parameter",
        {KEPT: "self.pe = nn.Parameter(pe)"},
        "As a parameter, pe would be trained; it is to stay as it is.",
        KEEPING,
    ),
    wrong(
        "batch axis missing",
        {"pe, persistent": "pe[0], persistent", "self.pe.shape[1]": "len(self.pe)", "pe[:, :length]": "pe[:length]"},
        "Your pe is [max_len, d_model]; the contract says [1, max_len, d_model].",
        "Which axis of x does the 1 stand for?",
    ),
    wrong(
        "another default",
        {"max_len: int = 5000": "max_len: int = 512"},
        "Without max_len there are to be 5000 positions.",
        "What does the signature in the contract say?",
    ),
    wrong(
        "max_len ignored",
        {POSITIONS: "torch.arange(5000)", "torch.zeros(1, max_len": "torch.zeros(1, 5000"},
        "Your table always has the same number of rows, whatever max_len says.",
        "What is max_len for?",
    ),
)

OF_ADDING = (
    wrong(
        "along the batch axis",
        {ADDED: "x + self.pe[0, : len(x), None]"},
        "You add row b of pe to sample b: every token of a sample gets the same, and the samples differ.",
        ROWS,
    ),
    wrong(
        "batch taken for the second axis",
        {
            "pe, persistent": "pe.transpose(0, 1), persistent",
            "x.shape[1], self.pe.shape[1]": "x.shape[0], self.pe.shape[0]",
            ADDED: "x + self.pe[:length]",
        },
        "Your pe is [max_len, 1, d_model], made for x [T, B, d_model]; here x is [B, T, d_model].",
        ROWS,
    ),
    wrong("the same for every position", {":length]": ":1]"}),
    wrong("the last rows", {":length]": "-length:]"}),
    wrong(
        "tokens lost",
        {ADDED: "self.pe[:, :length].expand_as(x)"},
        "You return the encoding alone; it is to be added to x.",
        "Where is x in your result?",
    ),
    wrong("multiplied", {"x + self": "x * self"}),
    wrong(
        "tokens scaled",
        {"x + self": "x * x.shape[-1] ** 0.5 + self"},
        "You multiply the tokens by √d_model first; that belongs to the embedding, not here.",
        "What must come out when pe is subtracted again?",
    ),
    wrong(
        "the whole table",
        {ADDED: "x + self.pe"},
        "You add all rows of pe: that fits sequences of max_len tokens only.",
        ROWS,
    ),
    wrong(
        "never added",
        {ADDED: "x"},
        "forward gives x back: the table is made and not used.",
        "Where is pe in your result?",
    ),
    wrong(
        "dropout by default",
        {ADDED: f"F.dropout({ADDED}, 0.1, self.training)"},
        *DROPOUT,
        shown_by="in training something else is added",
    ),
    wrong("tokens cut from the graph", {"x + self": "x.detach() + self"}),
    wrong("rows of the first call kept", {ADDED: 'x + vars(self).setdefault("kept", self.pe[:, :length])'}),
    wrong("added twice", {ADDED: f"{ADDED} + self.pe[:, :length]"}),
)

OF_TOO_LONG_A_SEQUENCE = (
    wrong(
        "left to broadcasting",
        {TOO_LONG: "if False"},
        "Too long a sequence fails in the addition, with a message about shapes that nobody understands.",
        LENGTH,
        shown_by="the error comes from broadcasting: it does not say that the sequence is too long",
    ),
    wrong(
        "cut off in silence",
        {TOO_LONG: "if False", "x + self": "x[:, :max_len] + self"},
        "You cut a long sequence off without a word: its last tokens disappear.",
        LENGTH,
    ),
    wrong("from the beginning again", {TOO_LONG: "if False", ":length]": "torch.arange(length) % max_len]"}),
    wrong(
        "an error without the numbers",
        {TOO_LONG: "assert length <= max_len\n        if False"},
        "Your error does not say how long the sequence was, or what the limit is.",
        LENGTH,
        shown_by="the error names neither the length (13) nor max_len (12)",
    ),
    wrong(
        "one token too strict",
        {TOO_LONG: "if length >= max_len"},
        "You refuse a sequence of exactly max_len tokens; it fits.",
        "Which is the longest sequence that pe has rows for?",
    ),
)

MISTAKES = OF_THE_TABLE + OF_KEEPING + OF_ADDING + OF_TOO_LONG_A_SEQUENCE
