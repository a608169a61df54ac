"""What students write in the place of the whole model: the right one, with one part of it changed each time."""

import math

import torch
from torch import nn

from course_lib.model.seq2seq import Seq2SeqTransformer, shift_right


class Parts(Seq2SeqTransformer):
    """The right model, in parts that can be changed one by one."""

    def scale(self, x):
        return x * math.sqrt(self.model_dim)

    def read(self, src):
        return self.dropout(self.positional_encoding(self.scale(self.src_embedding(src))))

    def recall(self, tgt):
        return self.dropout(self.positional_encoding(self.scale(self.tgt_embedding(tgt))))

    def masks(self, src, src_mask):
        """For the encoder, for the decoder."""
        mask = None if src_mask is None else src_mask[:, None, :]
        return mask, mask

    def forward(self, src, tgt, src_mask=None):
        encoder_mask, decoder_mask = self.masks(src, src_mask)
        memory = self.encoder(self.read(src), encoder_mask)
        return self.output(self.decoder(self.recall(tgt), memory, memory_mask=decoder_mask))


class Probabilities(Parts):
    def forward(self, src, tgt, src_mask=None):
        return super().forward(src, tgt, src_mask).softmax(dim=-1)


class LogProbabilities(Parts):
    def forward(self, src, tgt, src_mask=None):
        return super().forward(src, tgt, src_mask).log_softmax(dim=-1)


class NotScaled(Parts):
    def scale(self, x):
        return x


class ScaledByTheWidth(Parts):
    def scale(self, x):
        return x * self.model_dim


class ScaledWithPositions(Parts):
    def read(self, src):
        return self.dropout(self.scale(self.positional_encoding(self.src_embedding(src))))

    def recall(self, tgt):
        return self.dropout(self.scale(self.positional_encoding(self.tgt_embedding(tgt))))


class SourceWithoutPositions(Parts):
    def read(self, src):
        return self.dropout(self.scale(self.src_embedding(src)))


class TargetWithoutPositions(Parts):
    def recall(self, tgt):
        return self.dropout(self.scale(self.tgt_embedding(tgt)))


class NoPositions(SourceWithoutPositions, TargetWithoutPositions):
    pass


class EncoderSeesPadding(Parts):
    def masks(self, src, src_mask):
        return None, super().masks(src, src_mask)[1]


class DecoderSeesPadding(Parts):
    def masks(self, src, src_mask):
        return super().masks(src, src_mask)[0], None


class MaskDropped(Parts):
    def masks(self, src, src_mask):
        return None, None


class MaskInverted(Parts):
    def masks(self, src, src_mask):
        return super().masks(src, None if src_mask is None else ~src_mask)


class ZeroIsPadding(Parts):
    def masks(self, src, src_mask):
        mask = (src != 0)[:, None, :]
        return mask, mask


class MaskOfTheFirstSample(Parts):
    def masks(self, src, src_mask):
        return super().masks(src, None if src_mask is None else src_mask[:1])


class MaskOnTheTarget(Parts):
    def forward(self, src, tgt, src_mask=None):
        mask = self.masks(src, src_mask)[0]
        return self.output(self.decoder(self.recall(tgt), self.encoder(self.read(src), mask), mask))


class OneHead(Parts):
    def __init__(self, src_vocab, tgt_vocab, model_dim, num_heads, num_layers, dropout=0.0):
        super().__init__(src_vocab, tgt_vocab, model_dim, 1, num_layers, dropout)


class NormAtTheEnd(Parts):
    def __init__(self, src_vocab, tgt_vocab, model_dim, num_heads, num_layers, dropout=0.0):
        super().__init__(src_vocab, tgt_vocab, model_dim, num_heads, num_layers, dropout)
        self.norm = nn.LayerNorm(model_dim)

    def forward(self, src, tgt, src_mask=None):
        mask = self.masks(src, src_mask)[0]
        memory = self.encoder(self.read(src), mask)
        return self.output(self.norm(self.decoder(self.recall(tgt), memory, memory_mask=mask)))


class MaskUnchanged(Parts):
    def masks(self, src, src_mask):
        return src_mask, src_mask


class NoEncoder(Parts):
    def forward(self, src, tgt, src_mask=None):
        mask = self.masks(src, src_mask)[1]
        return self.output(self.decoder(self.recall(tgt), self.read(src), memory_mask=mask))


class MemoryOfTheTarget(Parts):
    def forward(self, src, tgt, src_mask=None):
        return self.output(self.decoder(self.recall(tgt), self.encoder(self.recall(tgt))))


class Exchanged(Parts):
    def forward(self, src, tgt, src_mask=None):
        mask = self.masks(src, src_mask)[0]
        memory = self.encoder(self.read(src), mask)
        return self.output(self.decoder(memory, self.recall(tgt), mask=mask))


class EncoderForTheTarget(Parts):
    def forward(self, src, tgt, src_mask=None):
        mask = self.masks(src, src_mask)[0]
        memory = self.encoder(self.read(src), mask)
        return self.output(self.encoder(torch.cat([memory, self.recall(tgt)], dim=1))[:, src.shape[1] :])


class ShiftsTheTarget(Parts):
    def forward(self, src, tgt, src_mask=None):
        return super().forward(src, shift_right(tgt, bos=1), src_mask)


class LastTokenOnly(Parts):
    def forward(self, src, tgt, src_mask=None):
        return super().forward(src, tgt, src_mask)[:, -1]


class TimeFirst(Parts):
    def forward(self, src, tgt, src_mask=None):
        return super().forward(src, tgt, src_mask).transpose(1, 2)


class DropoutForgotten(Parts):
    def __init__(self, src_vocab, tgt_vocab, model_dim, num_heads, num_layers, dropout=0.0):
        super().__init__(src_vocab, tgt_vocab, model_dim, num_heads, num_layers)


class EmbeddingsNotDropped(Parts):
    def read(self, src):
        return self.positional_encoding(self.scale(self.src_embedding(src)))

    def recall(self, tgt):
        return self.positional_encoding(self.scale(self.tgt_embedding(tgt)))


class DroppedBeforeThePositions(Parts):
    def scale(self, x):
        return self.dropout(super().scale(x))

    def read(self, src):
        return self.positional_encoding(self.scale(self.src_embedding(src)))

    def recall(self, tgt):
        return self.positional_encoding(self.scale(self.tgt_embedding(tgt)))


class BlocksWithoutDropout(Parts):
    def __init__(self, src_vocab, tgt_vocab, model_dim, num_heads, num_layers, dropout=0.0):
        super().__init__(src_vocab, tgt_vocab, model_dim, num_heads, num_layers)
        self.dropout = nn.Dropout(dropout)


class DropoutAlwaysOn(Parts):
    def recall(self, tgt):
        return nn.functional.dropout(super().recall(tgt), self.dropout.p)


class SourceCutOff(Parts):
    def read(self, src):
        return super().read(src).detach()


class OneLayerEach(Parts):
    def __init__(self, src_vocab, tgt_vocab, model_dim, num_heads, num_layers, dropout=0.0):
        super().__init__(src_vocab, tgt_vocab, model_dim, num_heads, 1, dropout)
