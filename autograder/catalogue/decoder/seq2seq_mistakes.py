"""What goes wrong in `Seq2SeqTransformer`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake

READ, RECALL = (f"self.positional_encoding(self.{name}_embedding({name}) * scale)" for name in ("src", "tgt"))
ENCODED, DECODED = "self.encoder(x, src_mask)", "self.decoder(y, memory, memory_mask=src_mask)"
MASK, LOGITS = "src_mask[:, None, :]", "return self.output(y)"
STACKS = "Which arguments do encoder and decoder get?"
SCALE = "What does section 3.4 of the paper do to the embeddings?"

MISTAKES = (
    mistake("probabilities instead of logits", {LOGITS: f"{LOGITS}.softmax(dim=-1)"}).because(
        "The softmax belongs to the loss: cross-entropy on probabilities cannot come near 0.",
        "What does `F.cross_entropy` expect, logits or probabilities?",
    ),
    mistake("log-probabilities instead of logits", {LOGITS: f"{LOGITS}.log_softmax(dim=-1)"}).because(
        "The log_softmax belongs to the loss; the model ends with its last Linear.",
        "What does `F.cross_entropy` apply to what it is given?",
    ),
    mistake("embeddings not scaled", {"math.sqrt(self.model_dim)": "1"}).because(
        "The embeddings are not multiplied by √model_dim before the positions are added.", SCALE
    ),
    mistake("scaled by the width", {"math.sqrt(self.model_dim)": "self.model_dim"}).because(
        "The embeddings are multiplied by model_dim, not by its root.", SCALE
    ),
    mistake(
        "positions scaled as well", {"(src) * scale)": "(src)) * scale", "(tgt) * scale)": "(tgt)) * scale"}
    ).because(
        "You multiply by √model_dim after the positions have been added.",
        "Which comes first, the factor or the positions?",
    ),
    mistake("source without positions", {READ: "self.src_embedding(src) * scale"}).because(
        "The source has no positions: to the encoder it is a bag of words.",
        "What tells the encoder which word comes first?",
    ),
    mistake("target without positions", {RECALL: "self.tgt_embedding(tgt) * scale"}).because(
        "The target has no positions: a token knows which ones came before it, and not in which order.",
        "What tells the decoder which of two earlier tokens is the later one?",
    ),
    mistake(
        "no positions", {READ: "self.src_embedding(src) * scale", RECALL: "self.tgt_embedding(tgt) * scale"}
    ).because(
        "Neither source nor target has positions: the model reads and writes bags of words.",
        "Where in forward do you use the positional encoding?",
    ),
    mistake("the encoder sees the padding", {ENCODED: "self.encoder(x)"}).because(
        "The decoder skips the padding of the source, but the encoder has already mixed it into the memory.",
        "Who else attends to source tokens, besides the cross-attention?",
    ),
    mistake("the decoder sees the padding", {", memory_mask=src_mask": ""}).because(
        "The encoder gets the mask, the cross-attention does not: it reads what the encoder made of the padding.",
        "Which of the decoder's two masks is about the source?",
    ),
    mistake("source mask dropped", {ENCODED: "self.encoder(x)", ", memory_mask=src_mask": ""}).because(
        "src_mask is never used: the padding of the source is read like words.",
        "Where in forward does `src_mask` appear?",
    ),
    mistake("source mask inverted", {MASK: f"~{MASK}"}).because(
        "The model reads the padding of the source and nothing else.", "Is True a real token, or padding?"
    ),
    mistake("0 taken for padding", {f"None if src_mask is None else {MASK}": "(src != 0)[:, None, :]"}).because(
        "You make a mask of your own, from token 0, and leave src_mask unused.",
        "Who decides what is padding: the model, or the one who calls it?",
    ),
    mistake(
        "0 is padding when there is no mask",
        {f"None if src_mask is None else {MASK}": f"(src != 0)[:, None, :] if src_mask is None else {MASK}"},
    ),
    mistake("a mask expected always", {f"None if src_mask is None else {MASK}": MASK}).because(
        "Without a mask your model breaks off: src_mask is None then, and None has no axes.",
        "What is src_mask when nobody gives one?",
    ),
    mistake("the mask of the first sample", {MASK: "src_mask[:1, None, :]"}).because(
        "Every source of the batch gets the mask of the first one.", "What is the first axis of src_mask?"
    ),
    overwrites("src_mask", {MASK: "src_mask.unsqueeze_(1)"}, "its shape is another one at the next call."),
    in_double_precision("logits", {LOGITS: f"{LOGITS}.double()"}),
    mistake("one vocabulary for both", {"Embedding(tgt_vocab": "Embedding(src_vocab"}),
    mistake("the source's embedding for the target", {"self.tgt_embedding(tgt)": "self.src_embedding(tgt)"}).because(
        "The target's tokens are looked up in the source's embedding: the two vocabularies have nothing in common.",
        "Which parameters get no gradient: those of which embedding?",
    ),
    mistake("source mask on the target", {"memory_mask=src_mask": "mask=src_mask"}).because(
        "The decoder takes the mask of the source for that of its own tokens: their lengths differ.",
        "In which order does the decoder take its two masks?",
    ),
    mistake("a fixed number of heads", {"num_heads=num_heads": "num_heads=1"}).because(
        "num_heads does not reach the encoder and the decoder.", STACKS
    ),
    mistake("mask without an axis for the queries", {MASK: "src_mask"}).because(
        "A mask with two axes is read as [queries, keys]; src_mask is [batch, keys].",
        "How can src_mask become a mask [B, 1, T_src]?",
    ),
    mistake("encoder not used", {ENCODED: "x"}).because(
        "The decoder reads the embedded source; the encoder is built and never called.", "What is the memory?"
    ),
    mistake(
        "the memory is made of the target",
        {ENCODED: "self.encoder(x)", ", memory_mask=src_mask": "", "src_embedding(src)": "tgt_embedding(tgt)"},
        "The encoder reads the target: the source is never heard, and every later target token is.",
        "Which of the two sequences goes through the encoder?",
    ),
    mistake("tokens and memory exchanged", {DECODED: "self.decoder(memory, y, mask=src_mask)"}).because(
        "The decoder is given the memory as its tokens and the target as its memory.",
        "How many logits must there be: one for each target token, or for each source token?",
    ),
    mistake(
        "target shifted inside", {"self.tgt_embedding(tgt)": "self.tgt_embedding(shift_right(tgt, bos=1))"}
    ).because(
        "Your model shifts the target itself; `tgt` comes already shifted.",
        "If the caller shifts too, which token is the guess at t about?",
    ),
    mistake("logits of the last token only", {LOGITS: f"{LOGITS}[:, -1]"}).because(
        "Only the last place is returned; training needs the guess at every place.",
        "How many guesses does one sentence of T tokens teach?",
    ),
    mistake("classes on the second axis", {LOGITS: f"{LOGITS}.transpose(1, 2)"}).because(
        "The logits come as [B, V, T]; the contract is [B, T, V].", "Which axis of the output is the vocabulary?"
    ),
    mistake("dropout forgotten", {", dropout=dropout)": ")", "nn.Dropout(dropout)": "nn.Dropout(0.0)"}).because(
        "dropout is taken and never handed on.", "Which of your modules know the probability?"
    ),
    *(
        mistake(name, {f"self.dropout({sum}": f"({sum}" for sum in sums}).because(
            f"The blocks drop; the sum of embeddings and positions{which}, before them, does not.",
            "Where does section 5.4 of the paper apply dropout, besides the sub-layers?",
        )
        for name, sums, which in (
            ("embeddings not dropped", (READ, RECALL), ""),
            ("source not dropped", (READ,), " of the source"),
            ("target not dropped", (RECALL,), " of the target"),
        )
    ),
    mistake("blocks without dropout", {", dropout=dropout)": ")"}).because(
        "The embeddings are dropped, the blocks know nothing of it: dropout is not among their arguments.", STACKS
    ),
    mistake("dropout always on", {f"self.dropout({RECALL})": f"F.dropout({RECALL}, self.dropout.p)"}).because(
        "`F.dropout` drops also in eval mode, unless it is told `training=self.training`.",
        "Do two calls in eval mode give the same?",
    ),
    mistake("source embedding cut off", {"self.encoder(x,": "self.encoder(x.detach(),"}).because(
        "The numbers are right, but the source embedding is cut out of autograd: it never learns.",
        "Which call takes your tensor out of autograd?",
    ),
    mistake("one layer, whatever is asked", {"(num_layers, **": "(1, **"}, times=2).because(
        "num_layers is taken and never handed on.",
        "How many blocks have your encoder and your decoder with num_layers=2?",
    ),
    mistake(
        "embeddings added twice",
        {
            name: f"(lambda e: e + self.positional_encoding(e))(self.{what}_embedding({what}) * scale)"
            for name, what in ((READ, "src"), (RECALL, "tgt"))
        },
    ).because(
        "`positional_encoding(x)` is x with its positions already; you add x once more.",
        "What does your PositionalEncoding return: the positions, or the sum?",
    ),
    mistake(
        "a norm at the end",
        {"_dim, tgt_vocab)": "_dim, tgt_vocab)\n        self.norm = nn.LayerNorm(model_dim)", "(y)": "(self.norm(y))"},
    ).because(
        "A last norm belongs to pre-norm models; here every block ends with one already.",
        "What stands between the last block and the last Linear in figure 1?",
    ),
    mistake(
        "encoder instead of the decoder",
        {DECODED: "self.encoder(torch.cat([memory, y], dim=1))[:, src.shape[1] :]"},
    ).because(
        "Source and target go through the encoder together: every target token sees the later ones.",
        "Which of your modules is causal?",
    ),
    mistake(
        "dropped before the positions",
        {"self.dropout(self.positional_encoding(": "self.positional_encoding(self.dropout("},
        times=2,
    ).because(
        "You drop the embeddings and add the positions afterwards: these are never dropped.",
        "Which sum does section 5.4 of the paper drop from?",
    ),
)
