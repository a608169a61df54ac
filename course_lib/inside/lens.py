"""What a model would predict if it stopped at this layer."""

from collections.abc import Callable

import torch


def logit_lens(
    states: torch.Tensor,
    norm: Callable[[torch.Tensor], torch.Tensor],
    table: torch.Tensor,
    tokens: torch.Tensor,
) -> torch.Tensor:
    """The log-probability of each next token, read from every state as if it were the last one.

    Args:
        states: [N, B, T, D], the residual stream after the embedding and after each block.
        norm: the model's final norm.
        table: [V, D], the weight of the output layer.
        tokens: int64 [B, T].

    Returns:
        [N, B, T − 1], in nats: at t that of tokens[:, t + 1].

    Source: nostalgebraist 2020, "interpreting GPT: the logit lens".

    >>> tokens = torch.ones(2, 5, dtype=torch.long)
    >>> logit_lens(torch.ones(3, 2, 5, 4), torch.nn.Identity(), torch.zeros(8, 4), tokens).shape
    torch.Size([3, 2, 4])
    """
    # BEGIN SOLUTION
    #: norm, then a product with each row of the table, then log_softmax: what the model does with its last state.
    #: The state at position t is about token t + 1. `gather` wants the ids in the shape [N, B, T − 1, 1].
    log_probabilities = (norm(states) @ table.T).log_softmax(dim=-1)  # [N, B, T, V]
    following = tokens[:, 1:].expand(len(states), -1, -1).unsqueeze(-1)  # [N, B, T − 1, 1]
    return log_probabilities[:, :, :-1].gather(-1, following).squeeze(-1)  # [N, B, T − 1]
    # END SOLUTION
