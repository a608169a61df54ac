"""From logits to text: which tokens may be drawn, and drawing them one after the other."""

import torch
from torch import nn


def filter_logits(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    """Divide by the temperature, and leave only the tokens that may be drawn; the others become −∞.

    Args:
        logits: [..., V]; each row is filtered independently.
        temperature: below 1 sharper, above 1 flatter. 0 leaves only the largest logit (one of equal ones).
        top_k: keep the k largest; None, or more than V, keeps all.
        top_p: of what is left, renormalised, keep the smallest set of the most likely tokens that holds at least
            top_p; the token that crosses the line belongs to it. None or 1 keeps all.
            (top_k and top_p may keep further tokens that equal the last one they keep.)

    Returns:
        [..., V], in the dtype of the logits. The order is temperature, top_k, top_p.

    Raises:
        ValueError: temperature is negative; the message names it.
        ValueError: top_k is below 1; the message names it.
        ValueError: top_p is not above 0 and at most 1; the message names it.

    Source: Holtzman et al. 2020, "The Curious Case of Neural Text Degeneration", section 3.1 (top-p); Fan et al. 2018,
    "Hierarchical Neural Story Generation", section 5.4 (top-k).

    >>> filter_logits(torch.tensor([2.0, 0.0, 4.0, 3.0]), temperature=0.5, top_k=3, top_p=0.9)
    tensor([-inf, -inf, 8., 6.])
    """
    # BEGIN SOLUTION
    #: Refuse wrong arguments first. Temperature 0 is a case of its own: no division, only the argmax stays.
    #: top_k: what is smaller than the k-th largest of its row becomes −∞ (`topk(k).values[..., -1:]`).
    #: top_p: sort each row, softmax, cumsum. A token stays if the tokens *before* it hold less than top_p.
    #: Take the answer back to the unsorted order with `scatter`.
    if temperature < 0:
        raise ValueError(f"temperature must be at least 0, but it is {temperature}")
    if top_k is not None and top_k < 1:
        raise ValueError(f"top_k must be at least 1, but it is {top_k}")
    if top_p is not None and not 0 < top_p <= 1:
        raise ValueError(f"top_p must be above 0 and at most 1, but it is {top_p}")
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)  # [..., 1]
        return torch.full_like(logits, -torch.inf).scatter(-1, best, logits.gather(-1, best))
    logits = logits / temperature
    if top_k is not None and top_k < logits.shape[-1]:
        edge = logits.topk(top_k).values[..., -1:]  # [..., 1]
        logits = logits.masked_fill(logits < edge, -torch.inf)
    if top_p is not None and top_p < 1:
        ordered, places = logits.sort(dim=-1, descending=True)  # [..., V] each
        probabilities = ordered.softmax(dim=-1)
        dropped = probabilities.cumsum(dim=-1) - probabilities >= top_p  # [..., V]
        dropped[..., 0] = False
        logits = logits.masked_fill(dropped.scatter(-1, places, dropped), -torch.inf)
    return logits
    # END SOLUTION


def generate(
    model,
    tokens: torch.Tensor,
    max_new_tokens: int,
    generator: torch.Generator | None = None,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    stop: int | None = None,
) -> torch.Tensor:
    """Continue each row of tokens: draw the next one from the filtered logits, append it, and ask again.

    Args:
        model: with `step(tokens, caches=None) → (logits [B, T, V], caches)`, as `LanguageModel` has it.
        tokens: int64 [B, P], the prompt.
        max_new_tokens: how many tokens to add at most.
        generator: where the random numbers come from; None takes torch's own.
        temperature, top_k, top_p: those of `filter_logits`. Temperature 0 draws no random numbers.
        stop: a row that has produced this token continues with it; once all rows have, generation ends.

    Returns:
        [B, P + n], n ≤ max_new_tokens. Each token goes through the model only once: the prompt in the first call,
        then one per call, and the last one not at all. In eval mode and without gradients; each part of the model keeps
        the mode it came in.

    Raises:
        ValueError: the prompt is empty.

    Source: Holtzman et al. 2020, section 3; Shazeer 2019, "Fast Transformer Decoding", section 2.4 (the cache).

    >>> from course_lib.model.language_model import LanguageModel
    >>> model = LanguageModel(13, model_dim=12, num_heads=6, num_kv_heads=2, num_layers=1, hidden_dim=7)
    >>> generate(model, torch.tensor([[5, 4], [7, 8]]), max_new_tokens=3).shape
    torch.Size([2, 5])
    """
    # BEGIN SOLUTION
    #: The first call gets the whole prompt; every later one only the last token, and the caches of the call before.
    #: filter_logits, softmax, torch.multinomial with the generator; at temperature 0 the argmax.
    #: A boolean [B] remembers which rows have stopped.
    #: No gradients, no dropout; give every part of the model its mode back, even after an error (try … finally).
    if not tokens.shape[1]:
        raise ValueError("the prompt is empty: give at least one token for each row")
    modes = {m: m.training for m in model.modules()} if isinstance(model, nn.Module) else {}
    new, caches = tokens, None  # new: what the model has not seen yet, [B, P], then [B, 1]
    stopped = torch.zeros(len(tokens), dtype=torch.bool, device=tokens.device)  # [B]
    try:
        for module in modes:
            module.training = False
        with torch.no_grad():
            for _ in range(max_new_tokens):
                logits, caches = model.step(new, caches)
                filtered = filter_logits(logits[:, -1], temperature, top_k, top_p)  # [B, V]
                if temperature == 0:
                    new = filtered.argmax(dim=-1, keepdim=True)  # [B, 1]
                else:
                    new = torch.multinomial(filtered.softmax(dim=-1), 1, generator=generator)  # [B, 1]
                if stop is not None:
                    new = new.masked_fill(stopped.unsqueeze(-1), stop)
                    stopped = stopped | (new[:, 0] == stop)
                tokens = torch.cat([tokens, new], dim=1)
                if stopped.all():
                    break
    finally:
        for module, training in modes.items():
            module.training = training
    return tokens
    # END SOLUTION
