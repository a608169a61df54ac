"""Decoders that do something else with their blocks."""

from torch import nn

from course_lib.model.decoder import DecoderBlock, TransformerDecoder


class MaskForTheFirst(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        for layer in self.layers:
            x, mask = layer(x, memory, mask, memory_mask), None
        return x


class MemoryMaskForTheFirst(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        for layer in self.layers:
            x, memory_mask = layer(x, memory, mask, memory_mask), None
        return x


class MaskDropped(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        return super().forward(x, memory, memory_mask=memory_mask)


class MemoryMaskDropped(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        return super().forward(x, memory, mask)


class BothMasksDropped(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        return super().forward(x, memory)


class MasksExchanged(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        return super().forward(x, memory, memory_mask, mask)


class SideBySide(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        for layer in self.layers:
            output = layer(x, memory, mask, memory_mask)
        return output


class Backwards(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        for layer in reversed(self.layers):
            x = layer(x, memory, mask, memory_mask)
        return x


class LastLayerForgotten(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        for layer in self.layers[:-1]:
            x = layer(x, memory, mask, memory_mask)
        return x


class FirstLayerAlone(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        for layer in self.layers:
            x = layer(x, memory, mask, memory_mask)
            break
        return x


class MemoryReplaced(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        for layer in self.layers:
            memory = x = layer(x, memory, mask, memory_mask if memory.shape[1] != x.shape[1] else None)
        return x


class MemoryForgotten(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        for layer in self.layers:
            x = layer(x, x, mask, None)
        return x


class ResidualAroundEach(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        for layer in self.layers:
            x = x + layer(x, memory, mask, memory_mask)
        return x


class NormAtTheEnd(TransformerDecoder):
    def __init__(self, num_layers, **block_args):
        super().__init__(num_layers, **block_args)
        self.norm = nn.LayerNorm(block_args["input_dim"])

    def forward(self, x, memory, mask=None, memory_mask=None):
        return self.norm(super().forward(x, memory, mask, memory_mask))


class OneBlockForAll(TransformerDecoder):
    def __init__(self, num_layers, **block_args):
        super().__init__(num_layers, **block_args)
        self.layers = nn.ModuleList([DecoderBlock(**block_args)] * num_layers)


class PythonList(TransformerDecoder):
    def __init__(self, num_layers, **block_args):
        nn.Module.__init__(self)
        self.layers = [DecoderBlock(**block_args) for _ in range(num_layers)]


class OneLayerMore(TransformerDecoder):
    def __init__(self, num_layers, **block_args):
        super().__init__(num_layers + 1, **block_args)


class OneHead(TransformerDecoder):
    def __init__(self, num_layers, input_dim, num_heads, dim_feedforward, dropout=0.0):
        super().__init__(num_layers, input_dim=input_dim, num_heads=1, dim_feedforward=dim_feedforward, dropout=dropout)


class MemoryCutOff(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        return super().forward(x, memory.detach(), mask, memory_mask)


class CutBetweenLayers(TransformerDecoder):
    def forward(self, x, memory, mask=None, memory_mask=None):
        for layer in self.layers:
            x = layer(x.detach(), memory, mask, memory_mask)
        return x


class FixedWidth(TransformerDecoder):
    def __init__(self, num_layers, **block_args):
        super().__init__(num_layers, **block_args | {"dim_feedforward": 4 * block_args["input_dim"]})


class FixedDepth(TransformerDecoder):
    def __init__(self, num_layers, **block_args):
        super().__init__(3, **block_args)


class DropoutByHabit(TransformerDecoder):
    def __init__(self, num_layers, **block_args):
        super().__init__(num_layers, **block_args | {"dropout": 0.1})


class NoDropout(TransformerDecoder):
    def __init__(self, num_layers, dropout=0.0, **block_args):
        super().__init__(num_layers, **block_args)
