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
        "You return probabilities, and cross-entropy on them cannot get near 0; return logits.",
        "What does `F.cross_entropy` expect, logits or probabilities?",
    ),
    mistake("log-probabilities instead of logits", {LOGITS: f"{LOGITS}.log_softmax(dim=-1)"}).because(
        "You return log-probabilities; return the logits of the last Linear.",
        "What does `F.cross_entropy` apply to its input?",
    ),
    mistake("embeddings not scaled", {"math.sqrt(self.model_dim)": "1"}).because(
        "You do not multiply the embeddings by √model_dim; do so before the positions are added.", SCALE
    ),
    mistake("source not scaled", {READ: READ.replace(" * scale", "")}).because(
        "You do not multiply the source's embeddings by √model_dim; do so as for the target's.", SCALE
    ),
    mistake("target not scaled", {RECALL: RECALL.replace(" * scale", "")}).because(
        "You do not multiply the target's embeddings by √model_dim; do so as for the source's.", SCALE
    ),
    mistake("divided by the root of the width", {"math.sqrt(self.model_dim)": "1 / math.sqrt(self.model_dim)"}).because(
        "You divide the embeddings by √model_dim; multiply by it.", SCALE
    ),
    mistake("scaled by the width", {"math.sqrt(self.model_dim)": "self.model_dim"}).because(
        "You multiply the embeddings by model_dim; multiply by its root.", SCALE
    ),
    mistake(
        "positions scaled as well", {"(src) * scale)": "(src)) * scale", "(tgt) * scale)": "(tgt)) * scale"}
    ).because(
        "You multiply by √model_dim after adding the positions; multiply before.",
        "Which comes first, the factor or the positions?",
    ),
    *(
        mistake(f"positions of the {name} scaled as well", {f"({short}) * scale)": f"({short})) * scale"}).because(
            f"For the {name} you multiply by √model_dim after adding the positions; multiply before.",
            "Which comes first, the factor or the positions?",
        )
        for name, short in (("source", "src"), ("target", "tgt"))
    ),
    mistake("source without positions", {READ: "self.src_embedding(src) * scale"}).because(
        "You add no positions to the source, so to the encoder it is a bag of words; add them.",
        "What tells the encoder which word comes first?",
    ),
    mistake("target without positions", {RECALL: "self.tgt_embedding(tgt) * scale"}).because(
        "You add no positions to the target, so a token does not know the order of the earlier ones; add them.",
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
        "You pass the mask to the encoder but not to the cross-attention, which reads the encoded padding; "
        "pass it to both.",
        "Which of the decoder's two masks is about the source?",
    ),
    mistake("source mask dropped", {ENCODED: "self.encoder(x)", ", memory_mask=src_mask": ""}).because(
        "You never use src_mask, so the source's padding is read like words; use it.",
        "Where in forward does `src_mask` appear?",
    ),
    mistake("source mask inverted", {MASK: f"~{MASK}"}).because(
        "Your model reads only the source's padding; True means a real token.", "Is True a real token, or padding?"
    ),
    mistake("0 taken for padding", {f"None if src_mask is None else {MASK}": "(src != 0)[:, None, :]"}).because(
        "You compute your own mask from token 0; use src_mask.",
        "Who decides what is padding: the model, or the one who calls it?",
    ),
    mistake(
        "0 is padding when there is no mask",
        {f"None if src_mask is None else {MASK}": f"(src != 0)[:, None, :] if src_mask is None else {MASK}"},
    ).because(
        "Without a mask you hide the source tokens with id 0. Hide nothing in that case.",
        "Which tokens does src_mask hide if it is None?",
    ),
    mistake("a mask expected always", {f"None if src_mask is None else {MASK}": MASK}).because(
        "You use the axes of src_mask even if it is None; test for None first.",
        "What is src_mask if no mask is passed?",
    ),
    mistake("the mask of the first sample", {MASK: "src_mask[:1, None, :]"}).because(
        "You use the first source's mask for the whole batch; use each source's own.",
        "What is the first axis of src_mask?",
    ),
    overwrites("src_mask", {MASK: "src_mask.unsqueeze_(1)"}, "its shape is different at the next call."),
    in_double_precision("logits", {LOGITS: f"{LOGITS}.double()"}),
    mistake("one vocabulary for both", {"Embedding(tgt_vocab": "Embedding(src_vocab"}).because(
        "Your target table has as many rows as the source vocabulary. Give it tgt_vocab rows.",
        "Which ids can a target contain?",
    ),
    mistake("the source's embedding for the target", {"self.tgt_embedding(tgt)": "self.src_embedding(tgt)"}).because(
        "You look up the target's tokens in the source's embedding; the two vocabularies differ, so use the target's.",
        "Which parameters get no gradient: those of which embedding?",
    ),
    mistake("source mask on the target", {"memory_mask=src_mask": "mask=src_mask"}).because(
        "You pass the source's mask to the decoder as the mask of its own tokens; pass it as the memory's mask.",
        "In which order does the decoder take its two masks?",
    ),
    mistake(
        "logits for the source's vocabulary", {"nn.Linear(model_dim, tgt_vocab)": "nn.Linear(model_dim, src_vocab)"}
    ).because("Your last Linear has src_vocab outputs; give it tgt_vocab.", "Which tokens does the model predict?"),
    mistake(
        "vocabularies exchanged",
        {
            "Embedding(src_vocab": "Embedding(_",
            "Embedding(tgt_vocab": "Embedding(src_vocab",
            "Embedding(_": "Embedding(tgt_vocab",
        },
    ).because(
        "Your source table has tgt_vocab rows and your target table src_vocab; swap them.",
        "Which ids can a source contain, and which a target?",
    ),
    *(
        mistake(f"feed-forwards {factor}·model_dim wide", {"4 * model_dim": f"{factor} * model_dim"}).because(
            f"Your feed-forwards are {factor}·model_dim wide; make them 4·model_dim wide.", STACKS
        )
        for factor in (1, 2)
    ),
    *(
        mistake(
            f"one {name} block", {f"Transformer{name.title()}(num_layers,": f"Transformer{name.title()}(1,"}
        ).because(f"Your {name} always has one block; pass it num_layers.", STACKS)
        for name in ("encoder", "decoder")
    ),
    mistake("a fixed number of heads", {"num_heads=num_heads": "num_heads=1"}).because(
        "You do not pass num_heads to the encoder and the decoder.", STACKS
    ),
    mistake("mask without an axis for the queries", {MASK: "src_mask"}).because(
        "You pass src_mask [batch, keys] unchanged, and it is read as [queries, keys]; add an axis for the queries.",
        "How can src_mask become a mask [B, 1, T_src]?",
    ),
    mistake("mask over the queries", {MASK: "src_mask[:, :, None]"}).because(
        "Your mask is [B, T_src, 1], which is read as [B, queries, keys] and hides queries; make it [B, 1, T_src].",
        "How can src_mask become a mask [B, 1, T_src]?",
    ),
    mistake("encoder not used", {ENCODED: "x"}).because(
        "Your decoder reads the embedded source; call the encoder first.", "What is the memory?"
    ),
    mistake(
        "the memory is made of the target",
        {ENCODED: "self.encoder(x)", ", memory_mask=src_mask": "", "src_embedding(src)": "tgt_embedding(tgt)"},
    ).because(
        "Your encoder reads the target, so the source has no effect and later target tokens leak; encode the source.",
        "Which of the two sequences goes through the encoder?",
    ),
    mistake("tokens and memory exchanged", {DECODED: "self.decoder(memory, y, mask=src_mask)"}).because(
        "You swap the decoder's arguments: its tokens are the target, its memory is the encoder's output.",
        "How many logits must there be: one for each target token, or for each source token?",
    ),
    mistake(
        "target shifted inside", {"self.tgt_embedding(tgt)": "self.tgt_embedding(shift_right(tgt, bos=1))"}
    ).because(
        "Your model shifts the target; leave it, because `tgt` is already shifted.",
        "If the caller shifts too, which token is the guess at t about?",
    ),
    mistake("logits of the last token only", {LOGITS: f"{LOGITS}[:, -1]"}).because(
        "You return only the last position; return all, because training needs the prediction at every position.",
        "How many predictions does one sentence of T tokens contain?",
    ),
    mistake("logits of the last token only, with an axis", {LOGITS: "return self.output(y[:, -1:])"}).because(
        "You return only the last position; return all, because training needs the prediction at every position.",
        "How many predictions does one sentence of T tokens contain?",
    ),
    mistake("a ReLU on the logits", {LOGITS: f"{LOGITS}.relu()"}).because(
        "You apply a ReLU to the logits; return them unchanged.", "Can a logit be negative?"
    ),
    mistake("encoded twice", {ENCODED: f"self.encoder({ENCODED}, src_mask)"}).because(
        "You run the encoder twice; run it once.", "How often does figure 1 of the paper go through the encoder?"
    ),
    mistake("classes on the second axis", {LOGITS: f"{LOGITS}.transpose(1, 2)"}).because(
        "You return the logits as [B, V, T]; return [B, T, V].", "Which axis of the output is the vocabulary?"
    ),
    mistake("dropout forgotten", {", dropout=dropout)": ")", "nn.Dropout(dropout)": "nn.Dropout(0.0)"}).because(
        "You never pass dropout on; pass it to the modules that use it.", "Which of your modules know the probability?"
    ),
    mistake("blocks without dropout", {", dropout=dropout)": ")"}).because(
        "You apply dropout to the embeddings but do not pass it to the blocks; pass it on.", STACKS
    ),
    mistake("dropout always on", {f"self.dropout({RECALL})": f"F.dropout({RECALL}, self.dropout.p)"}).because(
        "You apply `F.dropout` in eval mode too; pass `training=self.training`.",
        "Do two calls in eval mode return the same?",
    ),
    mistake("source embedding cut off", {"self.encoder(x,": "self.encoder(x.detach(),"}).because(
        "The numbers are right, but the source embedding is detached from the graph, so it never learns.",
        "Which call detaches your tensor from the graph?",
    ),
    mistake("one layer, whatever is asked", {"(num_layers, **": "(1, **"}, times=2).because(
        "You never pass num_layers on; pass it to encoder and decoder.",
        "How many blocks do your encoder and your decoder have with num_layers=2?",
    ),
    mistake(
        "embeddings added twice",
        {
            name: f"(lambda e: e + self.positional_encoding(e))(self.{what}_embedding({what}) * scale)"
            for name, what in ((READ, "src"), (RECALL, "tgt"))
        },
    ).because(
        "You add x to `positional_encoding(x)`, which already contains it; add it only once.",
        "What does your PositionalEncoding return: the positions, or the sum?",
    ),
    mistake(
        "a norm at the end",
        {"_dim, tgt_vocab)": "_dim, tgt_vocab)\n        self.norm = nn.LayerNorm(model_dim)", "(y)": "(self.norm(y))"},
    ).because(
        "You add a last norm; leave it out, because every post-norm block already ends with one.",
        "What is between the last block and the last Linear in figure 1?",
    ),
    mistake(
        "encoder instead of the decoder",
        {DECODED: "self.encoder(torch.cat([memory, y], dim=1))[:, src.shape[1] :]"},
    ).because(
        "You send source and target through the encoder together, so every target token sees the later ones; "
        "encode only the source.",
        "Which of your modules is causal?",
    ),
)
