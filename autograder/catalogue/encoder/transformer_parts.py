"""`TransformerEncoder` in small steps, each of which a wrong way replaces."""

from torch import nn

from course_lib.model.encoder import EncoderBlock


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
