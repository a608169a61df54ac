"""Scaled dot-product attention: weights from a softmax, values as a weighted mean."""

import math

import torch


def softmax(logits: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Turn logits into positive weights that sum to one along a dimension.

    Args:
        logits: tensor of any shape; values as large as ±1e4 must give no NaN and no infinity.
        dim: the dimension along which the weights sum to one.

    Returns:
        Weights, of the shape of `logits`.

    Source: Bridle 1990, "Training stochastic model recognition algorithms as networks …", section 3;
    used in "Attention Is All You Need", section 3.2.1.

    >>> softmax(torch.tensor([10000.0, 10000.0]))
    tensor([0.5000, 0.5000])
    """
    # BEGIN SOLUTION
    #: exp of a large number overflows; exp of a number that is at most 0 does not.
    #: Subtracting the same number from all logits along `dim` leaves the weights as they are.
    #: Use exp, max (or amax) and sum. `keepdim=True` keeps the shapes broadcastable.
    exponents = torch.exp(logits - logits.amax(dim=dim, keepdim=True))
    return exponents / exponents.sum(dim=dim, keepdim=True)
    # END SOLUTION


def scaled_dot_product(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Average the values, each query weighting them by how well their keys fit it.

    Args:
        q: queries [..., L, d_k].
        k: keys [..., S, d_k].
        v: values [..., S, d_v].
        mask: bool, int or float, broadcastable to the scores [..., L, S]; 0 or False means
            that the query does not attend to the key. None hides nothing.

    Returns:
        values [..., L, d_v] and attention [..., L, S]. Each query that sees a key has weights that
        sum to one. For a query that sees no key, values and weights are free but must be finite, and so
        must all gradients (here its weights become uniform).

    Source: "Attention Is All You Need", section 3.2.1, equation 1.

    >>> values, attention = scaled_dot_product(torch.zeros(1, 3), torch.ones(2, 3), torch.eye(2))
    >>> values
    tensor([[0.5000, 0.5000]])
    """
    # BEGIN SOLUTION
    #: The scores hold one number for each pair of query and key: [..., L, S].
    #: Divide them by the root of d_k, the last size of q, before anything else.
    #: Where the mask is 0 the score must be so low that its weight is 0; -inf makes NaN of a row
    #: with no visible key, the dtype's lowest finite number (torch.finfo) does not.
    #: The weights of one query sum to one over the keys.
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [..., L, S]
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    attention = softmax(scores, dim=-1)  # [..., L, S]
    return attention @ v, attention  # [..., L, d_v]
    # END SOLUTION
