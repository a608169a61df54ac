"""Wrong ways to write `PreNormEncoderBlock`."""

from torch import nn
from torch.nn import functional as F

from autograder.catalogue.encoder.block_mistakes import OtherNames
from course_lib.model.encoder import PreNormEncoderBlock


class NormalisedResidual(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm1(x)
        x = x + self.dropout(self.self_attn(x, mask))
        x = self.norm2(x)
        return x + self.dropout(self.linear_net(x))


class FinalNorm(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        return self.norm2(super().forward(x, mask))


class NoResidual(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = self.dropout(self.self_attn(self.norm1(x), mask))
        return self.dropout(self.linear_net(self.norm2(x)))


class NoSecondResidual(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.self_attn(self.norm1(x), mask))
        return self.dropout(self.linear_net(self.norm2(x)))


class OnlyFirstPre(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.self_attn(self.norm1(x), mask))
        return self.norm2(x + self.dropout(self.linear_net(x)))


class FirstNormTwice(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.self_attn(self.norm1(x), mask))
        return x + self.dropout(self.linear_net(self.norm1(x)))


class NoSecondNorm(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.self_attn(self.norm1(x), mask))
        return x + self.dropout(self.linear_net(x))


class NoFirstNorm(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.self_attn(x, mask))
        return x + self.dropout(self.linear_net(self.norm2(x)))


class Parallel(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        y = x + self.dropout(self.self_attn(self.norm1(x), mask))
        return y + self.dropout(self.linear_net(self.norm2(x)))


class FromTheInput(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        y = x + self.dropout(self.self_attn(self.norm1(x), mask))
        return x + self.dropout(self.linear_net(self.norm2(y)))


class FeedForwardFirst(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.linear_net(self.norm1(x)))
        return x + self.dropout(self.self_attn(self.norm2(x), mask))


class NormAfterTheSubLayer(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.norm1(self.self_attn(x, mask)))
        return x + self.dropout(self.norm2(self.linear_net(x)))


class MaskForgotten(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        return super().forward(x)


class NoDropout(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.self_attn(self.norm1(x), mask)
        return x + self.linear_net(self.norm2(x))


class DropoutOfTheNormalised(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.self_attn(self.dropout(self.norm1(x)), mask)
        return x + self.linear_net(self.dropout(self.norm2(x)))


class DropoutInEval(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = x + F.dropout(self.self_attn(self.norm1(x), mask), self.dropout.p)
        return x + F.dropout(self.linear_net(self.norm2(x)), self.dropout.p)


class OneHead(PreNormEncoderBlock):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, 1, dim_feedforward, dropout)


class NamedOtherwise(OtherNames):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norm1(x), mask))
        return x + self.dropout(self.feed_forward(self.norm2(x)))


class MaskInverted(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        return super().forward(x, None if mask is None else mask == 0)


class OneDropout(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.self_attn(self.norm1(x), mask))
        return x + self.linear_net(self.norm2(x))


class SomeByDefault(PreNormEncoderBlock):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.1):
        super().__init__(input_dim, num_heads, dim_feedforward, dropout)


class DropoutLast(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        return self.dropout(super().forward(x, mask))


class NoneInside(PreNormEncoderBlock):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, num_heads, dim_feedforward)
        self.dropout = nn.Dropout(dropout)


class NormsExchanged(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.self_attn(self.norm2(x), mask))
        return x + self.dropout(self.linear_net(self.norm1(x)))


class ResidualAround(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        return x + super().forward(x, mask)


class NoAttention(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        return x + self.dropout(self.linear_net(self.norm2(x)))


class NoFeedForward(PreNormEncoderBlock):
    def forward(self, x, mask=None):
        return x + self.dropout(self.self_attn(self.norm1(x), mask))


class GELU(PreNormEncoderBlock):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, num_heads, dim_feedforward, dropout)
        self.linear_net[2] = nn.GELU()
