"""Wrong and other right ways to write `CrossAttention`."""

import torch
from torch import nn

from autograder.exercises.multi_head.attention_parts import OtherAttention
from course_lib.masks import causal_mask, expand_mask


class NoScaling(OtherAttention):
    def scale(self, q, k):
        return 1.0


class DividedByWidth(OtherAttention):
    def scale(self, q, k):
        return 1 / q.shape[-1]


class ScaledByModel(OtherAttention):
    def scale(self, q, k):
        return self.embed_dim**-0.5


class OverQueries(OtherAttention):
    def weigh(self, scores):
        return scores.softmax(dim=-2)


class ViewForTranspose(OtherAttention):
    def split(self, x):
        B, T, _ = x.shape
        return x.reshape(B, self.num_heads, T, -1)


class MergedStraight(OtherAttention):
    def merge(self, values):
        B, h, L, d = values.shape
        return values.reshape(B, L, h * d)


class EveryHthFeature(OtherAttention):
    def split(self, x):
        return x.unflatten(-1, (-1, self.num_heads)).permute(0, 3, 1, 2)


class OneHead(OtherAttention):
    def split(self, x):
        return x.unsqueeze(1)


class NoOutputProjection(OtherAttention):
    def forward(self, queries, keys, values, mask=None, is_causal=False):
        self.out_proj.forward = lambda merged: merged[..., : queries.shape[-1]]
        return super().forward(queries, keys, values, mask, is_causal)


class WithResidual(OtherAttention):
    def forward(self, queries, keys, values, mask=None, is_causal=False):
        return queries + super().forward(queries, keys, values, mask, is_causal)


class KeysAsValues(OtherAttention):
    def project(self, queries, keys, values):
        return self.q_proj(queries), self.k_proj(keys), self.k_proj(keys)


class OnlyQueries(OtherAttention):
    def make(self, query_dim, key_dim, value_dim, embed_dim):
        super().make(query_dim, query_dim, query_dim, embed_dim)

    def project(self, queries, keys, values):
        return super().project(queries, queries, queries)


class KeysForBoth(OtherAttention):
    def make(self, query_dim, key_dim, value_dim, embed_dim):
        super().make(query_dim, key_dim, key_dim, embed_dim)

    def project(self, queries, keys, values):
        return super().project(queries, keys, keys)


class ToEmbedDim(OtherAttention):
    def make(self, query_dim, key_dim, value_dim, embed_dim):
        super().make(query_dim, key_dim, value_dim, embed_dim)
        self.out_proj = nn.Linear(embed_dim, embed_dim)


class ToValueDim(OtherAttention):
    def make(self, query_dim, key_dim, value_dim, embed_dim):
        super().make(query_dim, key_dim, value_dim, embed_dim)
        self.out_proj = nn.Linear(embed_dim, value_dim)


class NamedOProj(OtherAttention):
    def make(self, query_dim, key_dim, value_dim, embed_dim):
        super().make(query_dim, key_dim, value_dim, embed_dim)
        self.o_proj = self._modules.pop("out_proj")

    @property
    def out_proj(self):
        return self.o_proj

    @out_proj.setter
    def out_proj(self, value):
        pass


class NoBias(OtherAttention):
    def make(self, query_dim, key_dim, value_dim, embed_dim):
        self.q_proj = nn.Linear(query_dim, embed_dim, bias=False)
        self.k_proj = nn.Linear(key_dim, embed_dim, bias=False)
        self.v_proj = nn.Linear(value_dim, embed_dim, bias=False)
        self.out_proj = nn.Linear(embed_dim, query_dim, bias=False)


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


class AlwaysCausal(OtherAttention):
    def forward(self, queries, keys, values, mask=None, is_causal=False):
        return super().forward(queries, keys, values, mask, is_causal=True)


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


class CutFromTheGraph(OtherAttention):
    def project(self, queries, keys, values):
        q, k, v = super().project(queries, keys, values)
        return q.detach(), k.detach(), v


class HardArgmax(OtherAttention):
    def weigh(self, scores):
        return nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)


class ValuesCutOff(OtherAttention):
    def project(self, queries, keys, values):
        q, k, v = super().project(queries, keys, values)
        return q, k, v.detach()


class OverHeads(OtherAttention):
    def weigh(self, scores):
        return scores.softmax(dim=1)


class MultipliedByRoot(OtherAttention):
    def scale(self, q, k):
        return q.shape[-1] ** 0.5


class KeysAsQueries(OtherAttention):
    def project(self, queries, keys, values):
        q, k, v = super().project(queries, keys, values)
        return k, q, v


class ScaledWithoutMaskOnly(OtherAttention):
    def hide(self, scores, mask):
        return super().hide(scores * (self.embed_dim // self.num_heads) ** 0.5, mask)


class MaskAsCondition(OtherAttention):
    def hide(self, scores, mask):
        return scores.masked_fill(mask, -1e9)


class KeepsTheMask(OtherAttention):
    kept = None

    def forward(self, queries, keys, values, mask=None, is_causal=False):
        self.kept = mask if self.kept is None else self.kept
        return super().forward(queries, keys, values, self.kept, is_causal)


class DropoutByDefault(OtherAttention):
    def weigh(self, scores):
        return nn.functional.dropout(super().weigh(scores), 0.1, training=self.training)


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
