"""Wrong ways to write `MultiheadAttention` as a whole: its output, its calls, its refusal and its gradients."""

from torch import nn

from autograder.catalogue.multi_head.attention_parts import SelfAttention


class NoOutputProjection(SelfAttention):
    def forward(self, x, mask=None, return_attention=False):
        values, attention = self.attend(*self.project(x), mask)
        return self.result(self.merge(values), attention, return_attention)


class WithResidual(SelfAttention):
    def forward(self, x, mask=None, return_attention=False):
        result = super().forward(x, mask, return_attention)
        return (result[0] + x, result[1]) if return_attention else result + x


class WithReLU(SelfAttention):
    def merge(self, values):
        return super().merge(values).relu()


class BatchSecond(SelfAttention):
    def forward(self, x, mask=None, return_attention=False):
        result = super().forward(x.transpose(0, 1), mask, return_attention)
        return (result[0].transpose(0, 1), result[1]) if return_attention else result.transpose(0, 1)


class Unchecked(SelfAttention):
    def check(self, embed_dim, num_heads):
        pass


class Asserted(SelfAttention):
    def check(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0, f"embed_dim {embed_dim} is not a multiple of num_heads {num_heads}"


class WithoutNumbers(SelfAttention):
    def check(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")


class InputChecked(Unchecked):
    def __init__(self, input_dim, embed_dim, num_heads):
        if input_dim % num_heads:
            raise ValueError(f"input_dim {input_dim} is not a multiple of num_heads {num_heads}")
        super().__init__(input_dim, embed_dim, num_heads)


class CutFromTheGraph(SelfAttention):
    def project(self, x):
        return (part.detach() for part in super().project(x))


class KeepsTheMask(SelfAttention):
    kept = None

    def forward(self, x, mask=None, return_attention=False):
        self.kept = mask if self.kept is None else self.kept
        return super().forward(x, self.kept, return_attention)


class KeepsTheProjection(SelfAttention):
    kept = None

    def project(self, x):
        self.kept = super().project(x) if self.kept is None else self.kept
        return self.kept


class DropoutByDefault(SelfAttention):
    def weigh(self, scores):
        return nn.functional.dropout(super().weigh(scores), 0.1, training=self.training)


class ScoresCutOff(SelfAttention):
    def weigh(self, scores):
        return super().weigh(scores.detach())


class ValuesCutOff(SelfAttention):
    def project(self, x):
        q, k, v = super().project(x)
        return q, k, v.detach()


class WithoutItsBias(SelfAttention):
    def forward(self, x, mask=None, return_attention=False):
        values, attention = self.attend(*self.project(x), mask)
        return self.result(self.merge(values) @ self.o_proj.weight.T, attention, return_attention)
