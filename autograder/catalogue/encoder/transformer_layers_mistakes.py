"""Wrong ways to make the layers of `TransformerEncoder`."""

from torch import nn

from autograder.catalogue.encoder.transformer_parts import Steps
from course_lib.model.encoder import EncoderBlock, PreNormEncoderBlock


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
