"""What goes wrong in `candidate_odds`."""

from autograder.catalogue.common_mistakes import overwrites, switches
from autograder.catalogue.edits import mistake

ODDS = "(log_p[first] - log_p[second]).item()"
ASK = "model(tokens)[0, position].log_softmax(dim=-1)"
HIDE = "    tokens[0, position] = mask_id\n"
COPY = "tokens.clone().reshape(1, -1)"
RESTORE = "            module.training = training"
TO_EVAL = "            module.training = False"
LOG = "What is the logarithm of a quotient?"
MODES = "In which mode was each part of the model when you got it?"

MISTAKES = (
    mistake(
        "second over first", {ODDS: ODDS.replace("first", "x").replace("second", "first").replace("x", "second")}
    ).because("Your sign is the other way round: above 0 means that the first word is likelier.", LOG),
    mistake(
        "probabilities subtracted", {"log_p[first] - log_p[second]": "log_p[first].exp() - log_p[second].exp()"}
    ).because("You subtract probabilities; it is their logarithms that are subtracted.", LOG),
    mistake("a quotient", {"log_p[first] - log_p[second]": "(log_p[first] - log_p[second]).exp()"}).because(
        "You return P(first) / P(second); its logarithm is asked for.", LOG
    ),
    mistake("a quotient of logarithms", {"log_p[first] - log_p[second]": "log_p[first] / log_p[second]"}).because(
        "You divide the logarithms; they are subtracted.", LOG
    ),
    mistake("the first alone", {"log_p[first] - log_p[second]": "log_p[first]"}).because(
        "You return log P(first) alone: a rare word looks unlikely everywhere. The second is what it is compared with.",
        LOG,
    ),
    mistake(
        "the share of the two", {"(log_p[first] - log_p[second])": "(log_p[first] - log_p[second]).sigmoid()"}
    ).because("You return P(first) / (P(first) + P(second)); the log-odds are asked for.", LOG),
    mistake("softmax over the places", {ASK: "model(tokens)[0].log_softmax(dim=0)[position]"}).because(
        "Your softmax runs over the places; the words compete with each other.", "Which axis of [T, V] sums to 1?"
    ),
    mistake("another place read", {ASK: "model(tokens)[0, 0].log_softmax(dim=-1)"}).because(
        "You read the model's guess for the first place.", "Which row of [T, V] is about the place that was asked?"
    ),
    mistake("the last place read", {"[0, position].log": "[0, -1].log"}).because(
        "You read the last place, as one does with a model that writes; this one fills in.",
        "Which row of [T, V] is about the place that was asked?",
    ),
    mistake("nothing hidden", {HIDE: ""}, shown_by="the odds depend on the word that stands there").because(
        "You ask without hiding: the model reads the word that stands there.", "What can the model see at the place?"
    ),
    mistake("0 instead of mask_id", {"= mask_id": "= 0"}).because(
        "You put a 0 there, which is padding; mask_id says that a word is missing.", "What was the model trained with?"
    ),
    mistake("the first word put in", {"= mask_id": "= first"}).because(
        "You put the first word there, and ask the model whether it sees it.", "What can the model see at the place?"
    ),
    overwrites(
        "tokens",
        {".clone()": ""},
        "the word is gone for good (reshape shares its numbers).",
        "the caller's tokens hidden",
    ),
    mistake("only [T]", {COPY: "tokens.clone().unsqueeze(0)"}).because(
        "A sentence that comes as [1, T] gets a third axis.", "Which reshape fits [T] and [1, T] alike?"
    ),
    mistake("only [1, T]", {COPY: "tokens.clone()"}).because(
        "A sentence that comes as [T] is no batch; the model wants [1, T].", "Which reshape fits [T] and [1, T] alike?"
    ),
    mistake(
        "asked in training mode", {TO_EVAL: "            pass"}, shown_by="the model was asked while in training mode"
    ).because("You ask the model in the mode it comes in: with dropout every call gives other odds.", MODES),
    switches(
        "mode of model",
        "mode not given back",
        {RESTORE: "            pass"},
        "The model doesn't come back in the mode in which you got it. Put every part back into its own mode.",
    ),
    mistake("all parts set to training", {RESTORE: "            module.training = next(iter(modes.values()))"}),
    mistake(
        "with gradients", {"torch.no_grad()": "torch.enable_grad()"}, shown_by="the model was asked with gradients"
    ).because(
        "You ask with gradients: a graph is kept for a question that nobody learns from.",
        "What does torch.no_grad() save?",
    ),
    switches(
        "gradient mode",
        "gradients switched off",
        {"with torch.no_grad():": "torch.set_grad_enabled(False)\n        if True:"},
        "You switch gradients off and never on again: nothing learns after your call.",
    ),
    mistake("a tensor", {".item()": ""}, shown_by="a tensor came back, and no float").because(
        "You return a tensor; a plain number is asked for.", "What does .item() do?"
    ),
    mistake("in base 2", {ODDS: ODDS.replace(".item()", ".item() / 0.6931471805599453")}).because(
        "Your logarithm is to base 2; the natural one is asked for.", LOG
    ),
    mistake("all hidden", {HIDE: "    tokens[:] = mask_id\n"}).because(
        "You hide the whole sentence: there is nothing left to go by.", "How many words are asked for?"
    ),
    mistake("the first place hidden", {"tokens[0, position] = ": "tokens[0, 0] = "}).because(
        "You hide the first token; the one at `position` is asked for.", "Which token is hidden?"
    ),
)
