"""Wrong tables of sines and cosines: in the exponents, the columns, the positions and the width."""

import math

import torch

from autograder.catalogue.positions.encoding_parts import Steps


class ExponentDoubled(Steps):
    def exponents(self, d_model):
        return 2 * torch.arange(0, d_model, 2) / d_model


class ExponentHalved(Steps):
    def exponents(self, d_model):
        return torch.arange((d_model + 1) // 2) / d_model


class ExponentByHalf(Steps):
    def exponents(self, d_model):
        half = (d_model + 1) // 2
        return torch.arange(half) / max(half - 1, 1)


class AnotherBase(Steps):
    base = 1000.0


class Faster(Steps):
    def exponents(self, d_model):
        return -torch.arange(0, d_model, 2) / d_model


class WholeExponents(Steps):
    def exponents(self, d_model):
        return torch.arange(0, d_model, 2) // d_model


class EachItsOwn(Steps):
    def table(self, d_model, max_len):
        angles = self.positions(max_len)[:, None] / self.base ** (torch.arange(d_model) / d_model)
        pe = angles.sin()
        pe[:, 1::2] = angles[:, 1::2].cos()
        return pe


class SineAndCosineExchanged(Steps):
    def fill(self, pe, angles):
        pe[:, 0::2] = angles.cos()
        pe[:, 1::2] = angles.sin()[:, : pe.shape[1] // 2]
        return pe


class SinesThenCosines(Steps):
    def fill(self, pe, angles):
        return torch.cat([angles.sin(), angles.cos()], dim=1)[:, : pe.shape[1]]


class OnlySines(Steps):
    def fill(self, pe, angles):
        return angles.sin().repeat_interleave(2, dim=1)[:, : pe.shape[1]]


class FromOne(Steps):
    def positions(self, max_len):
        return super().positions(max_len) + 1


class Fractions(Steps):
    def positions(self, max_len):
        return super().positions(max_len) / max_len


class InDegrees(Steps):
    def fill(self, pe, angles):
        return super().fill(pe, angles * math.pi / 180)


class EvenOnly(Steps):
    def fill(self, pe, angles):
        pe[:, 0::2] = angles.sin()
        pe[:, 1::2] = angles.cos()
        return pe


class LastColumnEmpty(Steps):
    def fill(self, pe, angles):
        half = pe.shape[1] // 2
        pe[:, 0 : 2 * half : 2] = angles.sin()[:, :half]
        pe[:, 1::2] = angles.cos()[:, :half]
        return pe


class RoundedUp(Steps):
    def table(self, d_model, max_len):
        even = d_model + d_model % 2
        return super().table(even, max_len)[:, :d_model]


class OnlyCosines(Steps):
    def fill(self, pe, angles):
        return angles.cos().repeat_interleave(2, dim=1)[:, : pe.shape[1]]


class WidthLessOne(Steps):
    def exponents(self, d_model):
        return torch.arange(0, d_model, 2) / max(d_model - 1, 1)
