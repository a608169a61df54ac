"""What students write in the place of a decoder block: the right one, with one part of it changed each time."""

import torch
from torch.nn import functional as F

from autograder.exercise import Misconception
from course_lib.decoder import DecoderBlock
from course_lib.masks import causal_mask, expand_mask

VALUES, CAUSAL, MASK = (
    "values",
    "each token sees itself and what came before",
    "the mask hides more than causality does",
)
KINDS, MEMORY, NORMS = (
    "a mask may be boolean or 0/1",
    "the memory is heard, its padding is not",
    "residuals, then norms",
)
SAMPLES, DROPOUT = "samples do not mix", "dropout while training, and only then"
GRADIENTS = "gradients reach every parameter"
ALL = (VALUES, CAUSAL, MASK, KINDS, MEMORY, NORMS, SAMPLES, DROPOUT, GRADIENTS)


class Parts(DecoderBlock):
    """The right block, in parts that can be changed one by one."""

    def visible(self, x, mask):
        causal = causal_mask(x.shape[1])
        return causal if mask is None else expand_mask(mask).bool() & causal

    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, memory, memory, memory_mask)

    def add(self, norm, x, change):
        return norm(x + self.dropout(change))

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.add(self.norm1, x, self.self_attn(x, self.visible(x, mask)))
        x = self.add(self.norm2, x, self.across(x, memory, mask, memory_mask))
        return self.add(self.norm3, x, self.linear_net(x))


class NotCausal(Parts):
    def visible(self, x, mask):
        return mask


class MaskInsteadOfCausality(Parts):
    def visible(self, x, mask):
        return causal_mask(x.shape[1]) if mask is None else mask


class MaskIgnored(Parts):
    def visible(self, x, mask):
        return causal_mask(x.shape[1])


class MaskOrCausality(Parts):
    def visible(self, x, mask):
        causal = causal_mask(x.shape[1])
        return causal if mask is None else expand_mask(mask).bool() | causal


class MaskInverted(Parts):
    def visible(self, x, mask):
        causal = causal_mask(x.shape[1])
        return causal if mask is None else ~expand_mask(mask).bool() & causal


class SeesTheNext(Parts):
    def visible(self, x, mask):
        causal = torch.ones(x.shape[1], x.shape[1]).tril(1).bool()
        return causal if mask is None else expand_mask(mask).bool() & causal


class BlindToItself(Parts):
    def visible(self, x, mask):
        causal = torch.ones(x.shape[1], x.shape[1]).tril(-1).bool()
        return causal if mask is None else expand_mask(mask).bool() & causal


class CausalityUpsideDown(Parts):
    def visible(self, x, mask):
        causal = causal_mask(x.shape[1]).T
        return causal if mask is None else expand_mask(mask).bool() & causal


class OnlyBooleanMasks(Parts):
    def visible(self, x, mask):
        causal = causal_mask(x.shape[1])
        return causal if mask is None else expand_mask(mask) & causal


class QueriesFromTheMemory(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(memory, x, x, memory_mask)


class AttendsToItself(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, x, x, None)


class MemoryMaskIgnored(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, memory, memory)


class MemoryMaskInverted(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, memory, memory, None if memory_mask is None else ~memory_mask.bool())


class TargetMaskOnTheMemory(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, memory, memory, mask if memory_mask is None else memory_mask)


class CausalMemory(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, memory, memory, memory_mask, is_causal=True)


class ValuesFromTheTokens(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, memory, x, memory_mask)


class NoCrossAttention(Parts):
    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.add(self.norm1, x, self.self_attn(x, self.visible(x, mask)))
        return self.add(self.norm3, x, self.linear_net(x))


class OtherOrder(Parts):
    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.add(self.norm1, x, self.across(x, memory, mask, memory_mask))
        x = self.add(self.norm2, x, self.self_attn(x, self.visible(x, mask)))
        return self.add(self.norm3, x, self.linear_net(x))


class PreNorm(Parts):
    def forward(self, x, memory, mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attn(self.norm1(x), self.visible(x, mask)))
        x = x + self.dropout(self.across(self.norm2(x), memory, mask, memory_mask))
        return x + self.dropout(self.linear_net(self.norm3(x)))


class NoResidual(Parts):
    def add(self, norm, x, change):
        return norm(self.dropout(change))


class ResidualOutsideTheNorm(Parts):
    def add(self, norm, x, change):
        return x + norm(self.dropout(change))


class NoResidualAcross(Parts):
    def add(self, norm, x, change):
        return norm(self.dropout(change)) if norm is self.norm2 else super().add(norm, x, change)


class NoResidualInTheFeedForward(Parts):
    def add(self, norm, x, change):
        return norm(self.dropout(change)) if norm is self.norm3 else super().add(norm, x, change)


class ResidualFromTheStart(Parts):
    def forward(self, x, memory, mask=None, memory_mask=None):
        y = self.add(self.norm1, x, self.self_attn(x, self.visible(x, mask)))
        y = self.add(self.norm2, x, self.across(y, memory, mask, memory_mask))
        return self.add(self.norm3, x, self.linear_net(y))


class OneNormForAll(Parts):
    def add(self, norm, x, change):
        return super().add(self.norm1, x, change)


class LastNormForgotten(Parts):
    def add(self, norm, x, change):
        return x + self.dropout(change) if norm is self.norm3 else super().add(norm, x, change)


class NoFeedForward(Parts):
    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.add(self.norm1, x, self.self_attn(x, self.visible(x, mask)))
        return self.norm3(self.add(self.norm2, x, self.across(x, memory, mask, memory_mask)))


class DropoutAlwaysOn(Parts):
    def add(self, norm, x, change):
        return norm(x + F.dropout(change, self.dropout.p))


class DropoutForgotten(Parts):
    def add(self, norm, x, change):
        return norm(x + change)


class DropoutByHabit(Parts):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, num_heads, dim_feedforward, dropout=0.1)


class DropoutOnTheSum(Parts):
    def add(self, norm, x, change):
        return norm(F.dropout(x + change, self.dropout.p or 0.1, self.training))


class MemoryCutOff(Parts):
    def across(self, x, memory, mask, memory_mask):
        with torch.no_grad():
            return self.cross_attn(x, memory, memory, memory_mask)


class MixesTheBatch(Parts):
    def add(self, norm, x, change):
        return norm(x + self.dropout(change - change.mean(dim=0, keepdim=True)))


class OtherNames(Parts):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, num_heads, dim_feedforward, dropout)
        self.encoder_attn, self.feed_forward = self.cross_attn, self.linear_net
        del self.cross_attn, self.linear_net

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.add(self.norm1, x, self.self_attn(x, self.visible(x, mask)))
        x = self.add(self.norm2, x, self.encoder_attn(x, memory, memory, memory_mask))
        return self.add(self.norm3, x, self.feed_forward(x))


MISCONCEPTIONS = (
    Misconception(
        "not causal",
        NotCausal,
        "Without a mask every token sees the later ones, the answers too: perfect in training, useless at writing.",
        "What does your self-attention get when no mask is given?",
        (VALUES, CAUSAL, MASK),
    ),
    Misconception(
        "the mask takes the place of causality",
        MaskInsteadOfCausality,
        "As soon as a mask is given, your block is no longer causal.",
        "A mask hides the padding; does it hide the future too?",
        (MASK,),
    ),
    Misconception(
        "mask ignored",
        MaskIgnored,
        "Your self-attention is causal and never uses the mask that it is given.",
        "Where in forward does `mask` appear?",
        (MASK,),
    ),
    Misconception(
        "mask or causality",
        MaskOrCausality,
        "A token is seen when the mask OR causality allows it; both must.",
        "Which of `&` and `|` means “both”?",
        (MASK,),
    ),
    Misconception(
        "mask inverted",
        MaskInverted,
        "Your block shows what the mask hides; in this course True means visible.",
        "What does True mean in a mask of this course?",
        (MASK,),
    ),
    Misconception(
        "causal diagonal one too high",
        SeesTheNext,
        "Each token sees the next one, which is the one to be guessed.",
        "Which is the last column that row 0 may see?",
        (VALUES, CAUSAL, MASK),
    ),
    Misconception(
        "causal diagonal one too low",
        BlindToItself,
        "No token attends to itself, and the first one to nothing; the residual hides it from a quick look.",
        "May a token use its own input?",
        (VALUES, CAUSAL, MASK),
    ),
    Misconception(
        "causality upside down",
        CausalityUpsideDown,
        "Your triangle lies on the wrong side: every token sees the future and not the past.",
        "Row i belongs to query i. Which columns j may it see?",
        (VALUES, CAUSAL, MASK),
    ),
    Misconception(
        "only boolean masks",
        OnlyBooleanMasks,
        "`&` works on booleans; a mask of floats, 0. and 1., gives an error.",
        "What does `mask.bool()` do to a mask of numbers?",
        (KINDS,),
    ),
    Misconception(
        "queries from the memory",
        QueriesFromTheMemory,
        "The memory asks and the tokens answer: the output has the length of the memory, and leaks later tokens.",
        "How many outputs must there be: as many as tokens, or as many as memory rows?",
        ALL,
    ),
    Misconception(
        "cross-attention attends to itself",
        AttendsToItself,
        "Keys and values of your cross-attention come from the tokens: nothing of the source is ever read.",
        "If you change the memory, what changes in your output?",
        (VALUES, CAUSAL, MASK, MEMORY),
    ),
    Misconception(
        "memory mask ignored",
        MemoryMaskIgnored,
        "The padding of the memory is attended to like everything else.",
        "Where in forward does `memory_mask` appear?",
        (MEMORY,),
    ),
    Misconception(
        "memory mask inverted",
        MemoryMaskInverted,
        "Your block attends to the padding of the memory and to nothing else.",
        "What does True mean in a mask of this course?",
        (MEMORY,),
    ),
    Misconception(
        "the target's mask on the memory",
        TargetMaskOnTheMemory,
        "The mask [T, T] of the tokens is used on the scores [T, S] of the memory: it fits only by accident.",
        "Which shape have the scores of the cross-attention, and which mask has it too?",
        (MASK, KINDS),
    ),
    Misconception(
        "a causal cross-attention",
        CausalMemory,
        "Token i sees only the memory 0…i; but the whole source is known before the first word is written.",
        "Which part of the source should be hidden from the first token?",
        (VALUES, MEMORY),
    ),
    Misconception(
        "values from the tokens",
        ValuesFromTheTokens,
        "Keys come from the memory and values from the tokens: they do not belong to each other.",
        "What is a value the value of?",
        ALL,
    ),
    Misconception(
        "no cross-attention",
        NoCrossAttention,
        "The cross-attention is built and never called.",
        "If you change the memory, what changes in your output?",
        (VALUES, MEMORY, NORMS, GRADIENTS),
    ),
    Misconception(
        "cross-attention before self-attention",
        OtherOrder,
        "The tokens ask the memory before they have looked at each other.",
        "In which order does figure 1 of the paper stack the three sub-layers?",
        (VALUES,),
    ),
    Misconception(
        "norms before the sub-layers",
        PreNorm,
        "This is the pre-norm block: the norms stand before the sub-layers. Asked for is post-norm.",
        "With all sub-layers at zero, what should come out: x, or a normalised x?",
        (VALUES, NORMS),
    ),
    Misconception(
        "no residuals",
        NoResidual,
        "Nothing is added to x: each sub-layer replaces what came in.",
        "With all sub-layers at zero, what is left of x?",
        (VALUES, NORMS),
    ),
    Misconception(
        "residual outside the norm",
        ResidualOutsideTheNorm,
        "You normalise the change and then add it; the sum is what has to be normalised.",
        "What stands inside the parentheses of norm1(…)?",
        (VALUES, NORMS),
    ),
    Misconception(
        "no residual around the cross-attention",
        NoResidualAcross,
        "What the cross-attention gives replaces the tokens instead of being added to them.",
        "How many plus signs does your forward have?",
        (VALUES, NORMS),
    ),
    Misconception(
        "no residual around the feed-forward",
        NoResidualInTheFeedForward,
        "What the feed-forward gives replaces the tokens instead of being added to them.",
        "How many plus signs does your forward have?",
        (VALUES, NORMS),
    ),
    Misconception(
        "all residuals from the input",
        ResidualFromTheStart,
        "Every residual adds the x that came into the block, not what the last sub-layer made of it.",
        "What should the second sub-layer be added to?",
        (VALUES, NORMS),
    ),
    Misconception(
        "one norm for all",
        OneNormForAll,
        "norm1 is used three times, norm2 and norm3 never.",
        "Which parameters get no gradient?",
        (VALUES, NORMS, GRADIENTS),
    ),
    Misconception(
        "last norm forgotten",
        LastNormForgotten,
        "What leaves the block has not been normalised.",
        "Where do you use norm3?",
        (VALUES, NORMS, GRADIENTS),
    ),
    Misconception(
        "no feed-forward",
        NoFeedForward,
        "The feed-forward is built and never called.",
        "Which sub-layer comes after the two attentions?",
        (VALUES, GRADIENTS),
    ),
    Misconception(
        "dropout always on",
        DropoutAlwaysOn,
        "`F.dropout` drops also in eval mode, unless it is told `training=self.training`.",
        "Do two calls in eval mode give the same?",
        (DROPOUT,),
    ),
    Misconception(
        "dropout forgotten",
        DropoutForgotten,
        "The outputs of the sub-layers are added without dropout.",
        "Where in forward do you use `self.dropout`?",
        (DROPOUT,),
    ),
    Misconception(
        "a dropout of your own",
        DropoutByHabit,
        "The block drops while training although it was asked for dropout=0.0.",
        "Which probability do your Dropout modules get?",
        (DROPOUT,),
    ),
    Misconception(
        "cross-attention without gradient",
        MemoryCutOff,
        "The numbers are right, but the cross-attention runs without autograd: it never learns.",
        "Which line takes the cross-attention out of autograd?",
        (GRADIENTS,),
    ),
    Misconception(
        "samples mixed",
        MixesTheBatch,
        "What one sample gives depends on which others are in the batch.",
        "Along which axes does your forward average or normalise?",
        (VALUES, MASK, SAMPLES),
    ),
    Misconception(
        "other parameter names",
        OtherNames,
        "The parts do the right thing under other names: weights from elsewhere would not fit.",
        "What are the parts called in the description?",
        (VALUES, NORMS),
    ),
)
