"""TranslationModel: two tables, two sets of positions, encoder, decoder, and an output that is one of the tables."""

import torch
from torch import nn

import course_lib.model.translation as reference
from autograder.catalogue.checks import is_true, matches, moved, raises, unmoved, where
from autograder.catalogue.decoder.shared import dropout_as_asked
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.gradients import gradients_reach, gradients_whole
from autograder.catalogue.translation.translation_model_halves_mistakes import KEYS, LOGITS
from autograder.catalogue.translation.translation_model_mistakes import BIAS, MISTAKES
from autograder.catalogue.translation.translation_model_positions_mistakes import OF_THE_POSITIONS
from autograder.catalogue.weights import decoder_block, drawn, encoder_block, stack

SOURCES, TARGETS, DIM, HIDDEN, MAX_LEN = 17, 11, 6, 5, 23
B, S, T = 3, 7, 4
LENGTHS = (5, 7, 3)  # of the sources
ARGUMENTS = {
    "src_vocab": SOURCES,
    "tgt_vocab": TARGETS,
    "model_dim": DIM,
    "num_heads": 3,
    "num_layers": 1,
    "dim_feedforward": HIDDEN,
    "max_len": MAX_LEN,
}


def sizes(num_layers: int) -> dict[str, tuple[int, ...]]:
    """The parameters of a model with so many layers."""
    return {
        "src_embedding.table": (SOURCES, DIM),
        "tgt_embedding.table": (TARGETS, DIM),
        "src_positions.table.weight": (MAX_LEN, DIM),
        "tgt_positions.table.weight": (MAX_LEN, DIM),
        **stack("encoder.layers", num_layers, encoder_block(DIM, HIDDEN)),
        **stack("decoder.layers", num_layers, decoder_block(DIM, HIDDEN)),
        "output_bias": (TARGETS,),
    }


SIZES = sizes(ARGUMENTS["num_layers"])


def sentences(g, ask="answer", mask=None, other=(), lengths=(S, T), alone=None, **arguments):
    """Sources [3, 7] and targets [3, 4] without padding, and without the last target token.

    With a `mask` of this dtype the sources have their own lengths; the tokens at `other` places of the source are
    others; `alone`, the row of this place without its padding.
    """
    arguments = ARGUMENTS | arguments
    weights = drawn(g, sizes(arguments["num_layers"]))
    src = torch.randint(1, SOURCES, (B, S), generator=g)
    tgt = torch.randint(1, TARGETS - 1, (B, T), generator=g)
    src[0, 3] = 1  # a word like the others
    src[:, list(other)] = src[:, list(other)] % (SOURCES - 1) + 1
    if lengths != (S, T):
        src, tgt = (tokens[:, :1].repeat(1, length) for tokens, length in zip((src, tgt), lengths, strict=True))
    case = {"arguments": arguments, "weights": weights, "src": src, "tgt": tgt, "ask": ask}
    if alone is not None:
        return case | {"src": src[alone, : LENGTHS[alone]][None], "tgt": tgt[alone][None]}
    visible = torch.arange(S) < torch.tensor(LENGTHS)[:, None]
    return case | ({"src_mask": visible.to(mask)} if mask else {})


class LinearOutput(reference.TranslationModel):
    """The output is a Linear that shares its weight and gives its bias a second name."""

    def __init__(self, src_vocab, tgt_vocab, model_dim, *sizes, **named):
        super().__init__(src_vocab, tgt_vocab, model_dim, *sizes, **named)
        self.output = nn.Linear(model_dim, tgt_vocab)
        self.output.weight = self.tgt_embedding.table
        self.output_bias = self.output.bias

    def encode(self, source, mask=None):
        mask = mask if mask is None else mask[:, None, None, :]
        return self.encoder(self.dropout(self.src_positions(self.src_embedding(source))), mask)

    def decode(self, memory, target, mask=None):
        mask = mask if mask is None else mask[:, None, None, :]
        said = self.dropout(self.tgt_positions(self.tgt_embedding(target)))
        return self.output(self.decoder(said, memory, None, mask))


NAMED, TIED = "parameters of the contract", "one table for what it reads and what it says"
NUMBERS, HEARD = "the numbers of the paper's model", "the source is heard, its padding is not"
HALVES, LONG = "encode and decode are the two halves of forward", "too long a sentence is refused"
REACH = "gradients reach every parameter"
NO_MATTER = tuple(name for name in SIZES if name.endswith("k_proj.bias"))  # the softmax does not see it
ONE_TABLE = is_true("parameters", ["tables"], lambda n: n == 1, "the output has a table of its own")
UNMASKED = matches("no mask", "logits")
LAYERS = where(UNMASKED, matches("two layers", "logits"))
ROW = {"at": lambda logits: logits[..., TARGETS - 1]}
OTHERS = {"at": lambda logits: logits[..., : TARGETS - 1]}
SAMPLE = {"at": lambda array: array[2:3], "at_other": lambda array: array}


def is_zero(array):
    return not array.any()


def dropped(part):
    return where(UNMASKED, matches(f"{part} dropped", "logits"))


TRANSLATION_MODEL = Exercise(
    id="TranslationModel",
    title="The model that translates",
    reference=reference.TranslationModel,
    cases=(
        Case("parameters", lambda g: sentences(g, "parameters")),
        Case("no mask", sentences),
        Case("another last row", lambda g: sentences(g, "other table"), same_as="no mask"),
        Case("source exchanged", lambda g: sentences(g, other=(1, 2)), same_as="no mask"),
        Case("masked", lambda g: sentences(g, mask=torch.bool), same_as="no mask"),
        Case("masked by integers", lambda g: sentences(g, mask=torch.int64), same_as="no mask"),
        Case("padding moved", lambda g: sentences(g, mask=torch.bool, other=(5, 6)), same_as="no mask"),
        Case("source moved", lambda g: sentences(g, mask=torch.bool, other=(0,)), same_as="no mask"),
        Case("the shortest alone", lambda g: sentences(g, alone=2), same_as="no mask"),
        Case("in halves", lambda g: sentences(g, "halves"), same_as="no mask"),
        Case("in halves, masked", lambda g: sentences(g, "halves", mask=torch.bool), same_as="no mask"),
        Case("as long as may be", lambda g: sentences(g, lengths=(MAX_LEN, MAX_LEN)), same_as="no mask"),
        Case("source too long", lambda g: sentences(g, lengths=(29, T))),
        Case("target too long", lambda g: sentences(g, lengths=(S, 29))),
        Case("dropout, evaluated", lambda g: sentences(g, "evaluated", dropout=0.5), same_as="no mask"),
        Case("dropout, training", lambda g: sentences(g, "random", dropout=0.5), same_as="no mask"),
        Case("no dropout, training", lambda g: sentences(g, "training"), same_as="no mask"),
        Case("everything dropped", lambda g: sentences(g, "training", dropout=1.0), same_as="no mask"),
        Case("embeddings dropped", lambda g: sentences(g, "outside", dropout=1.0), same_as="no mask"),
        Case("gradients", lambda g: sentences(g, "gradients", mask=torch.bool)),
        Case("two layers", lambda g: sentences(g, num_layers=2)),
    ),
    criteria=(
        Criterion(
            NAMED,
            0.75,
            matches("parameters", "number of parameters"),
            is_true("parameters", ["of_padding"], is_zero, "the row of padding of a table is not zero at the start"),
        ),
        Criterion(
            TIED,
            1,
            where(matches("parameters", "number of parameters"), ONE_TABLE),
            unmoved(
                "no mask",
                "another last row",
                "logits",
                text="another row of the table changes the logits of other tokens",
                **OTHERS,
            ),
            moved("no mask", "another last row", "logits", text="the output does not follow the target's table", **ROW),
        ),
        Criterion(NUMBERS, 1, UNMASKED, where(UNMASKED, matches("as long as may be", "logits")), LAYERS),
        Criterion(
            HEARD,
            1.5,
            unmoved("masked", "padding moved", "logits", at=lambda a: a[[0, 2]], text="padding changes the logits"),
            moved("masked", "source moved", "logits", text="a word of the source does not affect the output"),
            unmoved("masked", "masked by integers", "logits", text="the same mask as integers gives different logits"),
            unmoved("masked", "the shortest alone", "logits", text="padding changes a sentence's logits", **SAMPLE),
        ),
        Criterion(
            HALVES,
            0.5,
            unmoved("no mask", "in halves", "logits", text="decode of encode differs from forward"),
            where(
                unmoved("masked", "padding moved", "logits", at=lambda a: a[[0, 2]], text="padding is heard"),
                unmoved("masked", "in halves, masked", "logits", text="with a mask, decode of encode is not forward"),
                where(UNMASKED, matches("in halves, masked", "unmasked")),
            ),
            where(UNMASKED, matches("in halves")),
        ),
        Criterion(
            LONG,
            0.25,
            raises("source too long", "ValueError", "29", str(MAX_LEN)),
            raises("target too long", "ValueError", "29", str(MAX_LEN)),
        ),
        Criterion(
            "dropout while training, and only then",
            0.5,
            *dropout_as_asked("no mask", "logits"),
            is_true("dropout, training", ["random"], bool, "with dropout, two calls while training are the same"),
            *map(dropped, ("everything", "embeddings")),
        ),
        Criterion(
            REACH,
            0.25,
            gradients_reach("gradients", tuple(SIZES), free=NO_MATTER),
            where(ONE_TABLE, where(matches("masked", "logits"), gradients_whole("gradients", tuple(SIZES)))),
        ),
        common_criterion(0.25),
    ),
    mistakes=MISTAKES + OF_THE_POSITIONS,
    forbidden=("Transformer", "TransformerEncoderLayer", "TransformerDecoderLayer", "multi_head_attention_forward"),
    right_variants=(
        LinearOutput,
        right("F.linear", {LOGITS: "F.linear(y, self.tgt_embedding.table, self.output_bias)"}),
        right("einsum", {LOGITS: 'torch.einsum("btd,vd->btv", y, self.tgt_embedding.table) + self.output_bias'}),
        right(
            "a length of its own is looked at, two dropouts, a bias drawn at random",
            {
                BIAS: "nn.Parameter(torch.randn(tgt_vocab))",
                "self.dropout = nn.Dropout(dropout)": "self.max_len = max_len\n"
                "        self.src_dropout, self.tgt_dropout = nn.Dropout(dropout), nn.Dropout(dropout)",
                "x = self.dropout(": "if src.size(1) > self.max_len:\n"
                '            raise ValueError(f"{src.size(1)} > {self.max_len}")\n        x = self.src_dropout(',
                "y = self.dropout(": "y = self.tgt_dropout(",
            },
        ),
        right("keys with four axes", {KEYS: "src_mask[:, None, None, :].bool()"}, times=2),
    ),
)
