"""The translation model, with one table for target embeddings and output layer, and its loss."""

import torch
from torch import nn

from course_lib.model.decoder import TransformerDecoder
from course_lib.model.embedding import TokenEmbedding
from course_lib.model.encoder import TransformerEncoder
from course_lib.model.positions import LearnedPositions


class TranslationModel(nn.Module):
    """Reads a sentence once, and predicts every token of its translation from it and from the earlier tokens.

    Args:
        src_vocab, tgt_vocab: how many source and target tokens there are; token 0 is padding in both.
        model_dim: width of all tokens.
        num_heads: heads of every attention.
        num_layers: blocks in the encoder, and blocks in the decoder.
        dim_feedforward: hidden width of the feed-forward.
        max_len: the longest sentence, source or target.
        dropout: probability, after the positions are added and in every block.

    Parameters:
        src_embedding, tgt_embedding: TokenEmbedding. src_positions, tgt_positions: LearnedPositions.
        encoder: TransformerEncoder. decoder: TransformerDecoder. dropout: Dropout (no parameters).
        output_bias: [tgt_vocab]. The output layer has no weight of its own: it is `tgt_embedding.table`.

    `forward(src, tgt, src_mask=None)`: src int64 [B, S], tgt int64 [B, T], which begins with bos; src_mask [B, S],
    True at a real token. Returns logits [B, T, tgt_vocab]: those at t are about the token that follows tgt[:, t].

    `encode(src, src_mask=None)`: returns the memory [B, S, model_dim].
    `decode(memory, tgt, src_mask=None)`: returns the logits. `forward` is one after the other.

    Raises:
        ValueError: src or tgt is longer than max_len; the message names both lengths.

    Source: "Attention Is All You Need", sections 3.1 and 3.4; Press and Wolf 2017, "Using the Output Embedding to
    Improve Language Models" (one table).

    >>> model = TranslationModel(11, 13, model_dim=6, num_heads=2, num_layers=1, dim_feedforward=7, max_len=9)
    >>> model(torch.ones(2, 7, dtype=torch.long), torch.ones(2, 5, dtype=torch.long)).shape
    torch.Size([2, 5, 13])
    """

    def __init__(
        self,
        src_vocab: int,
        tgt_vocab: int,
        model_dim: int,
        num_heads: int,
        num_layers: int,
        dim_feedforward: int,
        max_len: int,
        dropout: float = 0.0,
    ):
        super().__init__()
        # BEGIN SOLUTION
        #: Eight parts, under the names of the docstring. TokenEmbedding brings the factor √model_dim.
        #: Encoder and decoder blocks take the same arguments: input_dim, num_heads, dim_feedforward, dropout.
        #: The output layer isn't an nn.Linear: its weight exists already; only output_bias, of zeros, is new.
        block_args = dict(input_dim=model_dim, num_heads=num_heads, dim_feedforward=dim_feedforward, dropout=dropout)
        self.src_embedding = TokenEmbedding(src_vocab, model_dim)
        self.tgt_embedding = TokenEmbedding(tgt_vocab, model_dim)
        self.src_positions = LearnedPositions(max_len, model_dim)
        self.tgt_positions = LearnedPositions(max_len, model_dim)
        self.encoder = TransformerEncoder(num_layers, **block_args)
        self.decoder = TransformerDecoder(num_layers, **block_args)
        self.output_bias = nn.Parameter(torch.zeros(tgt_vocab))
        self.dropout = nn.Dropout(dropout)
        # END SOLUTION

    def encode(self, src: torch.Tensor, src_mask: torch.Tensor | None = None) -> torch.Tensor:
        # BEGIN SOLUTION
        #: Embed, add positions, drop out, encode.
        #: src_mask says which keys are real, for every query: [B, 1, S] fits any number of queries.
        keys = None if src_mask is None else src_mask.unsqueeze(1)  # [B, 1, S]
        x = self.dropout(self.src_positions(self.src_embedding(src)))  # [B, S, D]
        return self.encoder(x, keys)  # [B, S, D]
        # END SOLUTION

    def decode(self, memory: torch.Tensor, tgt: torch.Tensor, src_mask: torch.Tensor | None = None) -> torch.Tensor:
        # BEGIN SOLUTION
        #: The same with the target's parts; the decoder block is causal by itself, and src_mask is about the memory.
        #: A row of the table is a token: the product of y with each row says how well that token fits.
        keys = None if src_mask is None else src_mask.unsqueeze(1)  # [B, 1, S]
        y = self.dropout(self.tgt_positions(self.tgt_embedding(tgt)))  # [B, T, D]
        y = self.decoder(y, memory, memory_mask=keys)  # [B, T, D]
        return y @ self.tgt_embedding.table.T + self.output_bias  # [B, T, tgt_vocab]
        # END SOLUTION

    def forward(self, src: torch.Tensor, tgt: torch.Tensor, src_mask: torch.Tensor | None = None) -> torch.Tensor:
        # BEGIN SOLUTION
        return self.decode(self.encode(src, src_mask), tgt, src_mask)  # [B, T, tgt_vocab]
        # END SOLUTION


def smoothed_loss(logits: torch.Tensor, targets: torch.Tensor, pad: int, smoothing: float) -> torch.Tensor:
    """Cross-entropy against a target that is not quite sure, averaged over the tokens that are not padding.

    Args:
        logits: [B, T, V], not probabilities.
        targets: int64 [B, T].
        pad: the token that fills up short sentences; such places do not count.
        smoothing: ε. The target has probability 1 − ε, and ε is spread evenly over all V tokens, itself included.

    Returns:
        The mean loss of a real token, without dimensions. A batch of padding alone gives 0 that can be
        backpropagated.

    Source: Szegedy et al. 2016, "Rethinking the Inception Architecture for Computer Vision", section 7; with ε = 0.1
    in "Attention Is All You Need", section 5.4.

    >>> sure = torch.tensor([[[9.0, 0.0]]])
    >>> [round(float(smoothed_loss(sure, torch.tensor([[0]]), pad=1, smoothing=e)), 3) for e in (0.0, 0.1)]
    [0.0, 0.45]
    """
    # BEGIN SOLUTION
    #: Keep the real tokens only: logits[targets != pad] is [N, V].
    #: log_softmax gives log p [N, V] without overflow; `gather` picks the target's, `mean` is what ε weighs.
    #: How many tokens are real? Never divide by less than 1.
    real = targets != pad  # [B, T]
    log_p = logits[real].log_softmax(dim=-1)  # [N, V]
    of_target = log_p.gather(-1, targets[real].unsqueeze(-1))  # [N, 1]
    losses = -(1 - smoothing) * of_target.squeeze(-1) - smoothing * log_p.mean(dim=-1)  # [N]
    return losses.sum() / real.sum().clamp(min=1)
    # END SOLUTION
