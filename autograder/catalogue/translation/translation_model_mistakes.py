"""What goes wrong in the parts of `TranslationModel`, in what it reads and in its output; and all its mistakes."""

from autograder.catalogue.common_mistakes import NAMES, in_double_precision, no_super, other_names, overwrites
from autograder.catalogue.decoder.seq2seq_mistakes import MISTAKES as OF_SEQ2SEQ
from autograder.catalogue.edits import mistake, same_as
from autograder.catalogue.translation.translation_model_dropout_mistakes import OF_THE_DROPOUT, READ, SAID
from autograder.catalogue.translation.translation_model_halves_mistakes import (
    JOINED,
    LOGITS,
    OF_THE_HALVES,
    OF_THE_LENGTH,
    OF_THE_MASK,
    WEIGHT,
)

BIAS = "nn.Parameter(torch.zeros(tgt_vocab))"
TABLES = "How many tables does the model learn, and what does each row of the last one stand for?"
EMBEDDED = "self.tgt_embedding(torch.arange(len(self.output_bias)))"
BLOCKS = "Where do you use `num_layers`?"
READ_TWICE = READ.replace("(src))", "(src) * self.src_embedding.table.shape[1] ** 0.5)")
SAID_TWICE = SAID.replace("(tgt))", "(tgt) * self.tgt_embedding.table.shape[1] ** 0.5)")

OF_THE_OUTPUT = (
    mistake(
        "a table of its own for the output",
        {
            BIAS: f"{BIAS}\n        self.output = nn.Linear(model_dim, tgt_vocab, bias=False)",
            f"y @ {WEIGHT}": "self.output(y)",
        },
    ).because("Your output has its own weight; use the target's table.", TABLES),
    mistake(
        "a Linear with a bias for the output",
        {f"self.output_bias = {BIAS}": "self.output = nn.Linear(model_dim, tgt_vocab)", LOGITS: "self.output(y)"},
    ).because(
        "Your output is a Linear with its own weight and bias; use the target's table and `output_bias`.", TABLES
    ),
    mistake("the source's table speaks", {WEIGHT: "self.src_embedding.table[: len(self.output_bias)].T"}).because(
        "Your output uses the source's table; use the target's.", TABLES
    ),
    mistake("no output_bias", {f"        self.output_bias = {BIAS}\n": "", " + self.output_bias": ""}).because(
        "Your model has no parameter output_bias (a plain tensor is not one); create it.", NAMES
    ),
    mistake("output_bias not added", {" + self.output_bias": ""}).because(
        "You never add output_bias; add it to the logits.", "Where do you use `output_bias`?"
    ),
    mistake("output_bias not a parameter", {BIAS: "torch.zeros(tgt_vocab)"}).because(
        "Your output_bias is a plain tensor, so it is never trained. Make it an nn.Parameter.", NAMES
    ),
    mistake("logits times √model_dim", {WEIGHT: f"{WEIGHT} * y.shape[-1] ** 0.5"}).because(
        "You multiply the logits by √model_dim too; multiply only the embeddings.",
        "Where does section 3.4 put the root?",
    ),
    same_as(OF_SEQ2SEQ, "probabilities instead of logits", {LOGITS: f"({LOGITS}).softmax(-1)"}),
    same_as(OF_SEQ2SEQ, "log-probabilities instead of logits", {LOGITS: f"({LOGITS}).log_softmax(-1)"}),
    mistake("output cut from the graph", {WEIGHT: f"{WEIGHT}.detach()"}).because(
        "The numbers are right, but the output's gradient does not reach the table; use the table itself, not "
        "a detached copy.",
        "Which call detaches your tensor from the graph?",
    ),
    mistake("embedded tokens as the output's weight", {WEIGHT: f"{EMBEDDED}.T"}).because(
        "You multiply by the embedded tokens, which are √model_dim times the table; multiply by the table itself.",
        "Where does section 3.4 put the root?",
    ),
    mistake("embedded tokens, divided again", {WEIGHT: f"{EMBEDDED}.T / y.shape[-1] ** 0.5"}).because(
        "The numbers are right, but the output's gradient does not reach the row of padding, because the look-up gives "
        "it none; use the table itself.",
        "Which rows does a look-up with padding give a gradient?",
    ),
    mistake("logits through √model_dim", {WEIGHT: f"{WEIGHT} / y.shape[-1] ** 0.5"}).because(
        "You divide the logits by √model_dim; leave them unscaled.",
        "Where does section 3.4 put the root?",
    ),
)

OF_THE_INPUT = (
    mistake("source without positions", {READ: "self.src_embedding(src)"}).because(
        "You add no positions to the source, so to the encoder it is a bag of words; add them.",
        "What tells the encoder the order?",
    ),
    mistake("target without positions", {SAID: "self.tgt_embedding(tgt)"}).because(
        "You add no positions to the target; add them.", "What tells the decoder how far it has got?"
    ),
    mistake("positions of the source in the target", {SAID: SAID.replace("tgt_positions", "src_positions")}).because(
        "You add the source's positions to the target; use the target's own table.", NAMES
    ),
    mistake("target read in the source's table", {SAID: SAID.replace("tgt_embedding", "src_embedding")}).because(
        "You look up the target in the source's table; use its own.", TABLES
    ),
    *(
        mistake(name, edits).because(
            "You multiply by √model_dim again; TokenEmbedding already does.",
            "What is the last step in the forward of TokenEmbedding?",
        )
        for name, edits in (
            ("√model_dim twice", {READ: READ_TWICE}),
            ("√model_dim twice, of the target", {SAID: SAID_TWICE}),
            ("√model_dim twice, of both", {READ: READ_TWICE, SAID: SAID_TWICE}),
        )
    ),
    mistake(
        "nn.Embedding",
        {
            "TokenEmbedding(src_vocab": "nn.Embedding(src_vocab",
            "TokenEmbedding(tgt_vocab": "nn.Embedding(tgt_vocab",
            WEIGHT: "self.tgt_embedding.weight.T",
        },
    ).because("You use nn.Embedding, which does not multiply by √model_dim; use TokenEmbedding.", NAMES),
    *(
        mistake(f"nn.Embedding for the {whose}{kept}", edits).because(
            f"Your table of the {whose} is an nn.Embedding, which does not multiply by √model_dim; use TokenEmbedding.",
            NAMES,
        )
        for kept, padding in (("", ""), (", with padding_idx", ", padding_idx=0"))
        for whose, edits in (
            ("source", {"TokenEmbedding(src_vocab, model_dim": f"nn.Embedding(src_vocab, model_dim{padding}"}),
            (
                "target",
                {
                    "TokenEmbedding(tgt_vocab, model_dim": f"nn.Embedding(tgt_vocab, model_dim{padding}",
                    WEIGHT: "self.tgt_embedding.weight.T",
                },
            ),
        )
    ),
    mistake("always one head", {"num_heads=num_heads": "num_heads=1"}).because(
        "Your attentions always have one head; use num_heads.", "Where do you use `num_heads`?"
    ),
    mistake(
        "all tables drawn again",
        {
            "self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(dropout)\n"
            "        for parameter in self.parameters():\n"
            "            if parameter.dim() > 1:\n                nn.init.xavier_uniform_(parameter)"
        },
        shown_by="the row of padding of a table is not zero at the start",
    ).because(
        "You draw the tables again after TokenEmbedding has made them, so their rows of padding are no longer zero; "
        "leave the tables as they are.",
        "How does a TokenEmbedding start, and which of your lines comes after that?",
    ),
    mistake(
        "feed-forward of 4 · model_dim", {"dim_feedforward=dim_feedforward": "dim_feedforward=4 * model_dim"}
    ).because(
        "Your feed-forward is always 4·model_dim wide; use dim_feedforward.", "Where do you use `dim_feedforward`?"
    ),
    *(
        mistake(
            f"one block in the {stack.lower()}", {f"Transformer{stack}(num_layers": f"Transformer{stack}(1"}
        ).because(f"Your {stack.lower()} always has one block; give it num_layers.", BLOCKS)
        for stack in ("Encoder", "Decoder")
    ),
    mistake(
        "one block in both",
        {f"Transformer{stack}(num_layers": f"Transformer{stack}(1" for stack in ("Encoder", "Decoder")},
    ).because("Your encoder and decoder always have one block; give them num_layers.", BLOCKS),
    mistake(
        "positions shared",
        {"LearnedPositions(max_len, model_dim)\n        self.encoder": "self.src_positions\n        self.encoder"},
    ).because("Source and target share one table of positions; give each its own.", NAMES),
    no_super("parts"),
    other_names({"self.output_bias": "self.bias"}, times=2),
    mistake(
        "sines as positions",
        {
            "self.src_positions = LearnedPositions(max_len, model_dim)": "from course_lib import PositionalEncoding\n"
            "        self.src_positions = PositionalEncoding(model_dim, max_len)",
            "self.tgt_positions = LearnedPositions(max_len, model_dim)": "self.tgt_positions = self.src_positions",
        },
    ).because("Your positions are sines; use LearnedPositions.", NAMES),
    mistake(
        "1 is padding", {"TokenEmbedding(src_vocab, model_dim)": "TokenEmbedding(src_vocab, model_dim, pad=1)"}
    ).because(
        "You pass 1 as the source's padding, so the row of that word never learns; 0 is the padding.",
        "Which token is padding?",
    ),
    mistake(
        "vocabularies exchanged",
        {
            "TokenEmbedding(src_vocab,": "TokenEmbedding(0 + tgt_vocab,",
            "TokenEmbedding(tgt_vocab,": "TokenEmbedding(src_vocab,",
        },
    ).because("You swap src_vocab and tgt_vocab; each belongs to its own table.", NAMES),
)

BESIDES = (
    overwrites(
        "src_mask",
        {
            f"return {JOINED}": f"logits = {JOINED}\n        if src_mask is not None:\n"
            "            src_mask.logical_not_()\n        return logits"
        },
        "the caller's mask then hides the real tokens.",
    ),
    in_double_precision("logits", {LOGITS: f"({LOGITS}).double()"}),
)

MISTAKES = OF_THE_OUTPUT + OF_THE_INPUT + OF_THE_MASK + OF_THE_HALVES + OF_THE_LENGTH + OF_THE_DROPOUT + BESIDES
