"""Attention before the Transformer: one query, a row of keys, and a weighted mean of the keys themselves."""

import torch
from torch import nn

from course_lib.model.attention import softmax


class AdditiveAttention(nn.Module):
    """Scores from a small network: score(q, k) = w · tanh(W_q q + W_k k).

    Args:
        query_dim, key_dim: widths of the query and of the keys.
        hidden_dim: width of the network between them.

    Parameters:
        query_proj: Linear, query_dim → hidden_dim. key_proj: Linear, key_dim → hidden_dim. score: Linear,
        hidden_dim → 1. None of them has a bias.

    `forward(query, keys, mask=None)`: query [B, query_dim], keys [B, S, key_dim], mask [B, S], 0 or False for a key
    that is not seen. Returns context [B, key_dim] and attention [B, S]. A query that sees no key gets finite numbers.

    Source: Bahdanau et al. 2015, "Neural Machine Translation by Jointly Learning to Align and Translate", section 3.1
    and appendix A.1.2.

    >>> attend = AdditiveAttention(query_dim=3, key_dim=5, hidden_dim=7)
    >>> context, attention = attend(torch.ones(2, 3), torch.ones(2, 11, 5))
    >>> context.shape, attention.shape
    (torch.Size([2, 5]), torch.Size([2, 11]))
    """

    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int):
        super().__init__()
        # BEGIN SOLUTION
        #: Three Linear layers without bias. Query and keys meet at the width hidden_dim.
        self.query_proj = nn.Linear(query_dim, hidden_dim, bias=False)
        self.key_proj = nn.Linear(key_dim, hidden_dim, bias=False)
        self.score = nn.Linear(hidden_dim, 1, bias=False)
        # END SOLUTION

    def forward(
        self, query: torch.Tensor, keys: torch.Tensor, mask: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        # BEGIN SOLUTION
        #: One query for all keys of its sample: it needs an axis where the keys have S.
        #: The score ends with an axis of size 1, which is in the way of the softmax.
        #: Hide as in stage 01: a number so low that its weight is 0, and no NaN where nothing is seen.
        hidden = torch.tanh(self.query_proj(query).unsqueeze(1) + self.key_proj(keys))  # [B, S, hidden_dim]
        scores = self.score(hidden).squeeze(-1)  # [B, S]
        if mask is not None:
            scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
        attention = softmax(scores, dim=-1)  # [B, S]
        context = (attention.unsqueeze(-1) * keys).sum(dim=1)  # [B, key_dim]
        return context, attention
        # END SOLUTION


class BilinearAttention(nn.Module):
    """Scores from one matrix: score(q, k) = q · W k, which Luong calls *general*.

    Args:
        query_dim, key_dim: widths of the query and of the keys.

    Parameters:
        weight: [query_dim, key_dim].

    `forward(query, keys, mask=None)`: as `AdditiveAttention`.

    Source: Luong et al. 2015, "Effective Approaches to Attention-based Neural Machine Translation", section 3.1.

    >>> attend = BilinearAttention(query_dim=3, key_dim=5)
    >>> context, attention = attend(torch.ones(2, 3), torch.ones(2, 11, 5))
    >>> context.shape, attention.shape
    (torch.Size([2, 5]), torch.Size([2, 11]))
    """

    def __init__(self, query_dim: int, key_dim: int):
        super().__init__()
        # BEGIN SOLUTION
        #: One nn.Parameter. Drawn by randn and divided by the root of query_dim · key_dim, it gives scores of order 1.
        self.weight = nn.Parameter(torch.randn(query_dim, key_dim) / (query_dim * key_dim) ** 0.5)
        # END SOLUTION

    def forward(
        self, query: torch.Tensor, keys: torch.Tensor, mask: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        # BEGIN SOLUTION
        #: q W is a row of width key_dim for each sample; its product with each key is a score.
        #: From the scores on, all is as before.
        scores = ((query @ self.weight).unsqueeze(1) * keys).sum(dim=-1)  # [B, S]
        if mask is not None:
            scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
        attention = softmax(scores, dim=-1)  # [B, S]
        context = (attention.unsqueeze(-1) * keys).sum(dim=1)  # [B, key_dim]
        return context, attention
        # END SOLUTION
