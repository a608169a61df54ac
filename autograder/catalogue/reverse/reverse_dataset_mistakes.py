"""What goes wrong in `ReverseDataset`. Most rows are shown by a finding: the numbers are drawn freely."""

from autograder.catalogue.common_mistakes import switches
from autograder.catalogue.edits import mistake
from autograder.catalogue.reverse.reverse_dataset_seed_mistakes import OF_THE_SEED, RANDINT

ITEM = "return tokens, tokens.flip(-1)"
NORMAL, UNIFORM = (f"torch.{draw}(size, seq_len, generator=generator)" for draw in ("randn", "rand"))
INSIDE = ".clamp(0, num_categories - 1)"
EXAMPLE = "What should the target of 3 1 4 be?"
WHICH_TOKENS = "Which tokens are there when num_categories is 7?"
NOT_NAMED = "there is no `data`"

MISTAKES = (
    mistake("nothing reversed", {".flip(-1)": ""}, shown_by="the targets are the tokens in the same order").because(
        "Your targets are the tokens in the same order, so a model that copies would be perfect; reverse them.", EXAMPLE
    ),
    mistake(
        "sequences reversed, not tokens",
        {"tokens.flip(-1)": "self.data.flip(0)[index]"},
        shown_by="the sequences are reversed, not the tokens",
    ).because(
        "You reverse the order of the dataset, so the last sequence is the target of the first; reverse the "
        "tokens of each sequence.",
        "Which axis of data counts the tokens of one sequence?",
    ),
    *(
        mistake(
            f"rolled {way} instead of reversed",
            {"flip(-1)": f"roll({by})"},
            shown_by=f"the targets are the tokens, each one place {way}",
        ).because(
            "You use `roll`, which shifts every token by one and keeps their order; use `flip`.",
            "At which position must the second token end up?",
        )
        for way, by in (("further on", 1), ("back", -1))
    ),
    mistake(
        "question and answer exchanged", {ITEM: "return tokens.flip(-1), tokens"}, shown_by="the two parts are swapped"
    ).because(
        "Your item starts with the reversed sequence; start with the row of data.",
        "Which of the two parts does the model get to see?",
    ),
    mistake(
        "drawn when asked for",
        {
            "# [N, T]": "\n        self.below, self.generator = num_categories, generator.manual_seed(seed + 1)",
            "self.data[index]": "torch.randint(self.below, self.data[0].shape, generator=self.generator)",
        },
        shown_by="an item changes when it is read again",
    ).because(
        "You draw each item again whenever it is read, so the validation data would never be the same twice; "
        "draw all data once.",
        "What does dataset[1] return the first time, and the second time?",
    ),
    mistake(
        "data reversed in place",
        {ITEM: "before = tokens.clone()\n        return before, tokens.copy_(tokens.flip(-1))"},
        shown_by="reading the items changes the data",
    ).because(
        "When an item is read, your data change; make a new tensor for the targets.",
        "What is in dataset.data before you read an item, and what afterwards?",
    ),
    mistake(
        "items that are no tensors",
        {"[index]": "[index].numpy()", "tokens.flip(-1)": "tokens[::-1].copy()"},
        shown_by="a part of an item is not a tensor",
    ).because(
        "Your items' parts are not tensors; return tensors, because the page stacks them with torch.stack.",
        "What is the type of dataset[0][1]?",
    ),
    mistake("another name for data", {"self.data": "self.tokens"}, times=3, shown_by=NOT_NAMED).because(
        "You keep the sequences under another name; call them `data`.",
        "Which name does the docstring give?",
    ),
    mistake(
        "length of a sequence",
        {"self.data.shape[0]": "self.data.shape[1]"},
        shown_by="len(dataset) is that of one sequence",
    ).because(
        "Your length is that of one sequence; return the number of sequences.",
        "How many items has a dataset of 131 sequences?",
    ),
    mistake(
        "the last category never drawn",
        {"randint(num_categories": "randint(num_categories - 1"},
        shown_by="the last category never occurs",
    ).because(
        "You subtract 1 from the upper end, which `torch.randint` already excludes; a category is lost, so do "
        "not subtract.",
        "What is the largest number that torch.randint(7, …) can return?",
    ),
    mistake(
        "one category too many",
        {"randint(num_categories": "randint(num_categories + 1"},
        shown_by="num_categories itself is drawn",
    ).because(
        "You draw tokens as large as num_categories, which do not fit a one-hot vector of that width; draw below it.",
        "What is the largest number that torch.randint(8, …) can return?",
    ),
    mistake(
        "zero never drawn",
        {"randint(num_categories": "randint(1, num_categories"},
        shown_by="the category 0 never occurs",
    ).because("You draw from 1, so the category 0 never occurs; draw from 0.", WHICH_TOKENS),
    mistake(
        "counted from one",
        {"randint(num_categories": "randint(1, num_categories + 1"},
        shown_by="the tokens are 1 … num_categories",
    ).because("Your tokens are 1 … num_categories; count categories from 0.", WHICH_TOKENS),
    mistake("tokens that are not int64", {RANDINT: f"{RANDINT}.float()"}, shown_by="the tokens are not int64").because(
        "Your tokens are not int64, which one_hot and cross_entropy need; draw integers.", "What is the dtype of data?"
    ),
    mistake(
        "targets that are not int64", {"flip(-1)": "flip(-1).float()"}, shown_by="targets is float32, expected int64"
    ).because(
        "Your targets are not int64, which cross_entropy needs; keep them integers.",
        "What is the dtype of your second part?",
    ),
    mistake(
        "sequences in columns",
        {"(size, seq_len)": "(seq_len, size)", "shape[0]": "shape[1]", "self.data[index]": "self.data[:, index]"},
        shown_by="data is of shape [seq_len, size]",
    ).because("Your data is [seq_len, size]; put the samples on the first axis.", "What is data[0]?"),
    mistake("sequences in columns, items in rows", {"(size, seq_len)": "(seq_len, size)"}).because(
        "Your data is [seq_len, size]; put the samples on the first axis.", "What is data[0]?"
    ),
    *OF_THE_SEED,
    *(
        mistake(name, {RANDINT: drawn}, shown_by="some tokens are more frequent than others").because(
            "Your tokens aren't equally likely; draw each of them with torch.randint(num_categories, …), and leave it "
            "unchanged.",
            "How often does each token occur in 10,000 draws?",
        )
        for name, drawn in (
            ("rounded normal numbers", f"({NORMAL} * num_categories / 4 + num_categories / 2).long(){INSIDE}"),
            ("rounded uniform numbers", f"({UNIFORM} * (num_categories - 1)).round().long()"),
            ("uniform numbers squared", f"({UNIFORM} ** 2 * num_categories).long()"),
        )
    ),
    *(
        mistake(
            name, {"tokens.flip(-1)": f"tokens.flip(-1){part}"}, shown_by=f"the targets lack the {lost} token"
        ).because(
            f"Your targets lack the {lost} token: they have one token too few. Reverse all of them.",
            "Which indices does a range(seq_len − 1, 0, −1) run through?",
        )
        for name, part, lost in (("one token too few", "[:-1]", "first"), ("begun one token late", "[1:]", "last"))
    ),
    switches(
        "random seed",
        "everybody's random numbers seeded",
        {"generator = torch.Generator().": "torch.", ", generator=generator": ""},
        "You seed the random numbers of the whole program; use a generator of the dataset's own.",
    ),
    mistake("another default seed", {"seed: int = 0": "seed: int = 42"}).because(
        "Without a seed you use 42. The default is 0.", "What is in the signature in the docstring?"
    ),
    mistake("no targets", {ITEM: "return tokens"}, shown_by="“targets” did not come back").because(
        "Your item contains only the tokens; add the same tokens reversed.",
        "What are the question and the answer of this task?",
    ),
    mistake("sorted downwards", {"flip(-1)": "sort(descending=True).values"}).because(
        "You sort the targets, the largest first; reverse the order of the tokens.",
        "What is 3, 1, 2 backwards, and what is it sorted?",
    ),
    mistake(
        "both parts reversed",
        {ITEM: "return tokens.flip(-1), tokens.flip(-1)"},
        shown_by="both parts are the row backwards",
    ).because(
        "You reverse both tokens and targets, so they are equal and the model would learn to copy; reverse "
        "only the targets.",
        "Which of the two parts is the question, and which the answer?",
    ),
    mistake(
        "the reversed sequence alone",
        {ITEM: "return tokens.flip(-1)"},
        shown_by="an item begins with its row backwards",
    ).because(
        "You return only the reversed sequence; return the tokens, then the same reversed.",
        "What are the question and the answer of this task?",
    ),
    mistake(
        "target of another row",
        {"tokens.flip(-1)": "self.data[(index + 1) % len(self)].flip(-1)"},
        shown_by="the targets are those of the next sequence",
    ).because(
        "Your target is the reverse of another sequence; reverse this one.",
        "Which index does your second part use?",
    ),
    mistake(
        "length counts tokens", {"self.data.shape[0]": "self.data.numel()"}, shown_by="len(dataset) counts the tokens"
    ).because(
        "Your length is the number of all tokens; return the number of sequences.",
        "What is the largest valid index of your dataset?",
    ),
    mistake(
        "one sequence for all",
        {"(size, seq_len), generator=generator)": "(1, seq_len), generator=generator).repeat(size, 1)"},
        shown_by="all sequences are the same",
    ).because(
        "Your rows are all the same sequence, which the model would memorise; draw each.",
        "How many different rows does your data have?",
    ),
    mistake(
        "one token for a sequence",
        {"(size, seq_len), generator=generator)": "(size, 1), generator=generator).repeat(1, seq_len)"},
        shown_by="each sequence repeats a single token",
    ).because(
        "Your sequences repeat a single token, so reversing changes nothing; draw each token.",
        "How many tokens do you draw for each sequence?",
    ),
)
