"""What a head looks at, as one number: the token before, or the token that followed last time."""

import torch


def previous_token_score(attention: torch.Tensor) -> torch.Tensor:
    """How much each head looks at the token just before.

    Args:
        attention: [B, h, T, T], queries × keys.

    Returns:
        [h]: the mean weight of the queries at t ≥ 1 on the key at t − 1, over texts and queries.

    Raises:
        ValueError: T is below 2, so no token has one before it; the message names T.

    Source: Olsson et al. 2022, "In-context Learning and Induction Heads", appendix "Head Activation Evaluators".

    >>> previous_token_score(torch.eye(4).roll(-1, dims=1).expand(2, 3, 4, 4))  # each on its predecessor
    tensor([1., 1., 1.])
    """
    # BEGIN SOLUTION
    #: Refuse T < 2. The weights wanted are the diagonal below the main one.
    #: `attention.diagonal(-1, dim1=-2, dim2=-1)` is [B, h, T − 1].
    length = attention.shape[-1]
    if length < 2:
        raise ValueError(f"a previous token needs at least 2 tokens, but T is {length}")
    before = attention.diagonal(-1, dim1=-2, dim2=-1)  # [B, h, T − 1]
    return before.mean(dim=(0, 2))  # [h]
    # END SOLUTION


def induction_score(attention: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """How much each head looks at what followed the same token earlier, in any text.

    A query at t is *asked* when its token came before. Its *targets* are all keys j, 1 ≤ j ≤ t, whose previous token
    equals the query's: tokens[j − 1] = tokens[t].

    Args:
        attention: [B, h, T, T], queries × keys.
        tokens: int64 [B, T], the text that was read.

    Returns:
        [h]: the weight on all targets together, averaged over all queries that are asked, in all texts.

    Raises:
        ValueError: no query is asked, because no token comes twice in a text.

    Source: Olsson et al. 2022, "In-context Learning and Induction Heads", section "What are induction heads?".

    >>> induction_score(torch.full((1, 2, 4, 4), 0.25), torch.tensor([[7, 3, 7, 7]]))
    tensor([0.3750, 0.3750])
    """
    # BEGIN SOLUTION
    #: same[b, t, i]: whether tokens[b, t] equals tokens[b, i]. The target that belongs to i is j = i + 1: shift by one.
    #: Keys after the query are no targets, and neither is key 0. A query is asked if it has any target.
    #: Sum the weights over the targets, then average over the asked queries only.
    same = tokens.unsqueeze(2) == tokens.unsqueeze(1)  # [B, T, T]: query t, key i
    targets = torch.zeros_like(same)
    targets[:, :, 1:] = same[:, :, :-1]
    targets = targets.tril()  # [B, T, T]: query t, key j ≤ t
    asked = targets.any(dim=-1)  # [B, T]
    if not asked.any():
        raise ValueError("no token comes twice in any text, so there is nothing to look back for")
    found = (attention * targets.unsqueeze(1)).sum(dim=-1)  # [B, h, T]
    return found.transpose(0, 1)[:, asked].mean(dim=-1)  # [h]
    # END SOLUTION
