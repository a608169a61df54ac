"""ClsClassifier: one more token in front, and what it has collected is classified."""

import torch
from torch import nn

import course_lib.model.classifier as reference
from autograder.catalogue.checks import matches
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Exercise
from autograder.catalogue.sentences import classifying
from autograder.catalogue.sentences.cls_classifier_mistakes import JOINED, LONGER, MISTAKES, READ
from course_lib.model.embedding import TokenEmbedding
from course_lib.model.encoder import TransformerEncoder
from course_lib.model.positions import LearnedPositions

CLS = {"cls": (1, 1, classifying.DIM)}

OF_CLS = (matches("a sentence of padding"),)  # cls is left, and hears itself


class OnItsOwn(nn.Module):
    """Inherits nothing, repeats cls, joins masks of booleans, and reads the first of a tuple of places."""

    def __init__(self, vocab_size, num_classes, model_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__()
        self.cls = nn.Parameter(torch.zeros(1, 1, model_dim))
        self.embedding, self.positions = TokenEmbedding(vocab_size, model_dim), LearnedPositions(max_len, model_dim)
        block = {"input_dim": model_dim, "num_heads": num_heads, "dim_feedforward": 4 * model_dim, "dropout": dropout}
        self.encoder = TransformerEncoder(num_layers, **block)
        self.output_net = nn.Linear(model_dim, num_classes)

    def forward(self, tokens, mask=None, add_positions=True):
        words = self.embedding(tokens)
        words = self.positions(words) if add_positions else words
        if mask is None:
            mask = torch.ones(tokens.shape)
        seen = torch.cat((torch.ones(len(mask), 1, dtype=torch.bool), mask.bool()), dim=1)
        encoded = self.encoder(torch.cat((self.cls.repeat(len(tokens), 1, 1), words), 1), seen[:, None, None])
        first, *_ = encoded.unbind(1)
        return self.output_net(first)


CLS_CLASSIFIER = Exercise(
    id="ClsClassifier",
    title="A token that collects",
    reference=reference.ClsClassifier,
    cases=classifying.cases(CLS),
    criteria=classifying.criteria(
        0.5, 0.75, 1, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, of_padding=OF_CLS, more_sizes=CLS
    ),
    mistakes=MISTAKES,
    forbidden=classifying.FORBIDDEN,
    right_variants=(
        OnItsOwn,
        right(
            "room made first",
            {JOINED: "torch.nn.functional.pad(x, (0, 0, 1, 0)) + F.pad(self.cls, (0, 0, 0, x.shape[1]))"},
        ),
        right("a column of ones", {LONGER: "torch.cat([torch.ones_like(mask[:, :1]), mask], dim=1)"}),
        right(
            "at the end, and read there",
            {
                JOINED: "torch.cat([x, self.cls.expand(len(x), -1, -1)], dim=1)",
                "(1, 0), value=1": "(0, 1), value=1",
                "mask)[:, 0]": "mask)[:, -1]",
            },
        ),
        right("the last layer for all, then the first", {READ: "self.output_net(self.encoder(x, mask))[:, 0]"}),
    ),
)
