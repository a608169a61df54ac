"""Wrong ways to write `CrossAttention`, its masks apart."""

from torch import nn

from autograder.catalogue.multi_head.attention_parts import OtherAttention


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


class AlwaysCausal(OtherAttention):
    def forward(self, queries, keys, values, mask=None, is_causal=False):
        return super().forward(queries, keys, values, mask, is_causal=True)


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


class KeepsTheMask(OtherAttention):
    kept = None

    def forward(self, queries, keys, values, mask=None, is_causal=False):
        self.kept = mask if self.kept is None else self.kept
        return super().forward(queries, keys, values, self.kept, is_causal)


class DropoutByDefault(OtherAttention):
    def weigh(self, scores):
        return nn.functional.dropout(super().weigh(scores), 0.1, training=self.training)
