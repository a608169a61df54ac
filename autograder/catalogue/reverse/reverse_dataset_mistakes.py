"""What goes wrong in `ReverseDataset`. Most rows are shown by a finding: the numbers are drawn freely."""

from autograder.catalogue.common_mistakes import switches
from autograder.catalogue.edits import mistake

RANDINT = "torch.randint(num_categories, (size, seq_len), generator=generator)"
ITEM = "return tokens, tokens.flip(-1)"
EXAMPLE = "What should the target of 3 1 4 be?"
WHICH_TOKENS = "Which tokens are there when num_categories is 7?"
NOT_NAMED = "there is no `data`"
WHERE_SEED = "Where does your code use its argument `seed`?"

MISTAKES = (
    mistake("nothing reversed", {".flip(-1)": ""}, shown_by="the targets are the tokens in the same order").because(
        "Your targets are the tokens in the same order: a model that copies its input would be perfect.", EXAMPLE
    ),
    mistake(
        "sequences reversed, not tokens",
        {"tokens.flip(-1)": "self.data.flip(0)[index]"},
        "You turned around the order of the dataset: the last sequence is the target of the first.",
        "Which axis of data counts the tokens of one sequence?",
        shown_by="the sequences change places, not the tokens",
    ),
    *(
        mistake(
            f"rolled {way} instead of reversed",
            {"flip(-1)": f"roll({by})"},
            shown_by=f"the targets are the tokens, each one place {way}",
        ).because(
            "`roll` moves every token one place and brings the one at the end to the other end; the order stays.",
            "Where must the second token end up?",
        )
        for way, by in (("further on", 1), ("back", -1))
    ),
    mistake(
        "question and answer exchanged",
        {ITEM: "return tokens.flip(-1), tokens"},
        "The item begins with the reversed sequence; it should begin with the row of data.",
        "Which of the two parts does the model get to see?",
        shown_by="the two parts have changed places",
    ),
    mistake(
        "drawn when asked for",
        {
            "# [N, T]": "\n        self.below, self.generator = num_categories, generator.manual_seed(seed + 1)",
            "self.data[index]": "torch.randint(self.below, self.data[0].shape, generator=self.generator)",
        },
        "Each item is drawn anew when it is asked for, so the validation data would never be the same twice.",
        "What does dataset[1] give, and what does it give the second time?",
        shown_by="an item is another one when it is read again",
    ),
    mistake(
        "items that are no tensors",
        {"[index]": "[index].numpy()", "tokens.flip(-1)": "tokens[::-1].copy()"},
        "The parts of your items are no tensors; the page stacks them with torch.stack.",
        "What is the type of dataset[0][1]?",
        shown_by="a part of an item is no tensor",
    ),
    mistake("another name for data", {"self.data": "self.tokens"}, times=3, shown_by=NOT_NAMED).because(
        "Your sequences are kept under another name than `data`: who wants to see them all looks there.",
        "Which name does the docstring give?",
    ),
    mistake(
        "length of a sequence",
        {"self.data.shape[0]": "self.data.shape[1]"},
        "Your length is that of one sequence, so an epoch would see only the first few sequences.",
        "How many items has a dataset of 131 sequences?",
        shown_by="len(dataset) is that of one sequence",
    ),
    mistake(
        "the last category never drawn",
        {"randint(num_categories": "randint(num_categories - 1"},
        "`torch.randint` leaves out its upper end already; subtracting 1 loses a category.",
        "What is the largest number that torch.randint(7, …) can give?",
        shown_by="the last category never occurs",
    ),
    mistake(
        "one category too many",
        {"randint(num_categories": "randint(num_categories + 1"},
        "A token as large as num_categories has no place in a one-hot vector of that width.",
        "What is the largest number that torch.randint(8, …) can give?",
        shown_by="num_categories itself is drawn",
    ),
    mistake(
        "zero never drawn",
        {"randint(num_categories": "randint(1, num_categories"},
        shown_by="the category 0 never occurs",
    ).because("You draw from 1 on, so the category 0 never comes.", WHICH_TOKENS),
    mistake(
        "counted from one",
        {"randint(num_categories": "randint(1, num_categories + 1"},
        shown_by="the tokens are 1 … num_categories",
    ).because("Your tokens are 1 … num_categories; categories count from 0, as one-hot vectors do.", WHICH_TOKENS),
    mistake("tokens that are not int64", {RANDINT: f"{RANDINT}.float()"}, shown_by="the tokens are not int64").because(
        "Tokens are names of categories: one_hot and cross_entropy want them as int64.", "What is the dtype of data?"
    ),
    mistake(
        "targets that are not int64", {"flip(-1)": "flip(-1).float()"}, shown_by="targets is float32, expected int64"
    ).because(
        "Targets are names of categories: cross_entropy wants them as int64.", "What is the dtype of your second part?"
    ),
    mistake(
        "sequences in columns",
        {"(size, seq_len)": "(seq_len, size)", "shape[0]": "shape[1]", "self.data[index]": "self.data[:, index]"},
        shown_by="data is of shape [seq_len, size]",
    ).because("Your data is [seq_len, size]; a dataset has its samples along the first axis.", "What is data[0]?"),
    mistake("sequences in columns, items in rows", {"(size, seq_len)": "(seq_len, size)"}).because(
        "Your data is [seq_len, size]; a dataset has its samples along the first axis.", "What is data[0]?"
    ),
    mistake("seed not used", {", generator=generator": ""}, shown_by="the same seed gives other data").because(
        "The data differ from run to run: nobody could repeat your result, and validation would leak into training.",
        WHERE_SEED,
    ),
    mistake(
        "one seed for all", {"manual_seed(seed)": "manual_seed(42)"}, shown_by="another seed gives the same data"
    ).because("Your seed is a constant: training, validation and test data begin with the same sequences.", WHERE_SEED),
    mistake(
        "seed 0 taken for none",
        {"generator=generator": "generator=generator if seed else None"},
        "0 is false in Python, so `if seed` leaves the seed 0 out, and that is the default.",
        "What does `if seed:` do when the seed is 0?",
        shown_by="the seed 0 gives other data each time",
    ),
    switches(
        "random seed",
        "everybody's random numbers seeded",
        {"generator = torch.Generator().": "torch.", ", generator=generator": ""},
        "You seed the random numbers of the whole program: whoever draws after you gets the same again.",
    ),
    mistake("another default seed", {"seed: int = 0": "seed: int = 42"}),
    mistake("no targets", {ITEM: "return tokens"}, shown_by="“targets” did not come back").because(
        "An item is the tokens alone; the same tokens backwards belong beside them.",
        "What are the question and the answer of this task?",
    ),
    mistake("sorted downwards", {"flip(-1)": "sort(descending=True).values"}).because(
        "Your targets are sorted, the largest first; asked for are the tokens from the last to the first.",
        "What is 3, 1, 2 backwards, and what is it sorted?",
    ),
    mistake(
        "both parts reversed",
        {ITEM: "return tokens.flip(-1), tokens.flip(-1)"},
        shown_by="both parts are the row backwards",
    ).because(
        "Tokens and targets are both reversed, so they are equal again: the model would learn to copy.",
        "Which of the two parts is the question, and which the answer?",
    ),
    mistake(
        "the reversed sequence alone",
        {ITEM: "return tokens.flip(-1)"},
        shown_by="an item begins with its row backwards",
    ).because(
        "The reversed sequence comes back alone; an item is the tokens as they are, and then the same backwards.",
        "What are the question and the answer of this task?",
    ),
    mistake(
        "target of another row",
        {"tokens.flip(-1)": "self.data[(index + 1) % len(self)].flip(-1)"},
        shown_by="the targets are those of the next sequence",
    ).because(
        "The target is a sequence backwards, but not this one: no model can guess it.",
        "Which index does your second part use?",
    ),
    mistake(
        "length counts tokens", {"self.data.shape[0]": "self.data.numel()"}, shown_by="len(dataset) counts the tokens"
    ).because(
        "Your length is the number of all tokens; an epoch would ask for items that are not there.",
        "What is the largest index that your dataset can answer to?",
    ),
    mistake(
        "one sequence for all",
        {"(size, seq_len), generator=generator)": "(1, seq_len), generator=generator).repeat(size, 1)"},
        shown_by="all sequences are the same",
    ).because(
        "Every row holds the same sequence: the model would learn it by heart.",
        "How many different rows has your data?",
    ),
    mistake(
        "one token for a sequence",
        {"(size, seq_len), generator=generator)": "(size, 1), generator=generator).repeat(1, seq_len)"},
        shown_by="each sequence repeats a single token",
    ).because(
        "Every sequence repeats a single token; backwards it is the same.",
        "How many tokens do you draw for each sequence?",
    ),
)
