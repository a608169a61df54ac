"""Other right ways to stack decoder blocks: all of them get full marks."""

from functools import reduce

from torch import nn

from course_lib.model.decoder import DecoderBlock


class ByReduce(nn.Module):
    """Arguments by name, the loop as a reduction."""

    def __init__(self, num_layers: int, **kwargs):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(DecoderBlock(**kwargs))

    def forward(self, tgt, memory, mask=None, memory_mask=None):
        def apply(x, layer):
            return layer(x, memory, mask=mask, memory_mask=memory_mask)

        return reduce(apply, self.layers, tgt)


class ByIndex(nn.Module):
    """All arguments written out, a Sequential as the container."""

    def __init__(self, num_layers, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__()
        blocks = [DecoderBlock(input_dim, num_heads, dim_feedforward, dropout) for _ in range(num_layers)]
        self.layers = nn.Sequential(*blocks)

    def forward(self, x, memory, mask=None, memory_mask=None):
        for index in range(len(self.layers)):
            x = self.layers[index](x, memory, mask, memory_mask)
        return x


class OwnBlock(nn.Module):
    """torch's names of the arguments."""

    def __init__(self, *arguments, **named):
        super().__init__()
        for name, part in DecoderBlock(*arguments, **named).named_children():
            setattr(self, name, part)

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None):
        return DecoderBlock.forward(self, tgt, memory, tgt_mask, memory_mask)


class OfOwnBlocks(nn.Module):
    """Blocks whose arguments have names of their own, called by them."""

    def __init__(self, num_layers, **block_args):
        super().__init__()
        self.layers = nn.ModuleList([OwnBlock(**block_args) for _ in range(num_layers)])

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None):
        for layer in self.layers:
            tgt = layer(tgt=tgt, memory=memory, tgt_mask=tgt_mask, memory_mask=memory_mask)
        return tgt


VARIANTS = (OfOwnBlocks, ByReduce, ByIndex)
