"""Schedules that are not the one asked for: the right one, with one part of it changed each time."""

import math

from course_lib.training.schedule import CosineWarmupScheduler


class Parts(CosineWarmupScheduler):
    """The right schedule, in parts that can be changed one by one."""

    def decay(self, t):
        return 0.5 * (1 + math.cos(math.pi * t / self.max_iters))

    def climb(self, t):
        return min(1.0, t / self.warmup)

    def factor(self, t):
        return self.decay(t) * self.climb(t)

    def get_lr(self):
        return [base * self.factor(self.last_epoch) for base in self.base_lrs]


class NoWarmup(Parts):
    def climb(self, t):
        return 1.0


class ClimbNeverEnds(Parts):
    def climb(self, t):
        return t / self.warmup


class OneStepAhead(Parts):
    def factor(self, t):
        return super().factor(t + 1)


class OneStepBehind(Parts):
    def factor(self, t):
        return super().factor(t - 1)


class ClimbFromOne(Parts):
    def climb(self, t):
        return min(1.0, (t + 1) / self.warmup)


class SquaredClimb(Parts):
    def climb(self, t):
        return min(1.0, t / self.warmup) ** 2


class ClimbInWholeNumbers(Parts):
    def climb(self, t):
        return min(1, t // self.warmup)


class ClimbOverTheRun(Parts):
    def climb(self, t):
        return t / self.max_iters if t <= self.warmup else 1.0


class CosineAfterTheWarmup(Parts):
    def factor(self, t):
        if t <= self.warmup:
            return self.climb(t)
        return 0.5 * (1 + math.cos(math.pi * (t - self.warmup) / (self.max_iters - self.warmup)))


class NoCosineInTheClimb(Parts):
    def factor(self, t):
        return self.climb(t) if t < self.warmup else self.decay(t)


class NotHalved(Parts):
    def decay(self, t):
        return 1 + math.cos(math.pi * t / self.max_iters)


class NoPi(Parts):
    def decay(self, t):
        return 0.5 * (1 + math.cos(t / self.max_iters))


class QuarterOfAWave(Parts):
    def decay(self, t):
        return math.cos(0.5 * math.pi * t / self.max_iters)


class WholeWave(Parts):
    def decay(self, t):
        return 0.5 * (1 + math.cos(2 * math.pi * t / self.max_iters))


class BareCosine(Parts):
    def decay(self, t):
        return math.cos(math.pi * t / self.max_iters)


class Sine(Parts):
    def decay(self, t):
        return 0.5 * (1 + math.sin(math.pi * t / self.max_iters))


class Rising(Parts):
    def decay(self, t):
        return 0.5 * (1 - math.cos(math.pi * t / self.max_iters))


class NeverBelow(Parts):
    def factor(self, t):
        return 0.1 + 0.9 * super().factor(t)


class Straight(Parts):
    def decay(self, t):
        return 1 - t / self.max_iters


class RootDecay(Parts):
    def decay(self, t):
        return 1.0 if t <= self.warmup else math.sqrt(self.warmup / t)


class ByEpochs(Parts):
    def factor(self, t):
        return super().factor(5 * (t // 5))


class BaseRateIgnored(Parts):
    def get_lr(self):
        return [self.factor(self.last_epoch) for _ in self.base_lrs]


class RateOfTheDefaults(Parts):
    def get_lr(self):
        return [self.optimizer.defaults["lr"] * self.factor(self.last_epoch) for _ in self.base_lrs]


class ListOfOne(Parts):
    def get_lr(self):
        return [self.base_lrs[0] * self.factor(self.last_epoch)]


class FirstGroupOnly(Parts):
    def get_lr(self):
        return [self.base_lrs[0] * self.factor(self.last_epoch), *self.base_lrs[1:]]


class FirstRateForAll(Parts):
    def get_lr(self):
        return [self.base_lrs[0] * self.factor(self.last_epoch) for _ in self.base_lrs]


class FromTheLastRate(Parts):
    def get_lr(self):
        return [group["lr"] * self.factor(self.last_epoch) for group in self.optimizer.param_groups]


class Nothing(Parts):
    def get_lr(self):
        return list(self.base_lrs)
