"""Seq2SeqTransformer: its parts have free names, so it is judged by what moves what, and by numbers where they fit."""

import numpy as np
import torch
from torch import nn

import course_lib.model.seq2seq as reference
from autograder.catalogue.checks import either, finite, is_true, matches, moved, shaped_as_expected, unmoved, where
from autograder.catalogue.decoder.seq2seq_mistakes import MASK, MISTAKES
from autograder.catalogue.decoder.shared import dropout_as_asked
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.weights import decoder_block, drawn, encoder_block, linear, stack
from course_lib.model.decoder import TransformerDecoder
from course_lib.model.encoder import TransformerEncoder
from course_lib.model.positions import LearnedPositions, PositionalEncoding

SOURCES, TARGETS, DIM, HEADS = 17, 11, 6, 3
B, T_SRC, T_TGT = 2, 7, 4


def weights(g, num_layers):
    """Under the names of the page; the last Linear holds the target's embedding, so that a model may share the two."""
    numbers = drawn(
        g,
        {
            "src_embedding.weight": (SOURCES, DIM),
            "tgt_embedding.weight": (TARGETS, DIM),
            **stack("encoder.layers", num_layers, encoder_block(DIM, 4 * DIM)),
            **stack("decoder.layers", num_layers, decoder_block(DIM, 4 * DIM)),
            **linear("output", DIM, TARGETS),
        },
    )
    return numbers | {"output.weight": numbers["tgt_embedding.weight"]}


def different_tokens(g, vocabulary, length):
    """Rows of tokens without repetition, [2, length]; 0 is among them, and no padding."""
    tokens = torch.stack([1 + torch.randperm(vocabulary - 1, generator=g)[:length] for _ in range(B)])
    tokens[0, 2] = 0
    return tokens


def sentences(g, num_layers=1, dropout=0.0, masked=None, heads=HEADS, long=(5, 3)):
    """Sources [2, 7] and targets [2, 4]; when `masked`, by a mask of this kind, the sources are `long`."""
    arguments = {
        "src_vocab": SOURCES,
        "tgt_vocab": TARGETS,
        "model_dim": DIM,
        "num_heads": heads,
        "num_layers": num_layers,
        "dropout": dropout,
    }
    case = {"arguments": arguments, "weights": weights(g, num_layers)}
    case |= {"src": different_tokens(g, SOURCES, T_SRC), "tgt": different_tokens(g, TARGETS, T_TGT)}
    return case | ({"src_mask": (torch.arange(T_SRC) < torch.tensor(long)[:, None]).to(masked)} if masked else {})


def with_other(g, name, places, vocabulary, **options):
    """Other tokens at these places of the source or the target."""
    case = sentences(g, **options)
    case[name][:, places] = (case[name][:, places] + 1) % vocabulary
    return case


def with_exchanged(g, name, one, other):
    """Two tokens have changed places."""
    case = sentences(g)
    case[name][:, [one, other]] = case[name][:, [other, one]]
    return case


def without_dropout(g):
    """In training mode, and dropout left to its default."""
    case = sentences(g)
    del case["arguments"]["dropout"]
    return case | {"training": True}


class NamesOfItsOwn(nn.Module):
    """Other names, another width of the feed-forward, learned positions, no factor: all left open."""

    def __init__(self, src_vocab, tgt_vocab, model_dim, num_heads, num_layers, dropout=0.0):
        super().__init__()
        sizes = {"input_dim": model_dim, "num_heads": num_heads, "dim_feedforward": 2 * model_dim}
        self.read = nn.Sequential(nn.Embedding(src_vocab, model_dim), PositionalEncoding(model_dim))
        self.recall = nn.Sequential(nn.Embedding(tgt_vocab, model_dim), LearnedPositions(31, model_dim))
        self.encoder = TransformerEncoder(num_layers, dropout=dropout, **sizes)
        self.decoder = TransformerDecoder(num_layers, dropout=dropout, **sizes)
        self.say = nn.Linear(model_dim, tgt_vocab)

    def forward(self, src, tgt, src_mask=None):
        if src_mask is not None:
            src_mask = src_mask.unsqueeze(1)
        memory = self.encoder(self.read(src), src_mask)
        return self.say(self.decoder(self.recall(tgt), memory, None, src_mask))


NUMBERS, HEARD = "the numbers of the paper's model", "the source is heard, its padding is not"
UNMASKED = "no mask, and nothing is hidden"
PAPER = matches("numbers", "logits")
OWN_NAMES = is_true("numbers", ["own_names"], bool, "the parts have the names of the page")
TARGET_MOVED = ("one layer", "target moved at 2", "logits")
SHORT = {"at": lambda a: a[1:2]}  # the shorter source

SEQ2SEQ = Exercise(
    id="Seq2SeqTransformer",
    title="The whole Transformer",
    reference=reference.Seq2SeqTransformer,
    cases=(
        Case("numbers", lambda g: sentences(g, 2, masked=torch.bool, long=(T_SRC, T_SRC)) | {"strict": True}),
        Case("numbers, masked", lambda g: sentences(g, 2, masked=torch.bool), same_as="numbers"),
        Case("numbers, no mask", lambda g: sentences(g, 2) | {"bare": True}, same_as="numbers"),
        Case("one layer", sentences),
        Case("target moved at 2", lambda g: with_other(g, "tgt", [2], TARGETS), same_as="one layer"),
        Case("target exchanged", lambda g: with_exchanged(g, "tgt", 0, 1), same_as="one layer"),
        Case("source exchanged", lambda g: with_exchanged(g, "src", 1, 3), same_as="one layer"),
        Case("two heads", lambda g: sentences(g, heads=2), same_as="one layer"),
        Case("masked", lambda g: sentences(g, masked=torch.bool), same_as="one layer"),
        Case("masked by integers", lambda g: sentences(g, masked=torch.int64), same_as="one layer"),
        Case(
            "hidden source moved",
            lambda g: with_other(g, "src", [4, 5], SOURCES, masked=torch.bool),
            same_as="one layer",
        ),
        Case(
            "visible source moved",
            lambda g: with_other(g, "src", [0, 1, 2], SOURCES, masked=torch.bool),
            same_as="one layer",
        ),
        Case("dropout, evaluated", lambda g: sentences(g, dropout=0.5), same_as="one layer"),
        Case("dropout, training", lambda g: sentences(g, dropout=0.5) | {"training": True}, same_as="one layer"),
        Case("no dropout, training", without_dropout, same_as="one layer"),
        Case("everything dropped", lambda g: sentences(g, dropout=1.0) | {"training": True}, same_as="one layer"),
        Case(
            "embeddings dropped",
            lambda g: sentences(g, dropout=1.0) | {"training": True, "only": True},
            same_as="one layer",
        ),
        Case("gradients", lambda g: sentences(g) | {"gradients": True}, same_as="one layer"),
    ),
    criteria=(
        Criterion(
            NUMBERS,
            0.5,
            either(PAPER, OWN_NAMES),
            moved("one layer", "numbers", "learned", text="the number of layers makes no difference"),
            moved("one layer", "two heads", "logits", text="the number of heads makes no difference"),
        ),
        Criterion(
            "logits for every target token",
            0.5,
            shaped_as_expected("one layer", "logits"),
            is_true(
                "one layer",
                ["logits"],
                lambda logits: logits.min() < 0 or abs(logits.sum(axis=-1) - 1).max() > 1e-3,
                "the output sums to 1: these are probabilities",
            ),
            is_true(
                "one layer",
                ["logits"],
                lambda logits: abs(np.exp(logits).sum(axis=-1) - 1).max() > 1e-3,
                "the exponentials of the output sum to 1: these are log-probabilities",
            ),
        ),
        Criterion(
            "no later target token is seen, the present one is",
            0.5,
            unmoved(*TARGET_MOVED, at=lambda a: a[:, :2], text="changing target token 2 changes the logits before it"),
            moved(
                *TARGET_MOVED, at=lambda a: a[:, 2], text="changing target token 2 leaves the logits at 2 as they were"
            ),
        ),
        Criterion(
            HEARD,
            1,
            unmoved(
                "masked",
                "hidden source moved",
                "logits",
                **SHORT,
                text="changing hidden source tokens changes the logits",
            ),
            moved(
                "masked",
                "visible source moved",
                "logits",
                **SHORT,
                text="changing visible source tokens leaves the logits unchanged",
            ),
            unmoved("masked", "masked by integers", "logits", text="the same mask as integers gives different logits"),
            where(PAPER, matches("numbers, masked", "logits")),
        ),
        Criterion(
            UNMASKED,
            0.25,
            finite("numbers, no mask", "logits", text="no finite numbers came back without a mask"),
            where(
                PAPER, unmoved("numbers", "numbers, no mask", "logits", text="without a mask some tokens are hidden")
            ),
        ),
        Criterion(
            "order matters",
            0.25,
            moved("one layer", "source exchanged", "logits", text="the order of the source makes no difference"),
            moved(
                "one layer",
                "target exchanged",
                "logits",
                at=lambda a: a[:, 2:],
                text="the order of the target tokens before makes no difference",
            ),
        ),
        Criterion(
            "dropout while training, and only then",
            0.25,
            *dropout_as_asked("one layer", "logits"),
            is_true("dropout, training", ["random"], bool, "with dropout, two calls while training are the same"),
            where(PAPER, *(matches(f"{what} dropped", "logits") for what in ("everything", "embeddings"))),
        ),
        Criterion(
            "gradients reach every parameter",
            0.25,
            is_true("gradients", ["unreached"], lambda n: n == 0, "some parameters get no gradient"),
        ),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    forbidden=("transformer", "multihead_attention"),
    right_variants=(
        right(
            "one matrix for the target's embedding and the last Linear, as in section 3.4",
            {"tgt_vocab)\n": "tgt_vocab)\n        self.output.weight = self.tgt_embedding.weight\n"},
        ),
        right(
            "positions that are saved",
            {
                "self.dropout = ": "positions = self.positional_encoding\n"
                "        positions.register_buffer('pe', positions.pe, persistent=True)\n        self.dropout = "
            },
        ),
        right(
            "the last Linear first, a mask with four axes, a longer table of positions",
            {
                "        self.output = nn.Linear(model_dim, tgt_vocab)\n": "",
                "self.src_embedding = ": "self.output = nn.Linear(model_dim, tgt_vocab)\n        self.src_embedding = ",
                "PositionalEncoding(model_dim)": "PositionalEncoding(model_dim, max_len=64)",
                MASK: "src_mask[:, None, None, :]",
            },
        ),
        right("another name for a part without parameters", {"self.positional_encoding": "self.positions"}, times=3),
        NamesOfItsOwn,
    ),
    promises={
        "Padding in the source doesn't affect the result.": "source mask dropped",
        "Source and target may differ in length and in vocabulary.": "one vocabulary for both",
        "It works without a mask.": "0 is padding when there is no mask",
    },
)
