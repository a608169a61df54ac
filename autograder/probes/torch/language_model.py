"""Stage 13: the parts of a language model, the model with its caches, its loss, and what it writes."""

import math
from operator import attrgetter

import torch

from autograder.probes.calling import call, several
from autograder.probes.torch.language_model_stand_ins import CountingModel, DrawingModel, StandInBlock, StandInNorm
from autograder.probes.torch.modules import (
    build,
    counterparts,
    gradient_norms,
    hold,
    load_matching_weights,
    replace_part,
)

STEPPED = "x cache"


def RMSNorm(student, arguments, weights=None, x=None, ask="output"):
    """x [..., dim] → output [..., dim], or the answer to another question."""
    if ask == "start":
        layer = call(student, "dim eps", **arguments)
        name = counterparts(layer, {"weight": torch.empty(arguments["dim"])}).get("weight", "weight")
        return {"weight": attrgetter(name)(layer)}
    if ask in ("half", "mixed"):  # mixed: the weight stays as wide as it is
        layer = load_matching_weights(student, arguments, weights)
        output = call(layer.half() if ask == "half" else layer, x=x.half())
        return {"output": output, "is_half": output.dtype == torch.float16}
    return _tokenwise(student, arguments, weights, x, ask)


def SwiGLU(student, arguments, weights=None, x=None, ask="output"):
    """x [..., dim] → output [..., dim], or the answer to another question."""
    return _tokenwise(student, arguments, weights, x, ask)


def _tokenwise(student, arguments, weights, x, ask):
    if ask == "parameters":  # names and sizes are those of the weights, or a ParameterMismatch is raised
        return {"learned": sum(p.numel() for p in build(student, arguments, weights).parameters())}
    module = load_matching_weights(student, arguments, weights)
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
    attention = load_matching_weights(student, arguments, weights).train(ask == "training")
    if ask == "gradients":
        x.requires_grad_()
        output, _ = _two(call(attention, STEPPED, x=x * 1), "output", "cache")
        return gradient_norms(attention, output, weights) | {"of_x": _grad(x)}
    outputs, cache = [], None
    for piece in x.split(pieces or [x.shape[1]], dim=1):
        given = {} if cache is None else {"cache": cache}
        if ask == "in turns" and cache is not None:  # another text goes on from a copy, and is given up
            call(attention, STEPPED, x=-piece, cache=type(cache)(part.clone() for part in cache))
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
    if ask == "parameters":
        return {"learned": sum(p.numel() for p in build(student, arguments, weights).parameters())}
    if ask == "start":
        return _start(call(student, **arguments), arguments, weights, tokens)
    model = load_matching_weights(student, arguments, weights)
    if blocks:
        _replace(model, blocks, norm)
    if ask == "tied gradient":
        return _gradient_of_table(model, tokens)
    if ask == "afterwards":
        call(model, tokens=tokens.flip(1)[:, 1:])
    if ask == "training":
        model.train()
    if pieces is None:
        return {"logits": call(model, tokens=tokens)}
    parts, caches = [], None
    for piece in tokens.split(pieces, dim=1):
        given = {} if caches is None else {"caches": caches}
        logits, caches = _two(call(model.step, "tokens caches", tokens=piece, **given), "logits", "caches")
        parts.append(logits)
    return {"logits": torch.cat(parts, dim=1), "caches": len(caches)}


def _replace(model, blocks, norm):
    for place, weight in blocks.items():
        model.blocks[int(place)] = StandInBlock(weight)
    replace_part(model, "norm", StandInNorm(norm))


def _gradient_of_table(model, tokens):
    """Of the embedding's weight, [V, D]: where it is tied, both of its uses are in it."""
    logits = call(model, tokens=tokens)
    ramp = torch.linspace(-1, 2, logits.numel(), dtype=logits.dtype).reshape(logits.shape)
    model.zero_grad()
    (logits * ramp).mean().backward()
    return {"gradient": _grad(model.embedding.weight)}


def _start(model, arguments, weights, tokens):
    """How a fresh model starts, each number rounded to a quarter, for it is drawn.

    How wide each kind of matrix is spread, in what it should be; how far its norms are from 1; its loss on random
    tokens, above ln V; whether embedding and output are alike.
    """
    own = dict(model.named_parameters(remove_duplicate=False))
    names = counterparts(model, weights)
    held = {key: own[name].detach().clone() for key, name in names.items()}
    kinds: dict[str, list] = {}  # of all layers
    for key in held:
        if held[key].ndim == 2:
            added = key.endswith(("o_proj.weight", "down_proj.weight"))
            unit = 0.02 / (2 * arguments["num_layers"]) ** 0.5 if added else 0.02
            kinds.setdefault(key.split(".")[-2], []).append(held[key].flatten() / unit)
    spread = torch.stack([torch.cat(matrices).std() for _, matrices in sorted(kinds.items())])
    norms = torch.cat([held[key].flatten() for key in held if held[key].ndim == 1])
    width, layers = arguments["model_dim"], range(arguments["num_layers"])
    hold(model, held)  # found under the names of the contract
    _replace(model, {str(place): torch.zeros(width, width) for place in layers}, torch.ones(width))
    with torch.no_grad():
        logits = call(model, tokens=tokens)  # [B, T, V]
    loss = torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
    excess = loss - math.log(arguments["vocab_size"])
    found = {"spread": spread, "norms": (norms - 1).abs().max(), "excess": excess}
    alike = {"alike": torch.equal(held["embedding.weight"], held["output.weight"])}
    return {name: _in_quarters(value) for name, value in found.items()} | alike


def _in_quarters(value):
    return (torch.round(4 * value) / 4 + 0.0).double()


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


LOWEST = -1e8  # what is lower is as good as −∞: its probability is 0


def filter_logits(student, logits, **settings):
    """logits [..., V] → which tokens are kept, and the logits of these; 0 elsewhere."""
    output = call(student, "logits temperature top_k top_p", logits=logits, **settings)
    kept = ~(output < LOWEST)
    return {"kept": kept, "values": torch.where(kept, output, torch.zeros_like(output))}


def generate(
    student, tokens=None, max_new_tokens=1, weights=None, ends=None, stop=None, logits=None, ask="text", **settings
):
    """tokens [B, P] → tokens [B, P + n]; and how often the model was asked, and how."""
    if logits is not None:
        return _drawn(student, DrawingModel(logits), ask, settings)
    fails = 3 if ask == "error" else None
    model = CountingModel(**weights, ends=ends, stop=stop, prompt=tokens.shape[1], fails_after=fails)
    model.train(ask in ("modes", "error"))
    model.frozen.eval()
    given = settings | ({} if stop is None else {"stop": stop})
    given = {"model": model, "tokens": tokens, "max_new_tokens": max_new_tokens} | given
    if ask == "error":
        try:  # by place: what is noticed of this call is what is asked
            student(model, tokens, max_new_tokens, None, 0)
        except RuntimeError as error:
            if str(error) != "the model fails":
                raise
            return {"restored": model.training and model.part.training}
        return {"restored": False}
    written = call(student, WRITTEN, **given)
    if ask == "modes":
        asked = {"asked": model.calls > 0, "was_training": model.was_training, "had_gradients": model.had_gradients}
        return asked | {"tokens": written, "mode": model.training, "frozen": model.frozen.training}
    if stop is not None:
        return {"ended": written, "mode": model.training}
    return {"tokens": written, "read": model.read, "calls": model.calls}


WRITTEN = "model tokens max_new_tokens generator temperature top_k top_p stop"


def _drawn(student, model, ask, settings):
    def text(seed, rows, new, **changed):
        generator = torch.Generator().manual_seed(seed)
        before, prompt = generator.get_state(), torch.zeros(rows, 1, dtype=torch.long)
        given = {"model": model, "tokens": prompt, "max_new_tokens": new, "generator": generator} | settings | changed
        return call(student, WRITTEN, **given)[:, 1:].long(), not torch.equal(before, generator.get_state())

    if ask == "draws":
        vocabulary = len(model.logits)
        drawn, _ = text(3, rows=5000, new=4)
        return {
            "frequencies": torch.bincount(drawn.flatten(), minlength=vocabulary).to(model.logits.dtype) / drawn.numel()
        }
    others = torch.get_rng_state()
    first, advanced = text(5, rows=3, new=17)
    left_alone = torch.equal(others, torch.get_rng_state())
    again, other = text(5, rows=3, new=17)[0], text(6, rows=3, new=17)[0]
    cold = text(5, rows=3, new=4, temperature=0)
    return {
        "rows_differ": not torch.equal(first, first[:1].expand_as(first)),
        "same_again": torch.equal(first, again),
        "others_differ": not torch.equal(first, other),
        "advanced": advanced,
        "global_left_alone": left_alone,
        "cold_draws_nothing": not cold[1],
    }


def _grad(x):
    return torch.zeros_like(x) if x.grad is None else x.grad
