"""Wrong ways to write `TransformerEncoder`."""

import torch
from torch import nn

from course_lib.encoder import EncoderBlock, PreNormEncoderBlock


class Steps(nn.Module):
    """The stack in small steps, right unless one is replaced."""

    def __init__(self, num_layers, **block_args):
        super().__init__()
        self.make(num_layers, block_args)

    def make(self, num_layers, block_args):
        self.layers = nn.ModuleList([self.block(**block_args) for _ in range(num_layers)])

    def block(self, **block_args):
        return EncoderBlock(**block_args)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def step(self, layer, x, mask):
        """One map, and what the next layer gets."""
        return layer.self_attn(x, mask, return_attention=True)[1], layer(x, mask)

    def get_attention_maps(self, x, mask=None):
        maps = []
        for layer in self.layers:
            attention, x = self.step(layer, x, mask)
            maps.append(attention)
        return maps


class OneBlockRepeated(Steps):
    def make(self, num_layers, block_args):
        self.layers = nn.ModuleList([self.block(**block_args)] * num_layers)


class PlainList(Steps):
    def make(self, num_layers, block_args):
        self.layers = [self.block(**block_args) for _ in range(num_layers)]


class OneLayer(Steps):
    def make(self, num_layers, block_args):
        super().make(1, block_args)


class OneMore(Steps):
    def make(self, num_layers, block_args):
        super().make(num_layers + 1, block_args)


class OtherName(Steps):
    def make(self, num_layers, block_args):
        self.blocks = nn.ModuleList([self.block(**block_args) for _ in range(num_layers)])

    @property
    def layers(self):
        return list(self.blocks)


class WithFinalNorm(Steps):
    def make(self, num_layers, block_args):
        super().make(num_layers, block_args)
        self.norm = nn.LayerNorm(block_args["input_dim"])

    def forward(self, x, mask=None):
        return self.norm(super().forward(x, mask))


class PreNorm(Steps):
    def block(self, **block_args):
        return PreNormEncoderBlock(**block_args)


class DropoutLost(Steps):
    def block(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        return EncoderBlock(input_dim, num_heads, dim_feedforward)


class HeadsLost(Steps):
    def block(self, input_dim, num_heads, dim_feedforward, dropout=0.0):
        return EncoderBlock(input_dim, 1, dim_feedforward, dropout)


class LastOnly(Steps):
    def forward(self, x, mask=None):
        for layer in self.layers:
            output = layer(x, mask)
        return output


class FirstOnly(Steps):
    def forward(self, x, mask=None):
        return self.layers[0](x, mask)


class Backwards(Steps):
    def forward(self, x, mask=None):
        for layer in reversed(self.layers):
            x = layer(x, mask)
        return x


class ReturnsTooSoon(Steps):
    def forward(self, x, mask=None):
        for layer in list(self.layers)[:-1]:
            x = layer(x, mask)
        return x


class Summed(Steps):
    def forward(self, x, mask=None):
        return sum(layer(x, mask) for layer in self.layers)


class WithResidual(Steps):
    def forward(self, x, mask=None):
        return x + super().forward(x, mask)


class ResidualEachTime(Steps):
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = x + layer(x, mask)
        return x


class MaskForgotten(Steps):
    def forward(self, x, mask=None):
        return super().forward(x)


class MaskFirstOnly(Steps):
    def forward(self, x, mask=None):
        x = self.layers[0](x, mask)
        for layer in list(self.layers)[1:]:
            x = layer(x)
        return x


class MaskLastOnly(Steps):
    def forward(self, x, mask=None):
        for layer in list(self.layers)[:-1]:
            x = layer(x)
        return self.layers[-1](x, mask)


class MaskNowhere(MaskForgotten):
    def get_attention_maps(self, x, mask=None):
        return super().get_attention_maps(x)


class CutFromTheGraph(Steps):
    @torch.no_grad()
    def forward(self, x, mask=None):
        return super().forward(x, mask)


class MapsOfTheInput(Steps):
    def step(self, layer, x, mask):
        return layer.self_attn(x, mask, return_attention=True)[1], x


class MapsOfTheOutput(Steps):
    def step(self, layer, x, mask):
        x = layer(x, mask)
        return layer.self_attn(x, mask, return_attention=True)[1], x


class MapsOfAttentionAlone(Steps):
    def step(self, layer, x, mask):
        x, attention = layer.self_attn(x, mask, return_attention=True)
        return attention, x


class MapsUnmasked(Steps):
    def step(self, layer, x, mask):
        return layer.self_attn(x, return_attention=True)[1], layer(x, mask)


class MaskLostOnTheWay(Steps):
    def step(self, layer, x, mask):
        return layer.self_attn(x, mask, return_attention=True)[1], layer(x)


class MaskForTheFirstMap(Steps):
    def get_attention_maps(self, x, mask=None):
        maps = []
        for place, layer in enumerate(self.layers):
            attention, x = self.step(layer, x, mask if place == 0 else None)
            maps.append(attention)
        return maps


class MapsWithoutMask(Steps):
    def get_attention_maps(self, x, mask=None):
        return super().get_attention_maps(x)


class MapsAveraged(Steps):
    def step(self, layer, x, mask):
        attention, x = super().step(layer, x, mask)
        return attention.mean(dim=1), x


class OutputsAsMaps(Steps):
    def step(self, layer, x, mask):
        return layer.self_attn(x, mask), layer(x, mask)


class LastMapOnly(Steps):
    def get_attention_maps(self, x, mask=None):
        return super().get_attention_maps(x, mask)[-1:]


class MapsBackwards(Steps):
    def get_attention_maps(self, x, mask=None):
        return super().get_attention_maps(x, mask)[::-1]


class FirstMapOnly(Steps):
    def get_attention_maps(self, x, mask=None):
        return super().get_attention_maps(x, mask)[:1]


class SkipsTheFirst(Steps):
    def forward(self, x, mask=None):
        for layer in list(self.layers)[1:]:
            x = layer(x, mask)
        return x


class Averaged(Steps):
    def forward(self, x, mask=None):
        return torch.stack([layer(x, mask) for layer in self.layers]).mean(dim=0)


class LayersCutOff(Steps):
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x.detach(), mask)
        return x


class InputCutOff(Steps):
    def forward(self, x, mask=None):
        return super().forward(x.detach(), mask)


class KeepsTheMask(Steps):
    kept = None

    def forward(self, x, mask=None):
        self.kept = mask if self.kept is None else self.kept
        return super().forward(x, self.kept)


class KeepsTheMaps(Steps):
    kept = None

    def get_attention_maps(self, x, mask=None):
        self.kept = super().get_attention_maps(x, mask) if self.kept is None else self.kept
        return self.kept


class DropoutByDefault(Steps):
    def forward(self, x, mask=None):
        return nn.functional.dropout(super().forward(x, mask), 0.1, training=self.training)
