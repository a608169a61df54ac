"""Classify whole sentences: read the tokens, and make one vector of them."""

import torch
from torch import nn

from course_lib.model.embedding import TokenEmbedding
from course_lib.model.encoder import TransformerEncoder
from course_lib.model.positions import LearnedPositions


def masked_mean(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The mean of the real tokens of each row.

    Args:
        x: [B, T, D]. What stands in padding is never looked at; it may be NaN.
        mask: [B, T], boolean or 0/1; 1 is a real token, wherever it stands.

    Returns:
        [B, D]. A row without tokens gives zeros.

    >>> x = torch.tensor([[[1.0], [3.0], [float("nan")]]])
    >>> masked_mean(x, torch.tensor([[1, 1, 0]]))
    tensor([[2.]])
    """
    # BEGIN SOLUTION
    #: A product with 0 does not silence NaN: 0 · NaN is NaN. masked_fill or torch.where puts a 0 there.
    #: Divide by how many tokens each row has, not by T; a row that has none must not divide by 0.
    real = (mask != 0).unsqueeze(-1)  # [B, T, 1]
    total = x.masked_fill(~real, 0.0).sum(dim=1)  # [B, D]
    return total / real.sum(dim=1).clamp(min=1)  # [B, D]
    # END SOLUTION


class SentenceClassifier(nn.Module):
    """Embed the tokens, add positions, let them attend to each other, and classify the mean.

    Args:
        vocab_size: number of tokens.
        num_classes: C.
        model_dim: D, width of all tokens.
        num_heads: heads of every attention.
        num_layers: encoder blocks; their feed-forward is 4 · model_dim wide.
        max_len: the longest sentence.
        dropout: probability, in every block.

    Parameters:
        embedding: TokenEmbedding. positions: LearnedPositions. encoder: TransformerEncoder.
        output_net: Linear, model_dim → num_classes.

    `forward(tokens, mask=None, add_positions=True)`: tokens int64 [B, T]; mask [B, T], 1 at a real token; None says
    that all are. Without positions the model sees a bag of words. Returns logits [B, C].

    Source: Devlin et al. 2019, "BERT", section 3 (the encoder); Reimers and Gurevych 2019, "Sentence-BERT",
    section 3 (the mean of all tokens).

    >>> model = SentenceClassifier(13, num_classes=2, model_dim=6, num_heads=3, num_layers=1, max_len=7)
    >>> model(torch.tensor([[5, 4, 0], [7, 8, 9]]), torch.tensor([[1, 1, 0], [1, 1, 1]])).shape
    torch.Size([2, 2])
    """

    def __init__(
        self,
        vocab_size: int,
        num_classes: int,
        model_dim: int,
        num_heads: int,
        num_layers: int,
        max_len: int,
        dropout: float = 0.0,
    ):
        super().__init__()
        # BEGIN SOLUTION
        #: Four parts, under the names of the docstring. TokenEmbedding brings the factor √model_dim.
        #: TransformerEncoder takes num_layers and, by name, what an EncoderBlock takes:
        #: input_dim, num_heads, dim_feedforward, dropout.
        self.embedding = TokenEmbedding(vocab_size, model_dim)
        self.positions = LearnedPositions(max_len, model_dim)
        self.encoder = TransformerEncoder(
            num_layers, input_dim=model_dim, num_heads=num_heads, dim_feedforward=4 * model_dim, dropout=dropout
        )
        self.output_net = nn.Linear(model_dim, num_classes)
        # END SOLUTION

    def forward(
        self, tokens: torch.Tensor, mask: torch.Tensor | None = None, add_positions: bool = True
    ) -> torch.Tensor:
        # BEGIN SOLUTION
        #: The mask is used twice: the encoder must not attend to padding, and the mean must not count it.
        #: The encoder takes [B, 1, T]: which keys are real, for every query.
        #: No mask: every token is real. torch.ones_like(tokens) is such a mask.
        mask = torch.ones_like(tokens) if mask is None else mask  # [B, T]
        x = self.embedding(tokens)  # [B, T, D]
        if add_positions:
            x = self.positions(x)  # [B, T, D]
        x = self.encoder(x, mask.unsqueeze(1))  # [B, T, D]
        return self.output_net(masked_mean(x, mask))  # [B, C]
        # END SOLUTION


class ClsClassifier(SentenceClassifier):
    """The same, but one more token in front learns to collect what the others know, and is classified.

    Arguments and `forward` are those of `SentenceClassifier`.

    Parameters:
        those of `SentenceClassifier`, and cls: [1, 1, model_dim], the token in front. It has no position of its own:
        the first word stands at position 0, as before.

    Source: Devlin et al. 2019, "BERT", section 3 ([CLS]), but for the position.

    >>> model = ClsClassifier(13, num_classes=2, model_dim=6, num_heads=3, num_layers=1, max_len=3)
    >>> model(torch.tensor([[5, 4, 0], [7, 8, 9]]), torch.tensor([[1, 1, 0], [1, 1, 1]])).shape
    torch.Size([2, 2])
    """

    def __init__(
        self,
        vocab_size: int,
        num_classes: int,
        model_dim: int,
        num_heads: int,
        num_layers: int,
        max_len: int,
        dropout: float = 0.0,
    ):
        super().__init__(vocab_size, num_classes, model_dim, num_heads, num_layers, max_len, dropout)
        # BEGIN SOLUTION
        #: One nn.Parameter, [1, 1, model_dim], drawn by randn: as large as an embedded word.
        self.cls = nn.Parameter(torch.randn(1, 1, model_dim))
        # END SOLUTION

    def forward(
        self, tokens: torch.Tensor, mask: torch.Tensor | None = None, add_positions: bool = True
    ) -> torch.Tensor:
        # BEGIN SOLUTION
        #: Embed and add positions as before; `expand` gives every sentence its cls, and torch.cat puts it in front.
        #: The mask grows by one, too: cls is real. F.pad(mask, (1, 0), value=1) does it.
        #: What is classified is the encoder's first token.
        x = self.embedding(tokens)  # [B, T, D]
        if add_positions:
            x = self.positions(x)  # [B, T, D]
        x = torch.cat([self.cls.expand(len(x), -1, -1), x], dim=1)  # [B, 1 + T, D]
        if mask is not None:
            mask = nn.functional.pad(mask, (1, 0), value=1).unsqueeze(1)  # [B, 1, 1 + T]
        return self.output_net(self.encoder(x, mask)[:, 0])  # [B, C]
        # END SOLUTION
