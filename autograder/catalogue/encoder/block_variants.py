"""Other right ways to write the two encoder blocks."""

import torch
from torch import nn
from torch.nn import functional as F

from course_lib.model.encoder import EncoderBlock, PreNormEncoderBlock
from course_lib.model.multi_head import MultiheadAttention


class FromTorch(nn.Module):
    """torch's layer norm, the feed-forward inline, a loop over its modules, two dropouts; mask by keyword."""

    def __init__(self, input_dim: int, num_heads: int, dim_feedforward: int, dropout: float = 0.0, bias=True):
        super().__init__()
        self.self_attn = MultiheadAttention(input_dim, input_dim, num_heads)
        self.linear_net = nn.Sequential(
            nn.Linear(input_dim, dim_feedforward),
            nn.Dropout(dropout),
            nn.ReLU(inplace=True),
            nn.Linear(dim_feedforward, input_dim),
        )
        self.norm1, self.norm2 = nn.LayerNorm(input_dim), nn.LayerNorm(input_dim)
        self.dropout1, self.dropout2 = nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, src, src_mask=None):
        src = self.norm1(src + self.dropout1(self.self_attn(src, mask=src_mask)))
        hidden = src
        for module in self.linear_net:
            hidden = module(hidden)
        return self.norm2(self.dropout2(hidden) + src)


class ByFunctions(EncoderBlock):
    """F.layer_norm, F.linear and F.dropout on the parameters of the contract."""

    def normed(self, norm, x):
        return F.layer_norm(x, x.shape[-1:], norm.weight, norm.bias)

    def forward(self, x, mask=None):
        drop = {"p": self.dropout.p, "training": self.training}
        attended = F.dropout(self.self_attn(x, mask), **drop)
        x = self.normed(self.norm1, torch.add(x, attended))
        return self.normed(self.norm2, x + F.dropout(self.linear_net(x), **drop))


class PreFromTorch(FromTorch):
    """The same with the norms first."""

    def forward(self, src, src_mask=None):
        normed = self.norm1(src)
        src = src + self.dropout1(self.self_attn(normed, src_mask, return_attention=True)[0])
        return src + self.dropout2(self.linear_net(self.norm2(src)))


class PreStepByStep(PreNormEncoderBlock):
    """Every intermediate result under a name of its own."""

    def forward(self, x, mask=None, return_attention=False):
        attended, attention = self.self_attn(self.norm1(x), mask, return_attention=True)
        residual = self.dropout(attended) + x
        thought = self.linear_net(self.norm2(residual))
        output = residual + self.dropout(thought)
        return (output, attention) if return_attention else output


VARIANTS = (FromTorch, ByFunctions)
PRE_VARIANTS = (PreFromTorch, PreStepByStep)
