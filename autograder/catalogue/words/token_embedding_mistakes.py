"""What goes wrong in `TokenEmbedding`."""

from autograder.catalogue.common_mistakes import other_names, overwrites
from autograder.catalogue.edits import mistake, with_question

START, ZERO = "torch.randn(vocab_size, dim) / dim**0.5", "table[pad] = 0"
PARAMETER = "nn.Parameter(table)"
LOOKED_UP, ROOT = "F.embedding(tokens, self.table, padding_idx=self.pad)", "self.table.shape[1] ** 0.5"
NAMES = "What is the parameter called, and what is its shape?"
SCALE = "Read section 3.4 of the paper: what are the rows multiplied by?"
PAD = "Which row belongs to padding: what is in it at the start, and how should training change it?"
BOUND = "the entries are uniform between −1/√dim and 1/√dim"
COLUMN = "column 0 is zero, and not row 0"
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
        ).because("Your table is an nn.Embedding, whose parameter is table.weight; use a Parameter named table."),
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
            "Your table has one row too many; pad is one of the vocab_size tokens."
        ),
    ),
    mistake("not a parameter", {PARAMETER: "table"}).because(
        "Your table is a plain tensor, which the optimiser never sees; make it an nn.Parameter.",
        "What makes a tensor a parameter of a module?",
    ),
    *with_question(
        SCALE,
        mistake("not scaled", {f" * {ROOT}": ""}).because("You return the rows unchanged; multiply them by √dim."),
        mistake("divided by the root", {f"* {ROOT}": f"/ {ROOT}"}).because(
            "You divide by √dim, as attention does; multiply here."
        ),
        mistake(
            "not divided by the root",
            {START: "torch.randn(vocab_size, dim)"},
            shown_by="the standard deviation is not about 1/√dim",
        ).because(
            "Your table does not start with a standard deviation of about 1/√dim. Draw it with `randn` and divide by "
            "√dim, so that a row's entries are of order 1 after the product."
        ),
        mistake(
            "uniform up to 1/√dim",
            {START: "(2 * torch.rand(vocab_size, dim) - 1) / dim**0.5"},
            shown_by=BOUND,
        ).because(
            "Your entries are uniform between −1/√dim and 1/√dim, so their standard deviation is only 0.58/√dim. Draw "
            "with `randn` and divide by √dim."
        ),
        *(
            mistake(name, {START: start}).because(says)
            for name, start, says in (
                (
                    "uniform from 0 to 1/√dim",
                    "torch.rand(vocab_size, dim) / dim**0.5",
                    "You draw with `rand`, which is never negative; draw with `randn`.",
                ),
                (
                    "divided by dim",
                    "torch.randn(vocab_size, dim) / dim",
                    "You divide the table by dim; divide by √dim.",
                ),
                (
                    "a standard deviation of 0.02",
                    "torch.randn(vocab_size, dim) * 0.02",
                    "Your table starts with a standard deviation of 0.02; start with 1/√dim.",
                ),
            )
        ),
        mistake(
            "divided by the root of the vocabulary",
            {START: "torch.randn(vocab_size, dim) / vocab_size**0.5"},
        ).because("You divide the table by √vocab_size at the start; divide by √dim."),
        mistake("times dim", {f"* {ROOT}": "* self.table.shape[1]"}).because("You multiply by dim; multiply by √dim."),
        mistake("times the root of the vocabulary", {"shape[1]": "shape[0]"}).because(
            "You multiply by the root of vocab_size; use the root of dim."
        ),
    ),
    *with_question(
        PAD,
        mistake("the row of pad random", {ZERO: "pass"}).because(
            "Your row of pad is random; make it zero at the start."
        ),
        mistake("row 0 zero, whatever pad is", {ZERO: "table[0] = 0"}).because(
            "You always make row 0 zero; use row `pad`."
        ),
        mistake("the column of pad zero", {ZERO: "table[:, pad] = 0"}, shown_by=COLUMN).because(
            "You make column `pad` of your table zero; make row `pad` zero, `table[pad] = 0`."
        ),
        mistake("the last row zero", {ZERO: "table[-1] = 0"}).because(
            "You make the last row zero; make row `pad` zero."
        ),
        *(
            mistake(name, {LOOKED_UP: f"{LOOKED_UP} * (tokens != {pad}).unsqueeze(-1)"}).because(says)
            for name, pad, says in (
                (
                    "pad always zeros",
                    "self.pad",
                    "You return zeros for `pad`, whatever its row contains; return its row like any other.",
                ),
                (
                    "zeros for token 0",
                    "0",
                    "You return zeros for token 0, whatever its row contains; return its row like any other.",
                ),
            )
        ),
        mistake("all rows zero", {START: "torch.zeros(vocab_size, dim)"}).because(
            "All your rows start at zero, so all words are the same; draw them at random."
        ),
        mistake("a gradient for the row of pad", {", padding_idx=self.pad": ""}).because(
            "Your row of pad gets a gradient, so padding would learn a meaning; give it none."
        ),
        mistake(
            "a gradient divided by frequency", {"padding_idx=self.pad": "padding_idx=self.pad, scale_grad_by_freq=True"}
        ).because(
            "You pass `scale_grad_by_freq=True`, which divides a token's gradient by how often it occurs; leave it out."
        ),
        mistake("a sparse gradient", {"padding_idx=self.pad": "padding_idx=self.pad, sparse=True"}).because(
            "You pass `sparse=True`, so the table's gradient is a sparse tensor, which Adam refuses; leave it out."
        ),
        mistake(
            "a hook for the row of pad",
            {
                "self.table, self.pad = nn.Parameter(table), pad": "self.table, self.pad = nn.Parameter(table), pad\n"
                "        self.table.register_hook(lambda grad: grad.index_fill(0, torch.tensor(pad), 0.0))",
                ", padding_idx=self.pad": "",
            },
        ).because(
            "Your hook stops every gradient of the row of pad, even where the table is the output layer; only the "
            "look-up must give it none."
        ),
        mistake("no gradient for row 0, whatever pad is", {"padding_idx=self.pad": "padding_idx=0"}).because(
            "You always keep row 0 from learning; use row `pad`."
        ),
        mistake("no gradient at all", {LOOKED_UP: LOOKED_UP.replace("self.table", "self.table.detach()")}).because(
            "You detach the table (`.detach()` or `.data`), so no word is ever learned."
        ),
    ),
    *with_question(
        ROW,
        mistake("padding cut out", {LOOKED_UP: LOOKED_UP.replace("(tokens", "(tokens[tokens != self.pad]")}).because(
            "You leave padding out, which loses the shape of the tokens; keep it."
        ),
        mistake("dropout on the rows", {LOOKED_UP: f"F.dropout({LOOKED_UP}, 0.1, self.training)"}).because(
            "You apply dropout in training; this exercise has none."
        ),
    ),
    overwrites(
        "tokens",
        {LOOKED_UP: f"({LOOKED_UP.replace('tokens', 'tokens.clone()')}, tokens.zero_())[0]"},
        "the next part of the model reads zeros.",
        "tokens changed in place",
    ),
    mistake("rows in double precision", {LOOKED_UP: f"{LOOKED_UP}.double()"}).because(
        "Your vectors are float64; keep the table's float32.", "Which of your operations changes the dtype?"
    ),
    mistake("the row before", {"embedding(tokens,": "embedding((tokens - 1) % len(self.table),"}).because(
        "You look up the previous row; token 0 has row 0.", "Which row belongs to token 0?"
    ),
    mistake("normalised rows", {LOOKED_UP: f"F.normalize({LOOKED_UP}, dim=-1)"}).because(
        "You normalise each row; only multiply it by √dim.",
        "What happens to a row?",
    ),
    mistake("one-hot vectors", {LOOKED_UP: "F.one_hot(tokens, len(self.table)).to(self.table.dtype)"}).because(
        "You return one-hot vectors; return rows of the table.", "Where does your code read its table?"
    ),
)
