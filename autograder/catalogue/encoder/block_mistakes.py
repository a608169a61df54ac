"""Wrong ways to write `EncoderBlock`: most have a `forward` of their own, some other parts."""

import torch
from torch import nn
from torch.nn import functional as F

from course_lib.model.encoder import EncoderBlock


class NoResidual(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(self.dropout(self.self_attn(x, mask)))
        return self.norm2(self.dropout(self.linear_net(x)))


class NoFirstResidual(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(self.dropout(self.self_attn(x, mask)))
        return self.norm2(x + self.dropout(self.linear_net(x)))


class NoSecondResidual(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, mask)))
        return self.norm2(self.dropout(self.linear_net(x)))


class ResidualFromTheInput(EncoderBlock):
    def forward(self, x, mask=None):
        y = self.norm1(x + self.dropout(self.self_attn(x, mask)))
        return self.norm2(x + self.dropout(self.linear_net(y)))


class Parallel(EncoderBlock):
    def forward(self, x, mask=None):
        y = self.norm1(x + self.dropout(self.self_attn(x, mask)))
        return self.norm2(y + self.dropout(self.linear_net(x)))


class NormBeforeTheSum(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.norm1(self.dropout(self.self_attn(x, mask)))
        return x + self.norm2(self.dropout(self.linear_net(x)))


class NoFirstNorm(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.self_attn(x, mask))
        return self.norm2(x + self.dropout(self.linear_net(x)))


class NoSecondNorm(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, mask)))
        return x + self.dropout(self.linear_net(x))


class FirstNormTwice(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, mask)))
        return self.norm1(x + self.dropout(self.linear_net(x)))


class NormsExchanged(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm2(x + self.dropout(self.self_attn(x, mask)))
        return self.norm1(x + self.dropout(self.linear_net(x)))


class FeedForwardFirst(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.linear_net(x)))
        return self.norm2(x + self.dropout(self.self_attn(x, mask)))


class NoFeedForward(EncoderBlock):
    def forward(self, x, mask=None):
        return self.norm2(self.norm1(x + self.dropout(self.self_attn(x, mask))))


class NoAttention(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(x)
        return self.norm2(x + self.dropout(self.linear_net(x)))


class MaskForgotten(EncoderBlock):
    def forward(self, x, mask=None):
        return super().forward(x)


class MaskInverted(EncoderBlock):
    def forward(self, x, mask=None):
        return super().forward(x, None if mask is None else mask == 0)


class DropoutInEval(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(x + F.dropout(self.self_attn(x, mask), self.dropout.p))
        return self.norm2(x + F.dropout(self.linear_net(x), self.dropout.p))


class NoDropout(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.self_attn(x, mask))
        return self.norm2(x + self.linear_net(x))


class DropoutOfTheSum(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(self.dropout(x + self.self_attn(x, mask)))
        return self.norm2(self.dropout(x + self.linear_net(x)))


class DropoutLast(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.dropout(self.norm1(x + self.self_attn(x, mask)))
        return self.dropout(self.norm2(x + self.linear_net(x)))


class OneDropout(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, mask)))
        return self.norm2(x + self.linear_net(x))


class NoneInside(EncoderBlock):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, num_heads, dim_feedforward)
        self.dropout = nn.Dropout(dropout)


class SomeByDefault(EncoderBlock):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.5):
        super().__init__(input_dim, num_heads, dim_feedforward, dropout)


class OneHead(EncoderBlock):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, 1, dim_feedforward, dropout)


class GELU(EncoderBlock):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, num_heads, dim_feedforward, dropout)
        self.linear_net[2] = nn.GELU()


class UnbiasedNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + 1e-5).sqrt() * self.weight + self.bias


class NormOverTheBatch(UnbiasedNorm):
    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=(0, 1), correction=0, keepdim=True)
        return (x - mean) / (variance + 1e-5).sqrt() * self.weight + self.bias


class Unbiased(EncoderBlock):
    norm = UnbiasedNorm

    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, num_heads, dim_feedforward, dropout)
        self.norm1, self.norm2 = self.norm(input_dim), self.norm(input_dim)


class BatchNormalised(Unbiased):
    norm = NormOverTheBatch


class AnotherEps(Unbiased):
    def norm(self, dim):
        return nn.LayerNorm(dim, eps=1e-6)


class EpsOutside(Unbiased):
    class norm(UnbiasedNorm):
        def forward(self, x):
            spread = x.std(-1, unbiased=False, keepdim=True) + 1e-5
            return (x - x.mean(-1, keepdim=True)) / spread * self.weight + self.bias


class OneNorm(EncoderBlock):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, num_heads, dim_feedforward, dropout)
        del self.norm2

    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, mask)))
        return self.norm1(x + self.dropout(self.linear_net(x)))


class OtherNames(EncoderBlock):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, num_heads, dim_feedforward, dropout)
        self.attention, self.feed_forward = self._modules.pop("self_attn"), self._modules.pop("linear_net")

    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.attention(x, mask)))
        return self.norm2(x + self.dropout(self.feed_forward(x)))


class CutFromTheGraph(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, mask))).detach()
        return self.norm2(x + self.dropout(self.linear_net(x)))


class SecondDropoutOnly(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.self_attn(x, mask))
        return self.norm2(x + self.dropout(self.linear_net(x)))


class ResidualAround(EncoderBlock):
    def forward(self, x, mask=None):
        return x + super().forward(x, mask)


class SharedNorm(EncoderBlock):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, num_heads, dim_feedforward, dropout)
        self.norm2 = self.norm1
