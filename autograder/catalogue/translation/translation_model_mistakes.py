"""What goes wrong in `TranslationModel`."""

from autograder.catalogue.common_mistakes import in_double_precision, no_super, other_names, overwrites
from autograder.catalogue.decoder.seq2seq_mistakes import MISTAKES as OF_SEQ2SEQ
from autograder.catalogue.edits import mistake, same_as

READ, SAID = "self.src_positions(self.src_embedding(src))", "self.tgt_positions(self.tgt_embedding(tgt))"
ENCODED, DECODED = "self.encoder(x, keys)", "self.decoder(y, memory, memory_mask=keys)"
WEIGHT, BIAS = "self.tgt_embedding.table.T", "nn.Parameter(torch.zeros(tgt_vocab))"
LOGITS = f"y @ {WEIGHT} + self.output_bias"
KEYS, JOINED = "src_mask.unsqueeze(1)", "self.decode(self.encode(src, src_mask), tgt, src_mask)"
NAMES = "Which names and sizes does the docstring give under “Parameters”?"
ROWS, DROP = "self.src_positions.table.num_embeddings", "x = self.dropout("
TABLES = "How many tables does the model learn, and what does each row of the last one stand for?"
WHO = "Who has to know where the source is padding: the encoder, the decoder, or both?"
DROPS = "After which sums does the paper drop out (section 5.4)?"
LENGTH = "What should happen where the table of positions has no more rows?"
JOINS = "What do `encode` and `decode` give, and what is left for `forward`?"
LOSS = "What does the loss apply to what it is given?"
PRIVATE = {
    "def encode(": "def _encode(",
    "def decode(": "def _decode(",
    JOINED: "self._decode(self._encode(src, src_mask), tgt, src_mask)",
}


def beside(halves):
    """The edits that leave forward right, and give other halves to those who call them."""
    return PRIVATE | {"    def forward(": f"{halves}\n\n    def forward("}


def cut(tokens, positions):
    """Tokens that are too long, cut off."""
    return f"{tokens}[:, : self.{positions}.table.num_embeddings]"


OF_THE_OUTPUT = (
    mistake(
        "a table of its own for the output",
        {
            BIAS: f"{BIAS}\n        self.output = nn.Linear(model_dim, tgt_vocab, bias=False)",
            f"y @ {WEIGHT}": "self.output(y)",
        },
    ).because("Your output has a weight of its own, a second table of the same size; here the two are one.", TABLES),
    mistake(
        "a Linear with a bias for the output",
        {f"self.output_bias = {BIAS}": "self.output = nn.Linear(model_dim, tgt_vocab)", LOGITS: "self.output(y)"},
        "Your output is a Linear with weight and bias; its weight is the target's table, its bias is `output_bias`.",
        TABLES,
    ),
    mistake("the source's table speaks", {WEIGHT: "self.src_embedding.table[: len(self.output_bias)].T"}).because(
        "Your output multiplies by the table of the source; it speaks the target's language.", TABLES
    ),
    mistake("no output_bias", {f"        self.output_bias = {BIAS}\n": "", " + self.output_bias": ""}).because(
        "No parameter of your model is called output_bias (a plain tensor is none: no optimizer finds it).", NAMES
    ),
    mistake("output_bias not added", {" + self.output_bias": ""}).because(
        "Your output_bias is never added.", "Where do you use `output_bias`?"
    ),
    mistake("output_bias is no parameter", {BIAS: "torch.zeros(tgt_vocab)"}),
    mistake("logits times √model_dim", {WEIGHT: f"{WEIGHT} * y.shape[-1] ** 0.5"}).because(
        "You multiply the logits by √model_dim as well; the root belongs to the embedding alone.",
        "Where does section 3.4 put the root?",
    ),
    same_as(OF_SEQ2SEQ, "probabilities instead of logits", {LOGITS: f"({LOGITS}).softmax(-1)"}),
    same_as(OF_SEQ2SEQ, "log-probabilities instead of logits", {LOGITS: f"({LOGITS}).log_softmax(-1)"}),
    mistake("output cut from the graph", {WEIGHT: f"{WEIGHT}.detach()"}).because(
        "The numbers are right, but what the output learns does not reach the table: half its gradient is missing.",
        "Which call takes your tensor out of autograd?",
    ),
    mistake("logits through √model_dim", {WEIGHT: f"{WEIGHT} / y.shape[-1] ** 0.5"}).because(
        "You divide the logits by √model_dim; only the scores of an attention are divided by a root.",
        "Where does section 3.4 put the root?",
    ),
)

OF_THE_INPUT = (
    mistake("source without positions", {READ: "self.src_embedding(src)"}).because(
        "Your source has no positions: to the encoder it is a bag of words.", "Where does the encoder learn the order?"
    ),
    mistake("target without positions", {SAID: "self.tgt_embedding(tgt)"}).because(
        "Your target has no positions.", "Where does the decoder learn how far it is?"
    ),
    mistake("positions of the source in the target", {SAID: SAID.replace("tgt_positions", "src_positions")}).because(
        "You add the source's positions to the target; each side has a table of its own.", NAMES
    ),
    mistake("target read in the source's table", {SAID: SAID.replace("tgt_embedding", "src_embedding")}).because(
        "You look the target up in the table of the source.", TABLES
    ),
    mistake(
        "√model_dim twice", {READ: READ.replace("(src))", "(src) * self.src_embedding.table.shape[1] ** 0.5)")}
    ).because(
        "You multiply by √model_dim once more: TokenEmbedding has done it.",
        "What does the forward of TokenEmbedding end with?",
    ),
    mistake(
        "nn.Embedding",
        {
            "TokenEmbedding(src_vocab": "nn.Embedding(src_vocab",
            "TokenEmbedding(tgt_vocab": "nn.Embedding(tgt_vocab",
            WEIGHT: "self.tgt_embedding.weight.T",
        },
    ).because("You embed by nn.Embedding: its parameter has another name, and nobody multiplies by √model_dim.", NAMES),
    mistake(
        "feed-forward of 4 · model_dim", {"dim_feedforward=dim_feedforward": "dim_feedforward=4 * model_dim"}
    ).because(
        "Your feed-forward is 4·model_dim wide, whatever dim_feedforward says.", "Where do you use `dim_feedforward`?"
    ),
    no_super("parts"),
    other_names({"self.output_bias": "self.bias"}, times=2),
    mistake(
        "sines as positions",
        {
            "self.src_positions = LearnedPositions(max_len, model_dim)": "from course_lib import PositionalEncoding\n"
            "        self.src_positions = PositionalEncoding(model_dim, max_len)",
            "self.tgt_positions = LearnedPositions(max_len, model_dim)": "self.tgt_positions = self.src_positions",
        },
    ).because("Your positions are sines; here each side learns a table, LearnedPositions.", NAMES),
    mistake(
        "1 is padding", {"TokenEmbedding(src_vocab, model_dim)": "TokenEmbedding(src_vocab, model_dim, pad=1)"}
    ).because(
        "You tell the source's table that 1 is padding: the row of that word never learns.", "Which token is padding?"
    ),
    mistake(
        "vocabularies exchanged",
        {
            "TokenEmbedding(src_vocab,": "TokenEmbedding(0 + tgt_vocab,",
            "TokenEmbedding(tgt_vocab,": "TokenEmbedding(src_vocab,",
        },
    ).because("Your source has tgt_vocab words, and your target src_vocab.", NAMES),
)

OF_THE_MASK = (
    mistake("mask dropped", {KEYS: "None"}, times=2).because(
        "Your model reads the padding of the source like words.", WHO
    ),
    mistake("padding heard by the decoder", {DECODED: "self.decoder(y, memory)"}).because(
        "The decoder attends to the memory of padding as well: it needs the mask, too.", WHO
    ),
    mistake("padding heard by the encoder", {ENCODED: "self.encoder(x)"}).because(
        "In your encoder words listen to padding, and carry it into the memory.", WHO
    ),
    mistake("mask not handed to encode", {JOINED: JOINED.replace("(src, src_mask)", "(src)")}).because(
        "Your forward encodes without the mask.", JOINS
    ),
    mistake("mask not handed to decode", {JOINED: JOINED.replace("tgt, src_mask", "tgt")}).because(
        "Your forward decodes without the mask.", JOINS
    ),
    mistake("mask inverted", {KEYS: "(src_mask == 0).unsqueeze(1)"}, times=2).because(
        "You hide what is real and show the padding.", "At which places is src_mask True?"
    ),
    mistake("memory's mask given as the target's", {DECODED: "self.decoder(y, memory, keys)"}).because(
        "You give the mask of the source as that of the target: the decoder's third argument is `mask`, its fourth "
        "`memory_mask`.",
        "In which order does the decoder take its masks?",
    ),
    mistake("the first sample's mask for all", {KEYS: "src_mask[:1].unsqueeze(1)"}, times=2),
    mistake(
        "a mask of integers hides nothing",
        {KEYS: "(src_mask if src_mask.dtype == torch.bool else torch.ones_like(src_mask)).unsqueeze(1)"},
        times=2,
    ),
    mistake("decoder asks the embedded source", {ENCODED: "x"}).because(
        "Your memory is the embedded source: the encoder is not used.", JOINS
    ),
)

OF_THE_HALVES = (
    mistake("no encode and decode", PRIVATE).because(
        "Your forward does all in one; `beam_search` and the pictures call `encode` and `decode` on their own.", JOINS
    ),
    mistake(
        "encode without the mask",
        beside(
            "    def encode(self, src, src_mask=None):\n        return self._encode(src)\n\n"
            "    def decode(self, memory, tgt, src_mask=None):\n        return self._decode(memory, tgt, src_mask)"
        ),
    ).because("Your encode ignores its mask; your forward does not.", JOINS),
    mistake("decode stops before the output", {LOGITS: "y", JOINED: f"{JOINED} @ {WEIGHT} + self.output_bias"}).because(
        "Your decode gives vectors, and forward makes logits of them; decode gives logits.", JOINS
    ),
    mistake(
        "encode stops before the encoder",
        {
            ENCODED: "x",
            f"return {JOINED}": "keys = None if src_mask is None else src_mask.unsqueeze(1)\n"
            "        return self.decode(self.encoder(self.encode(src), keys), tgt, src_mask)",
        },
    ).because("Your encode gives the embedded source; it gives the memory.", JOINS),
)

OF_THE_LENGTH = (
    mistake(
        "too long is cut off",
        {
            READ: READ.replace("(src)", f"({cut('src', 'src_positions')})"),
            SAID: SAID.replace("(tgt)", f"({cut('tgt', 'tgt_positions')})"),
        },
    ).because("What is too long you cut off in silence: half a sentence would be translated.", LENGTH),
    mistake("another error for what is too long", {DROP: f"assert src.shape[1] <= {ROWS}\n        {DROP}"}).because(
        "An `assert` gives an AssertionError without a number; a ValueError that names both lengths is due.", LENGTH
    ),
    mistake(
        "lengths not named",
        {
            JOINED: "self._refused(src, tgt) or " + JOINED,
            "    def encode(": "    def _refused(self, *both):\n"
            "        if max(tokens.shape[1] for tokens in both) > self.src_positions.table.num_embeddings:\n"
            '            raise ValueError("too long")\n\n    def encode(',
        },
        shown_by="the message of ValueError does not mention 29, 23",
    ).because("Your error does not say how long the sentence is, and how long it may be.", LENGTH),
    mistake(
        "max_len is refused",
        {
            DROP: f"if src.shape[1] >= {ROWS}:\n"
            f'            raise ValueError(f"{{src.shape[1]}} tokens, {{{ROWS}}} at most")\n        {DROP}'
        },
    ).because("A sentence of exactly max_len tokens is refused.", "Is max_len itself too long?"),
    mistake("target too long is cut off", {SAID: SAID.replace("(tgt)", f"({cut('tgt', 'tgt_positions')})")}).because(
        "A target that is too long you cut off in silence.", LENGTH
    ),
)

OF_THE_DROPOUT = (
    mistake("no dropout on the target", {f"self.dropout({SAID})": SAID}).because(
        "You drop nothing after the target's positions.", DROPS
    ),
    mistake("no dropout on the source", {f"self.dropout({READ})": READ}).because(
        "You drop nothing after the source's positions.", DROPS
    ),
    mistake(
        "dropout before the positions",
        {f"self.dropout({READ})": READ.replace("self.src_embedding(src)", "self.dropout(self.src_embedding(src))")},
    ).because("You drop out before the positions are added; it comes after.", DROPS),
    mistake("no dropout in the blocks", {", dropout=dropout)": ")"}).because(
        "Your blocks drop nothing: dropout does not reach them.", "Which arguments do the blocks get?"
    ),
    mistake("always a tenth", {"nn.Dropout(dropout)": "nn.Dropout(0.1)"}).because(
        "You drop a tenth, whatever `dropout` says.", "Where do you use `dropout`?"
    ),
    mistake("dropout in eval mode", {"y = self.dropout(": "y = F.dropout(", SAID: f"{SAID}, self.dropout.p"}).because(
        "`F.dropout` drops always: it does not know whether the model is training.",
        "Which argument of F.dropout is about training?",
    ),
    mistake("dropout on the output as well", {"return y @": "y = self.dropout(y)\n        return y @"}).because(
        "You drop out before the output as well; the blocks have done it.", DROPS
    ),
)

BESIDES = (
    overwrites(
        "src_mask",
        {
            f"return {JOINED}": f"logits = {JOINED}\n        if src_mask is not None:\n"
            "            src_mask.logical_not_()\n        return logits"
        },
        "whoever masks with it next hides what is real.",
    ),
    in_double_precision("logits", {LOGITS: f"({LOGITS}).double()"}),
)

MISTAKES = OF_THE_OUTPUT + OF_THE_INPUT + OF_THE_MASK + OF_THE_HALVES + OF_THE_LENGTH + OF_THE_DROPOUT + BESIDES
