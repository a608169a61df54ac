"""Wrong and other right ways to write `LayerNorm`."""

import torch
from torch import nn


class Steps(nn.Module):
    """Layer norm in small steps, right unless one is replaced."""

    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.make(dim)

    def make(self, dim):
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def statistics(self, x):
        return x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)

    def root(self, variance):
        return (variance + self.eps).sqrt()

    def forward(self, x):
        mean, variance = self.statistics(x)
        return self.finish((x - mean) / self.root(variance))

    def finish(self, x):
        return x * self.weight + self.bias


class Unbiased(Steps):
    def statistics(self, x):
        return x.mean(-1, keepdim=True), x.var(-1, keepdim=True)


class EpsOutside(Steps):
    def root(self, variance):
        return variance.sqrt() + self.eps


class UnbiasedAndOutside(Unbiased, EpsOutside):
    pass


class NoEps(Steps):
    def root(self, variance):
        return variance.sqrt()


class FixedEps(Steps):
    def root(self, variance):
        return (variance + 1e-5).sqrt()


class AnotherEps(Steps):
    def __init__(self, dim, eps=1e-6):
        super().__init__(dim, eps)


class EpsOverTheRoot(Steps):
    def root(self, variance):
        return variance.sqrt().clamp(min=self.eps)


class SquaredEps(Steps):
    def root(self, variance):
        return (variance + self.eps**2).sqrt()


class NoRoot(Steps):
    def root(self, variance):
        return variance + self.eps


class NotCentred(Steps):
    def statistics(self, x):
        return 0 * x[..., :1], x.square().mean(-1, keepdim=True)


class OnlyCentred(Steps):
    def root(self, variance):
        return torch.ones_like(variance)


class SquareMean(Steps):
    def statistics(self, x):
        return x.mean(-1, keepdim=True), x.square().mean(-1, keepdim=True)


class OverTheBatch(Steps):
    def statistics(self, x):
        return x.mean(0, keepdim=True), x.var(0, unbiased=False, keepdim=True)


class OverTheTokens(Steps):
    def statistics(self, x):
        return x.mean(-2, keepdim=True), x.var(-2, unbiased=False, keepdim=True)


class OverSamples(Steps):
    def statistics(self, x):
        axes = tuple(range(1, x.ndim))
        return x.mean(axes, keepdim=True), x.var(axes, unbiased=False, keepdim=True)


class OverEverything(Steps):
    def statistics(self, x):
        return x.mean(), x.var(unbiased=False)


class WithoutKeepdim(Steps):
    def statistics(self, x):
        return x.mean(-1), x.var(-1, unbiased=False)


class AxisOne(Steps):
    def statistics(self, x):
        return x.mean(1, keepdim=True), x.var(1, unbiased=False, keepdim=True)


class AxisTwo(Steps):
    def statistics(self, x):
        return x.mean(2, keepdim=True), x.var(2, unbiased=False, keepdim=True)


class BetweenZeroAndOne(Steps):
    def forward(self, x):
        low, high = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
        return self.finish((x - low) / (high - low + self.eps))


class WithoutWeight(Steps):
    def finish(self, x):
        return x + self.bias


class WithoutBias(Steps):
    def finish(self, x):
        return x * self.weight


class BiasFirst(Steps):
    def finish(self, x):
        return (x + self.bias) * self.weight


class BothUnused(Steps):
    def finish(self, x):
        return x


class BornZero(Steps):
    def make(self, dim):
        self.weight, self.bias = nn.Parameter(torch.zeros(dim)), nn.Parameter(torch.zeros(dim))


class BornRandom(Steps):
    def make(self, dim):
        self.weight = nn.Parameter(torch.linspace(-1, 1, dim))
        self.bias = nn.Parameter(torch.linspace(0, 1, dim))


class BornOne(Steps):
    def make(self, dim):
        self.weight, self.bias = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.ones(dim))


class GammaAndBeta(Steps):
    def make(self, dim):
        self.gamma, self.beta = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def finish(self, x):
        return x * self.gamma + self.beta


class PlainTensors(Steps):
    def make(self, dim):
        self.weight, self.bias = torch.ones(dim), torch.zeros(dim)


class OneNumber(Steps):
    def make(self, dim):
        self.weight, self.bias = nn.Parameter(torch.ones(1)), nn.Parameter(torch.zeros(1))


class StatisticsDetached(Steps):
    def statistics(self, x):
        return super().statistics(x.detach())


class WeightsDetached(Steps):
    def finish(self, x):
        return x * self.weight.data + self.bias.data


class Buffers(Steps):
    def make(self, dim):
        self.register_buffer("weight", torch.ones(dim))
        self.register_buffer("bias", torch.zeros(dim))


class VarianceDetached(Steps):
    def root(self, variance):
        return super().root(variance.detach())


class MeanDetached(Steps):
    def statistics(self, x):
        mean, variance = super().statistics(x)
        return mean.detach(), variance


class OnlyDivided(Steps):
    def forward(self, x):
        _, variance = self.statistics(x)
        return self.finish(x / self.root(variance))


class DropoutByDefault(Steps):
    def finish(self, x):
        return nn.functional.dropout(super().finish(x), 0.1, training=self.training)


class ByHand(nn.Module):
    """Sums and squares, a reciprocal root; the parameters through register_parameter."""

    def __init__(self, dim: int, eps: float = 1e-5, elementwise_affine: bool = True):
        super().__init__()
        self.dim, self.eps = dim, eps
        self.register_parameter("weight", nn.Parameter(torch.ones((dim,))))
        self.register_parameter("bias", nn.Parameter(torch.zeros((dim,))))

    def forward(self, features):
        centred = features - features.sum(dim=-1, keepdim=True) / self.dim
        variance = (centred**2).sum(dim=-1, keepdim=True) / self.dim
        return torch.addcmul(self.bias, centred * torch.rsqrt(variance + self.eps), self.weight)


class OtherNames(Steps):
    """Arguments under other names."""

    def __init__(self, features, epsilon=1e-5):
        super().__init__(features, epsilon)


class ByVarMean(Steps):
    """var_mean in one call."""

    def statistics(self, x):
        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return mean, variance


class ByMeanOfSquares(Steps):
    """The mean of the squares minus the square of the mean, in float64."""

    def forward(self, x):
        wide = x.double()
        mean = wide.mean(-1, keepdim=True)
        variance = wide.pow(2).mean(-1, keepdim=True) - mean**2
        return self.finish(((wide - mean) / torch.sqrt(variance + self.eps)).to(x.dtype))


VARIANTS = (ByHand, OtherNames, ByVarMean, ByMeanOfSquares)
