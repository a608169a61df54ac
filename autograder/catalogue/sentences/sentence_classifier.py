"""SentenceClassifier: an encoder, the mean of what is real, and one Linear."""

import numpy as np
import torch
from torch import nn

import course_lib.model.classifier as reference
from autograder.catalogue.checks import unmoved
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Exercise
from autograder.catalogue.sentences import classifying
from autograder.catalogue.sentences.sentence_classifier_mistakes import ENCODED, MEAN, MISTAKES, ONES, POSITIONS
from autograder.catalogue.sentences.sentence_classifier_promises_mistakes import PARAMETERS_AND_PROMISES
from course_lib.model.embedding import TokenEmbedding
from course_lib.model.encoder import TransformerEncoder


class ByHand(nn.Module):
    """An Embedding for the positions, a mask with four axes, the mean as a product; other names of the arguments."""

    def __init__(self, vocab, classes, dim, heads, layers, longest, dropout=0.0):
        super().__init__()
        self.output_net = nn.Linear(dim, classes)
        self.encoder = TransformerEncoder(
            num_layers=layers, input_dim=dim, num_heads=heads, dim_feedforward=dim * 4, dropout=dropout
        )
        self.positions = nn.Embedding(longest, dim)
        self.embedding = TokenEmbedding(vocab, dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, ids, real=None, add_positions=True):
        x = self.embedding(ids)
        if add_positions:
            x = x + self.positions(torch.arange(ids.size(1), device=ids.device))[None]
        if real is None:
            return self.output_net(self.encoder(self.drop(x)).mean(1))
        x = self.encoder(self.drop(x), real[:, None, None, :])
        weights = real.to(x) / real.sum(1, keepdim=True).clamp_min(1)
        return self.output_net((weights[:, :, None] * x).sum(1))


OTHERS_UNCHANGED = unmoved(
    "masked",
    "a sentence of padding",
    text="a sentence of padding alone changes the logits of the others",
    at=lambda logits: np.delete(logits, classifying.PADDED, axis=0),
)

SENTENCE_CLASSIFIER = Exercise(
    id="SentenceClassifier",
    title="A classifier of sentences",
    reference=reference.SentenceClassifier,
    cases=classifying.cases(),
    criteria=classifying.criteria(
        0.5, 1, 1.25, 0.25, 0.75, 0.25, 0.25, 0.25, 0.25, 0.25, of_padding=(OTHERS_UNCHANGED,)
    ),
    mistakes=MISTAKES + PARAMETERS_AND_PROMISES,
    forbidden=classifying.FORBIDDEN,
    right_variants=(
        ByHand,
        right("a mask of booleans", {ONES: "torch.ones(tokens.shape, dtype=torch.bool, device=tokens.device)"}),
        right("dropout on the embedded words", {ENCODED: "self.encoder(self.encoder.layers[0].dropout(x)"}),
        right("the mean of the logits", {MEAN: "masked_mean(self.output_net(x), mask)"}),
        right(
            "the mean of all where all is padding",
            {
                MEAN: "self.output_net(masked_mean(x, torch.where((mask != 0).any(dim=1, keepdim=True), mask, "
                "torch.ones_like(mask))))"
            },
        ),
        right("positions by a condition", {POSITIONS: "        x = self.positions(x) if add_positions else x\n"}),
    ),
)
