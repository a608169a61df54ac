"""Seq2SeqTransformer: its parts have free names, so it is judged by what moves what, and by numbers where they fit."""

import numpy as np
from torch import nn

import course_lib.model.seq2seq as reference
from autograder.catalogue.checks import either, finite, is_true, matches, moved, shaped_as_expected, unmoved, where
from autograder.catalogue.decoder.seq2seq_cases import CASES
from autograder.catalogue.decoder.seq2seq_embedding_mistakes import OF_EMBEDDINGS
from autograder.catalogue.decoder.seq2seq_mistakes import MASK, MISTAKES
from autograder.catalogue.decoder.shared import dropout_as_asked
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Criterion, Exercise, common_criterion
from course_lib.model.decoder import TransformerDecoder
from course_lib.model.encoder import TransformerEncoder
from course_lib.model.positions import LearnedPositions, PositionalEncoding


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
NOTHING_HIDDEN = unmoved("numbers", "numbers, no mask", "logits", text="without a mask some tokens are hidden")
TARGET_MOVED = ("one layer", "target moved at 2", "logits")
SHORT = {"at": lambda a: a[1:2]}  # the shorter source

SEQ2SEQ = Exercise(
    id="Seq2SeqTransformer",
    title="The whole Transformer",
    reference=reference.Seq2SeqTransformer,
    cases=CASES,
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
            where(PAPER, NOTHING_HIDDEN),
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
            where(
                PAPER,
                *(matches(f"{what} dropped", "logits") for what in ("everything", "embeddings")),
                is_true(
                    "dropout, training",
                    ["left"],
                    lambda left: np.isin(left, (0, 2)).all(),
                    "in training, dropout does not act exactly once on embeddings plus positions",
                ),
            ),
        ),
        Criterion(
            "gradients reach every parameter",
            0.25,
            is_true("gradients", ["unreached"], lambda n: n == 0, "some parameters get no gradient"),
            where(
                NOTHING_HIDDEN,  # what is hidden learns nothing
                *(
                    is_true(
                        "gradients", [f"unlearned_{side}"], lambda n: n == 0, f"a token of the {side} is never learned"
                    )
                    for side in ("source", "target")
                ),
            ),
        ),
        common_criterion(0.5),
    ),
    mistakes=OF_EMBEDDINGS + MISTAKES,
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
)
