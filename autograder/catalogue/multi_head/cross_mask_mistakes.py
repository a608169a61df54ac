"""Wrong ways to mask the scores of `CrossAttention`: by the mask given, by the triangle, and by both."""

import torch

from autograder.catalogue.multi_head.attention_parts import OtherAttention
from course_lib.model.masks import causal_mask, expand_mask


class MaskForgotten(OtherAttention):
    def forward(self, queries, keys, values, mask=None, is_causal=False):
        return super().forward(queries, keys, values, None, is_causal)


class MaskInverted(OtherAttention):
    def hide(self, scores, mask):
        return scores.masked_fill(mask != 0, -1e9)


class MaskTransposed(OtherAttention):
    def expand(self, mask):
        return super().expand(mask.transpose(-2, -1))


class MaskNotExpanded(OtherAttention):
    def expand(self, mask):
        return mask


class BooleansOnly(OtherAttention):
    def hide(self, scores, mask):
        return scores.masked_fill(~mask, -1e9)

    def combine(self, mask, triangle):
        return triangle if mask is None else self.expand(mask) & triangle


class OneMaskForAll(OtherAttention):
    def expand(self, mask):
        return expand_mask(mask)[:1, :1]


class NotRenormalised(OtherAttention):
    def attend(self, q, k, v, mask):
        _, attention = super().attend(q, k, v, None)
        attention = attention if mask is None else attention * self.expand(mask)
        return attention @ v, attention


class FilledWithZero(OtherAttention):
    def hide(self, scores, mask):
        return scores.masked_fill(mask == 0, 0.0)


class NeverCausal(OtherAttention):
    def combine(self, mask, triangle):
        return torch.ones_like(triangle) if mask is None else mask


class SeesTheNext(OtherAttention):
    def triangle(self, L, S):
        return torch.ones(L, S, dtype=torch.bool).tril(1)


class BlindToItself(OtherAttention):
    def triangle(self, L, S):
        return torch.ones(L, S, dtype=torch.bool).tril(-1)


class SeesTheFuture(OtherAttention):
    def triangle(self, L, S):
        return torch.ones(L, S, dtype=torch.bool).triu()


class AlignedAtTheEnd(OtherAttention):
    def triangle(self, L, S):
        return torch.ones(L, S, dtype=torch.bool).tril(S - L)


class SquareOfQueries(OtherAttention):
    def triangle(self, L, S):
        return causal_mask(L)


class SquareOfKeys(OtherAttention):
    def triangle(self, L, S):
        return causal_mask(S)


class MaskLostWhenCausal(OtherAttention):
    def combine(self, mask, triangle):
        return triangle


class CausalLostWhenMasked(OtherAttention):
    def combine(self, mask, triangle):
        return triangle if mask is None else mask


class OneOrTheOther(OtherAttention):
    def combine(self, mask, triangle):
        return triangle if mask is None else self.expand(mask).bool() | triangle


class ScaledWithoutMaskOnly(OtherAttention):
    def hide(self, scores, mask):
        return super().hide(scores * (self.embed_dim // self.num_heads) ** 0.5, mask)


class MaskAsCondition(OtherAttention):
    def hide(self, scores, mask):
        return scores.masked_fill(mask, -1e9)


class GivenMaskInverted(OtherAttention):
    def forward(self, queries, keys, values, mask=None, is_causal=False):
        return super().forward(queries, keys, values, None if mask is None else mask == 0, is_causal)


class BooleansOnlyWhenCausal(OtherAttention):
    def combine(self, mask, triangle):
        return triangle if mask is None else self.expand(mask) & triangle


class KeepsTheTriangle(OtherAttention):
    kept = None

    def triangle(self, L, S):
        self.kept = super().triangle(L, S) if self.kept is None else self.kept
        return self.kept
