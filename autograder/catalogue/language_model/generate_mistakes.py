"""What goes wrong in `generate`."""

from autograder.catalogue.common_mistakes import modes_not_restored, of_other_dtypes, overwrites, switches
from autograder.catalogue.edits import mistake

STEP = "logits, caches = model.step(new, caches)"
FILTERED = "filtered = filter_logits(logits[:, -1], temperature, top_k, top_p)"
GREEDY, DRAWN = (
    "new = filtered.argmax(dim=-1, keepdim=True)",
    "new = torch.multinomial(filtered.softmax(dim=-1), 1, generator=generator)",
)
FROZEN, STOPPED = "new = new.masked_fill(stopped.unsqueeze(-1), stop)", "stopped = stopped | (new[:, 0] == stop)"
ENDED, EMPTY = "if stopped.all():", "if not tokens.shape[1]:"
EVAL, RESTORED, NO_GRAD = "module.training = False", "module.training = training", "with torch.no_grad():"

ALIKE = "rows with the same logits draw the same tokens"

CACHED = "The prompt has 5 tokens and you write 8. How many tokens does the model read in all?"
LAST = "Of the logits [B, T, V], which position predicts the next token?"
ENDS = "Which rows may still choose their next token?"
WHOSE = "From which generator does your line draw?"
AGAIN = "In which mode should the model be after your function, if it came in training mode?"

MISTAKES = (
    mistake("whole text into the cache", {STEP: "logits, caches = model.step(tokens, caches)"}).because(
        "You pass the whole text and the caches: the cache then holds the same tokens again and again. After the first "
        "call, pass only the new token.",
        CACHED,
    ),
    mistake("whole text every time", {STEP: "logits, _ = model.step(tokens)"}).because(
        "The text is right, but the model reads all of it again for every new token. Keep the caches and pass only the "
        "new token.",
        CACHED,
    ),
    mistake("cache not passed on", {STEP: "logits, _ = model.step(new)"}).because(
        "You pass only the new token and no cache: the model has forgotten the text.", CACHED
    ),
    mistake(
        "first cache kept",
        {STEP: "logits, latest = model.step(new, caches)\n                caches = caches or latest"},
    ).because("You keep the cache of the first call; pass each step the latest one.", CACHED),
    mistake(
        "the prompt token by token",
        {STEP: "for part in new.split(1, dim=1):\n                    logits, caches = model.step(part, caches)"},
    ).because(
        "The text is right, but you feed the prompt token by token; the first call can take all of it at once.",
        "How many calls does a prompt of 5 tokens need?",
    ),
    mistake("one step too many", {"    finally:": "            model.step(new, caches)\n    finally:"}).because(
        "You call the model again at the end and discard its output; stop one call earlier.", CACHED
    ),
    mistake(
        "one step too many, after new tokens",
        {"    finally:": "            if caches is not None:\n                model.step(new, caches)\n    finally:"},
    ).because("You call the model again at the end and discard its output; stop one call earlier.", CACHED),
    mistake("always the first position", {"logits[:, -1]": "logits[:, 0]"}).because(
        "You read the logits of the first position; the last one predicts the next token.", LAST
    ),
    mistake("one token too few", {"range(max_new_tokens)": "range(max_new_tokens - 1)"}).because(
        "You add one token fewer than asked.", "How often does your loop run?"
    ),
    mistake("at least one token", {"range(max_new_tokens)": "range(max(max_new_tokens, 1))"}).because(
        "With max_new_tokens=0 you add a token; return the prompt as it is.", "How often does your loop run?"
    ),
    mistake("one token too many", {"range(max_new_tokens)": "range(max_new_tokens + 1)"}).because(
        "You add one token more than asked.", "How often does your loop run?"
    ),
    mistake(
        "max_new_tokens counts the prompt", {"range(max_new_tokens)": "range(max_new_tokens - tokens.shape[1])"}
    ).because("You count the prompt too; max_new_tokens are the new ones.", "How often does your loop run?"),
    mistake(
        "prompt left out",
        {
            "return tokens": "return tokens[:, prompt:]",
            "new, caches = tokens, None": "prompt, new, caches = tokens.shape[1], tokens, None",
        },
    ).because(
        "You return only the new tokens; return the prompt and the new tokens.", "What is the shape of your result?"
    ),
    mistake("the least likely token", {GREEDY: "new = logits[:, -1].argmin(dim=-1, keepdim=True)"}).because(
        "At temperature 0 you take the least likely token; take the most likely.", "What does argmin return?"
    ),
    mistake("always greedy", {DRAWN: GREEDY}).because(
        "You always take the most likely token; draw from the probabilities unless the temperature is 0.", WHOSE
    ),
    mistake("always drawn", {"if temperature == 0:": "if False:"}).because(
        "At temperature 0 you draw as well: the token is right, but random numbers are used up.",
        "How many random numbers does an argmax need?",
    ),
    mistake(
        "one draw for all rows",
        {DRAWN: "new = torch.multinomial(filtered.softmax(dim=-1)[:1], 1, generator=generator).expand(len(tokens), 1)"},
    ).because(
        "You draw one token for all rows; each row draws its own.",
        "How many tokens does a step add to a batch of 3 rows?",
    ),
    mistake(
        "one random number for all rows",
        {
            DRAWN: "cumulated = filtered.softmax(dim=-1).cumsum(dim=-1)\n                    "
            "new = (cumulated < torch.rand(1, generator=generator)).sum(dim=-1, keepdim=True)"
            ".clamp(max=filtered.shape[-1] - 1)"
        },
        shown_by=ALIKE,
    ).because(
        "Your rows all draw the same token from the same logits; each row draws its own.",
        "How many random numbers does a step draw for a batch of 3 rows?",
    ),
    mistake(
        "the first row's probabilities for all",
        {DRAWN: DRAWN.replace("(filtered.softmax(dim=-1), 1", "(filtered[:1].softmax(dim=-1).expand_as(filtered), 1")},
    ).because(
        "All rows draw from the first row's probabilities; each row has its own.",
        "How many distributions does a step have for a batch of 3 rows?",
    ),
    mistake(
        "the mean of the rows' probabilities",
        {
            DRAWN: DRAWN.replace(
                "(filtered.softmax(dim=-1), 1", "(filtered.softmax(dim=-1).mean(dim=0).expand_as(filtered), 1"
            )
        },
    ).because(
        "All rows draw from the mean of the rows' probabilities; each row has its own.",
        "How many distributions does a step have for a batch of 3 rows?",
    ),
    mistake(
        "a random number at temperature 0",
        {
            "if temperature == 0:": "torch.rand(1)\n                if temperature == 0:",
        },
    ).because(
        "You draw a random number at temperature 0, even if only from torch's own generator; draw none.",
        "How many random numbers does an argmax need?",
    ),
    mistake(
        "a fixed seed without a generator",
        {
            "    stopped = torch.zeros": "    generator = generator or torch.Generator().manual_seed(0)\n"
            "    stopped = torch.zeros"
        },
    ).because(
        "Without a generator you make one with a fixed seed, so every call writes the same text. None means "
        "torch's own generator: pass it on to multinomial.",
        WHOSE,
    ),
    mistake(
        "a random seed without a generator",
        {
            "    stopped = torch.zeros": "    fresh = torch.Generator()\n    fresh.seed()\n"
            "    generator = generator or fresh\n"
            "    stopped = torch.zeros"
        },
    ).because(
        "Without a generator you make one with a random seed, so torch.manual_seed has no effect. None means "
        "torch's own generator: pass it on to multinomial.",
        WHOSE,
    ),
    mistake(
        "generator seeded again",
        {
            "    stopped = torch.zeros": "    generator and generator.manual_seed(generator.initial_seed())\n"
            "    stopped = torch.zeros"
        },
    ).because(
        "You seed the generator again, so a second call writes the same text. Draw from it without seeding it.", WHOSE
    ),
    mistake("softmax before the filter", {FILTERED: FILTERED.replace("-1]", "-1].softmax(dim=-1)")}).because(
        "You pass probabilities to filter_logits, which expects logits: apply the softmax once, after it.",
        "Which of your lines applies a softmax, and to what?",
    ),
    mistake("generator not used", {", generator=generator": ""}).because(
        "You draw from torch's own numbers; use the generator.", WHOSE
    ),
    mistake("a generator of its own", {"generator=generator": "generator=torch.Generator().manual_seed(0)"}).because(
        "You make a new generator for each token: every draw is the same. Use the one you are given.", WHOSE
    ),
    mistake("filter_logits left out", {FILTERED: "filtered = logits[:, -1]"}).because(
        "temperature, top_k and top_p have no effect: filter the logits.", "Where do you use `top_k`?"
    ),
    mistake(
        "filtered only with top_k or top_p",
        {FILTERED: f"{FILTERED} if top_k or top_p or temperature == 0 else logits[:, -1]"},
    ).because(
        "Without top_k and top_p you leave filter_logits out, and with it the temperature; call it in any case.",
        "Where do you use `temperature`?",
    ),
    mistake(
        "filtered only at another temperature",
        {FILTERED: f"{FILTERED} if temperature != 1 else logits[:, -1]"},
    ).because(
        "At temperature 1 you leave filter_logits out, and with it top_k and top_p; call it in any case.",
        "Where do you use `top_k`?",
    ),
    mistake("temperature not passed on", {"temperature, top_k, top_p)": "1.0, top_k, top_p)"}).because(
        "The temperature has no effect on what is drawn.", "Where do you use `temperature`?"
    ),
    mistake("top_k and top_p not passed on", {"temperature, top_k, top_p)": "temperature)"}).because(
        "top_k and top_p have no effect: pass them to filter_logits.", "Where do you use `top_k`?"
    ),
    mistake("top_p not passed on", {"temperature, top_k, top_p)": "temperature, top_k)"}).because(
        "top_p has no effect: pass it to filter_logits.", "Where do you use `top_p`?"
    ),
    mistake("top_k not passed on", {"temperature, top_k, top_p)": "temperature, None, top_p)"}).because(
        "top_k has no effect: pass it to filter_logits.", "Where do you use `top_k`?"
    ),
    mistake("drawn from the logits, not their softmax", {"filtered.softmax(dim=-1)": "filtered.clamp(min=0)"}).because(
        "You draw in proportion to the logits; draw in proportion to their softmax.", "What does multinomial expect?"
    ),
    mistake("a stop of 0 ignored", {"if stop is not None:": "if stop:"}).because(
        "A `stop` of 0 has no effect, as if you asked `if stop`: ask whether it is None.",
        "Which of None, 0 and 7 are true in an `if`?",
    ),
    mistake("0 after stop", {FROZEN: "new = new.masked_fill(stopped.unsqueeze(-1), 0)"}).because(
        "A row that has produced `stop` continues with 0; it should continue with `stop`.", ENDS
    ),
    mistake("goes on after stop", {FROZEN: "pass"}).because(
        "A row that has produced `stop` continues with other tokens; it should continue with `stop`.", ENDS
    ),
    mistake("stops with the first row", {ENDED: "if stopped.any():"}).because(
        "The first row that stops ends all of them.",
        "When may the loop end: when one row has stopped, or when all have?",
    ),
    mistake("never ends early", {ENDED: "if False:"}).because(
        "You always add max_new_tokens, even when all rows have stopped.",
        "How long is the longest row, its stop included?",
    ),
    mistake("stopped rows not remembered", {FROZEN: "pass", STOPPED: "stopped = new[:, 0] == stop"}).because(
        "A row that has produced `stop` continues with other tokens, and you keep writing after every row has "
        "produced it. Remember which rows have stopped.",
        ENDS,
    ),
    mistake(
        "a stop in the prompt counts",
        {
            "stopped = torch.zeros(len(tokens), dtype=torch.bool, "
            "device=tokens.device)": "stopped = (tokens == stop).any(dim=1) if stop is not None else "
            "torch.zeros(len(tokens), "
            "dtype=torch.bool)"
        },
    ).because(
        "A `stop` in the prompt ends the row before it begins; only a `stop` that the row has produced counts.", ENDS
    ),
    mistake(
        "stop cut off",
        {
            "                tokens = torch.cat([tokens, new], dim=1)\n                if stopped.all():\n"
            "                    break": "                if stopped.all():\n                    break\n"
            "                tokens = torch.cat([tokens, new], dim=1)"
        },
    ).because(
        "You leave out the last `stop`: append the token before you end.",
        "Which comes first in your loop: appending, or testing whether all have stopped?",
    ),
    mistake("never in eval mode", {EVAL: "pass"}).because(
        "You call the model in whatever mode it has, and in training mode dropout changes what it writes; "
        "switch to eval mode.",
        "What does dropout do to the most likely token?",
    ),
    mistake("gradients left on", {NO_GRAD: "with torch.enable_grad():"}).because(
        "Every step keeps its graph: memory grows with each token.", "What does `with torch.no_grad():` save?"
    ),
    switches(
        "mode of model",
        "mode not restored",
        {RESTORED: "pass"},
        "The model is left in eval mode: further training would run without dropout.",
    ),
    switches(
        "requires_grad of model",
        "parameters left frozen",
        {EVAL: f"{EVAL}\n            module.requires_grad_(False)"},
        "You leave the parameters frozen: training could not continue. torch.no_grad() is enough.",
    ),
    *modes_not_restored(AGAIN),
    mistake("an error swallowed", {"    finally:\n": "    except RuntimeError:\n        pass\n    finally:\n"}).because(
        "If the model raises an error, you swallow it and return half a text: restore the modes in `finally`, without "
        "`except`.",
        "What does the caller get if the model fails?",
    ),
    mistake("empty prompt not refused", {EMPTY: "if False:"}).because(
        "An empty prompt has no last position to read: raise a ValueError.", LAST
    ),
    *of_other_dtypes("tokens", "return tokens"),
    overwrites(
        "tokens",
        {
            "new, caches = tokens, None": "given, new, caches = tokens, tokens.clone(), None",
            "return tokens": "written = tokens.clone()\n    given += 1\n    return written",
        },
        "the prompt is gone.",
    ),
    mistake("the first row's token for all rows", {DRAWN: f"{DRAWN}[:1].expand(len(tokens), 1)"}).because(
        "All rows get the token that you drew for the first; each row draws its own.",
        "How many tokens does a step add to a batch of 3 rows?",
    ),
    mistake("temperature twice", {FILTERED: FILTERED.replace("-1]", "-1] / (temperature or 1)")}).because(
        "You divide by the temperature before filter_logits, which divides again; leave it to filter_logits.",
        "In which of your lines do you use the temperature?",
    ),
)
