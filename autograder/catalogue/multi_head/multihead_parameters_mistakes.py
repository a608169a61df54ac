"""Wrong parameters and widths of `MultiheadAttention`."""

from torch import nn

from autograder.catalogue.multi_head.attention_parts import SelfAttention
from course_lib.model.heads import split_heads


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
