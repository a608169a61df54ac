"""What is asked of a decoder or a whole model besides its output: what moves it, what learns, what dropout leaves."""

import inspect

import torch


def influences(block, output, x):
    """How far row i of output [B, T, d] moves when row j of x [B, T, d] does; derivatives would say no more, and
    what works in place has none."""

    def of(direction):
        columns = []
        for place in range(x.shape[1]):
            moved = x.clone()
            moved[:, place] += direction
            columns.append((block(moved) - output).abs().amax(dim=(0, 2)))  # [T]
        return torch.stack(columns, dim=1)  # [T, T]

    with torch.no_grad():
        along_all = 1 + torch.arange(len(x), dtype=x.dtype)[:, None]  # [B, 1], the samples not alike
        along_some = along_all * torch.cos(torch.arange(x.shape[-1], dtype=x.dtype))  # [B, d]
        return {"influence": of(along_some), "uniform_influence": of(along_all)}


def gradients_back(module, output, x, memory):
    """How many parameters get no gradient from output, and what x and memory get; none is 0."""
    found = {"unreached": unreached(module, output)}
    of_x, of_memory = (torch.zeros_like(given) if given.grad is None else given.grad for given in (x, memory))
    return found | {"of_x": of_x, "of_memory": of_memory}


def unreached(module, output):
    """How many parameters get no gradient from output."""
    if not output.requires_grad:
        return len([*module.parameters()])
    ramp = torch.linspace(-1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)
    (output * ramp).sum().backward()
    return sum(parameter.grad is None for parameter in module.parameters())


def noting_lookups(model):
    """A list that fills with (table, tokens) whenever an embedding of the model is called."""
    lookups = []
    for part in model.modules():
        if isinstance(part, torch.nn.Embedding):
            part.register_forward_hook(lambda table, given, _: lookups.append((table.weight, given[0])))
    return lookups


def unlearned(lookups, tokens):
    """How many of these tokens get no gradient in a table where they are looked up."""
    tables = [weight.grad for weight, given in lookups if torch.equal(given, tokens) and weight.grad is not None]
    return sum(int((table[tokens.unique()] == 0).all(dim=1).sum()) for table in tables)


def left_of_embeddings(model, logits):
    """What encoder and decoder read in training, divided by what they read in eval mode: every number that occurs.

    None does in a model that calls neither as a whole.
    """
    stacks = [part for name, part in model.named_children() if name in ("encoder", "decoder")]
    read = {True: [], False: []}

    def note(stack, given, named):
        values = given or [*inspect.signature(stack.forward).bind(**named).arguments.values()]
        read[stack.training].append(values[0])

    for stack in stacks:
        stack.register_forward_pre_hook(note, with_kwargs=True)
    for training in read:
        model.train(training)
        logits()
    ratios = [torch.round(kept / whole, decimals=2).flatten() for kept, whole in zip(*read.values(), strict=True)]
    return torch.cat(ratios).unique() if ratios else torch.zeros(0)
