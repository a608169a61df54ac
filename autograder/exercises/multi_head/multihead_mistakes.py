"""Wrong ways to write `MultiheadAttention`: in the heads, the scores, the masks and what is returned."""

import torch
from torch import nn

from autograder.exercises.multi_head.attention_parts import SelfAttention
from course_lib.heads import split_heads
from course_lib.masks import expand_mask


class ViewForTranspose(SelfAttention):
    def project(self, x):
        B, T, _ = x.shape
        return self.qkv_proj(x).reshape(B, self.num_heads, T, -1).chunk(3, dim=-1)


class MergedStraight(SelfAttention):
    def merge(self, values):
        B, h, T, d = values.shape
        return values.reshape(B, T, h * d)


class BothStraight(ViewForTranspose, MergedStraight):
    pass


class ThreeBlocks(SelfAttention):
    def project(self, x):
        return (split_heads(part, self.num_heads) for part in self.qkv_proj(x).chunk(3, dim=-1))


class FeatureByFeature(SelfAttention):
    def project(self, x):
        return split_heads(self.qkv_proj(x), self.num_heads).unflatten(-1, (-1, 3)).unbind(-1)


class KeyBeforeQuery(SelfAttention):
    def project(self, x):
        k, q, v = super().project(x)
        return q, k, v


class ValueFirst(SelfAttention):
    def project(self, x):
        v, q, k = super().project(x)
        return q, k, v


class ValueBeforeKey(SelfAttention):
    def project(self, x):
        q, v, k = super().project(x)
        return q, k, v


class KeysAsValues(SelfAttention):
    def project(self, x):
        q, k, _ = super().project(x)
        return q, k, k


class QueriesAsKeys(SelfAttention):
    def project(self, x):
        q, _, v = super().project(x)
        return q, q, v


class OneHead(SelfAttention):
    def project(self, x):
        return split_heads(self.qkv_proj(x), 1).chunk(3, dim=-1)


class NoOutputProjection(SelfAttention):
    def forward(self, x, mask=None, return_attention=False):
        values, attention = self.attend(*self.project(x), mask)
        return self.result(self.merge(values), attention, return_attention)


class WithResidual(SelfAttention):
    def forward(self, x, mask=None, return_attention=False):
        result = super().forward(x, mask, return_attention)
        return (result[0] + x, result[1]) if return_attention else result + x


class WithReLU(SelfAttention):
    def merge(self, values):
        return super().merge(values).relu()


class NoScaling(SelfAttention):
    def scale(self, q, k):
        return 1.0


class DividedByWidth(SelfAttention):
    def scale(self, q, k):
        return 1 / q.shape[-1]


class ScaledByModel(SelfAttention):
    def scale(self, q, k):
        return self.embed_dim**-0.5


class ScaledByInput(SelfAttention):
    def scale(self, q, k):
        return (self.input_dim // self.num_heads) ** -0.5


class ScaledByLength(SelfAttention):
    def scale(self, q, k):
        return q.shape[-2] ** -0.5


class MultipliedByRoot(SelfAttention):
    def scale(self, q, k):
        return q.shape[-1] ** 0.5


class ScaledAfterSoftmax(NoScaling):
    def weigh(self, scores):
        return scores.softmax(dim=-1) / (self.embed_dim // self.num_heads) ** 0.5


class OverQueries(SelfAttention):
    def weigh(self, scores):
        return scores.softmax(dim=-2)


class OverHeads(SelfAttention):
    def weigh(self, scores):
        return scores.softmax(dim=1)


class NoSoftmax(SelfAttention):
    def weigh(self, scores):
        return scores


class AlwaysCausal(SelfAttention):
    def weigh(self, scores):
        T = scores.shape[-1]
        return scores.masked_fill(torch.ones(T, T).tril() == 0, -1e9).softmax(dim=-1)


class MaskForgotten(SelfAttention):
    def hide(self, scores, mask):
        return scores


class MaskInverted(SelfAttention):
    def hide(self, scores, mask):
        return scores.masked_fill(mask != 0, -1e9)


class MaskTransposed(SelfAttention):
    def expand(self, mask):
        return super().expand(mask).transpose(-2, -1)


class MaskAdded(SelfAttention):
    def hide(self, scores, mask):
        return scores + mask.to(scores.dtype)


class FilledWithZero(SelfAttention):
    def hide(self, scores, mask):
        return scores.masked_fill(mask == 0, 0.0)


class NotRenormalised(SelfAttention):
    def attend(self, q, k, v, mask):
        _, attention = super().attend(q, k, v, None)
        attention = attention if mask is None else attention * self.expand(mask)
        return attention @ v, attention


class MaskNotExpanded(SelfAttention):
    def expand(self, mask):
        return mask


class BooleansOnly(SelfAttention):
    def hide(self, scores, mask):
        return scores.masked_fill(~mask, -1e9)


class OneMaskForAll(SelfAttention):
    def expand(self, mask):
        return expand_mask(mask)[:1, :1]


class BatchSecond(SelfAttention):
    def forward(self, x, mask=None, return_attention=False):
        result = super().forward(x.transpose(0, 1), mask, return_attention)
        return (result[0].transpose(0, 1), result[1]) if return_attention else result.transpose(0, 1)


class InputWidth(SelfAttention):
    def merge(self, values):
        B, h, T, d = values.shape
        return values.transpose(1, 2).reshape(B, T, self.input_dim)


class BackToInput(SelfAttention):
    def make(self, input_dim, embed_dim):
        self.qkv_proj = nn.Linear(input_dim, 3 * embed_dim)
        self.o_proj = nn.Linear(embed_dim, input_dim)


class NoBias(SelfAttention):
    def make(self, input_dim, embed_dim):
        self.qkv_proj = nn.Linear(input_dim, 3 * embed_dim, bias=False)
        self.o_proj = nn.Linear(embed_dim, embed_dim, bias=False)


class ThreeProjections(SelfAttention):
    def make(self, input_dim, embed_dim):
        self.q_proj = nn.Linear(input_dim, embed_dim)
        self.k_proj = nn.Linear(input_dim, embed_dim)
        self.v_proj = nn.Linear(input_dim, embed_dim)
        self.o_proj = nn.Linear(embed_dim, embed_dim)

    def project(self, x):
        return (split_heads(part(x), self.num_heads) for part in (self.q_proj, self.k_proj, self.v_proj))


class SharedQueryAndKey(SelfAttention):
    def make(self, input_dim, embed_dim):
        self.qkv_proj = nn.Linear(input_dim, 2 * embed_dim)
        self.o_proj = nn.Linear(embed_dim, embed_dim)

    def project(self, x):
        q, v = split_heads(self.qkv_proj(x), self.num_heads).chunk(2, dim=-1)
        return q, q, v


class OutProj(SelfAttention):
    def make(self, input_dim, embed_dim):
        super().make(input_dim, embed_dim)
        self.out_proj = self._modules.pop("o_proj")

    def forward(self, x, mask=None, return_attention=False):
        values, attention = self.attend(*self.project(x), mask)
        return self.result(self.out_proj(self.merge(values)), attention, return_attention)


class AttentionNeverReturned(SelfAttention):
    def result(self, output, attention, return_attention):
        return output


class AttentionAlwaysReturned(SelfAttention):
    def result(self, output, attention, return_attention):
        return output, attention


class AttentionAveraged(SelfAttention):
    def result(self, output, attention, return_attention):
        return super().result(output, attention.mean(dim=1), return_attention)


class AttentionFirst(SelfAttention):
    def result(self, output, attention, return_attention):
        return (attention, output) if return_attention else output


class AttentionTransposed(SelfAttention):
    def result(self, output, attention, return_attention):
        return super().result(output, attention.transpose(-2, -1), return_attention)


class ScoresReturned(SelfAttention):
    def attend(self, q, k, v, mask):
        values, _ = super().attend(q, k, v, mask)
        return values, q @ k.transpose(-2, -1) * self.scale(q, k)


class Unchecked(SelfAttention):
    def check(self, embed_dim, num_heads):
        pass


class Asserted(SelfAttention):
    def check(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, f"embed_dim {embed_dim} is not a multiple of num_heads {num_heads}"


class WithoutNumbers(SelfAttention):
    def check(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")


class InputChecked(Unchecked):
    def __init__(self, input_dim, embed_dim, num_heads):
        if input_dim % num_heads:
            raise ValueError(f"input_dim {input_dim} is not a multiple of num_heads {num_heads}")
        super().__init__(input_dim, embed_dim, num_heads)


class CutFromTheGraph(SelfAttention):
    def project(self, x):
        return (part.detach() for part in super().project(x))


class HardArgmax(SelfAttention):
    def weigh(self, scores):
        return nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)


class Backwards(SelfAttention):
    def project(self, x):
        v, k, q = super().project(x)
        return q, k, v


class OverSamples(SelfAttention):
    def weigh(self, scores):
        return scores.softmax(dim=0)


class MaskInvertedByTilde(SelfAttention):
    def hide(self, scores, mask):
        return scores.masked_fill(~mask == 0, -1e9)


class MaskAsCondition(SelfAttention):
    def hide(self, scores, mask):
        return scores.masked_fill(mask, -1e9)


class ScaledWithoutMaskOnly(SelfAttention):
    def hide(self, scores, mask):
        return super().hide(scores * (self.embed_dim // self.num_heads) ** 0.5, mask)


class OneHeadsMask(SelfAttention):
    def expand(self, mask):
        return expand_mask(mask)[:, :1]


class KeepsTheMask(SelfAttention):
    kept = None

    def forward(self, x, mask=None, return_attention=False):
        self.kept = mask if self.kept is None else self.kept
        return super().forward(x, self.kept, return_attention)


class KeepsTheProjection(SelfAttention):
    kept = None

    def project(self, x):
        self.kept = super().project(x) if self.kept is None else self.kept
        return self.kept


class DropoutByDefault(SelfAttention):
    def weigh(self, scores):
        return nn.functional.dropout(super().weigh(scores), 0.1, training=self.training)


class AttentionAlone(SelfAttention):
    def result(self, output, attention, return_attention):
        return attention if return_attention else output


class FlagTurned(SelfAttention):
    def result(self, output, attention, return_attention):
        return output if return_attention else (output, attention)


class ScoresCutOff(SelfAttention):
    def weigh(self, scores):
        return super().weigh(scores.detach())


class ValuesCutOff(SelfAttention):
    def project(self, x):
        q, k, v = super().project(x)
        return q, k, v.detach()


class WithoutItsBias(SelfAttention):
    def forward(self, x, mask=None, return_attention=False):
        values, attention = self.attend(*self.project(x), mask)
        return self.result(self.merge(values) @ self.o_proj.weight.T, attention, return_attention)
