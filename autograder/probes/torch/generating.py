"""Stage 13: which tokens may be drawn, and a text written token by token."""

import torch

from autograder.probes.calling import call
from autograder.probes.torch.language_model_stand_ins import CountingModel, DrawingModel
from autograder.probes.torch.modes import after_an_error

FILTERED = "logits temperature top_k top_p"
WRITTEN = "model tokens max_new_tokens generator temperature top_k top_p stop"
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
        return after_an_error(student, model, tokens, max_new_tokens, None, 0)
    written = call(student, WRITTEN, **given)
    if ask == "modes":
        return vars(model.notes) | {"tokens": written, "mode": model.training, "frozen": model.frozen.training}
    if stop is not None:
        return {"ended": written, "mode": model.training}
    return {"tokens": written, "read": model.read, "calls": model.calls}


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
