"""Wrong ways to mask the scores of `MultiheadAttention`."""

from autograder.catalogue.multi_head.attention_parts import SelfAttention
from course_lib.model.masks import expand_mask


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
