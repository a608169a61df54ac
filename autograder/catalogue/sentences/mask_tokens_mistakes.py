"""What goes wrong in `mask_tokens`. The draws are free: a mistake is known by what it does."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake

WHO = "Which tokens of [<bos>, a, cat, <pad>] are words?"
HOW = "Of 100 chosen words, how many become mask_id, how many another word, and how many stay?"
ANY = "From where to where does torch.randint(low, high, …) draw?"
DRAW = "Which of your calls does not get `generator`?"
NOTE = "What should the model be asked about: every word, or the chosen ones?"

WORDS = "(mask != 0) & (tokens >= num_special)"
RAND = "torch.rand(tokens.shape, generator=generator).to(tokens.device)"
LUCK, FATE_LINE = f"{RAND} < rate", f"fate = {RAND}"
RANDOM = "torch.randint(num_special, vocab_size, tokens.shape, generator=generator).to(tokens.device)"
INPUTS = "tokens.masked_fill(chosen & (fate < 0.8), mask_id)"
OTHER = "inputs = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), drawn, inputs)"
RETURN = "return inputs, tokens.masked_fill(~chosen, NOT_ASKED)"

SPECIAL_CHOSEN, PADDING_CHOSEN = "a special token is chosen", "padding is chosen"
RATE_OFF = "the words are chosen at another rate"
NOT_HIDDEN = "not 80 % of the chosen words become mask_id"
NOT_LEFT = "not 10 % of the chosen words are left as they were"
WRONG_WORDS = "a word that comes instead is special, or some come more often"

MISTAKES = (
    mistake("special tokens chosen", {WORDS: "mask != 0"}, shown_by=SPECIAL_CHOSEN).because(
        "You choose special tokens, so a model would have to predict <bos>. Choose ids from num_special on.", WHO
    ),
    mistake("padding chosen", {WORDS: "tokens >= num_special"}, shown_by=PADDING_CHOSEN).because(
        "You choose padding. Leave out every position where the mask is 0.", WHO
    ),
    mistake("padding and special tokens chosen", {WORDS: "torch.ones_like(tokens, dtype=torch.bool)"}).because(
        "Everything may be chosen: padding and special tokens too.", WHO
    ),
    mistake("mask inverted", {"mask != 0": "mask == 0"}).because("You choose among the padding.", WHO),
    mistake("mask is True", {"(mask != 0)": "(mask == 1 if mask.dtype == torch.bool else mask == mask)"}),
    mistake("every word chosen", {f" & ({LUCK})": ""}).because(
        "Every word is chosen, whatever the rate.", "Where does `rate` come in?"
    ),
    mistake("another rate", {"tokens.device) < rate": "tokens.device) > rate"}, shown_by=RATE_OFF).because(
        "You choose words at a rate other than `rate`. Choose each word with probability `rate`, independently.",
        "How often is a uniform number below 0.15?",
    ),
    mistake("always 15 %", {"< rate": "< 0.15"}).because(
        "You choose 15 % whatever `rate` says.", "Where does `rate` come in?"
    ),
    mistake(
        "the same places in every sentence",
        {LUCK: "torch.rand(tokens.shape[1], generator=generator).expand(tokens.shape) < rate"},
        "One draw for all sentences: the same places are hidden in each.",
        "How many numbers must be drawn: T, or B · T?",
        shown_by="the same places are chosen in every sentence",
    ),
    mistake("always hidden", {"(fate < 0.8)": "(fate < 2)", OTHER: "inputs = inputs"}, shown_by=NOT_HIDDEN).because(
        "All chosen words become mask_id; one in ten should be another word, and one in ten stay.", HOW
    ),
    mistake("none left", {" & (fate < 0.9)": ""}, shown_by=NOT_LEFT).because(
        "A fifth of the chosen become another word, and none stays as it was.", HOW
    ),
    mistake("none another word", {OTHER: "inputs = inputs"}, shown_by=NOT_LEFT).because(
        "A fifth of the chosen stays as it was, and none becomes another word.", HOW
    ),
    mistake(
        "80 and 10 exchanged",
        {"fate < 0.8": "fate < 0.1", "(fate >= 0.8) & (fate < 0.9)": "(fate >= 0.1) & (fate < 0.9)"},
    ).because("Most of your chosen words become another word; it is mask_id that most become.", HOW),
    mistake(
        "one draw for both", {FATE_LINE: "fate = luck", LUCK: f"(luck := {LUCK.removesuffix(' < rate')}) < rate"}
    ).because(
        "The number that chose a word decides its fate too: below a small rate it lies below 0.8 as well.",
        "What do you know of a number that was below 0.15?",
    ),
    mistake("hidden where nothing was chosen", {INPUTS: INPUTS.replace("chosen & ", "words & ")}).because(
        "You hide words that were not chosen: nobody asks for them.", "Who may become mask_id?"
    ),
    mistake(
        "random special tokens", {"torch.randint(num_special, vocab": "torch.randint(0, vocab"}, shown_by=WRONG_WORDS
    ).because("Your random word may be <pad> or another special token.", ANY),
    mistake(
        "never the last word", {RANDOM: RANDOM.replace("vocab_size", "vocab_size - 1")}, shown_by=WRONG_WORDS
    ).because("The last word of the vocabulary is never drawn: randint leaves its upper end out by itself.", ANY),
    mistake("a word of the batch", {RANDOM: "tokens.roll(1, dims=1)"}).because(
        "Your other word comes from the sentence, padding and all; any word of the vocabulary may come.", ANY
    ),
    mistake("targets are all words", {RETURN: "return inputs, tokens.masked_fill(~words, NOT_ASKED)"}).because(
        "You ask for every word, also for those that can be read off.", NOTE
    ),
    mistake("targets are the tokens", {RETURN: "return inputs, tokens.clone()"}).because(
        "Your targets are all tokens, padding included: −100 marks what is not asked.", NOTE
    ),
    mistake("0 instead of −100", {"NOT_ASKED": "0"}).because(
        "You write 0 where nothing is asked; it is −100 that F.cross_entropy leaves out.", "What is ignore_index?"
    ),
    mistake(
        "targets are what was hidden", {RETURN: "return inputs, tokens.masked_fill(inputs != mask_id, NOT_ASKED)"}
    ).because("You ask only where mask_id stands. The words that stayed, or became others, are asked for too.", NOTE),
    mistake(
        "targets are what changed", {RETURN: "return inputs, tokens.masked_fill(inputs == tokens, NOT_ASKED)"}
    ).because(
        "You ask only where something changed. The tenth that stayed is asked for too: a word may be right.", NOTE
    ),
    mistake("targets after the masking", {RETURN: "return inputs, inputs.masked_fill(~chosen, NOT_ASKED)"}).because(
        "Your targets are taken from the inputs, mask_id and all: the answer is gone.", "What were the words before?"
    ),
    mistake("targets first", {RETURN: "return tokens.masked_fill(~chosen, NOT_ASKED), inputs"}).because(
        "You return the targets first; the inputs come first.", "Which of the two does the model read?"
    ),
    mistake("inputs alone", {RETURN: "return inputs"}).because(
        "You return the inputs alone; the targets belong to them.", "What would the loss compare with?"
    ),
    mistake(
        "torch's own generator",
        {"generator=generator": ""},
        times=3,
        shown_by="a generator in the same state gives another draw",
    ).because("Your draws do not come from `generator`: nobody can repeat them.", DRAW),
    mistake(
        "a seed of its own",
        {"words = (mask": "generator = torch.Generator().manual_seed(0)\n    words = (mask"},
        shown_by="one generator gives the same draw again and again",
    ).because("You make a generator with a seed of its own: every call draws the same.", DRAW),
    mistake("global seed", {"words = (mask": "torch.manual_seed(generator.initial_seed())\n    words = (mask"}),
    overwrites(
        "tokens",
        {
            INPUTS: INPUTS.replace("masked_fill", "masked_fill_"),
            "words = (mask": "before, words = tokens.clone(), (mask",
            RETURN: RETURN.replace("tokens.", "before."),
        },
        "in the next epoch the words are hidden for good.",
        "tokens changed in place",
    ),
    mistake("as floats", {RETURN: "return inputs, tokens.masked_fill(~chosen, NOT_ASKED).float()"}),
    mistake("mask_id alone is no word", {"tokens >= num_special": "tokens != mask_id"}).because(
        "You leave out mask_id; the other special tokens are no words either.", WHO
    ),
    mistake(
        "whole sentences", {LUCK: "torch.rand(len(tokens), 1, generator=generator).expand(tokens.shape) < rate"}
    ).because(
        "You choose whole sentences: a model sees nothing, or is asked nothing.",
        "How many numbers must be drawn: B, or B · T?",
    ),
    mistake("other words where nothing was chosen", {OTHER: OTHER.replace("chosen & ", "words & ")}).because(
        "You exchange words that were not chosen: nobody asks for them.", "Who may become another word?"
    ),
    mistake("targets turned round", {"(~chosen, NOT": "(chosen, NOT"}).because(
        "Your targets hold what was not chosen, and −100 where something was.", NOTE
    ),
)
