"""Wrong ways to return the attention of `MultiheadAttention`."""

from autograder.catalogue.multi_head.attention_parts import SelfAttention


class AttentionNeverReturned(SelfAttention):
    def result(self, output, attention, return_attention):
        return output


class AttentionAlwaysReturned(SelfAttention):
    def result(self, output, attention, return_attention):
        return output, attention


class AttentionAveraged(SelfAttention):
    def result(self, output, attention, return_attention):
        return super().result(output, attention.mean(dim=1), return_attention)


class AttentionFirst(SelfAttention):
    def result(self, output, attention, return_attention):
        return (attention, output) if return_attention else output


class AttentionTransposed(SelfAttention):
    def result(self, output, attention, return_attention):
        return super().result(output, attention.transpose(-2, -1), return_attention)


class ScoresReturned(SelfAttention):
    def attend(self, q, k, v, mask):
        values, _ = super().attend(q, k, v, mask)
        return values, q @ k.transpose(-2, -1) * self.scale(q, k)


class AttentionAlone(SelfAttention):
    def result(self, output, attention, return_attention):
        return attention if return_attention else output


class FlagTurned(SelfAttention):
    def result(self, output, attention, return_attention):
        return output if return_attention else (output, attention)
