"""What students write in the place of the whole model: the right one, with one part of it changed each time."""

import math

import torch
from torch import nn

from autograder.exercise import Misconception
from course_lib.seq2seq import Seq2SeqTransformer, shift_right

NUMBERS, LOGITS = "the numbers of the paper's model", "logits for every target token"
CAUSAL, SOURCE = "no later target token is seen, the present one is", "the source is heard, its padding is not"
ORDER, DROPOUT = "order matters", "dropout while training, and only then"
GRADIENTS = "gradients reach every parameter"


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


class DropoutAlwaysOn(Parts):
    def recall(self, tgt):
        return nn.functional.dropout(super().recall(tgt), self.dropout.p)


class SourceCutOff(Parts):
    def read(self, src):
        return super().read(src).detach()


class OneLayerEach(Parts):
    def __init__(self, src_vocab, tgt_vocab, model_dim, num_heads, num_layers, dropout=0.0):
        super().__init__(src_vocab, tgt_vocab, model_dim, num_heads, 1, dropout)


MISCONCEPTIONS = (
    Misconception(
        "probabilities instead of logits",
        Probabilities,
        "The softmax belongs to the loss: cross-entropy on probabilities cannot come near 0.",
        "What does `F.cross_entropy` expect, logits or probabilities?",
        (NUMBERS, LOGITS),
    ),
    Misconception(
        "log-probabilities instead of logits",
        LogProbabilities,
        "The log_softmax belongs to the loss; the model ends with its last Linear.",
        "What does `F.cross_entropy` apply to what it is given?",
        (NUMBERS,),
    ),
    Misconception(
        "embeddings not scaled",
        NotScaled,
        "The embeddings are not multiplied by √model_dim before the positions are added.",
        "What does section 3.4 of the paper do to the embeddings?",
        (NUMBERS,),
    ),
    Misconception(
        "scaled by the width",
        ScaledByTheWidth,
        "The embeddings are multiplied by model_dim, not by its root.",
        "What does section 3.4 of the paper do to the embeddings?",
        (NUMBERS,),
    ),
    Misconception(
        "positions scaled as well",
        ScaledWithPositions,
        "You multiply by √model_dim after the positions have been added.",
        "Which comes first, the factor or the positions?",
        (NUMBERS,),
    ),
    Misconception(
        "source without positions",
        SourceWithoutPositions,
        "The source has no positions: to the encoder it is a bag of words.",
        "What tells the encoder which word comes first?",
        (NUMBERS, ORDER),
    ),
    Misconception(
        "target without positions",
        TargetWithoutPositions,
        "The target has no positions: a token knows which ones came before it, and not in which order.",
        "What tells the decoder which of two earlier tokens is the later one?",
        (NUMBERS, ORDER),
    ),
    Misconception(
        "no positions",
        NoPositions,
        "Neither source nor target has positions: the model reads and writes bags of words.",
        "Where in forward do you use the positional encoding?",
        (NUMBERS, ORDER),
    ),
    Misconception(
        "the encoder sees the padding",
        EncoderSeesPadding,
        "The decoder skips the padding of the source, but the encoder has already mixed it into the memory.",
        "Who else attends to source tokens, besides the cross-attention?",
        (NUMBERS, SOURCE),
    ),
    Misconception(
        "the decoder sees the padding",
        DecoderSeesPadding,
        "The encoder gets the mask, the cross-attention does not: it reads what the encoder made of the padding.",
        "Which of the decoder's two masks is about the source?",
        (NUMBERS, SOURCE),
    ),
    Misconception(
        "source mask dropped",
        MaskDropped,
        "src_mask is never used: the padding of the source is read like words.",
        "Where in forward does `src_mask` appear?",
        (NUMBERS, SOURCE),
    ),
    Misconception(
        "source mask inverted",
        MaskInverted,
        "The model reads the padding of the source and nothing else.",
        "Is True a real token, or padding?",
        (NUMBERS, SOURCE),
    ),
    Misconception(
        "0 taken for padding",
        ZeroIsPadding,
        "You make a mask of your own, from token 0, and leave src_mask unused.",
        "Who decides what is padding: the model, or the one who calls it?",
        (NUMBERS, SOURCE),
    ),
    Misconception(
        "mask without an axis for the queries",
        MaskUnchanged,
        "A mask with two axes is read as [queries, keys]; src_mask is [batch, keys].",
        "How can src_mask become a mask [B, 1, T_src]?",
        (NUMBERS, SOURCE),
    ),
    Misconception(
        "encoder not used",
        NoEncoder,
        "The decoder reads the embedded source; the encoder is built and never called.",
        "What is the memory?",
        (NUMBERS, GRADIENTS),
    ),
    Misconception(
        "the memory is made of the target",
        MemoryOfTheTarget,
        "The encoder reads the target: the source is never heard, and every later target token is.",
        "Which of the two sequences goes through the encoder?",
        (NUMBERS, CAUSAL, SOURCE, ORDER, GRADIENTS),
    ),
    Misconception(
        "tokens and memory exchanged",
        Exchanged,
        "The decoder is given the memory as its tokens and the target as its memory.",
        "How many logits must there be: one for each target token, or for each source token?",
        (NUMBERS, LOGITS, CAUSAL, SOURCE),
    ),
    Misconception(
        "encoder in the place of the decoder",
        EncoderForTheTarget,
        "Source and target go through the encoder together: every target token sees the later ones.",
        "Which of your modules is causal?",
        (NUMBERS, CAUSAL, SOURCE, GRADIENTS),
    ),
    Misconception(
        "target shifted inside",
        ShiftsTheTarget,
        "Your model shifts the target itself; `tgt` comes already shifted.",
        "If the caller shifts too, which token is the guess at t about?",
        (NUMBERS, CAUSAL),
    ),
    Misconception(
        "logits of the last token only",
        LastTokenOnly,
        "Only the last place is returned; training needs the guess at every place.",
        "How many guesses does one sentence of T tokens teach?",
        (NUMBERS, LOGITS, CAUSAL),
    ),
    Misconception(
        "classes on the second axis",
        TimeFirst,
        "The logits come as [B, V, T]; the contract is [B, T, V].",
        "Which axis of the output is the vocabulary?",
        (NUMBERS, LOGITS, CAUSAL),
    ),
    Misconception(
        "dropout forgotten",
        DropoutForgotten,
        "dropout is taken and never handed on.",
        "Which of your modules know the probability?",
        (DROPOUT,),
    ),
    Misconception(
        "dropout always on",
        DropoutAlwaysOn,
        "`F.dropout` drops also in eval mode, unless it is told `training=self.training`.",
        "Do two calls in eval mode give the same?",
        (DROPOUT,),
    ),
    Misconception(
        "source embedding cut off",
        SourceCutOff,
        "The numbers are right, but the source embedding is cut out of autograd: it never learns.",
        "Which call takes your tensor out of autograd?",
        (GRADIENTS,),
    ),
    Misconception(
        "one layer, whatever is asked",
        OneLayerEach,
        "num_layers is taken and never handed on.",
        "How many blocks have your encoder and your decoder with num_layers=2?",
        (NUMBERS,),
    ),
)
