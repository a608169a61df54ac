"""What students write in the place of a decoder block: the right one, with one part of it changed each time."""

import torch
from torch.nn import functional as F

from course_lib.model.decoder import DecoderBlock
from course_lib.model.masks import causal_mask, expand_mask


class Parts(DecoderBlock):
    """The right block, in parts that can be changed one by one."""

    def visible(self, x, mask):
        causal = causal_mask(x.shape[1])
        return causal if mask is None else expand_mask(mask).bool() & causal

    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, memory, memory, memory_mask)

    def add(self, norm, x, change):
        return norm(x + self.dropout(change))

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.add(self.norm1, x, self.self_attn(x, self.visible(x, mask)))
        x = self.add(self.norm2, x, self.across(x, memory, mask, memory_mask))
        return self.add(self.norm3, x, self.linear_net(x))


class NotCausal(Parts):
    def visible(self, x, mask):
        return mask


class MaskInsteadOfCausality(Parts):
    def visible(self, x, mask):
        return causal_mask(x.shape[1]) if mask is None else mask


class MaskIgnored(Parts):
    def visible(self, x, mask):
        return causal_mask(x.shape[1])


class MaskOrCausality(Parts):
    def visible(self, x, mask):
        causal = causal_mask(x.shape[1])
        return causal if mask is None else expand_mask(mask).bool() | causal


class MaskInverted(Parts):
    def visible(self, x, mask):
        causal = causal_mask(x.shape[1])
        return causal if mask is None else ~expand_mask(mask).bool() & causal


class SeesTheNext(Parts):
    def visible(self, x, mask):
        causal = torch.ones(x.shape[1], x.shape[1]).tril(1).bool()
        return causal if mask is None else expand_mask(mask).bool() & causal


class BlindToItself(Parts):
    def visible(self, x, mask):
        causal = torch.ones(x.shape[1], x.shape[1]).tril(-1).bool()
        return causal if mask is None else expand_mask(mask).bool() & causal


class CausalityUpsideDown(Parts):
    def visible(self, x, mask):
        causal = causal_mask(x.shape[1]).T
        return causal if mask is None else expand_mask(mask).bool() & causal


class OnlyBooleanMasks(Parts):
    def visible(self, x, mask):
        causal = causal_mask(x.shape[1])
        return causal if mask is None else expand_mask(mask) & causal


class QueriesFromTheMemory(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(memory, x, x, memory_mask)


class AttendsToItself(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, x, x, None)


class MemoryMaskIgnored(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, memory, memory)


class MemoryMaskInverted(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, memory, memory, None if memory_mask is None else ~memory_mask.bool())


class TargetMaskOnTheMemory(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, memory, memory, mask if memory_mask is None else memory_mask)


class CausalMemory(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, memory, memory, memory_mask, is_causal=True)


class ValuesFromTheTokens(Parts):
    def across(self, x, memory, mask, memory_mask):
        return self.cross_attn(x, memory, x, memory_mask)


class NoCrossAttention(Parts):
    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.add(self.norm1, x, self.self_attn(x, self.visible(x, mask)))
        return self.add(self.norm3, x, self.linear_net(x))


class OtherOrder(Parts):
    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.add(self.norm1, x, self.across(x, memory, mask, memory_mask))
        x = self.add(self.norm2, x, self.self_attn(x, self.visible(x, mask)))
        return self.add(self.norm3, x, self.linear_net(x))


class PreNorm(Parts):
    def forward(self, x, memory, mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attn(self.norm1(x), self.visible(x, mask)))
        x = x + self.dropout(self.across(self.norm2(x), memory, mask, memory_mask))
        return x + self.dropout(self.linear_net(self.norm3(x)))


class NoResidual(Parts):
    def add(self, norm, x, change):
        return norm(self.dropout(change))


class ResidualOutsideTheNorm(Parts):
    def add(self, norm, x, change):
        return x + norm(self.dropout(change))


class NoResidualAcross(Parts):
    def add(self, norm, x, change):
        return norm(self.dropout(change)) if norm is self.norm2 else super().add(norm, x, change)


class NoResidualInTheFeedForward(Parts):
    def add(self, norm, x, change):
        return norm(self.dropout(change)) if norm is self.norm3 else super().add(norm, x, change)


class ResidualFromTheStart(Parts):
    def forward(self, x, memory, mask=None, memory_mask=None):
        y = self.add(self.norm1, x, self.self_attn(x, self.visible(x, mask)))
        y = self.add(self.norm2, x, self.across(y, memory, mask, memory_mask))
        return self.add(self.norm3, x, self.linear_net(y))


class OneNormForAll(Parts):
    def add(self, norm, x, change):
        return super().add(self.norm1, x, change)


class LastNormForgotten(Parts):
    def add(self, norm, x, change):
        return x + self.dropout(change) if norm is self.norm3 else super().add(norm, x, change)


class NoFeedForward(Parts):
    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.add(self.norm1, x, self.self_attn(x, self.visible(x, mask)))
        return self.norm3(self.add(self.norm2, x, self.across(x, memory, mask, memory_mask)))


class DropoutAlwaysOn(Parts):
    def add(self, norm, x, change):
        return norm(x + F.dropout(change, self.dropout.p))


class DropoutForgotten(Parts):
    def add(self, norm, x, change):
        return norm(x + change)


class DropoutOnlyAtTheEnd(Parts):
    def add(self, norm, x, change):
        return super().add(norm, x, change) if norm is self.norm3 else norm(x + change)


class DropoutOnTheResidual(Parts):
    def add(self, norm, x, change):
        return norm(self.dropout(x) + change)


class DropoutAfterTheNorm(Parts):
    def add(self, norm, x, change):
        return self.dropout(norm(x + change))


class FeedForwardWithoutDropout(Parts):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, num_heads, dim_feedforward, dropout)
        self.linear_net[1].p = 0.0


class DropoutByHabit(Parts):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, num_heads, dim_feedforward, dropout=0.1)


class MemoryCutOff(Parts):
    def across(self, x, memory, mask, memory_mask):
        with torch.no_grad():
            return self.cross_attn(x, memory, memory, memory_mask)


class MemoryDetached(Parts):
    def across(self, x, memory, mask, memory_mask):
        return super().across(x, memory.detach(), mask, memory_mask)


class ResidualDetached(Parts):
    def add(self, norm, x, change):
        return super().add(norm, x.detach(), change)


class MaskOfTheFirstCall(Parts):
    def visible(self, x, mask):
        if not hasattr(self, "causal"):
            self.causal = causal_mask(x.shape[1])
        return self.causal if mask is None else expand_mask(mask).bool() & self.causal


class MaskOfTheFirstSample(Parts):
    def visible(self, x, mask):
        return super().visible(x, None if mask is None else expand_mask(mask)[:1])


class WritesIntoItsInput(Parts):
    def forward(self, x, memory, mask=None, memory_mask=None):
        x += self.dropout(self.self_attn(x, self.visible(x, mask)))
        x = self.norm1(x)
        x = self.add(self.norm2, x, self.across(x, memory, mask, memory_mask))
        return self.add(self.norm3, x, self.linear_net(x))


class Gelu(Parts):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.linear_net[2] = torch.nn.GELU()


class OneHead(Parts):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, 1, dim_feedforward, dropout)


class MixesTheBatch(Parts):
    def add(self, norm, x, change):
        return norm(x + self.dropout(change - change.mean(dim=0, keepdim=True)))


class OtherNames(Parts):
    def __init__(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(input_dim, num_heads, dim_feedforward, dropout)
        self.encoder_attn, self.feed_forward = self.cross_attn, self.linear_net
        del self.cross_attn, self.linear_net

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.add(self.norm1, x, self.self_attn(x, self.visible(x, mask)))
        x = self.add(self.norm2, x, self.encoder_attn(x, memory, memory, memory_mask))
        return self.add(self.norm3, x, self.feed_forward(x))
