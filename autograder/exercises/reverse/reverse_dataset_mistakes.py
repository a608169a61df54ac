"""What goes wrong in `ReverseDataset`, and what a teaching assistant would say of it."""

import torch

from autograder.exercise import Misconception
from course_lib.reverse import ReverseDataset

TABLE, EVEN, TOKENS = (
    "data [size, seq_len] of tokens",
    "every token is drawn by itself, all equally likely",
    "an item begins with its row of data",
)
TARGETS, LENGTH, SEED = "the targets are the tokens backwards", "the length counts the sequences", "the seed decides"


def drawn(seed, *arguments):
    return torch.randint(*arguments, generator=torch.Generator().manual_seed(seed))


class NothingReversed(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index], self.data[index]


class SequencesReversed(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index], self.data.flip(0)[index]


class Rolled(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index], self.data[index].roll(1)


class Descending(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index], self.data[index].sort(descending=True).values


class HalvesExchanged(ReverseDataset):
    def __getitem__(self, index):
        tokens = self.data[index]
        middle = len(tokens) // 2
        return tokens, torch.cat([tokens[middle:], tokens[:middle]])


class BothReversed(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index].flip(-1), self.data[index].flip(-1)


class Exchanged(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index].flip(-1), self.data[index]


class FloatTargets(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index], self.data[index].flip(-1).float()


class NextRow(ReverseDataset):
    def __getitem__(self, index):
        return self.data[index], self.data[(index + 1) % len(self.data)].flip(-1)


class DrawnWhenAsked(ReverseDataset):
    def __init__(self, num_categories, seq_len, size, seed=0):
        super().__init__(num_categories, seq_len, size, seed)
        self.categories = num_categories
        self.generator = torch.Generator().manual_seed(seed + 1)

    def __getitem__(self, index):
        tokens = torch.randint(self.categories, (self.data.shape[1],), generator=self.generator)
        return tokens, tokens.flip(-1)


class CountsTokens(ReverseDataset):
    def __len__(self):
        return self.data.numel()


class CountsPlaces(ReverseDataset):
    def __len__(self):
        return self.data.shape[1]


class Other(ReverseDataset):
    """A dataset whose data are made by another `draw(num_categories, seq_len, size, seed)`."""

    def __init__(self, num_categories, seq_len, size, seed=0):
        self.data = self.draw(num_categories, seq_len, size, seed)


class OneCategoryLess(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, num_categories - 1, (size, seq_len))


class OneCategoryMore(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, num_categories + 1, (size, seq_len))


class FromOne(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, 1, num_categories, (size, seq_len))


class OneToAll(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, 1, num_categories + 1, (size, seq_len))


class Floats(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, num_categories, (size, seq_len)).float()


class Transposed(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, num_categories, (seq_len, size))

    def __len__(self):
        return self.data.shape[1]

    def __getitem__(self, index):
        return self.data[:, index], self.data[:, index].flip(-1)


class OneSequence(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, num_categories, (1, seq_len)).repeat(size, 1)


class OneToken(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(seed, num_categories, (size, 1)).repeat(1, seq_len)


class Unseeded(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return torch.randint(num_categories, (size, seq_len))


class AlwaysTheSame(Other):
    def draw(self, num_categories, seq_len, size, seed):
        return drawn(42, num_categories, (size, seq_len))


class ZeroIsNoSeed(Other):
    def draw(self, num_categories, seq_len, size, seed):
        if seed:
            return drawn(seed, num_categories, (size, seq_len))
        return torch.randint(num_categories, (size, seq_len))


MISCONCEPTIONS = (
    Misconception(
        "nothing reversed",
        NothingReversed,
        "Your targets are the tokens in the same order: a model that copies its input would be perfect.",
        "What should the target of 3 1 4 be?",
        (TARGETS,),
        shown_by="the targets are the tokens in the same order",
    ),
    Misconception(
        "sequences reversed, not tokens",
        SequencesReversed,
        "You turned around the order of the dataset: the last sequence is the target of the first.",
        "Which axis of data counts the tokens of one sequence?",
        (TARGETS,),
        shown_by="the sequences change places, not the tokens",
    ),
    Misconception(
        "rolled instead of reversed",
        Rolled,
        "`roll` moves every token one place on and brings the last one to the front; the order stays.",
        "Where must the second token end up?",
        (TARGETS,),
    ),
    Misconception(
        "sorted downwards",
        Descending,
        "Your targets are sorted from high to low; reversing looks at the places, not at the values.",
        "What should the target of 3 1 4 be?",
        (TARGETS,),
    ),
    Misconception(
        "halves exchanged",
        HalvesExchanged,
        "The two halves have changed places, and inside each the order is as before.",
        "Where must the second token end up?",
        (TARGETS,),
    ),
    Misconception(
        "both parts reversed",
        BothReversed,
        "Tokens and targets are both reversed, so they are equal again: the model would learn to copy.",
        "Which of the two parts is the question, and which the answer?",
        (TOKENS, TARGETS),
        shown_by="an item begins with its row backwards",
    ),
    Misconception(
        "question and answer exchanged",
        Exchanged,
        "The item begins with the reversed sequence; it should begin with the row of data.",
        "Which of the two parts does the model get to see?",
        (TOKENS,),
        shown_by="an item begins with its row backwards",
    ),
    Misconception(
        "target of another row",
        NextRow,
        "The target is a sequence backwards, but not this one: no model can guess it.",
        "Which index does your second part use?",
        (TARGETS,),
    ),
    Misconception(
        "drawn when asked for",
        DrawnWhenAsked,
        "Each item is drawn anew when it is asked for, so the validation data would never be the same twice.",
        "What does dataset[1] give, and what does it give the second time?",
        (TOKENS,),
    ),
    Misconception(
        "length counts tokens",
        CountsTokens,
        "Your length is the number of all tokens; an epoch would ask for items that are not there.",
        "What is the largest index that your dataset can answer to?",
        (LENGTH,),
    ),
    Misconception(
        "length of a sequence",
        CountsPlaces,
        "Your length is that of one sequence, so an epoch would see only the first few sequences.",
        "How many items has a dataset of 131 sequences?",
        (LENGTH,),
    ),
    Misconception(
        "the last category never drawn",
        OneCategoryLess,
        "`torch.randint` leaves out its upper end already; subtracting 1 loses a category.",
        "What is the largest number that torch.randint(7, …) can give?",
        (EVEN,),
        shown_by="the last category never occurs",
    ),
    Misconception(
        "one category too many",
        OneCategoryMore,
        "A token as large as num_categories has no place in a one-hot vector of that width.",
        "What is the largest number that torch.randint(8, …) can give?",
        (TABLE,),
    ),
    Misconception(
        "zero never drawn",
        FromOne,
        "You draw from 1 on, so the category 0 never comes.",
        "Which tokens are there when num_categories is 7?",
        (EVEN,),
        shown_by="the category 0 never occurs",
    ),
    Misconception(
        "counted from one",
        OneToAll,
        "Your tokens are 1 … num_categories; categories count from 0, as one-hot vectors do.",
        "Which tokens are there when num_categories is 7?",
        (TABLE, EVEN),
    ),
    Misconception(
        "tokens as floats",
        Floats,
        "Tokens are names of categories: one_hot and cross_entropy want them as int64.",
        "What is the dtype of data?",
        (TABLE, TOKENS, TARGETS),
        shown_by="the tokens are not int64",
    ),
    Misconception(
        "targets as floats",
        FloatTargets,
        "Targets are names of categories: cross_entropy wants them as int64.",
        "What is the dtype of your second part?",
        (TARGETS,),
        shown_by="the targets are not int64",
    ),
    Misconception(
        "sequences in columns",
        Transposed,
        "Your data is [seq_len, size]; a dataset has its samples along the first axis.",
        "What is data[0]?",
        (TABLE, TOKENS),
    ),
    Misconception(
        "one sequence for all",
        OneSequence,
        "Every row holds the same sequence: the model would learn it by heart.",
        "How many different rows has your data?",
        (EVEN,),
        shown_by="the same sequence comes again and again",
    ),
    Misconception(
        "one token for a sequence",
        OneToken,
        "Every sequence repeats a single token; backwards it is the same.",
        "How many tokens do you draw for each sequence?",
        (EVEN,),
    ),
    Misconception(
        "seed not used",
        Unseeded,
        "The data differ from run to run: nobody could repeat your result, and validation would leak into training.",
        "Where does your code use its argument `seed`?",
        (SEED,),
        shown_by="the same seed gives other data",
    ),
    Misconception(
        "one seed for all",
        AlwaysTheSame,
        "Your seed is a constant: training, validation and test data begin with the same sequences.",
        "Where does your code use its argument `seed`?",
        (SEED,),
        shown_by="another seed gives the same data",
    ),
    Misconception(
        "seed 0 taken for none",
        ZeroIsNoSeed,
        "0 is false in Python, so `if seed` leaves the seed 0 out, and that is the default.",
        "What does `if seed:` do when the seed is 0?",
        (SEED,),
        shown_by="without a seed the data are not those of seed 0",
    ),
)
