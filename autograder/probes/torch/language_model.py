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
    kinds: dict[str, list] = {}  # of all layers
    for key in held:
        if held[key].ndim == 2:
            added = key.endswith(("o_proj.weight", "down_proj.weight"))
            unit = 0.02 / (2 * arguments["num_layers"]) ** 0.5 if added else 0.02
            kinds.setdefault(key.split(".")[-2], []).append(held[key].flatten() / unit)
    whole = {kind: torch.cat(matrices) for kind, matrices in kinds.items()}
    asked = sorted({key.split(".")[-2] for key, value in weights.items() if value.ndim == 2})
    spread = torch.stack([whole[kind].std() if kind in whole else torch.ones(()) for kind in asked])
    normal = torch.cat([numbers / numbers.std() for numbers in whole.values()])
    norms = torch.cat([held[key].flatten() for key in held if held[key].ndim == 1])
    first, second = (own.get(names.get(f"blocks.{place}.attention.q_proj.weight")) for place in (0, 1))
    both = first is not None and second is not None and first is not second  # two blocks, which others ask for
    copies = both and torch.equal(first, second)
    width, layers = arguments["model_dim"], range(arguments["num_layers"])
    hold(model, held)  # found under the names of the contract
    _replace(model, {str(place): torch.zeros(width, width) for place in layers}, torch.ones(width))
    with torch.no_grad():
        logits, _ = _logits(model, tokens)  # [B, T, V]
    loss = torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
    excess = (loss - math.log(arguments["vocab_size"])).clamp(max=1)
    found = {"spread": spread, "norms": (norms - 1).abs().max(), "excess": excess}
    return {name: _in_quarters(value) for name, value in found.items()} | {
        "normal": 0.005 < (normal.abs() > 2.5).float().mean() < 0.025,  # of N(0, 1) it is 0.012
        "zeros": bool((normal == 0).any()),
        "copies": copies,
        "alike": torch.equal(held["embedding.weight"], held["output.weight"]),
    }


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


FILTERED = "logits temperature top_k top_p"
LOWEST = -1e8  # what is lower is as good as −∞: its probability is 0


def filter_logits(student, logits, ask="output", **settings):
    """logits [..., V] → which tokens are kept, and the logits of these, 0 elsewhere; or whether their dtype is kept."""
    if ask == "bfloat16":
        ways = settings, {"temperature": 0}
        outputs = [call(student, FILTERED, logits=logits.bfloat16(), **given) for given in ways]
        return {"output": outputs[0], "is_bfloat16": all(output.dtype == torch.bfloat16 for output in outputs)}
    output = call(student, FILTERED, logits=logits, **settings)
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
        raised = False
        try:  # by place: what is noticed of this call is what is asked
            student(model, tokens, max_new_tokens, None, 0)
        except RuntimeError as error:
            if str(error) != "the model fails":
                raise
            raised = True
        return {"raised": raised, "restored": model.training and model.part.training}
    written = call(student, WRITTEN, **given)
    if ask == "modes":
        asked = {"asked": model.calls > 0, "was_training": model.was_training, "had_gradients": model.had_gradients}
        return asked | {"tokens": written, "mode": model.training, "frozen": model.frozen.training}
    if stop is not None:
        return {"ended": written, "mode": model.training}
    return {"tokens": written, "read": model.read, "calls": model.calls}


WRITTEN = "model tokens max_new_tokens generator temperature top_k top_p stop"


def _drawn(student, model, ask, settings):
    def text(generator, rows=3, new=17, **changed):
        prompt = torch.zeros(rows, 1, dtype=torch.long)
        given = {"model": model, "tokens": prompt, "max_new_tokens": new} | settings | changed
        given |= {} if generator is None else {"generator": generator}
        return call(student, WRITTEN, **given)[:, 1:].long()

    def seeded(seed):
        return torch.Generator().manual_seed(seed)

    if ask == "draws":
        drawn, vocabulary = text(seeded(3), rows=10_000, new=4), model.logits.shape[1]
        counts = torch.stack([torch.bincount(drawn[kind::2].flatten(), minlength=vocabulary) for kind in (0, 1)])
        return {"frequencies": 2 * counts.to(model.logits.dtype) / drawn.numel()}  # of each kind of row, [2, V]

    own, generator = torch.get_rng_state(), seeded(5)
    drawn_from, first = generator.get_state(), text(generator)
    found = {
        "rows_differ": not torch.equal(first[0], first[2]),  # of one kind
        "advanced": not torch.equal(drawn_from, generator.get_state()),
        "goes_on": not torch.equal(first, text(generator)),
        "same_again": torch.equal(first, text(seeded(5))),
        "others_differ": not torch.equal(first, text(seeded(6))),
        "global_left_alone": torch.equal(own, torch.get_rng_state()),
    }
    drawn_from = generator.get_state()
    text(generator, new=4, temperature=0.0)
    alike = torch.equal(drawn_from, generator.get_state()) and torch.equal(own, torch.get_rng_state())
    without = text(None)
    found |= {"cold_draws_nothing": alike, "own_goes_on": not torch.equal(without, text(None))}
    torch.set_rng_state(own)
    return found | {"own_same_again": torch.equal(without, text(None))}


def _grad(x):
    return torch.zeros_like(x) if x.grad is None else x.grad
