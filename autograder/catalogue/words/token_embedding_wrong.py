"""What goes wrong in `TokenEmbedding`."""

from autograder.catalogue.edits import wrong

START, ZERO = "torch.randn(vocab_size, dim) / dim**0.5", "table[pad] = 0"
PARAMETER = "nn.Parameter(table)"
LOOKED_UP, ROOT = "F.embedding(tokens, self.table, padding_idx=self.pad)", "self.table.shape[1] ** 0.5"
NAMES = "What is the parameter called, and which shape has it?"
SCALE = "Read section 3.4 of the paper: what are the rows multiplied by?"
PAD = "Which row belongs to padding: what is in it at the start, and what should training make of it?"
ROW = "Which row of the table belongs to token 5?"


def asked(question, *rows):
    return tuple(wrong(name, edits).because(says, question) for name, edits, says in rows)


MISTAKES = (
    *asked(
        NAMES,
        (
            "an nn.Embedding as the table",
            {
                PARAMETER: "nn.Embedding(vocab_size, dim, padding_idx=pad)",
                LOOKED_UP: "self.table(tokens)",
                ROOT: "self.table.embedding_dim ** 0.5",
            },
            "Your table is an nn.Embedding, whose parameter is table.weight; the contract has a Parameter named table.",
        ),
        (
            "another name for table",
            {
                "self.table, self.pad": "self.weight, self.pad",
                "(tokens, self.table": "(tokens, self.weight",
                "self.table.shape": "self.weight.shape",
            },
            "Your parameter has another name than `table`: saved weights would not fit.",
        ),
        (
            "table transposed",
            {
                START: "torch.randn(dim, vocab_size) / dim**0.5",
                ZERO: "table[:, pad] = 0",
                "(tokens, self.table": "(tokens, self.table.T",
                "shape[1]": "shape[0]",
            },
            "Your table is [dim, vocab_size]; it is [vocab_size, dim].",
        ),
        (
            "one row more",
            {"randn(vocab_size,": "randn(vocab_size + 1,"},
            "Your table has a row too many: pad is one of the vocab_size tokens.",
        ),
    ),
    wrong("not a parameter", {PARAMETER: "table"}).because(
        "Your table is a plain tensor: the optimizer will never see it.", "What makes a tensor a parameter of a module?"
    ),
    *asked(
        SCALE,
        ("not scaled", {f" * {ROOT}": ""}, "Your rows come back as they are; they are multiplied by √dim."),
        (
            "divided by the root",
            {f"* {ROOT}": f"/ {ROOT}"},
            "You divide by √dim, as attention does; here it is a product.",
        ),
        ("times dim", {f"* {ROOT}": "* self.table.shape[1]"}, "You multiply by dim; it is √dim."),
        (
            "times the root of the vocabulary",
            {"shape[1]": "shape[0]"},
            "You multiply by the root of vocab_size; it is that of dim.",
        ),
    ),
    *asked(
        PAD,
        (
            "the row of pad random",
            {ZERO: "pass"},
            "The row of pad is as random as the others; it is zero at the start.",
        ),
        ("row 0 zero, whatever pad is", {ZERO: "table[0] = 0"}, "You make row 0 zero; pad may be another one."),
        (
            "all rows zero",
            {START: "torch.zeros(vocab_size, dim)"},
            "All your rows start at zero: all words are the same, and stay so.",
        ),
        (
            "a gradient for the row of pad",
            {", padding_idx=self.pad": ""},
            "The row of pad gets a gradient: padding would learn to mean something.",
        ),
        (
            "no gradient for row 0, whatever pad is",
            {"padding_idx=self.pad": "padding_idx=0"},
            "You keep row 0 from learning; pad may be another one.",
        ),
        (
            "no gradient at all",
            {LOOKED_UP: LOOKED_UP.replace("self.table", "self.table.detach()")},
            "`.detach()` or `.data` cuts the table off: no word is ever learned.",
        ),
    ),
    *asked(
        ROW,
        (
            "the row before",
            {"embedding(tokens,": "embedding((tokens - 1) % len(self.table),"},
            "You look up the row before: token 0 has row 0.",
        ),
        ("the sentence backwards", {"embedding(tokens,": "embedding(tokens.flip(-1),"}, ""),
        (
            "normalised rows",
            {LOOKED_UP: f"F.normalize({LOOKED_UP}, dim=-1)"},
            "You divide each row by its length; it comes back as it is, times √dim.",
        ),
        (
            "padding cut out",
            {LOOKED_UP: LOOKED_UP.replace("(tokens", "(tokens[tokens != self.pad]")},
            "You leave padding out: the shape of the tokens is lost.",
        ),
        (
            "one-hot vectors",
            {LOOKED_UP: "F.one_hot(tokens, len(self.table)).to(self.table.dtype)"},
            "You return one-hot vectors; the table is never used.",
        ),
        (
            "dropout on the rows",
            {LOOKED_UP: f"F.dropout({LOOKED_UP}, 0.1, self.training)"},
            "In training your rows are dropped at random; nobody asked for dropout here.",
        ),
    ),
    wrong(
        "tokens changed in place", {LOOKED_UP: f"({LOOKED_UP.replace('tokens', 'tokens.clone()')}, tokens.zero_())[0]"}
    ),
    wrong("rows in double precision", {LOOKED_UP: f"{LOOKED_UP}.double()"}).because(
        "Your vectors are float64 where the table is float32.", "Which of your operations changes the dtype?"
    ),
)
