"""Other right ways to put the whole model together: all of them get full marks."""

import math

from torch import nn

from course_lib.model.decoder import TransformerDecoder
from course_lib.model.encoder import TransformerEncoder
from course_lib.model.positions import LearnedPositions, PositionalEncoding
from course_lib.model.seq2seq import Seq2SeqTransformer


class InMethods(nn.Module):
    """The page's names, built the other way round, in an encode and a decode method."""

    def __init__(self, src_vocab, tgt_vocab, model_dim, num_heads, num_layers, dropout=0.0):
        super().__init__()
        sizes = {"input_dim": model_dim, "num_heads": num_heads, "dim_feedforward": 4 * model_dim}
        self.output = nn.Linear(model_dim, tgt_vocab)
        self.decoder = TransformerDecoder(num_layers, dropout=dropout, **sizes)
        self.encoder = TransformerEncoder(num_layers, dropout=dropout, **sizes)
        self.positions = PositionalEncoding(model_dim, max_len=64)
        self.tgt_embedding = nn.Embedding(tgt_vocab, model_dim)
        self.src_embedding = nn.Embedding(src_vocab, model_dim)
        self.drop = nn.Dropout(dropout)

    def embed(self, table, tokens):
        return self.drop(self.positions(math.sqrt(table.embedding_dim) * table(tokens)))

    def encode(self, src, mask):
        return self.encoder(self.embed(self.src_embedding, src), mask=mask)

    def forward(self, src, tgt, src_mask=None):
        mask = None if src_mask is None else src_mask[:, None, None, :]
        memory = self.encode(src, mask)
        return self.output(self.decoder(self.embed(self.tgt_embedding, tgt), memory, memory_mask=mask))


class NamesOfItsOwn(nn.Module):
    """Other names, another width of the feed-forward, learned positions, no factor: all left open."""

    def __init__(self, src_vocab, tgt_vocab, model_dim, num_heads, num_layers, dropout=0.0):
        super().__init__()
        sizes = {"input_dim": model_dim, "num_heads": num_heads, "dim_feedforward": 2 * model_dim}
        self.read = nn.Sequential(nn.Embedding(src_vocab, model_dim), PositionalEncoding(model_dim))
        self.recall = nn.Sequential(nn.Embedding(tgt_vocab, model_dim), LearnedPositions(31, model_dim))
        self.encoder = TransformerEncoder(num_layers, dropout=dropout, **sizes)
        self.decoder = TransformerDecoder(num_layers, dropout=dropout, **sizes)
        self.say = nn.Linear(model_dim, tgt_vocab)

    def forward(self, src, tgt, src_mask=None):
        if src_mask is not None:
            src_mask = src_mask.unsqueeze(1)
        memory = self.encoder(self.read(src), src_mask)
        return self.say(self.decoder(self.recall(tgt), memory, None, src_mask))


class SharedWeights(Seq2SeqTransformer):
    """As in section 3.4 of the paper, the last Linear and the target's embedding are one matrix."""

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.output.weight = self.tgt_embedding.weight


class WithABuffer(InMethods):
    """Positions whose table is saved with the model."""

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.positions.register_buffer("pe", self.positions.pe, persistent=True)


VARIANTS = (SharedWeights, WithABuffer, InMethods, NamesOfItsOwn)
