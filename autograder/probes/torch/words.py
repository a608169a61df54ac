"""Stage 09: lists of strings and of ids, which cross as JSON, and a table that is looked up in."""

import numpy as np
import torch

from autograder.probes.calling import call, several
from autograder.probes.run import Text
from autograder.probes.torch.modules import build, load_matching_weights

BUCKETS = "lengths max_tokens generator"


def learn_bpe(student, word_counts, num_merges):
    """word_counts {word: count} → the merges, and of which kinds they came."""
    merges = call(student, word_counts=word_counts, num_merges=num_merges)
    return {"merges": Text(merges), "form": _form(merges)}


def apply_bpe(student, words, merges):
    """words, merges [[left, right], …] → the symbols of each word, and of which kinds the first ones came."""
    symbols = [call(student, word=word, merges=[tuple(pair) for pair in merges]) for word in words]
    return {"symbols": Text(symbols), "form": _form(symbols[0])}


def Vocabulary(student, token_lists, min_freq=None, asked=(), ids=()):
    """The tokens and their number; what the tokens that are `asked` for are encoded as, and `ids` decoded to."""
    arguments = {"token_lists": token_lists} | ({} if min_freq is None else {"min_freq": min_freq})
    vocabulary = call(student, **arguments)
    encoded, decoded = call(vocabulary.encode, tokens=asked), call(vocabulary.decode, ids=ids)
    found = {"encoded": _as_ints(encoded), "decoded": Text(decoded), "form": _form(encoded)}
    named = hasattr(vocabulary, "tokens")  # what it is called costs one criterion
    tokens = vocabulary.tokens if named else vocabulary.decode([*range(len(vocabulary))])
    return found | {"tokens": Text(list(tokens)), "named": named, "number": len(vocabulary)}


def pad_batch(student, sequences, pad=None):
    """sequences [[id, …], …] → tokens and mask, both [B, T]."""
    arguments = {"sequences": sequences} | ({} if pad is None else {"pad": pad})
    return several(call(student, **arguments), "tokens", "mask")


def bucket_batches(student, lengths, max_tokens, seed, compare=False):
    """The batches of one draw, and of which kinds they came; with `compare`, those of four.

    A `first` one, one more from the same generator (`second`), one from a generator in the state before the first
    (`again`), and one from a generator of another seed (`other`).
    """
    if not compare:
        batches = _drawn(student, lengths, max_tokens, torch.Generator().manual_seed(seed))
        return {"batches": _as_ints(batches), "form": _form(batches)}
    generator = torch.Generator().manual_seed(seed)
    sources = {"first": generator, "second": generator}
    sources |= {"again": torch.Generator().manual_seed(seed), "other": torch.Generator().manual_seed(seed + 1)}
    return {name: _as_ints(_drawn(student, lengths, max_tokens, source)) for name, source in sources.items()}


def _drawn(student, lengths, max_tokens, generator):
    return call(student, BUCKETS, lengths=[*lengths], max_tokens=max_tokens, generator=generator)


def TokenEmbedding(student, arguments, weights, tokens=None, ask="answer"):
    """tokens [...] → vectors [..., dim]; or what `ask` says.

    The "gradients" are those of the table: by the look-up, and by another use of all its rows.
    """
    if ask == "parameters":
        return {"number of parameters": sum(p.numel() for p in build(student, arguments, weights).parameters())}
    if ask == "start":
        return {"table": _table(call(student, **arguments), arguments)}
    module = load_matching_weights(student, arguments, weights)
    module.train(ask == "training")
    if ask == "afterwards":
        call(module, tokens=tokens.flip(0)[:1])
    table = _table(module, arguments)
    vectors = call(module, tokens=tokens)
    if ask != "gradients":
        return {"vectors": vectors, "table": table}
    ramp = torch.linspace(1, 2, vectors.numel(), dtype=vectors.dtype).reshape(vectors.shape)
    nothing = torch.zeros(arguments["vocab_size"], arguments["dim"])
    if not vectors.requires_grad:
        return {"gradients": nothing, "gradient_elsewhere": nothing}
    parameter = next(module.parameters())
    looked_up = torch.autograd.grad((vectors * ramp).sum(), parameter)[0]
    return {"gradients": looked_up, "gradient_elsewhere": torch.autograd.grad(parameter.sum(), parameter)[0]}


def _table(module, arguments):
    """What the module looks up in, whatever it is called, as it is now."""
    plain = (value for value in vars(module).values() if isinstance(value, torch.Tensor))
    nothing = torch.zeros(arguments["vocab_size"], arguments["dim"])
    return next(iter([*module.parameters(), *module.buffers(), *plain]), nothing).detach().clone()


def _form(value) -> Text:
    """Of which kinds it is, `list of tuple of str`; a named tuple is a tuple."""
    kinds = []
    while isinstance(value, (list, tuple)):
        kinds.append("list" if isinstance(value, list) else "tuple")
        if not value:
            return Text(" of ".join(kinds))
        value = value[0]
    return Text(" of ".join([*kinds, type(value).__name__]))


def _as_ints(value) -> Text:
    """Lists of ids as JSON, whatever kind of whole numbers they hold."""
    return Text(_ints(value))


def _ints(value):
    if isinstance(value, (list, tuple)):
        return [_ints(part) for part in value]
    if isinstance(value, (torch.Tensor, np.ndarray, np.integer)):
        return value.tolist()
    return value
