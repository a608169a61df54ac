"""The model of the tasks: an encoder between two small networks, with one prediction per token."""

import torch
from torch import nn

from course_lib.model.encoder import TransformerEncoder
from course_lib.model.layers import LayerNorm
from course_lib.model.positions import PositionalEncoding


class TransformerPredictor(nn.Module):
    """Predict something about every token of a sequence, or of a set.

    Args:
        input_dim: width of the tokens that come in.
        model_dim: width inside; the feed-forward is 2·model_dim wide.
        num_classes: width of the predictions.
        num_heads, num_layers: of the encoder.
        lr, warmup, max_iters: for the optimiser and `CosineWarmupScheduler`; only kept here.
        dropout: probability, in the encoder and the output network.
        input_dropout: probability, on the tokens that come in.

    Parameters:
        input_net: Sequential of Dropout, Linear. transformer: TransformerEncoder.
        output_net: Sequential of Linear, LayerNorm, ReLU, Dropout, Linear.
        positional_encoding: PositionalEncoding (no parameters).

    Attributes:
        hyper_parameters: dict of all the arguments.

    `forward(x, mask=None, add_positional_encoding=True)`: x [B, T, input_dim], a mask that
    `expand_mask` takes. Returns [B, T, num_classes]. A set has no order: no positional encoding.

    `get_attention_maps(x, mask=None, add_positional_encoding=True)`: returns a list with the
    attention [B, h, T, T] of every layer, as `forward` computes it.

    Source: "Attention Is All You Need", section 3 (the encoder alone).

    >>> model = TransformerPredictor(input_dim=5, model_dim=6, num_classes=3, num_heads=2, num_layers=1)
    >>> model(torch.ones(2, 7, 5)).shape
    torch.Size([2, 7, 3])
    """

    def __init__(
        self,
        input_dim: int,
        model_dim: int,
        num_classes: int,
        num_heads: int,
        num_layers: int,
        lr: float = 5e-4,
        warmup: int = 50,
        max_iters: int = 1000,
        dropout: float = 0.0,
        input_dropout: float = 0.0,
    ):
        super().__init__()
        self.hyper_parameters = dict(
            input_dim=input_dim,
            model_dim=model_dim,
            num_classes=num_classes,
            num_heads=num_heads,
            num_layers=num_layers,
            lr=lr,
            warmup=warmup,
            max_iters=max_iters,
            dropout=dropout,
            input_dropout=input_dropout,
        )
        # BEGIN SOLUTION
        #: Four parts: input_net, positional_encoding, transformer, output_net.
        #: In an nn.Sequential the place is the name: keep the order of the docstring.
        #: Everything between input_net and the very last Linear is model_dim wide.
        self.input_net = nn.Sequential(nn.Dropout(input_dropout), nn.Linear(input_dim, model_dim))
        self.positional_encoding = PositionalEncoding(model_dim)
        self.transformer = TransformerEncoder(
            num_layers,
            input_dim=model_dim,
            num_heads=num_heads,
            dim_feedforward=2 * model_dim,
            dropout=dropout,
        )
        self.output_net = nn.Sequential(
            nn.Linear(model_dim, model_dim),
            LayerNorm(model_dim),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(model_dim, num_classes),
        )
        # END SOLUTION

    def forward(
        self, x: torch.Tensor, mask: torch.Tensor | None = None, add_positional_encoding: bool = True
    ) -> torch.Tensor:
        # BEGIN SOLUTION
        #: Through the four parts in order; the positions only when they are asked for.
        #: The encoder needs the mask.
        x = self.input_net(x)  # [B, T, model_dim]
        if add_positional_encoding:
            x = self.positional_encoding(x)  # [B, T, model_dim]
        x = self.transformer(x, mask)  # [B, T, model_dim]
        return self.output_net(x)  # [B, T, num_classes]
        # END SOLUTION

    def get_attention_maps(
        self, x: torch.Tensor, mask: torch.Tensor | None = None, add_positional_encoding: bool = True
    ) -> list[torch.Tensor]:
        # BEGIN SOLUTION
        #: The same way in as forward, then the encoder's own get_attention_maps.
        #: Pass the mask, or the maps are not those of the forward pass.
        x = self.input_net(x)  # [B, T, model_dim]
        if add_positional_encoding:
            x = self.positional_encoding(x)  # [B, T, model_dim]
        return self.transformer.get_attention_maps(x, mask)
        # END SOLUTION
