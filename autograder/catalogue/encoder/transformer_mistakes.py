"""Wrong ways through the layers of `TransformerEncoder`: in their order, their masks and their gradients."""

import torch
from torch import nn

from autograder.catalogue.encoder.transformer_parts import Steps


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
