"""Predictors that are not the one asked for: the right one, with one part of it changed each time."""

import torch
from torch import nn
from torch.nn import functional as F

from course_lib.model.encoder import PreNormEncoderBlock, TransformerEncoder
from course_lib.model.predictor import TransformerPredictor


class Parts(TransformerPredictor):
    """The right predictor, in parts that can be changed one by one."""

    def enter(self, x, add_positional_encoding):
        x = self.input_net(x)
        return self.positional_encoding(x) if add_positional_encoding else x

    def forward(self, x, mask=None, add_positional_encoding=True):
        return self.output_net(self.transformer(self.enter(x, add_positional_encoding), mask))

    def get_attention_maps(self, x, mask=None, add_positional_encoding=True):
        return self.transformer.get_attention_maps(self.enter(x, add_positional_encoding), mask)


class AlwaysPositions(Parts):
    def enter(self, x, add_positional_encoding):
        return super().enter(x, True)


class NeverPositions(Parts):
    def enter(self, x, add_positional_encoding):
        return super().enter(x, False)


class PositionsOnRequest(Parts):
    def forward(self, x, mask=None, add_positional_encoding=False):
        return super().forward(x, mask, add_positional_encoding)

    def get_attention_maps(self, x, mask=None, add_positional_encoding=False):
        return super().get_attention_maps(x, mask, add_positional_encoding)


class PositionsInverted(Parts):
    def enter(self, x, add_positional_encoding):
        return super().enter(x, not add_positional_encoding)


class PositionsOfTheBatch(Parts):
    def enter(self, x, add_positional_encoding):
        x = self.input_net(x)
        return self.positional_encoding(x.transpose(0, 1)).transpose(0, 1) if add_positional_encoding else x


class ScaledInput(Parts):
    def enter(self, x, add_positional_encoding):
        x = self.input_net(x) * x.shape[-1] ** 0.5
        return self.positional_encoding(x) if add_positional_encoding else x


class MaskDropped(Parts):
    def forward(self, x, mask=None, add_positional_encoding=True):
        return super().forward(x, None, add_positional_encoding)


class MaskDroppedInTheMaps(Parts):
    def get_attention_maps(self, x, mask=None, add_positional_encoding=True):
        return super().get_attention_maps(x, None, add_positional_encoding)


class MaskDroppedAfterTheFirstLayer(Parts):
    def get_attention_maps(self, x, mask=None, add_positional_encoding=True):
        x, maps = self.enter(x, add_positional_encoding), []
        for layer in self.transformer.layers:
            maps.append(layer.self_attn(x, mask, return_attention=True)[1])
            x = layer(x)
        return maps


class MapsWithoutPositions(Parts):
    def get_attention_maps(self, x, mask=None, add_positional_encoding=True):
        return super().get_attention_maps(x, mask, False)


class MapsAlwaysWithPositions(Parts):
    def get_attention_maps(self, x, mask=None, add_positional_encoding=True):
        return super().get_attention_maps(x, mask, True)


class LastMapOnly(Parts):
    def get_attention_maps(self, x, mask=None, add_positional_encoding=True):
        return super().get_attention_maps(x, mask, add_positional_encoding)[-1:]


class MapsOfTheInput(Parts):
    def get_attention_maps(self, x, mask=None, add_positional_encoding=True):
        x = self.enter(x, add_positional_encoding)
        return [layer.self_attn(x, mask, return_attention=True)[1] for layer in self.transformer.layers]


class MeanOverHeads(Parts):
    def get_attention_maps(self, x, mask=None, add_positional_encoding=True):
        maps = super().get_attention_maps(x, mask, add_positional_encoding)
        return [attention.mean(dim=1, keepdim=True) for attention in maps]


class Probabilities(Parts):
    def forward(self, x, mask=None, add_positional_encoding=True):
        return super().forward(x, mask, add_positional_encoding).softmax(dim=-1)


class OneForTheSequence(Parts):
    def forward(self, x, mask=None, add_positional_encoding=True):
        return super().forward(x, mask, add_positional_encoding).mean(dim=1)


class ReluForgotten(Parts):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.output_net[2] = nn.Identity()


class ReluBeforeTheNorm(Parts):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        first, scale, relu, dropout, last = self.output_net
        self.output_net = nn.Sequential(first, relu, scale, dropout, last)


class NoDropoutInTheInput(Parts):
    def __init__(self, *arguments, input_dropout=0.0, **named):
        super().__init__(*arguments, **named)
        self.input_net = nn.Sequential(self.input_net[1])


class InputDropoutForgotten(Parts):
    def __init__(self, *arguments, input_dropout=0.0, **named):
        super().__init__(*arguments, **named)


class DropoutForgotten(Parts):
    def __init__(self, *arguments, dropout=0.0, **named):
        super().__init__(*arguments, **named)


class DropoutForTheInput(Parts):
    def __init__(self, *arguments, dropout=0.0, input_dropout=0.0, **named):
        super().__init__(*arguments, dropout=input_dropout, input_dropout=dropout, **named)


class OutputNotDropped(Parts):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.output_net[3] = nn.Identity()


class Gelu(Parts):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.output_net[2] = nn.GELU()


class LogProbabilities(Parts):
    def forward(self, x, mask=None, add_positional_encoding=True):
        return super().forward(x, mask, add_positional_encoding).log_softmax(dim=-1)


class NoMaps(Parts):
    def get_attention_maps(self, x, mask=None, add_positional_encoding=True):
        super().get_attention_maps(x, mask, add_positional_encoding)


class MapsOfTheRawInput(Parts):
    def get_attention_maps(self, x, mask=None, add_positional_encoding=True):
        return self.transformer.get_attention_maps(x, mask)


class PositionsSaved(Parts):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.positional_encoding.register_buffer("pe", self.positional_encoding.pe, persistent=True)


class EncoderWithoutDropout(Parts):
    def __init__(self, input_dim, model_dim, num_classes, num_heads, num_layers, **named):
        super().__init__(input_dim, model_dim, num_classes, num_heads, num_layers, **named)
        self.transformer = TransformerEncoder(
            num_layers, input_dim=model_dim, num_heads=num_heads, dim_feedforward=2 * model_dim
        )


class DropoutAlwaysOn(Parts):
    def enter(self, x, add_positional_encoding):
        return super().enter(F.dropout(x, self.input_net[0].p), add_positional_encoding)


class DropoutsExchanged(Parts):
    def __init__(self, *arguments, dropout=0.0, input_dropout=0.1, **named):
        super().__init__(*arguments, dropout=dropout, input_dropout=input_dropout, **named)


class FourTimesAsWide(Parts):
    def __init__(self, input_dim, model_dim, num_classes, num_heads, num_layers, **named):
        super().__init__(input_dim, model_dim, num_classes, num_heads, num_layers, **named)
        self.transformer = TransformerEncoder(
            num_layers,
            input_dim=model_dim,
            num_heads=num_heads,
            dim_feedforward=4 * model_dim,
            dropout=named.get("dropout", 0.0),
        )


class OneHead(Parts):
    def __init__(self, input_dim, model_dim, num_classes, num_heads, num_layers, **named):
        super().__init__(input_dim, model_dim, num_classes, 1, num_layers, **named)


class PreNorm(Parts):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        for layer in self.transformer.layers:
            layer.__class__ = PreNormEncoderBlock


class ResidualAround(Parts):
    def forward(self, x, mask=None, add_positional_encoding=True):
        x = self.enter(x, add_positional_encoding)
        return self.output_net(x + self.transformer(x, mask))


class NoTransformer(Parts):
    def forward(self, x, mask=None, add_positional_encoding=True):
        return self.output_net(self.enter(x, add_positional_encoding))


class MixesTheBatch(Parts):
    def enter(self, x, add_positional_encoding):
        x = x - x.mean(dim=0, keepdim=True)
        return super().enter(x, add_positional_encoding)


class InputCutOff(Parts):
    def enter(self, x, add_positional_encoding):
        with torch.no_grad():
            return super().enter(x, add_positional_encoding)
