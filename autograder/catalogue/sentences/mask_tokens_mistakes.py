"""What goes wrong in `mask_tokens`. The draws are free: a mistake is known by what it does."""

from autograder.catalogue.common_mistakes import overwrites, switches
from autograder.catalogue.edits import mistake

WHO = "Which tokens of [<bos>, a, cat, <pad>] are words?"
HOW = "Of 100 chosen words, how many become mask_id, how many another word, and how many stay?"
ANY = "What range does torch.randint(low, high, …) draw from?"
DRAW = "Which of your calls does not get `generator`?"
NOTE = "What must the model predict: every word, or the chosen ones?"

WORDS = "(mask != 0) & (tokens >= num_special)"
RAND = "torch.rand(tokens.shape, generator=generator).to(tokens.device)"
LUCK, FATE_LINE = f"{RAND} < rate", f"fate = {RAND}"
RANDOM = "torch.randint(num_special, vocab_size, tokens.shape, generator=generator).to(tokens.device)"
INPUTS = "tokens.masked_fill(chosen & (fate < 0.8), mask_id)"
OTHER = "inputs = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), drawn, inputs)"
RETURN = "return inputs, tokens.masked_fill(~chosen, NOT_ASKED)"

SPECIAL_CHOSEN, PADDING_CHOSEN = "a special token is chosen", "padding is chosen"
SPECIAL_TARGET = "a special token has a target, though it stays as it is"
NUM_SPECIAL = "an id below `num_special` is chosen"
FIRST_NEVER = "with a rate of 1, all words are chosen but the one with the first id"
FIXED_NUMBER = "every draw chooses the same number of words"
FIXED_TOTAL = "every draw chooses the same number of words of the batch"
TOGETHER_CHOSEN = "whether a word is chosen depends on whether others are"
RATE_OFF = "the words are chosen at another rate"
ALL_HIDDEN = "all chosen words become mask_id"
NONE_REPLACED = "no chosen word becomes another one"
NONE_LEFT = "no chosen word is left as it was"
TENTH_OF_THE_REST = "18 % of the chosen words are left as they were, not 10 %"
TOGETHER = "what becomes of a chosen word depends on what becomes of others"
NOT_HIDDEN = "not 80 % of the chosen words become mask_id"
NOT_LEFT = "not 10 % of the chosen words are left as they were"
SPECIAL_DRAWN = "a word that comes instead is special"
NEIGHBOUR = "the random word is always the same number of ids away from the word that it replaces"
LAST_NEVER, FIRST_NEVER_DRAWN = "the last word never comes instead", "the first word never comes instead"


def without_generator(line):
    return line.replace(", generator=generator", "")


def lots(shape):
    return f"torch.rand({shape}, generator=generator).to(tokens.device)"


def one_for(shape):
    return f"fate = {lots(shape)}"


MISTAKES = (
    mistake("special tokens chosen", {WORDS: "mask != 0"}, shown_by=SPECIAL_CHOSEN).because(
        "You choose special tokens, so a model would have to predict <bos>. Choose ids from num_special on.", WHO
    ),
    mistake("padding chosen", {WORDS: "tokens >= num_special"}, shown_by=PADDING_CHOSEN).because(
        "You choose padding. Leave out every position where the mask is 0.", WHO
    ),
    mistake("padding and special tokens chosen", {WORDS: "torch.ones_like(tokens, dtype=torch.bool)"}).because(
        "You choose padding and special tokens too; choose only words.", WHO
    ),
    mistake("num_special not used", {"tokens >= num_special": "tokens >= 5"}, shown_by=NUM_SPECIAL).because(
        "You choose ids below `num_special`; use the argument instead of a fixed number.", WHO
    ),
    mistake("mask inverted", {"mask != 0": "mask == 0"}).because(
        "You choose among the padding; choose among the words.", WHO
    ),
    mistake(
        "the first word never chosen", {WORDS: "(mask != 0) & (tokens > num_special)"}, shown_by=FIRST_NEVER
    ).because("You never choose the word with the first id; the ids of words start at num_special itself.", WHO),
    mistake("mask is True", {"(mask != 0)": "(mask == 1 if mask.dtype == torch.bool else mask == mask)"}).because(
        "Your mask works only if it is boolean. Accept 0 and 1, too.", "What is 1 is True?"
    ),
    mistake("every word chosen", {f" & ({LUCK})": ""}).because(
        "You choose every word; choose each with probability `rate`.", "Where does `rate` come in?"
    ),
    mistake("no word chosen", {"tokens.device) < rate": "tokens.device) < 0"}).because(
        "You choose no word at all; choose each with probability `rate`.", "Where does `rate` come in?"
    ),
    mistake("another rate", {"tokens.device) < rate": "tokens.device) > rate"}, shown_by=RATE_OFF).because(
        "You choose words at a rate other than `rate`. Choose each word with probability `rate`, independently.",
        "How often is a uniform number below 0.15?",
    ),
    mistake(
        "a fixed number in each sentence",
        {
            LUCK: f"{RAND}.masked_fill(~({WORDS}), 2).argsort(dim=1).argsort(dim=1) < (rate * ({WORDS}).sum(dim=1, "
            "keepdim=True)).round()"
        },
        shown_by=FIXED_NUMBER,
    ).because(
        "You choose a fixed number of words in each sentence, as BERT's own code does. Decide for each word "
        "independently, with probability `rate`.",
        "How many words may be chosen in a sentence of ten?",
    ),
    mistake(
        "a fixed number in the batch",
        {
            LUCK: f"{RAND}.masked_fill(~({WORDS}), 2).flatten().argsort().argsort().reshape(tokens.shape) "
            f"< (rate * ({WORDS}).sum()).round()"
        },
        shown_by=FIXED_TOTAL,
    ).because(
        "You choose a fixed number of words in a batch. Decide for each word independently, with probability `rate`.",
        "How many words may be chosen in a sentence of ten?",
    ),
    *(
        mistake(name, {LUCK: f"{draw} < rate"}, shown_by=TOGETHER_CHOSEN).because(
            "You let one draw choose several words; draw for each of them.",
            "How many numbers must be drawn to choose among B · T tokens?",
        )
        for name, draw in (
            ("one choice for each id", "torch.rand(vocab_size, generator=generator)[tokens]"),
            (
                "one choice for two neighbours",
                "torch.rand(tokens.shape, generator=generator)[:, torch.arange(tokens.shape[1]) // 2]",
            ),
        )
    ),
    mistake("always 15 %", {"< rate": "< 0.15"}).because(
        "You choose 15 % whatever `rate` says.", "Where does `rate` come in?"
    ),
    mistake(
        "the same places in every sentence",
        {LUCK: "torch.rand(tokens.shape[1], generator=generator).expand(tokens.shape) < rate"},
        shown_by="the same places are chosen in every sentence",
    ).because(
        "You draw once for all sentences, which hides the same positions in each; draw for each token.",
        "How many numbers must be drawn: T, or B · T?",
    ),
    mistake("always hidden", {"(fate < 0.8)": "(fate < 2)", OTHER: "inputs = inputs"}, shown_by=ALL_HIDDEN).because(
        "You replace all chosen words by mask_id; replace one in ten by another word, and leave one in ten.", HOW
    ),
    mistake("none left", {" & (fate < 0.9)": ""}, shown_by=NONE_LEFT).because(
        "You replace a fifth of the chosen by another word and leave none unchanged; do a tenth each.", HOW
    ),
    mistake("none another word", {OTHER: "inputs = inputs"}, shown_by=NONE_REPLACED).because(
        "You leave a fifth of the chosen unchanged and replace none by another word; do a tenth each.", HOW
    ),
    mistake("a tenth of the rest", {"(fate < 0.9)": "(fate < 0.82)"}, shown_by=TENTH_OF_THE_REST).because(
        "You replace only a tenth of the words that aren't hidden by another word, which is 2 %; replace half of them, "
        "10 % of the chosen, and leave the other half.",
        HOW,
    ),
    *(
        mistake(name, edits, shown_by=TOGETHER).because(
            "You let one draw decide what becomes of several chosen words; draw for each of them.",
            "How many numbers must be drawn to decide what becomes of each of B · T tokens?",
        )
        for name, edits in (
            ("one fate for a sentence", {FATE_LINE: one_for("len(tokens), 1")}),
            ("one fate for a position", {FATE_LINE: one_for("1, tokens.shape[1]")}),
            ("one fate for a batch", {FATE_LINE: one_for("1, 1")}),
            ("one fate for an id", {FATE_LINE: "fate = torch.rand(vocab_size, generator=generator)[tokens]"}),
            (
                "one fate for what is not hidden in a sentence",
                {
                    FATE_LINE: f"{FATE_LINE}\n    of_all = {lots('len(tokens), 1')}\n"
                    "    fate = torch.where(fate < 0.8, fate, 0.8 + 0.2 * of_all)"
                },
            ),
        )
    ),
    mistake("a tenth of all", {OTHER: OTHER.replace("(fate >= 0.8) & (fate < 0.9)", f"({RAND} < 0.1)")}).because(
        "You draw again to replace a tenth of all chosen words, hidden ones too; take the tenth from the fifth that is "
        "not hidden.",
        HOW,
    ),
    mistake(
        "80 and 10 exchanged",
        {"fate < 0.8": "fate < 0.1", "(fate >= 0.8) & (fate < 0.9)": "(fate >= 0.1) & (fate < 0.9)"},
    ).because("You replace most chosen words by another word; replace most by mask_id.", HOW),
    mistake(
        "one draw for both", {FATE_LINE: "fate = luck", LUCK: f"(luck := {LUCK.removesuffix(' < rate')}) < rate"}
    ).because(
        "You use the number that chose a word for its replacement too, where it is always below 0.8; draw a "
        "second one.",
        "What do you know of a number that was below 0.15?",
    ),
    mistake("hidden where nothing was chosen", {INPUTS: INPUTS.replace("chosen & ", "words & ")}).because(
        "You hide words that were not chosen; hide only chosen ones.", "Which tokens may become mask_id?"
    ),
    mistake(
        "random special tokens", {"torch.randint(num_special, vocab": "torch.randint(0, vocab"}, shown_by=SPECIAL_DRAWN
    ).because("Your random word may be <pad> or another special token; draw from num_special on.", ANY),
    mistake(
        "never the last word", {RANDOM: RANDOM.replace("vocab_size", "vocab_size - 1")}, shown_by=LAST_NEVER
    ).because(
        "You never draw the last word of the vocabulary, because randint already excludes its upper end; do not "
        "subtract 1.",
        ANY,
    ),
    mistake(
        "never the first word", {RANDOM: RANDOM.replace("num_special", "num_special + 1")}, shown_by=FIRST_NEVER_DRAWN
    ).because("You never draw the first word of the vocabulary; the ids of words start at num_special itself.", ANY),
    mistake("one random word for all", {RANDOM: RANDOM.replace("tokens.shape", "(1, 1)")}).because(
        "You draw a single word and put it everywhere; draw one for each token.",
        "How many numbers must be drawn: 1, or B · T?",
    ),
    mistake("the next word", {RANDOM: "(tokens + 1).clamp(max=vocab_size - 1)"}, shown_by=NEIGHBOUR).because(
        "You take the word with the next id; draw one from the whole vocabulary.", ANY
    ),
    mistake("a word of the batch", {RANDOM: "tokens.roll(1, dims=1)"}).because(
        "You take the other word from the sentence; draw it from the whole vocabulary.", ANY
    ),
    mistake("targets are all words", {RETURN: "return inputs, tokens.masked_fill(~words, NOT_ASKED)"}).because(
        "Your targets include every word, even those the model can see; keep only the chosen ones.", NOTE
    ),
    *(
        mistake(name, {RETURN: f"return inputs, {targets}"}, shown_by=SPECIAL_TARGET).because(
            "Your targets contain tokens that were not chosen; write −100 where nothing was chosen.", NOTE
        )
        for name, targets in (
            ("targets are the tokens", "tokens.clone()"),
            ("targets are all real tokens", "tokens.masked_fill(mask == 0, NOT_ASKED)"),
        )
    ),
    *(
        mistake(f"{name} instead of −100", {"NOT_ASKED": number}).because(
            f"You write {name} where nothing was chosen; write −100, which F.cross_entropy ignores.",
            "What is ignore_index?",
        )
        for name, number in (("0", "0"), ("−1", "-1"))
    ),
    mistake(
        "targets are what was hidden", {RETURN: "return inputs, tokens.masked_fill(inputs != mask_id, NOT_ASKED)"}
    ).because("Your targets cover only mask_id; include the chosen words that stayed or became another word.", NOTE),
    mistake("targets are what is not left", {RETURN: RETURN.replace("~chosen", "~(chosen & (fate < 0.9))")}).because(
        "Your targets leave out the chosen words that stay; include them.", NOTE
    ),
    mistake(
        "targets are what changed", {RETURN: "return inputs, tokens.masked_fill(inputs == tokens, NOT_ASKED)"}
    ).because("Your targets cover only tokens that changed; include the tenth that stayed.", NOTE),
    mistake("targets after the masking", {RETURN: "return inputs, inputs.masked_fill(~chosen, NOT_ASKED)"}).because(
        "You take the targets from the inputs, after masking; take them from the original tokens.",
        "What were the words before?",
    ),
    mistake("targets first", {RETURN: "return tokens.masked_fill(~chosen, NOT_ASKED), inputs"}).because(
        "You return the targets first; return the inputs first.", "Which of the two does the model read?"
    ),
    mistake("inputs alone", {RETURN: "return inputs"}).because(
        "You return only the inputs; return the targets too.", "What would the loss compare the predictions with?"
    ),
    *(
        mistake(name, edits, times=times, shown_by="a generator in the same state gives another draw").because(
            "Not all of your draws come from `generator`, so they cannot be repeated; pass it to every call.",
            DRAW,
        )
        for name, edits, times in (
            ("torch's own generator", {"generator=generator": ""}, 3),
            ("torch's own generator for the choice", {f"({LUCK})": f"({without_generator(LUCK)})"}, 1),
            ("torch's own generator for what becomes of them", {FATE_LINE: without_generator(FATE_LINE)}, 1),
            ("torch's own generator for the words", {RANDOM: without_generator(RANDOM)}, 1),
        )
    ),
    mistake(
        "a seed of its own",
        {"words = (mask": "generator = torch.Generator().manual_seed(0)\n    words = (mask"},
        shown_by="one generator gives the same draw again and again",
    ).because(
        "You create a generator with its own seed, so every call draws the same; use the one passed to you.", DRAW
    ),
    switches(
        "random seed",
        "global seed",
        {"words = (mask": "torch.manual_seed(generator.initial_seed())\n    words = (mask"},
        "You set torch's global seed. Draw from `generator` and leave the global state alone.",
    ),
    overwrites(
        "tokens",
        {
            INPUTS: INPUTS.replace("masked_fill", "masked_fill_"),
            "words = (mask": "before, words = tokens.clone(), (mask",
            RETURN: RETURN.replace("tokens.", "before."),
        },
        "in the next epoch the words are still hidden.",
        "tokens changed in place",
    ),
    mistake(
        "as floats",
        {RETURN: "return inputs, tokens.masked_fill(~chosen, NOT_ASKED).float()"},
        shown_by="targets is float32, expected int64",
    ).because("Your targets are floats. Return ids, int64.", NOTE),
    mistake("only mask_id excluded", {"tokens >= num_special": "tokens != mask_id"}).because(
        "You exclude only mask_id; exclude all special tokens.", WHO
    ),
    mistake(
        "whole sentences", {LUCK: "torch.rand(len(tokens), 1, generator=generator).expand(tokens.shape) < rate"}
    ).because(
        "You choose whole sentences; choose each word independently.",
        "How many numbers must be drawn: B, or B · T?",
    ),
    mistake("other words where nothing was chosen", {OTHER: OTHER.replace("chosen & ", "words & ")}).because(
        "You replace words that were not chosen; replace only chosen ones.", "Which tokens may become another word?"
    ),
    mistake("targets inverted", {"(~chosen, NOT": "(chosen, NOT"}).because(
        "Your targets contain the tokens that were not chosen, and −100 for the chosen ones; do the opposite.", NOTE
    ),
)
