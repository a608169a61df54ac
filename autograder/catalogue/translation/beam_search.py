"""beam_search(model, src, bos, eos, beam_size, max_len, alpha=0.6, src_mask=None) → [(tokens, score), …]."""

import numpy as np
import torch
from torch import nn

import course_lib.text.decoding as reference
from autograder.catalogue.checks import COMMON, is_true, matches, moved, nothing_else_changes, unmoved, where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise
from autograder.catalogue.results import Finding
from autograder.catalogue.translation.beam_search_mistakes import (
    BEST,
    EVAL,
    MASK,
    MISTAKES,
    RESTORED,
    SET_ASIDE,
    STRIPPED,
)
from autograder.probes.torch.translation import NOTHING

TOKENS, STATES, END = 11, 101, "$"  # so many states that no two walks meet the same steps in another order


def told(g, story, beam_size, max_len, alpha=None, bos=1, eos=2, **settings):
    """A model that tells this story: from each place, which symbol follows with which probability, and where to.

    Symbols stand for tokens at random. What a place leaves open is shared among all other tokens, and leads nowhere.
    """
    words = [token for token in torch.randperm(TOKENS, generator=g).tolist() if token not in (bos, eos)]
    symbols = sorted({symbol for arcs in story.values() for symbol in arcs} - {END})
    token_of = dict(zip(symbols, words, strict=False)) | {END: eos}
    place_of, nowhere = {place: n for n, place in enumerate(story)}, len(story)
    p = 0.02 + 0.01 * torch.rand(nowhere + 1, TOKENS, generator=g)
    p[:, [bos, eos]] = 1e-6
    following = torch.full((nowhere + 1, TOKENS), nowhere)
    following[:, bos] = 0
    for place, arcs in story.items():
        left = 1 - sum(share for share, _ in arcs.values())
        p[place_of[place]] *= left / p[place_of[place]].sum()
        for symbol, (share, to) in arcs.items():
            p[place_of[place], token_of[symbol]] = share * (1 + 0.02 * torch.rand((), generator=g))
            following[place_of[place], token_of[symbol]] = place_of.get(to, nowhere)
    logits = p.log() + torch.randn((), generator=g)  # no log-probabilities, least of all at A
    logits[place_of.get("A", nowhere)] += 4
    src = torch.randint(TOKENS, (1, 5), generator=g)
    src[0, -1] += (nowhere - src.sum()) % (nowhere + 1)  # who does not begin with bos is lost
    case = {"src": src, "bos": bos, "eos": eos, "beam_size": beam_size}
    case |= {"max_len": max_len, "weights": {"logits": logits, "following": following}} | settings
    return case if alpha is None else case | {"alpha": alpha}


def wandering(g, beam_size=4, max_len=9, alpha=0.0, ends=True, masked=False, other=None, **settings):
    """A model without a plan, whose walk begins where the source says; when `masked` the last two tokens are hidden."""
    bos, eos = 1, 2
    logits = 2 * torch.randn(STATES, TOKENS, generator=g) + 3 * torch.randn(STATES, 1, generator=g)
    logits[:, eos] = logits.amax(dim=1) - (0.5 if ends else 60.0)
    following = torch.stack([torch.randperm(STATES, generator=g) for _ in range(TOKENS)], dim=1)
    src = torch.randint(1, TOKENS, (1, 5), generator=g)
    if other is not None:
        src[:, other] += 1
    case = {"src": src, "bos": bos, "eos": eos, "beam_size": beam_size, "max_len": max_len, "alpha": alpha}
    case |= {"weights": {"logits": logits, "following": following}} | settings
    return case | ({"src_mask": torch.tensor([[True, True, True, False, False]])} if masked else {})


SURE = {END: (0.97, "over")}
PLAIN = {"": {"a": (0.5, "A")}, "A": {"b": (0.6, "B")}, "B": {"c": (0.5, "C")}, "C": {END: (0.9, "over")}}
ENDLESS = {"": {"a": (0.6, "A"), "b": (0.2, "B")}, "A": {"b": (0.5, "B"), "c": (0.3, "A")}, "B": {"a": (0.7, "A")}}
AT_ONCE = {"": {END: (0.8, "over")}}
GARDEN_PATH = {
    "": {"a": (0.55, "A"), "b": (0.4, "B")},
    "A": {"c": (0.24, "E"), "d": (0.22, "E"), "e": (0.21, "E"), "f": (0.2, "E")},
    "B": {"c": (0.95, "C")},
    "C": {END: (0.9, "over")},
    "E": SURE,
}
LATE = {"": {END: (0.25, "over"), "a": (0.5, "A")}, "A": {END: (0.26, "over"), "b": (0.7, "B")}, "B": SURE}
FEW = {symbol: (share, "E") for symbol, share in zip("efgh", (0.2, 0.18, 0.16, 0.14), strict=True)}
ASIDE = {
    "": {END: (0.4, "over"), "a": (0.35, "A")},
    "A": {"c": (0.45, "C"), "d": (0.42, "D")},
    "C": FEW,
    "D": SURE,
    "E": SURE,
}
SECOND = {
    "": {"a": (0.5, "A"), "b": (0.45, "B")},
    "A": FEW,
    "B": {"c": (0.55, "C"), "d": (0.4, "D")},
    "C": {END: (0.9, "over")},
    "D": SURE,
    "E": SURE,
}
NOT_FILLED_UP = {"": {END: (0.4, "over"), "a": (0.3, "A"), "b": (0.25, "B")}, "A": FEW, "B": SURE, "E": SURE}
LONG = {  # the longer a sentence, the smaller its sum, and the better its score with alpha = 1
    "": {END: (0.3, "over"), "a": (0.65, "A")},
    "A": {END: (0.385, "over"), "b": (0.31, "B")},
    "B": {"c": (0.97, "C")},
    "C": SURE,
}
HALF_DONE = {"": {END: (0.2, "over"), "a": (0.7, "A")}, "A": {"b": (0.9, "B")}, "B": {"c": (0.9, "A")}}


@torch.no_grad()
def row_by_row(model, src, bos, eos, beam_size, max_len, alpha=0.6, src_mask=None):
    """Python lists, and the model asked for one beginning at a time."""
    was = [part.training for part in model.modules()] if isinstance(model, nn.Module) else []
    model.eval() if was else None
    beam, done = [([bos], 0.0)], []
    for step in range(max_len):
        candidates = []
        for words, total in beam:
            log_p = torch.log_softmax(model(src, torch.tensor([words]), src_mask=src_mask)[0, -1], dim=-1)
            candidates += [([*words, token], total + x) for token, x in enumerate(log_p.tolist())]
        candidates.sort(key=lambda one: one[1], reverse=True)
        beam = []
        for words, total in candidates[:beam_size]:
            if words[-1] == eos:
                done.append((words[1:-1], total * (6 / (6 + step)) ** alpha))
            else:
                beam.append((words, total))
    done += [(words[1:], total / ((5 + max_len) / 6) ** alpha) for words, total in beam]
    for part, mode in zip(model.modules() if was else (), was, strict=True):
        part.training = mode
    return sorted(done, key=lambda one: one[1], reverse=True)[:beam_size]


GREEDY, FOUND = "a beam of one is greedy decoding", "the best sentence is found where greedy goes wrong"
KEEPS, SCORES = "the best are kept, those that end are set aside", "the score is the sum over the length penalty"
UNFINISHED, FORM = (
    "what has not ended at max_len counts",
    "pairs of a list and a number, best first, bos and eos left out",
)
MASKED, QUIET = "the source mask reaches the model", "no dropout and no gradient while decoding"
GREEDILY = ("greedily", "greedily, other bos and eos", "greedily, at once over")
ROUNDS = ("late", "set aside", "all from the second", "not filled up", "wandering", "more than there are words")


def found(case, name):
    """The best sentence, or all, are right; the finding shows them without what fills them up."""

    def check(results):
        actual, expected = results.output(case, name), results.expected_output(case, name)
        if np.array_equal(actual, expected):
            return None
        what = "the best sentence is" if name == "best" else "the sentences are"
        return Finding(f"{what} {without_filler(actual)}, expected {without_filler(expected)}", case)

    return check


def without_filler(tokens):
    """Lists of ids, as the search returned them."""
    rows = [[token for token in row if token != NOTHING] for row in np.atleast_2d(tokens).tolist()]
    return rows[0] if tokens.ndim == 1 else rows


PATH = found("garden path", "best")


def searched(*checks):
    """Asked only of a search that finds what it looks for."""
    for case in ("set aside", "wandering", "late"):
        checks = (where(found(case, "tokens"), *checks),)
    return where(PATH, *checks)


def falls(scores, count):
    return (scores[1:count] <= scores[: max(count - 1, 0)] + 1e-6).all()


BEAM_SEARCH = Exercise(
    id="beam_search",
    title="Beam search",
    reference=reference.beam_search,
    cases=(
        Case("greedily", lambda g: told(g, PLAIN, 1, 7)),
        Case("greedily, other bos and eos", lambda g: told(g, PLAIN, 1, 7, alpha=1.3, bos=9, eos=4)),
        Case("greedily, at once over", lambda g: told(g, AT_ONCE, 1, 5, alpha=0.6)),
        Case("greedily, never over", lambda g: told(g, ENDLESS, 1, 5, alpha=1.0)),
        Case("garden path", lambda g: told(g, GARDEN_PATH, 2, 7)),
        Case("garden path, three at a time", lambda g: told(g, GARDEN_PATH, 3, 7), same_as="garden path"),
        Case("late", lambda g: told(g, LATE, 2, 7, alpha=0.0)),
        Case("set aside", lambda g: told(g, ASIDE, 2, 7, alpha=0.0)),
        Case("all from the second", lambda g: told(g, SECOND, 2, 7, alpha=0.0)),
        Case("not filled up", lambda g: told(g, NOT_FILLED_UP, 2, 7, alpha=0.0)),
        Case("wandering", wandering),
        Case("more than there are words", lambda g: wandering(g, beam_size=13, max_len=13)),
        Case("short or long", lambda g: told(g, LONG, 2, 7, alpha=0.0)),
        Case("short or long, length made up for", lambda g: told(g, LONG, 2, 7, alpha=1.0), same_as="short or long"),
        Case("nobody ends", lambda g: wandering(g, beam_size=3, max_len=4, ends=False)),
        Case("half done", lambda g: told(g, HALF_DONE, 2, 3, alpha=0.0)),
        Case("masked", lambda g: wandering(g, masked=True)),
        Case("hidden source moved", lambda g: wandering(g, masked=True, other=4), same_as="masked"),
        Case("visible source moved", lambda g: wandering(g, masked=True, other=1), same_as="masked"),
        Case("a plain function", lambda g: wandering(g, plain=True), same_as="wandering"),
        Case("eval mode", lambda g: wandering(g, mode="was_training"), same_as="wandering"),
        Case("gradients", lambda g: wandering(g, mode="had_gradients"), same_as="wandering"),
    ),
    criteria=(
        Criterion(GREEDY, 0.75, *(found(case, "best") for case in GREEDILY)),
        Criterion(FOUND, 1, PATH, found("garden path, three at a time", "best")),
        Criterion(
            KEEPS, 1.25, *(check for case in ROUNDS for check in (found(case, "tokens"), matches(case, "count")))
        ),
        Criterion(
            SCORES,
            1,
            *(matches(case, "scores") for case in GREEDILY),
            searched(
                found("short or long", "best"),
                found("short or long, length made up for", "tokens"),
                matches("wandering", "scores"),
            ),
        ),
        Criterion(
            UNFINISHED,
            0.5,
            found("greedily, never over", "best"),
            matches("greedily, never over", "count"),
            where(matches("greedily", "scores"), matches("greedily, never over", "scores")),
            searched(
                *(
                    check
                    for case in ("half done", "nobody ends")
                    for check in (found(case, "tokens"), matches(case, "count"))
                )
            ),
        ),
        Criterion(
            FORM,
            0.25,
            is_true("late", ["plainly"], bool, "the pairs do not contain a list of int and a float"),
            *(
                is_true(case, ["bare"], bool, "bos or eos is among the tokens")
                for case in ("garden path, three at a time", "late")
            ),
            is_true("late", ["scores", "count"], falls, "the best does not come first"),
        ),
        Criterion(
            MASKED,
            0.5,
            unmoved("masked", "hidden source moved", "scores", text="a hidden source token changes the output"),
            moved(
                "masked", "visible source moved", "scores", text="a visible source token leaves the output unchanged"
            ),
        ),
        Criterion(
            QUIET,
            0.5,
            is_true("eval mode", ["was_training"], np.logical_not, "the model is asked in training mode"),
            is_true("gradients", ["had_gradients"], np.logical_not, "the model is asked with gradients on"),
            unmoved("wandering", "a plain function", text="a plain function as the model gives different results"),
        ),
        Criterion(COMMON, 0.25, nothing_else_changes()),
    ),
    mistakes=MISTAKES,
    forbidden=("generate",),
    right_variants=(
        row_by_row,
        right(
            "it stops where nothing better can come",
            {
                "if ended.all():": "bound = sums.max() / ((5 + max_len) / 6) ** alpha if len(sums) else -torch.inf\n"
                "                if sum(score >= bound for _, score in found) >= beam_size or not len(sums):"
            },
        ),
        right(
            "sorted by numpy, arguments by place, no mask expanded",
            {
                MASK: "src_mask",
                "src.expand(rows, -1), tokens, src_mask=mask": "src.repeat(rows, 1), tokens, mask",
                BEST: "candidates.flatten().sort(descending=True)\n"
                "                sums, places = sums[:beam_size], places[:beam_size]",
            },
        ),
        right(
            "train and eval for every part, lists cut at eos",
            {
                EVAL: "module.eval()",
                RESTORED: "module.train(training)",
                STRIPPED: "made[: made.index(eos)] if eos in made else made",
                SET_ASIDE: "found.extend(zip(tokens[ended, 1:].tolist(), scores.tolist()))",
            },
        ),
    ),
)
