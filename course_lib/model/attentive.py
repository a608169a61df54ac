"""A recurrent decoder that attends: before each step its state asks the memory."""

import torch
from torch import nn

from course_lib.model.additive import AdditiveAttention


class AttentiveDecoder(nn.Module):
    """A GRU that reads, at each step, the token before and what it attended to in the memory.

    Args:
        vocab_size: of the target.
        model_dim: width of the embedding and of the state.
        memory_dim: width of the memory.

    Parameters:
        embedding: nn.Embedding, vocab_size → model_dim. start: Linear, memory_dim → model_dim, no tanh after it.
        attention: AdditiveAttention with hidden_dim = model_dim; the state asks. cell: nn.GRUCell on [embedding,
        context]. output: Linear on [state, context] → vocab_size.

    `forward(tokens, memory, mask=None)`: tokens [B, T], memory [B, S, memory_dim], mask [B, S], 0 or False for what is
    not seen. The first state is `start` of the mean of the memory that is seen (of zeros, where none is). The state
    of step t − 1 asks, and context and token make the state of step t. Returns logits [B, T, vocab_size] and
    attention [B, T, S].

    Source: Bahdanau et al. 2015, appendix A.2, without its maxout layer.

    >>> decoder = AttentiveDecoder(vocab_size=7, model_dim=3, memory_dim=5)
    >>> logits, attention = decoder(torch.ones(2, 4, dtype=torch.long), torch.ones(2, 11, 5))
    >>> logits.shape, attention.shape
    (torch.Size([2, 4, 7]), torch.Size([2, 4, 11]))
    """

    def __init__(self, vocab_size: int, model_dim: int, memory_dim: int):
        super().__init__()
        # BEGIN SOLUTION
        #: Five parts, under the names of the docstring. The cell and the output each read two things at once:
        #: their widths add up.
        self.embedding = nn.Embedding(vocab_size, model_dim)
        self.start = nn.Linear(memory_dim, model_dim)
        self.attention = AdditiveAttention(model_dim, memory_dim, hidden_dim=model_dim)
        self.cell = nn.GRUCell(model_dim + memory_dim, model_dim)
        self.output = nn.Linear(model_dim + memory_dim, vocab_size)
        # END SOLUTION

    def forward(
        self, tokens: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        # BEGIN SOLUTION
        #: The mean of the memory goes over what is seen: padding must neither be added nor counted.
        #: Then step by step: ask with the state that is there, make the next one, guess from it and the context.
        #: Collect logits and attention in lists, and stack them along a new axis 1 at the end.
        seen = torch.ones_like(memory[..., 0]) if mask is None else (mask != 0).to(memory.dtype)  # [B, S]
        total = (seen.unsqueeze(-1) * memory).sum(dim=1)  # [B, memory_dim]
        state = self.start(total / seen.sum(dim=1, keepdim=True).clamp(min=1))  # [B, model_dim]
        logits, attention = [], []
        for token in self.embedding(tokens).unbind(dim=1):  # [B, model_dim]
            context, weights = self.attention(state, memory, mask)  # [B, memory_dim], [B, S]
            state = self.cell(torch.cat([token, context], dim=-1), state)
            logits.append(self.output(torch.cat([state, context], dim=-1)))
            attention.append(weights)
        return torch.stack(logits, dim=1), torch.stack(attention, dim=1)  # [B, T, vocab_size], [B, T, S]
        # END SOLUTION
