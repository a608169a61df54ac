"""Stage 12: one step of a GRU, the two scores of old, a decoder that attends, and attention on a graph."""

from torch import nn

from autograder.probes.calling import call, several
from autograder.probes.torch.modules import fit, gradient_norms, leaves, load_matching_weights

SCORED, DECODER, GRAPH = "query keys mask", "tokens memory mask", "x adjacency"  # what the forwards take


def gru_step(student, x, h, weights, gradients=False):
    """x [B, I] and h [B, H] → state [B, H]; with `gradients`, what reaches each of the six."""
    if not gradients:
        return {"state": call(student, x=x, h=h, weights=weights)}
    reached, given = leaves({"x": x, "h": h} | weights)
    x, h = given.pop("x"), given.pop("h")
    return gradient_norms(nn.Module(), call(student, x=x, h=h, weights=given), {}, **reached)


def AdditiveAttention(student, arguments, weights, query=None, keys=None, mask=None, ask="answer"):
    """query [B, Q], keys [B, S, K] → context [B, K] and attention [B, S]; or what `ask` says, see below."""
    return _asked(student, arguments, weights, SCORED, ("context", "attention"), ask, query=query, keys=keys, mask=mask)


BilinearAttention = AdditiveAttention


def AttentiveDecoder(student, arguments, weights, tokens=None, memory=None, mask=None, ask="answer"):
    """tokens [B, T], memory [B, S, M] → logits [B, T, V] and attention [B, T, S]; or what `ask` says, see below."""
    names = "logits", "attention"
    return _asked(student, arguments, weights, DECODER, names, ask, tokens=tokens, memory=memory, mask=mask)


def GraphAttention(student, arguments, weights, x=None, adjacency=None, double=False, ask="answer"):
    """x [N, in_dim], adjacency [N, N] → out [N, h·out_dim] and attention [h, N, N]; or what `ask` says, see below.

    `double`: the adjacency is float64, as networkx gives it, whatever x is.
    """
    adjacency = adjacency.double() if double else adjacency
    return _asked(student, arguments, weights, GRAPH, ("out", "attention"), ask, x=x, adjacency=adjacency)


def _asked(student, arguments, weights, contract, names, ask, **inputs):
    if ask == "parameters":
        module = fit(call(student, **arguments), weights, buffers=True)
        return {"number of parameters": sum(p.numel() for p in module.parameters())}
    module = load_matching_weights(student, arguments, weights)
    inputs = {name: value for name, value in inputs.items() if value is not None}

    def forward(**inputs):
        return several(call(module, contract, **inputs), *names)

    return ASK[ask](module, forward, inputs, weights, names[0])


def _answer(module, forward, inputs, weights, first):
    return forward(**inputs)


def _training(module, forward, inputs, weights, first):
    """The same in training mode."""
    module.train()
    return forward(**inputs)


def _afterwards(module, forward, inputs, weights, first):
    """The same, after a call with other inputs of other lengths."""
    forward(**{name: _shorter(name, value) for name, value in inputs.items()})
    return forward(**inputs)


def _gradients(module, forward, inputs, weights, first):
    """The gradients that reach the parameters and the inputs from the first output, and their norms."""
    reached, given = leaves(inputs)
    return gradient_norms(module, forward(**given)[first], weights, **reached)


# What `ask` may be, besides "parameters": how many there are, when their names and shapes are those of the contract.
ASK = {"answer": _answer, "training": _training, "afterwards": _afterwards, "gradients": _gradients}


def _shorter(name, value):
    """One step, key or node fewer, and backwards."""
    if name == "query":
        return value.flip(0)
    return value[:-1, :-1].T.contiguous() if name == "adjacency" else _rows(name, value).flip(0)


def _rows(name, value):
    return value[:-1] if name == "x" else value[:, :-1]
