"""One step of a recurrent network: the state, and how much of it is replaced."""

import torch


def gru_step(x: torch.Tensor, h: torch.Tensor, weights: dict[str, torch.Tensor]) -> torch.Tensor:
    """One step of a gated recurrent unit.

    Args:
        x: what is read now [B, I].
        h: the state so far [B, H].
        weights: `weight_ih` [3·H, I], `weight_hh` [3·H, H], `bias_ih` [3·H] and `bias_hh` [3·H], as in nn.GRUCell:
            the rows of the reset gate come first, then those of the update gate, then those of the candidate.

    Returns:
        The next state [B, H].

    Source: Cho et al. 2014, "Learning Phrase Representations using RNN Encoder–Decoder", appendix A; the reset gate
    stands inside, on W_hn h + b_hn, as in PyTorch's documentation of GRUCell.

    >>> cell = torch.nn.GRUCell(3, 2)
    >>> x, h = torch.ones(5, 3), torch.ones(5, 2)
    >>> torch.allclose(gru_step(x, h, dict(cell.named_parameters())), cell(x, h))
    True
    """
    # BEGIN SOLUTION
    #: Two Linear maps, of x and of h, each three times as wide as the state: cut both into three parts.
    #: Reset and update are sigmoids of the sum of their two parts, between 0 and 1.
    #: The candidate is a tanh; the reset gate multiplies what the state says to it, its bias included.
    #: The update gate says how much of the old state stays.
    of_x = x @ weights["weight_ih"].T + weights["bias_ih"]  # [B, 3·H]
    of_h = h @ weights["weight_hh"].T + weights["bias_hh"]  # [B, 3·H]
    reset_x, update_x, new_x = of_x.chunk(3, dim=-1)  # [B, H] each
    reset_h, update_h, new_h = of_h.chunk(3, dim=-1)
    reset = torch.sigmoid(reset_x + reset_h)
    update = torch.sigmoid(update_x + update_h)
    candidate = torch.tanh(new_x + reset * new_h)
    return (1 - update) * candidate + update * h
    # END SOLUTION
