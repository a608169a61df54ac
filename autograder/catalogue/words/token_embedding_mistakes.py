"""What goes wrong in `TokenEmbedding`."""

from autograder.catalogue.common_mistakes import other_names
from autograder.catalogue.edits import mistake, with_question

START, ZERO = "torch.randn(vocab_size, dim) / dim**0.5", "table[pad] = 0"
PARAMETER = "nn.Parameter(table)"
LOOKED_UP, ROOT = "F.embedding(tokens, self.table, padding_idx=self.pad)", "self.table.shape[1] ** 0.5"
NAMES = "What is the parameter called, and which shape has it?"
SCALE = "Read section 3.4 of the paper: what are the rows multiplied by?"
PAD = "Which row belongs to padding: what is in it at the start, and what should training make of it?"
ROW = "Which row of the table belongs to token 5?"


MISTAKES = (
    *with_question(
        NAMES,
        mistake(
            "an nn.Embedding as the table",
            {
                PARAMETER: "nn.Embedding(vocab_size, dim, padding_idx=pad)",
                LOOKED_UP: "self.table(tokens)",
                ROOT: "self.table.embedding_dim ** 0.5",
            },
            "Your table is an nn.Embedding, whose parameter is table.weight; the contract has a Parameter named table.",
        ),
        other_names(
            {
                "self.table, self.pad": "self.weight, self.pad",
                "(tokens, self.table": "(tokens, self.weight",
                "self.table.shape": "self.weight.shape",
            }
        ),
        mistake(
            "table transposed",
            {
                START: "torch.randn(dim, vocab_size) / dim**0.5",
                ZERO: "table[:, pad] = 0",
                "(tokens, self.table": "(tokens, self.table.T",
                "shape[1]": "shape[0]",
            },
        ).because("Your table is [dim, vocab_size]; it is [vocab_size, dim]."),
        mistake("one row more", {"randn(vocab_size,": "randn(vocab_size + 1,"}).because(
            "Your table has a row too many: pad is one of the vocab_size tokens."
        ),
    ),
    mistake("not a parameter", {PARAMETER: "table"}).because(
        "Your table is a plain tensor: the optimizer will never see it.", "What makes a tensor a parameter of a module?"
    ),
    *with_question(
        SCALE,
        mistake("not scaled", {f" * {ROOT}": ""}, "Your rows come back as they are; they are multiplied by √dim."),
        mistake("divided by the root", {f"* {ROOT}": f"/ {ROOT}"}).because(
            "You divide by √dim, as attention does; here it is a product."
        ),
        mistake("times dim", {f"* {ROOT}": "* self.table.shape[1]"}, "You multiply by dim; it is √dim."),
        mistake("times the root of the vocabulary", {"shape[1]": "shape[0]"}).because(
            "You multiply by the root of vocab_size; it is that of dim."
        ),
    ),
    *with_question(
        PAD,
        mistake("the row of pad random", {ZERO: "pass"}).because(
            "The row of pad is as random as the others; it is zero at the start."
        ),
        mistake("row 0 zero, whatever pad is", {ZERO: "table[0] = 0"}, "You make row 0 zero; pad may be another one."),
        mistake("all rows zero", {START: "torch.zeros(vocab_size, dim)"}).because(
            "All your rows start at zero: all words are the same, and stay so."
        ),
        mistake("a gradient for the row of pad", {", padding_idx=self.pad": ""}).because(
            "The row of pad gets a gradient: padding would learn to mean something."
        ),
        mistake("no gradient for row 0, whatever pad is", {"padding_idx=self.pad": "padding_idx=0"}).because(
            "You keep row 0 from learning; pad may be another one."
        ),
        mistake("no gradient at all", {LOOKED_UP: LOOKED_UP.replace("self.table", "self.table.detach()")}).because(
            "`.detach()` or `.data` cuts the table off: no word is ever learned."
        ),
    ),
    *with_question(
        ROW,
        mistake("padding cut out", {LOOKED_UP: LOOKED_UP.replace("(tokens", "(tokens[tokens != self.pad]")}).because(
            "You leave padding out: the shape of the tokens is lost."
        ),
        mistake("dropout on the rows", {LOOKED_UP: f"F.dropout({LOOKED_UP}, 0.1, self.training)"}).because(
            "In training your rows are dropped at random; nobody asked for dropout here."
        ),
    ),
    mistake(
        "tokens changed in place", {LOOKED_UP: f"({LOOKED_UP.replace('tokens', 'tokens.clone()')}, tokens.zero_())[0]"}
    ),
    mistake("rows in double precision", {LOOKED_UP: f"{LOOKED_UP}.double()"}).because(
        "Your vectors are float64 where the table is float32.", "Which of your operations changes the dtype?"
    ),
    mistake("the row before", {"embedding(tokens,": "embedding((tokens - 1) % len(self.table),"}).because(
        "You look up the row before: token 0 has row 0.", "Which row belongs to token 0?"
    ),
    mistake("normalised rows", {LOOKED_UP: f"F.normalize({LOOKED_UP}, dim=-1)"}).because(
        "You divide each row by its length; it comes back as it is, times √dim.",
        "What is done to a row?",
    ),
    mistake("one-hot vectors", {LOOKED_UP: "F.one_hot(tokens, len(self.table)).to(self.table.dtype)"}).because(
        "You return one-hot vectors; the table is never used.", "Where does your code read its table?"
    ),
)
