"""What goes wrong in `candidate_odds`."""

from autograder.catalogue.common_mistakes import modes_not_restored, overwrites, switches
from autograder.catalogue.edits import mistake

ODDS = "(log_p[first] - log_p[second]).item()"
ASK = "model(tokens)[0, position].log_softmax(dim=-1)"
HIDE = "    tokens[0, position] = mask_id\n"
COPY = "tokens.clone().reshape(1, -1)"
TO_EVAL = "            module.training = False"
LOG = "What is the logarithm of a quotient?"
AFTER_AN_ERROR = "after an error in the model its mode is not restored"
MODES = "In which mode was each part of the model when you got it?"

MISTAKES = (
    mistake(
        "second over first", {ODDS: ODDS.replace("first", "x").replace("second", "first").replace("x", "second")}
    ).because("Your sign is inverted; above 0 must mean that the first word is more likely.", LOG),
    mistake(
        "probabilities subtracted", {"log_p[first] - log_p[second]": "log_p[first].exp() - log_p[second].exp()"}
    ).because("You subtract probabilities; subtract their logarithms.", LOG),
    mistake("a quotient", {"log_p[first] - log_p[second]": "(log_p[first] - log_p[second]).exp()"}).because(
        "You return P(first) / P(second); return its logarithm.", LOG
    ),
    mistake("without its sign", {ODDS: ODDS.replace(".item()", ".abs().item()")}).because(
        "You return the size of the log-odds without the sign; below 0 must mean that the second word is more likely.",
        LOG,
    ),
    mistake("a quotient of logarithms", {"log_p[first] - log_p[second]": "log_p[first] / log_p[second]"}).because(
        "You divide the logarithms; subtract them.", LOG
    ),
    mistake("the first alone", {"log_p[first] - log_p[second]": "log_p[first]"}).because(
        "You return only log P(first), so a rare word always looks unlikely; subtract log P(second).",
        LOG,
    ),
    mistake(
        "the share of the two", {"(log_p[first] - log_p[second])": "(log_p[first] - log_p[second]).sigmoid()"}
    ).because("You return P(first) / (P(first) + P(second)); the log-odds are asked for.", LOG),
    mistake("odds against all other words", {ODDS: "torch.logit(log_p[first].exp()).item()"}).because(
        "You compare the first word with all others together; compare it with the second word.", LOG
    ),
    mistake(
        "odds against all others, of both",
        {ODDS: "(torch.logit(log_p[first].exp()) - torch.logit(log_p[second].exp())).item()"},
    ).because(
        "You subtract log(p / (1 − p)) of the two words; subtract their log p.",
        "What is the quotient of P(first) and P(second)?",
    ),
    *(
        mistake(name, {"[0, position].log": f"[0, {place}].log"}).because(
            f"You read the prediction {where}; read the one at `position`.",
            "Which row of [T, V] belongs to `position`?",
        )
        for name, place, where in (
            (
                "one place to the left",
                "position - 1",
                "one position before the hidden word, as for a model that writes",
            ),
            ("one place to the right", "(position + 1) % tokens.shape[1]", "one position after the hidden word"),
        )
    ),
    *(
        mistake(name, {HIDE: f"    tokens[tokens == {which}] = mask_id\n{more}"}).because(
            f"You hide every token that is {what}; hide only the one at `position`.",
            "How many words must the model predict?",
        )
        for name, which, more, what in (
            ("every copy hidden", "tokens[0, position].item()", "", "the same as the one at `position`"),
            ("every copy of the first word hidden", "first", HIDE, "the first word"),
            ("every copy of the second word hidden", "second", HIDE, "the second word"),
        )
    ),
    mistake("softmax over the places", {ASK: "model(tokens)[0].log_softmax(dim=0)[position]"}).because(
        "Your softmax runs over the positions; it must run over the words.", "Which axis of [T, V] sums to 1?"
    ),
    mistake("the mean of all places read", {ASK: "model(tokens)[0].mean(dim=0).log_softmax(dim=-1)"}).because(
        "You average the logits of all positions; read the ones at `position`.",
        "Which row of [T, V] belongs to `position`?",
    ),
    mistake("another place read", {ASK: "model(tokens)[0, 0].log_softmax(dim=-1)"}).because(
        "You read the prediction at the first position; read the one at `position`.",
        "Which row of [T, V] belongs to `position`?",
    ),
    mistake("the last place read", {"[0, position].log": "[0, -1].log"}).because(
        "You read the last position, as for a model that writes; read the one at `position`.",
        "Which row of [T, V] belongs to `position`?",
    ),
    mistake("nothing hidden", {HIDE: ""}, shown_by="the odds depend on the hidden word").because(
        "You do not hide the word, so the model reads it; put mask_id there.", "What can the model see at the position?"
    ),
    mistake(
        "each word put in and read",
        {
            "            log_p = ": "            log_p = torch.zeros(model(tokens).shape[-1])\n"
            "            for word in (first, second):\n                tokens[0, position] = word\n"
            "                log_p[word] = model(tokens)[0, position, word]  # ",
        },
    ).because(
        "You put each word in and read its own logit, so the model sees the word; put mask_id there, and compare the "
        "two words in one prediction.",
        "What can the model see at the position?",
    ),
    mistake("0 instead of mask_id", {"= mask_id": "= 0"}).because(
        "You put a 0 there, which is padding; put mask_id there.", "What was the model trained with?"
    ),
    mistake("the first word put in", {"= mask_id": "= first"}).because(
        "You put the first word there, so the model sees it; put mask_id there.",
        "What can the model see at the position?",
    ),
    overwrites(
        "tokens",
        {".clone()": ""},
        "the word is lost (reshape shares its numbers).",
        "the caller's tokens hidden",
    ),
    mistake("only [T]", {COPY: "tokens.clone().unsqueeze(0)"}).because(
        "You add a third axis to a sentence [1, T]; accept [T] and [1, T].", "Which reshape fits [T] and [1, T] alike?"
    ),
    mistake("only [1, T]", {COPY: "tokens.clone()"}).because(
        "You pass a sentence [T] without a batch axis; the model expects [1, T].",
        "Which reshape fits [T] and [1, T] alike?",
    ),
    mistake(
        "asked in training mode", {TO_EVAL: "            pass"}, shown_by="the model was asked while in training mode"
    ).because(
        "You call the model in whatever mode it has, and dropout changes the odds in every call; switch to eval mode.",
        MODES,
    ),
    switches(
        "mode of model",
        "mode not given back",
        {"module.training = training": "pass"},
        "You do not restore the mode of every part of the model; put each back into its own.",
    ),
    *modes_not_restored(MODES, AFTER_AN_ERROR),
    mistake(
        "with gradients", {"torch.no_grad()": "torch.enable_grad()"}, shown_by="the model was asked with gradients"
    ).because(
        "You call the model with gradients, which keeps a graph for nothing; use torch.no_grad().",
        "What does torch.no_grad() save?",
    ),
    switches(
        "gradient mode",
        "gradients switched off",
        {"with torch.no_grad():": "torch.set_grad_enabled(False)\n        if True:"},
        "You switch gradients off for good, so nothing learns after your call; use `with torch.no_grad():`.",
    ),
    mistake("a tensor", {".item()": ""}, shown_by="a tensor came back instead of a float").because(
        "You return a tensor; return a plain number.", "What does .item() do?"
    ),
    *(
        mistake(f"in base {base}", {ODDS: ODDS.replace(".item()", f".item() / {log}")}).because(
            f"Your logarithm is to base {base}; use the natural one.", LOG
        )
        for base, log in ((2, 0.6931471805599453), (10, 2.302585092994046))
    ),
    mistake("the next place hidden", {HIDE: "    tokens[0, (position + 1) % tokens.shape[1]] = mask_id\n"}).because(
        "You hide the token after the one at `position`; hide the one at `position`.", "Which token is hidden?"
    ),
    mistake("the rest hidden", {HIDE: "    tokens[0, position:] = mask_id\n"}).because(
        "You hide everything from `position` on; hide only one word.", "How many words must the model predict?"
    ),
    mistake("all hidden", {HIDE: "    tokens[:] = mask_id\n"}).because(
        "You hide the whole sentence; hide only one word.", "How many words must the model predict?"
    ),
    mistake("the first place hidden", {"tokens[0, position] = ": "tokens[0, 0] = "}).because(
        "You hide the first token; hide the one at `position`.", "Which token is hidden?"
    ),
)
