"""The whole encoder-decoder: from source tokens and target tokens to logits, a loss, and decoded text."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from course_lib.model.decoder import TransformerDecoder
from course_lib.model.encoder import TransformerEncoder
from course_lib.model.positions import PositionalEncoding


class Seq2SeqTransformer(nn.Module):
    """The 2017 Transformer: guess every target token from the source and the target tokens before it.

    Args:
        src_vocab, tgt_vocab: how many source and target tokens there are.
        model_dim: width of all tokens; the feed-forward is 4·model_dim wide.
        num_heads: heads of every attention.
        num_layers: blocks in the encoder, and blocks in the decoder.
        dropout: probability, after the positions are added and in every block.

    Parameters:
        src_embedding, tgt_embedding: Embedding. encoder: TransformerEncoder.
        decoder: TransformerDecoder. output: Linear, model_dim → tgt_vocab.
        positional_encoding: PositionalEncoding. dropout: Dropout (neither has parameters).

    `forward(src, tgt, src_mask=None)`: src int64 [B, T_src], tgt int64 [B, T_tgt], already shifted
    right; src_mask [B, T_src], True at a real token. Returns logits [B, T_tgt, tgt_vocab], not
    probabilities: those at t are about the token that follows tgt[:, t].

    Source: "Attention Is All You Need", sections 3.1 and 3.4 (embeddings times √model_dim).

    >>> model = Seq2SeqTransformer(src_vocab=11, tgt_vocab=13, model_dim=6, num_heads=2, num_layers=1)
    >>> tokens = torch.zeros(2, 7, dtype=torch.long)
    >>> model(src=tokens, tgt=tokens[:, :5]).shape
    torch.Size([2, 5, 13])
    """

    def __init__(
        self,
        src_vocab: int,
        tgt_vocab: int,
        model_dim: int,
        num_heads: int,
        num_layers: int,
        dropout: float = 0.0,
    ):
        super().__init__()
        # BEGIN SOLUTION
        #: Two embeddings, one positional encoding for both, encoder, decoder, and a last Linear.
        #: Encoder and decoder blocks take the same arguments: input_dim, num_heads,
        #: dim_feedforward, dropout.
        #: forward needs √model_dim: keep model_dim.
        block_args = dict(input_dim=model_dim, num_heads=num_heads, dim_feedforward=4 * model_dim, dropout=dropout)
        self.model_dim = model_dim
        self.src_embedding = nn.Embedding(src_vocab, model_dim)
        self.tgt_embedding = nn.Embedding(tgt_vocab, model_dim)
        self.positional_encoding = PositionalEncoding(model_dim)
        self.dropout = nn.Dropout(dropout)
        self.encoder = TransformerEncoder(num_layers, **block_args)
        self.decoder = TransformerDecoder(num_layers, **block_args)
        self.output = nn.Linear(model_dim, tgt_vocab)
        # END SOLUTION

    def forward(self, src: torch.Tensor, tgt: torch.Tensor, src_mask: torch.Tensor | None = None) -> torch.Tensor:
        # BEGIN SOLUTION
        #: Embed, multiply by √model_dim, add positions, drop out: for the source and for the target.
        #: src_mask says which keys are real, whoever asks: [B, 1, T_src] fits the encoder's
        #: T_src queries as well as the decoder's T_tgt.
        #: The last Linear gives logits: leave the softmax to the loss.
        scale = math.sqrt(self.model_dim)
        src_mask = None if src_mask is None else src_mask[:, None, :]  # [B, 1, T_src]
        x = self.dropout(self.positional_encoding(self.src_embedding(src) * scale))  # [B, T_src, D]
        memory = self.encoder(x, src_mask)  # [B, T_src, D]
        y = self.dropout(self.positional_encoding(self.tgt_embedding(tgt) * scale))  # [B, T_tgt, D]
        y = self.decoder(y, memory, memory_mask=src_mask)  # [B, T_tgt, D]
        return self.output(y)  # [B, T_tgt, tgt_vocab]
        # END SOLUTION


def shift_right(targets: torch.Tensor, bos: int) -> torch.Tensor:
    """Make the decoder's input: at every position, the token before the one to predict.

    Args:
        targets: int64 [B, T], what the model should write. It is not modified.
        bos: the token before the first one.

    Returns:
        int64 [B, T]: bos, then the targets without their last token.

    Source: "Attention Is All You Need", section 3.1 ("offset by one position"), figure 1.

    >>> shift_right(torch.tensor([[5, 6, 7]]), bos=1)
    tensor([[1, 5, 6]])
    """
    # BEGIN SOLUTION
    #: Prepend a column of bos and drop the last column: the length stays the same.
    #: Make a new tensor: the targets are still needed for the loss.
    start = torch.full_like(targets[:, :1], bos)  # [B, 1]
    return torch.cat([start, targets[:, :-1]], dim=1)  # [B, T]
    # END SOLUTION


def sequence_loss(logits: torch.Tensor, targets: torch.Tensor, pad: int) -> torch.Tensor:
    """Cross-entropy, averaged over the tokens that are not padding.

    Args:
        logits: [B, T, V], not probabilities.
        targets: int64 [B, T].
        pad: the token that fills up short sequences; such positions do not count, wherever they are.

    Returns:
        The mean loss of a real token, without dimensions; 0 when there is no real token.

    Source: "Attention Is All You Need", section 5.4, there with label smoothing.

    >>> sequence_loss(torch.zeros(1, 3, 2), torch.tensor([[1, 0, 0]]), pad=0)
    tensor(0.6931)
    """
    # BEGIN SOLUTION
    #: F.cross_entropy takes logits [N, V] and targets [N]: flatten batch and time into one axis.
    #: It can ignore an index; with reduction="sum" you divide by the number of real tokens yourself.
    #: How many are real? Never divide by less than 1.
    total = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad, reduction="sum")
    return total / (targets != pad).sum().clamp(min=1)
    # END SOLUTION


def greedy_decode(
    model: nn.Module, src: torch.Tensor, bos: int, eos: int, max_len: int, src_mask: torch.Tensor | None = None
) -> torch.Tensor:
    """Let the model write: feed back the most likely next token until the end token comes.

    Args:
        model: called as `model(src, tokens, src_mask=src_mask)`, returns logits [B, T, V]. A module
            decodes in eval mode; its mode is restored afterwards.
        src: int64 [B, T_src].
        bos, eos: the tokens that start and end a sequence; they may be the same token.
        max_len: stop after at most this many tokens.
        src_mask: [B, T_src], passed to the model.

    Returns:
        int64 [B, n], n ≤ max_len, without bos. A row ends at its first eos and contains eos from there
        on; n is the smallest length at which all rows have ended. No gradient.

    Source: "Attention Is All You Need", section 3.1 (auto-regressive), with a beam of one.

    >>> def count(src, tokens, src_mask=None):
    ...     return F.one_hot(tokens + 1, 11)
    >>> greedy_decode(count, src=torch.tensor([[3, 8]]), bos=4, eos=7, max_len=10)
    tensor([[5, 6, 7]])
    """
    # BEGIN SOLUTION
    #: Start every row with bos. Repeat: the logits at the last position, their argmax,
    #: one more column.
    #: Remember which rows have reached eos: whatever the model predicts, they continue with eos.
    #: Stop when all rows have, or after max_len tokens; return without the column of bos.
    #: No gradient, no dropout: torch.no_grad(), model.eval() if it is a module; restore its mode afterwards.
    modes = {m: m.training for m in model.modules()} if isinstance(model, nn.Module) else {}
    tokens = torch.full((src.shape[0], 1), bos, dtype=torch.long, device=src.device)  # [B, 1]
    finished = torch.zeros(src.shape[0], dtype=torch.bool, device=src.device)  # [B]
    try:
        for module in modes:
            module.training = False
        with torch.no_grad():
            while tokens.shape[1] <= max_len and not finished.all():
                logits = model(src, tokens, src_mask=src_mask)[:, -1]  # [B, V]
                following = logits.argmax(dim=-1).masked_fill(finished, eos)  # [B]
                tokens = torch.cat([tokens, following[:, None]], dim=1)  # [B, 1 + n]
                finished = following == eos  # [B], stays True: such a row goes on with eos
    finally:
        for module, training in modes.items():
            module.training = training
    return tokens[:, 1:]  # [B, n]
    # END SOLUTION
