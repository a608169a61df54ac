"""What goes wrong in `filter_logits`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake
from autograder.catalogue.language_model.filter_logits_refusal_mistakes import REFUSAL_MISTAKES

DIVIDED, EDGE = "logits = logits / temperature", "edge = logits.topk(top_k).values[..., -1:]"
BELOW, DROPPED = (
    "logits.masked_fill(logits < edge, -torch.inf)",
    "probabilities.cumsum(dim=-1) - probabilities >= top_p",
)
KEEP_FIRST, BACK = "dropped[..., 0] = False", "dropped.scatter(-1, places, dropped)"
COLD, SORTED = "if temperature == 0:", "ordered, places = logits.sort(dim=-1, descending=True)"
COLDEST = "torch.full_like(logits, -torch.inf).scatter(-1, best, logits.gather(-1, best))"
SOFTMAX = "probabilities = ordered.softmax(dim=-1)"

CROSSES = "The probabilities are 0.6, 0.3 and 0.1, and top_p is 0.7. Which tokens stay?"
FIRST = "The most likely token has probability 0.8 and top_p is 0.5. Which tokens stay?"
ROWS = "How many edges does a batch of 3 rows have?"
SEQUENCE = "Which comes first: temperature, top_k or top_p?"
DRAWN = "Which probability does softmax give to a logit of 0, and to −∞?"
HOT = "Are logits / 2 more or less extreme than the logits?"


def after(text):
    """The steps in another order: the one that was there is done last."""
    return {"return logits": f"{text}\n    return logits"}


MISTAKES = (
    *REFUSAL_MISTAKES,
    mistake("crossing token dropped", {DROPPED: "probabilities.cumsum(dim=-1) > top_p", KEEP_FIRST: "pass"}).because(
        "You drop the token that crosses the line. It belongs to the set; where the most likely token holds top_p on "
        "its own, nothing is left of your row.",
        FIRST,
    ),
    mistake("crossing token dropped, but never the first", {DROPPED: "probabilities.cumsum(dim=-1) > top_p"}).because(
        "You drop the token that crosses the line: what stays holds less than top_p.", CROSSES
    ),
    mistake(
        "one too many",
        {
            DROPPED: "probabilities.cumsum(dim=-1) - 2 * probabilities.roll(1, -1) * (torch.arange(logits.shape[-1]) "
            "> 0) - probabilities + probabilities.roll(1, -1) * (torch.arange(logits.shape[-1]) > 0) >= top_p"
        },
    ).because("You keep one token more than you need to reach top_p.", CROSSES),
    mistake("only a larger sum ends it", {DROPPED: DROPPED.replace(">=", ">")}).because(
        "If the earlier tokens hold exactly top_p, you keep one more. At least top_p is enough: compare with >=.",
        "Two tokens have probability 0.5 each, and top_p is 0.5. Which tokens stay?",
    ),
    mistake(
        "softmax by exp alone",
        {SOFTMAX: "probabilities = ordered.exp() / ordered.exp().sum(dim=-1, keepdim=True)"},
    ).because(
        "You take exp of the logits directly, which overflows above 88; use softmax.", "What is exp(100) in float32?"
    ),
    mistake("top_p not used", {"if top_p is not None and top_p < 1:": "if False:"}).because(
        "top_p has no effect.", "Where do you use `top_p`?"
    ),
    mistake("top_k not used", {"if top_k is not None and top_k < logits.shape[-1]:": "if False:"}).because(
        "top_k has no effect.", "Where do you use `top_k`?"
    ),
    mistake(
        "top_k only without top_p",
        {"if top_k is not None and top_k < logits": "if top_p is None and top_k is not None and top_k < logits"},
    ).because("With a top_p you leave top_k out; apply both, top_k first.", SEQUENCE),
    mistake("log-probabilities returned", {"return logits": "return logits.log_softmax(dim=-1)"}).because(
        "You return log-probabilities; return the logits that stay, divided by the temperature.",
        "What is the logit of a token that stays?",
    ),
    mistake(
        "temperature 0 returns 0 for the best token",
        {COLDEST: "torch.full_like(logits, -torch.inf).scatter(-1, best, 0.0)"},
    ).because(
        "At temperature 0 you set the token that stays to 0; keep its logit.",
        "What is the logit of a token that stays?",
    ),
    mistake(
        "temperature 0 returns infinity for the best token",
        {COLDEST: "torch.full_like(logits, -torch.inf).scatter(-1, best, torch.inf)"},
    ).because(
        "At temperature 0 you set the token that stays to infinity, whose softmax is NaN; keep its logit.",
        "What does softmax make of an infinite logit?",
    ),
    mistake("float32 returned", {"return logits": "return logits.float()"}).because(
        "You return float32 for logits in half precision; keep their dtype.", "What is the dtype of your result?"
    ),
    mistake("at least two tokens", {KEEP_FIRST: "dropped[..., :2] = False"}).because(
        "You always keep at least two tokens; where the most likely one holds top_p on its own, only one stays.", FIRST
    ),
    mistake("from the unlikely end", {SORTED: "ordered, places = logits.sort(dim=-1)"}).because(
        "You sort ascending, so you keep the least likely tokens.", CROSSES
    ),
    mistake("a lower limit of probability", {DROPPED: "probabilities < 1 - top_p"}).because(
        "You keep every token with a probability above 1 − top_p; keep the smallest set that holds top_p together.",
        CROSSES,
    ),
    mistake("sums of logits", {SOFTMAX: "probabilities = ordered"}).because(
        "You add up logits; top_p is about probabilities: softmax first.", "What do your numbers sum to in one row?"
    ),
    mistake("not brought back to the old order", {BACK: "dropped"}).because(
        "You decide in sorted order and apply it to the unsorted row: bring it back with scatter.",
        "Which token is at place 0 of the sorted row?",
    ),
    mistake(
        "sorted output",
        {
            "logits.masked_fill(dropped.scatter(-1, places, dropped), "
            "-torch.inf)": "ordered.masked_fill(dropped, -torch.inf)"
        },
    ).because(
        "You return the row sorted: its places are no longer tokens.", "Which token is at place 0 of the sorted row?"
    ),
    mistake("gathered instead of scattered", {BACK: "dropped.gather(-1, places)"}).because(
        "Your decision comes back in the wrong order, as when you gather where you should scatter: gather sorts a "
        "second time, scatter brings each place back to where it came from.",
        "What does places[0] = 5 mean?",
    ),
    mistake(
        "edge of the first row",
        {
            EDGE: "edge = logits.topk(top_k).values.flatten(0, -2)[0, -1:] if logits.ndim > 1 else "
            "logits.topk(top_k).values[-1:]"
        },
    ).because("You take the edge of the first row for all of them; each row has its own.", ROWS),
    mistake("one edge for the batch", {EDGE: "edge = logits.flatten().topk(top_k).values[-1:]"}).because(
        "You look for the k largest in the whole batch; each row has its own.", ROWS
    ),
    mistake("the edge dropped", {"logits < edge": "logits <= edge"}).because(
        "You drop the k-th largest too: k − 1 tokens stay.", "How many tokens stay with top_k = 1?"
    ),
    mistake("the k smallest", {"topk(top_k)": "topk(top_k, largest=False)", "logits < edge": "logits > edge"}).because(
        "You keep the k smallest logits; keep the k largest.", "Which tokens does top_k leave?"
    ),
    mistake("top_k of V − 1 ignored", {"top_k < logits.shape[-1]:": "top_k < logits.shape[-1] - 1:"}).because(
        "A top_k of V − 1 has no effect; it drops the smallest logit.", "How many of 11 tokens does a top_k of 10 drop?"
    ),
    mistake("top_k above V breaks", {" and top_k < logits.shape[-1]:": ":"}).because(
        "A top_k above the size of the vocabulary keeps everything; topk raises an error.",
        "What does topk(100) do with 11 numbers?",
    ),
    mistake("zero for minus infinity", {"-torch.inf": "0.0"}, times=3).because(
        "You set the logits to 0: a token with logit 0 is still drawn, and often. Set them to −∞.", DRAWN
    ),
    mistake("minus one hundred", {"-torch.inf": "-10.0"}, times=3).because(
        "−10 is not low enough: such tokens may still be drawn. Set them to −∞.", DRAWN
    ),
    mistake("temperature last", {DIVIDED: "warm = logits", "return logits": "return logits / temperature"}).because(
        "Your top_p counts the probabilities at temperature 1, which will not be drawn from; divide by the temperature "
        "first.",
        SEQUENCE,
    ),
    mistake(
        "top_p before top_k",
        {
            EDGE: "edge = first.topk(top_k).values[..., -1:]",
            BELOW: "logits",
            DIVIDED: f"{DIVIDED}\n    first = logits",
            **after(
                "if top_k is not None and top_k < logits.shape[-1]:\n"
                "        logits = logits.masked_fill(first < edge, -torch.inf)"
            ),
        },
    ).because(
        "You apply top_p before top_k: it should count only the tokens that top_k leaves, renormalised.", SEQUENCE
    ),
    mistake("temperature multiplied", {DIVIDED: "logits = logits * temperature"}).because(
        "You multiply by the temperature; divide by it. Below 1 the differences should grow.", HOT
    ),
    mistake("temperature not used", {DIVIDED: "pass"}).because("Your temperature has no effect.", HOT),
    mistake("temperature of the probabilities", {DIVIDED: "logits = logits.softmax(dim=-1) / temperature"}).because(
        "You divide probabilities by the temperature; divide the logits.", "What comes out at temperature 1?"
    ),
    mistake("division by zero", {COLD: "if False:"}).because(
        "At temperature 0 you divide by 0: handle it separately, and leave only the largest logit.",
        "What is 1 / 0 in torch, and 0 / 0?",
    ),
    mistake("a small number for temperature 0", {COLD: "temperature = max(temperature, 1e-9)\n    if False:"}).because(
        "You replace temperature 0 by a small number. Equal logits stay equal, so several tokens may be "
        "drawn; only one "
        "should stay.",
        "Which tokens stay if two are equally large?",
    ),
    mistake(
        "temperature 0 keeps all equal ones",
        {
            "torch.full_like(logits, -torch.inf).scatter(-1, best, "
            "logits.gather(-1, best))": "logits.masked_fill(logits < logits.gather(-1, best), -torch.inf)"
        },
    ).because(
        "Of equal largest logits you keep all; only one should stay.", "Which tokens stay if two are equally large?"
    ),
    mistake(
        "temperature 0 for the first row",
        {
            "best = logits.argmax(dim=-1, keepdim=True)": "best = logits.flatten(0, "
            "-2)[:1].argmax(-1).expand(*logits.shape[:-1], 1)"
        },
    ).because("At temperature 0 all rows keep the first row's best token; each row has its own.", ROWS),
    mistake("probabilities returned", {"return logits": "return logits.softmax(dim=-1)"}).because(
        "You return probabilities; return logits, −∞ where a token may not be drawn.", DRAWN
    ),
    mistake("filtered logits left out", {"return logits": "return logits[logits > -torch.inf]"}).because(
        "You cut the filtered tokens out, so places are no longer tokens: keep the shape.",
        "What is the shape of your result?",
    ),
    overwrites(
        "logits",
        {
            "return logits": "before.copy_(logits)\n    return logits",
            DIVIDED: f"before = logits\n    {DIVIDED}",
        },
        "the model's own numbers are gone.",
    ),
    in_double_precision("values", {"return logits": "return logits.double()"}),
    mistake("0 instead of −∞ for top_k", {BELOW: "logits.masked_fill(logits < edge, 0.0)"}).because(
        "You set what top_k drops to 0, and a logit of 0 is drawn. Set it to −∞.", DRAWN
    ),
    mistake(
        "one more than top_k", {EDGE: "edge = logits.topk(min(top_k + 1, logits.shape[-1])).values[..., -1:]"}
    ).because("You keep top_k + 1 tokens. Keep top_k.", "Which place of the sorted logits is the edge?"),
    mistake(
        "top_p of the logits before the filters",
        {
            DIVIDED: f"unfiltered = logits\n    {DIVIDED}",
            SOFTMAX: "probabilities = unfiltered.softmax(dim=-1).gather(-1, places)",
        },
    ).because(
        "You take the probabilities for top_p from the logits as they came in. Take them from what temperature and "
        "top_k have left.",
        SEQUENCE,
    ),
    mistake("kept and dropped exchanged", {DROPPED: DROPPED.replace(">=", "<"), KEEP_FIRST: "pass"}).because(
        "With top_p you drop the tokens that should stay, and keep the unlikely ones. Drop those that come after the "
        "line.",
        CROSSES,
    ),
    mistake("the smallest edge for all rows", {EDGE: "edge = logits.topk(top_k).values[..., -1:].min()"}).because(
        "You use one edge for the whole batch; each row has its own.", ROWS
    ),
    mistake(
        "logits over their sum",
        {SOFTMAX: "probabilities = ordered / ordered.sum(dim=-1, keepdim=True)", KEEP_FIRST: "pass"},
    ).because(
        "You divide the logits by their sum; they are no probabilities. Take their softmax.",
        "What do your numbers sum to in one row, and is one of them negative?",
    ),
    *(
        mistake(
            f"{small} for temperature 0", {COLD: f"temperature = max(temperature, {small})\n    if False:"}
        ).because(
            "You replace temperature 0 by a small number. Equal logits stay equal, so several tokens may be "
            "drawn; only one should stay.",
            "Which tokens stay if two are equally large?",
        )
        for small in ("1e-5", "1e-6", "1e-8")
    ),
    mistake("temperature squared", {DIVIDED: "logits = logits / temperature**2"}).because(
        "You divide by the square of the temperature, as if you had divided twice; divide once.", HOT
    ),
    mistake("min-p", {DROPPED: "probabilities < top_p * probabilities[..., :1]"}).because(
        "You keep tokens with at least top_p times the largest probability (that's min-p); keep the smallest set that "
        "holds top_p together.",
        CROSSES,
    ),
    mistake("0 and 1 at temperature 0", {COLDEST: "torch.zeros_like(logits).scatter(-1, best, 1.0)"}).because(
        "At temperature 0 you return 1 for one token and 0 for the others, but a logit of 0 can still be drawn: return "
        "−∞ for the others.",
        DRAWN,
    ),
)
