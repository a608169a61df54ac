"""The cases of `Seq2SeqTransformer`: with injected weights, masked sources, and one token at a time that is another."""

import torch

from autograder.catalogue.exercise import Case
from autograder.catalogue.weights import decoder_block, drawn, encoder_block, linear, stack

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


CASES = (
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
)
