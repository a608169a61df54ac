"""Wrong ways from scores to attention weights in `MultiheadAttention`: in the scale and in the softmax."""

import torch
from torch import nn

from autograder.catalogue.multi_head.attention_parts import SelfAttention


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


class HardArgmax(SelfAttention):
    def weigh(self, scores):
        return nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)


class OverSamples(SelfAttention):
    def weigh(self, scores):
        return scores.softmax(dim=0)
