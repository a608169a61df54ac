"""Decoders that do something else with their blocks, and two that do the right thing in another way."""

from functools import reduce

from torch import nn

from autograder.exercise import Misconception
from course_lib.decoder import DecoderBlock, TransformerDecoder

CHAIN, MASK = "layers one after another, all with the same memory", "the mask reaches every layer"
MEMORY_MASK, OWN = "the memory mask reaches every layer", "every layer has parameters of its own"
ARGUMENTS = "the blocks get their arguments"


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


class NoDropout(TransformerDecoder):
    def __init__(self, num_layers, dropout=0.0, **block_args):
        super().__init__(num_layers, **block_args)


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


VARIANTS = (ByReduce, ByIndex)

MISCONCEPTIONS = (
    Misconception(
        "mask for the first layer only",
        MaskForTheFirst,
        "Only the first layer gets the mask; the others see what it hides.",
        "What is the value of `mask` in the second round of your loop?",
        (MASK,),
    ),
    Misconception(
        "memory mask for the first layer only",
        MemoryMaskForTheFirst,
        "Only the first layer gets the memory mask; the others read the padding.",
        "What is the value of `memory_mask` in the second round of your loop?",
        (MEMORY_MASK,),
    ),
    Misconception(
        "mask dropped",
        MaskDropped,
        "The mask does not reach the layers.",
        "With which arguments do you call each layer?",
        (MASK,),
    ),
    Misconception(
        "memory mask dropped",
        MemoryMaskDropped,
        "The memory mask does not reach the layers.",
        "With which arguments do you call each layer?",
        (MEMORY_MASK,),
    ),
    Misconception(
        "masks exchanged",
        MasksExchanged,
        "The layers get the memory mask where they expect the mask, and the other way round.",
        "In which order does DecoderBlock take its masks?",
        (MASK, MEMORY_MASK),
    ),
    Misconception(
        "all layers get the input",
        SideBySide,
        "Every layer starts again from the first x, and only the last one's result is kept.",
        "What does the second layer take in?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "layers backwards",
        Backwards,
        "The layers run from the last to the first: weights from elsewhere would not fit.",
        "Which layer sees the tokens first?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "last layer forgotten",
        LastLayerForgotten,
        "The last layer is never called.",
        "How often does your loop run with three layers?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "returns inside the loop",
        FirstLayerAlone,
        "The return stands inside the loop: the first layer is the only one.",
        "How far is your return indented?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "memory replaced by the output",
        MemoryReplaced,
        "After the first layer the memory is gone: the others attend to the layer before.",
        "Should the second layer still be able to read the source?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "memory forgotten",
        MemoryForgotten,
        "The layers get the tokens in the place of the memory: nothing of the source is read.",
        "What is the second argument of DecoderBlock?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "a residual around each block",
        ResidualAroundEach,
        "The blocks have their residuals inside; you add one more around each.",
        "Where are the plus signs of figure 1?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "a norm at the end",
        NormAtTheEnd,
        "A last norm belongs to pre-norm models; here every block ends with one already.",
        "Which parameters has your decoder besides those of its layers?",
        (CHAIN, MASK, MEMORY_MASK, OWN, ARGUMENTS),
    ),
    Misconception(
        "one block for all layers",
        OneBlockForAll,
        "The same block stands in every place: the layers share their weights.",
        "What does `[block] * 3` repeat, the block or its construction?",
        (OWN,),
    ),
    Misconception(
        "a Python list",
        PythonList,
        "A Python list hides its modules: .parameters() does not find them, so nothing is trained.",
        "What does nn.ModuleList do that a list does not?",
        (OWN, ARGUMENTS),
    ),
    Misconception(
        "one layer too many",
        OneLayerMore,
        "You build one layer more than num_layers.",
        "How many times does your loop run?",
        (CHAIN, MASK, MEMORY_MASK, OWN, ARGUMENTS),
    ),
    Misconception(
        "a fixed number of heads",
        OneHead,
        "The blocks always have one head, whatever num_heads says.",
        "Which of the block's arguments are handed on?",
        (ARGUMENTS,),
    ),
    Misconception(
        "dropout not handed on",
        NoDropout,
        "The blocks never hear of dropout.",
        "Which of the block's arguments are handed on?",
        (ARGUMENTS,),
    ),
)
