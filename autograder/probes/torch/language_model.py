"""Stage 13: the parts of a language model, the model with its caches, and its loss."""

import math
from operator import attrgetter

import torch

from autograder.probes.calling import call, several
from autograder.probes.torch.generating import filter_logits, generate  # noqa: F401 (probes are found here, by topic)
from autograder.probes.torch.language_model_stand_ins import StandInBlock, StandInNorm
from autograder.probes.torch.modules import (
    build,
    counterparts,
    gradient_norms,
    hold,
    load_matching_weights,
    replace_part,
)

STEPPED = "x cache"
MADE_FROM = "vocab_size model_dim num_heads num_kv_heads num_layers hidden_dim base eps tied"  # a LanguageModel


def RMSNorm(student, arguments, weights=None, x=None, ask="output"):
    """x [..., dim] → output [..., dim], or the answer to another question."""
    if ask == "start":
        layer = call(student, "dim eps", **arguments)
        name = counterparts(layer, {"weight": torch.empty(arguments["dim"])}).get("weight", "weight")
        return {"weight": attrgetter(name)(layer)}
    if ask in ("half", "mixed"):  # mixed: the weight stays as wide as it is
        layer = _holding(student, arguments, weights)
        output = call(layer.half() if ask == "half" else layer, x=x.half())
        return {"output": output, "is_half": output.dtype == torch.float16}
    return _tokenwise(student, arguments, weights, x, ask)


def SwiGLU(student, arguments, weights=None, x=None, ask="output"):
    """x [..., dim] → output [..., dim], or the answer to another question."""
    return _tokenwise(student, arguments, weights, x, ask)


def _holding(student, arguments, weights):
    """Like `load_matching_weights`, but what should not be there costs only the criterion that asks for it: a bias is
    0, and a `weight` that is not learned has these numbers as well."""
    module = load_matching_weights(student, arguments, weights)
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if name.endswith(".bias"):
                parameter.zero_()
        kept = getattr(module, "weight", None)
        if torch.is_tensor(kept) and not isinstance(kept, torch.nn.Parameter) and "weight" in weights:
            kept.copy_(weights["weight"])
    return module


def _tokenwise(student, arguments, weights, x, ask):
    if ask == "parameters":  # names and sizes are those of the weights, or a ParameterMismatch is raised
        return {"learned": sum(p.numel() for p in build(student, arguments, weights).parameters())}
    module = _holding(student, arguments, weights)
    if ask == "gradients":
        x.requires_grad_()
        return gradient_norms(module, call(module, x=x * 1), weights) | {"of_x": _grad(x)}
    return {"output": call(module.train(ask == "training"), x=x)}


def rotate(student, x, positions, base=None, ask="output"):
    """x [..., T, d] → output [..., T, d]; also with the features in the order of halves, brought back."""
    given = {"positions": positions} | ({} if base is None else {"base": base})
    if ask == "bfloat16":
        output = call(student, x=x.bfloat16(), **given)
        return {"output": output, "is_bfloat16": output.dtype == torch.bfloat16}
    if ask == "gradient":
        x.requires_grad_()
        output = call(student, x=x * 1, **given)
        ramp = torch.linspace(-1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)
        if output.requires_grad:
            (output * ramp).sum().backward()
        return {"of_x": _grad(x)}
    output = call(student, x=x, **given)
    if x.shape[-1] % 2:  # what must be refused: there are no halves
        return {"output": output}
    halves = call(student, x=torch.cat([x[..., 0::2], x[..., 1::2]], dim=-1), **given)
    return {"output": output, "halves": torch.stack(halves.chunk(2, dim=-1), dim=-1).flatten(-2)}


def GroupedQueryAttention(student, arguments, weights=None, x=None, pieces=None, ask="output"):
    """x [B, T, D] → output [B, T, D], or the cache; with `pieces`, in calls of so many tokens, perhaps in turns with
    those of another text."""
    if ask == "parameters":
        return {"learned": sum(p.numel() for p in build(student, arguments, weights).parameters())}
    if weights is None:  # what must be refused
        call(student, **arguments)
        return {"made": True}
    attention = _holding(student, arguments, weights).train(ask == "training")
    if ask == "gradients":
        x.requires_grad_()
        output, _ = _two(call(attention, STEPPED, x=x * 1), "output", "cache")
        return gradient_norms(attention, output, weights) | {"of_x": _grad(x)}
    outputs, cache = [], None
    for piece in x.split(pieces or [x.shape[1]], dim=1):
        given = {} if cache is None else {"cache": cache}
        if ask == "in turns" and cache is not None:  # other texts go on, from copies, and are given up
            call(attention, STEPPED, x=-piece, cache=tuple(part.flip(0) for part in cache))
        output, cache = _two(call(attention, STEPPED, x=piece.clone(), **given), "output", "cache")
        outputs.append(output)
    return several(tuple(cache), "keys", "values") if ask == "cache" else {"output": torch.cat(outputs, dim=1)}


def _two(returned, *names):
    """The two things that came back; a tensor of two rows is one thing."""
    if isinstance(returned, torch.Tensor):
        raise TypeError(f"one tensor came back, expected {' and '.join(names)}")
    return several(returned, *names).values()


def LanguageModel(student, arguments, weights=None, tokens=None, blocks=None, norm=None, pieces=None, ask="logits"):
    """tokens [B, T] → logits [B, T, V]; with `blocks`, they and the norm are stand-ins; in pieces, by step."""
    arguments = {name: arguments[name] for name in MADE_FROM.split() if name in arguments}  # in this order
    if ask == "parameters":
        return {"learned": sum(p.numel() for p in build(student, arguments, weights).parameters())}
    if ask == "start":
        return _start(call(student, **arguments), arguments, weights, tokens)
    model = _holding(student, arguments, weights)
    if blocks:
        _replace(model, blocks, norm)
    if ask == "tied gradient":
        return _gradient_of_table(model, tokens)
    if ask == "afterwards":
        _logits(model, tokens.flip(1)[:, 1:])
    if ask == "training":
        model.train()
    if pieces is None:
        logits, alone = _logits(model, tokens)
        return {"logits": logits, "alone": alone}
    parts, caches = [], None
    for piece in tokens.split(pieces, dim=1):
        given = {} if caches is None else {"caches": caches}
        logits, caches = _two(call(model.step, "tokens caches", tokens=piece, **given), "logits", "caches")
        parts.append(logits)
    return {"logits": torch.cat(parts, dim=1), "caches": len(caches)}


def _logits(model, tokens):
    """What `forward` returns, or the first of several things; and whether it is alone, which one criterion asks for."""
    returned = call(model, tokens=tokens)
    return (returned[0], False) if isinstance(returned, (tuple, list)) and len(returned) else (returned, True)


def _replace(model, blocks, norm):
    for place, weight in blocks.items():
        model.blocks[int(place)] = StandInBlock(weight)
    replace_part(model, "norm", StandInNorm(norm))


def _gradient_of_table(model, tokens):
    """Of the embedding's weight, [V, D]: where it is tied, both of its uses are in it."""
    logits, _ = _logits(model, tokens)
    ramp = torch.linspace(-1, 2, logits.numel(), dtype=logits.dtype).reshape(logits.shape)
    model.zero_grad()
    (logits * ramp).mean().backward()
    return {"gradient": _grad(model.embedding.weight)}


def _start(model, arguments, weights, tokens):
    """How a fresh model starts, in round numbers, for it is drawn.

    How wide each kind of matrix is spread, in what it should be; whether they look normal, none of their numbers is 0
    and no block is a copy of another; how far its norms are from 1; its loss on random tokens, above ln V; whether
    embedding and output are alike.
    """
    own = dict(model.named_parameters(remove_duplicate=False))
    names = counterparts(model, weights)
    held = {key: own[name].detach().clone() for key, name in names.items()}
    kinds = _in_their_units(held, arguments["num_layers"])
    asked = sorted({_kind(key) for key, value in weights.items() if value.ndim == 2})
    spread = torch.stack([kinds[kind].std() if kind in kinds else torch.ones(()) for kind in asked])
    normal = torch.cat([numbers / numbers.std() for numbers in kinds.values()])
    norms = torch.cat([held[key].flatten() for key in held if held[key].ndim == 1])
    copies = _are_copies(*(own.get(names.get(f"blocks.{place}.attention.q_proj.weight")) for place in (0, 1)))
    excess = _loss_without_blocks(hold(model, held), arguments, tokens) - math.log(arguments["vocab_size"])
    found = {"spread": spread, "norms": (norms - 1).abs().max(), "excess": excess.clamp(max=1)}
    return {name: _in_quarters(value) for name, value in found.items()} | {
        "normal": 0.005 < (normal.abs() > 2.5).float().mean() < 0.025,  # of N(0, 1) it is 0.012
        "zeros": bool((normal == 0).any()),
        "copies": copies,
        "alike": torch.equal(held["embedding.weight"], held["output.weight"]),  # tells two mistakes apart
    }


def _in_their_units(held, layers):
    """The numbers of each kind of matrix, of all layers, over their standard deviation in the contract."""
    kinds: dict[str, list] = {}
    for key, value in held.items():
        if value.ndim == 2:
            added = key.endswith(("o_proj.weight", "down_proj.weight"))
            unit = 0.02 / (2 * layers) ** 0.5 if added else 0.02
            kinds.setdefault(_kind(key), []).append(value.flatten() / unit)
    return {kind: torch.cat(matrices) for kind, matrices in kinds.items()}


def _kind(key):
    return key.split(".")[-2]


def _are_copies(first, second):
    """Whether two parameters hold the same numbers; that they are two is asked by others."""
    return first is not None and second is not None and first is not second and torch.equal(first, second)


def _loss_without_blocks(model, arguments, tokens):
    """The loss of a model whose parts are found under the names of the contract, its blocks and norm replaced."""
    width, layers = arguments["model_dim"], range(arguments["num_layers"])
    _replace(model, {str(place): torch.zeros(width, width) for place in layers}, torch.ones(width))
    with torch.no_grad():
        logits, _ = _logits(model, tokens)  # [B, T, V]
    return torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def _in_quarters(value):
    """Rounded to a quarter; large numbers, which vary more, to a whole."""
    return torch.where(value < 3, torch.round(4 * value) / 4 + 0.0, torch.round(value)).double()


def next_token_loss(student, logits, tokens, mask=None, gradient=False):
    """logits [B, T, V], tokens [B, T] → loss; with `gradient`, that of the logits, and whether there is a graph."""
    logits.requires_grad_(gradient)
    given = {} if mask is None else {"mask": mask}
    loss = call(student, logits=logits.clone(), tokens=tokens, **given)  # no leaf, as when a model made them
    if not gradient:
        return {"loss": loss}
    has_graph = isinstance(loss, torch.Tensor) and loss.requires_grad
    grad = torch.autograd.grad(loss.sum(), logits, allow_unused=True)[0] if has_graph else None
    return {"loss": loss, "has_graph": has_graph, "gradient": torch.zeros_like(logits) if grad is None else grad}


def _grad(x):
    return torch.zeros_like(x) if x.grad is None else x.grad
