"""A model that fills in words: for every position of a sentence, a prediction of its word."""

import torch
from torch import nn

from course_lib.model.embedding import TokenEmbedding
from course_lib.model.encoder import TransformerEncoder
from course_lib.model.positions import LearnedPositions


class MaskedLanguageModel(nn.Module):
    """Embed, add positions, encode, and compare what comes out with every row of the embedding.

    Args:
        vocab_size: V; token 0 is padding.
        model_dim: D, width of all tokens.
        num_heads: heads of every attention.
        num_layers: encoder blocks; their feed-forward is 4 · model_dim wide.
        max_len: the longest sentence.
        dropout: probability, in every block.

    Parameters:
        embedding: TokenEmbedding. positions: LearnedPositions. encoder: TransformerEncoder. bias: [V].
        The output layer has no weight of its own: it is `embedding.table`.

    `forward(tokens, mask=None)`: tokens int64 [B, T]; mask [B, T], 1 at a real token. Returns logits [B, T, V].

    Source: Devlin et al. 2019, "BERT", section 3.1, task 1.

    >>> model = MaskedLanguageModel(13, model_dim=6, num_heads=3, num_layers=1, max_len=7)
    >>> model(torch.tensor([[5, 4, 0], [7, 8, 9]])).shape
    torch.Size([2, 3, 13])
    """

    def __init__(
        self, vocab_size: int, model_dim: int, num_heads: int, num_layers: int, max_len: int, dropout: float = 0.0
    ):
        super().__init__()
        self.embedding = TokenEmbedding(vocab_size, model_dim)
        self.positions = LearnedPositions(max_len, model_dim)
        self.encoder = TransformerEncoder(
            num_layers, input_dim=model_dim, num_heads=num_heads, dim_feedforward=4 * model_dim, dropout=dropout
        )
        self.bias = nn.Parameter(torch.zeros(vocab_size))

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        x = self.positions(self.embedding(tokens))  # [B, T, D]
        x = self.encoder(x, None if mask is None else mask.unsqueeze(1))  # [B, T, D]
        return x @ self.embedding.table.T + self.bias  # [B, T, V]
