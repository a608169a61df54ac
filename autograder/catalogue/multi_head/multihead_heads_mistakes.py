"""Wrong ways to cut the projection of `MultiheadAttention` into heads and their q, k and v, and to merge them."""

from autograder.catalogue.multi_head.attention_parts import SelfAttention
from course_lib.model.heads import split_heads


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


class Backwards(SelfAttention):
    def project(self, x):
        v, k, q = super().project(x)
        return q, k, v
