"""Wrong ways to collect the attention maps of `TransformerEncoder`."""

from autograder.catalogue.encoder.transformer_parts import Steps


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
