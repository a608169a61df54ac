"""TransformerDecoder(num_layers, **block_args): judged by what it does with its blocks."""

import torch
from torch import nn

import course_lib.model.decoder as reference
from autograder.catalogue.checks import is_true, matches, moved, where
from autograder.catalogue.decoder.shared import dropout_as_asked
from autograder.catalogue.decoder.transformer_decoder_mistakes import BLOCK, CALL, MISTAKES, NOT_NAMED
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.weights import decoder_block, drawn, stack
from course_lib.model.decoder import DecoderBlock

B, T, S, DIM, LAYERS, HIDDEN_WIDTH = 2, 4, 7, 6, 3, 5


def inputs(g, num_layers=LAYERS, heads=2, dropout=0.0):
    """Tokens [2, 4, 6], a memory [2, 7, 6], and the arguments of a decoder."""
    block_args = {"input_dim": DIM, "num_heads": heads, "dim_feedforward": HIDDEN_WIDTH, "dropout": dropout}
    return {
        "arguments": {"num_layers": num_layers, **block_args},
        "x": torch.randn(B, T, DIM, generator=g),
        "memory": torch.randn(B, S, DIM, generator=g),
    }


def with_stand_ins(g):
    """The blocks are replaced by something simple that is known to work."""
    mixing = {name: 0.2 * torch.randn(LAYERS, DIM, DIM, generator=g) for name in ("x", "memory")}
    return inputs(g) | {"mixing": mixing}


def with_mask(g):
    """A mask [4, 4] that hides the first token from the last two."""
    case = with_stand_ins(g)
    mask = torch.ones(T, T, dtype=torch.bool)
    mask[2:, 0] = False
    return case | {"mask": mask}


def with_memory_mask(g):
    """A mask [2, 1, 7]: the memory is 5 and 3 long."""
    case = with_stand_ins(g)
    return case | {"memory_mask": (torch.arange(S) < torch.tensor([[5], [3]]))[:, None]}


def with_blocks(g, **changed):
    """Two blocks of the student's own, with known weights."""
    case = inputs(g, num_layers=2, **changed)
    return case | {"weights": drawn(g, stack("layers", 2, decoder_block(DIM, HIDDEN_WIDTH)))}


class OwnBlock(nn.Module):
    """torch's names of the arguments."""

    def __init__(self, *arguments, **named):
        super().__init__()
        for name, part in DecoderBlock(*arguments, **named).named_children():
            setattr(self, name, part)

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None):
        return DecoderBlock.forward(self, tgt, memory, tgt_mask, memory_mask)


class OfOwnBlocks(nn.Module):
    """Blocks whose arguments have names of their own, called by them."""

    def __init__(self, num_layers, **block_args):
        super().__init__()
        self.layers = nn.ModuleList([OwnBlock(**block_args) for _ in range(num_layers)])

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None):
        for layer in self.layers:
            tgt = layer(tgt=tgt, memory=memory, tgt_mask=tgt_mask, memory_mask=memory_mask)
        return tgt


CHAIN = "layers one after another, all with the same memory"
REACH = {name: f"the {name} reaches every layer" for name in ("mask", "memory mask")}

TRANSFORMER_DECODER = Exercise(
    id="TransformerDecoder",
    title="The decoder",
    reference=reference.TransformerDecoder,
    cases=(
        Case("no masks", with_stand_ins),
        Case("a mask", with_mask, same_as="no masks"),
        Case("a memory mask", with_memory_mask, same_as="no masks"),
        Case("two heads", with_blocks),
        Case("three heads", lambda g: with_blocks(g, heads=3), same_as="two heads"),
        Case("dropout, evaluated", lambda g: with_blocks(g, dropout=0.5), same_as="two heads"),
        Case("dropout, training", lambda g: with_blocks(g, dropout=0.5) | {"training": True}, same_as="two heads"),
        Case("no dropout, training", lambda g: with_blocks(g) | {"training": True}, same_as="two heads"),
        Case("gradients", lambda g: with_stand_ins(g) | {"gradients": True}, same_as="no masks"),
    ),
    criteria=(
        Criterion(CHAIN, 1, matches("no masks")),
        *(
            Criterion(
                REACH[name],
                0.5,
                moved("no masks", f"a {name}", text=f"with a {name} everything is as without"),
                where(matches("no masks"), matches(f"a {name}")),
            )
            for name in REACH
        ),
        Criterion(
            "every layer has parameters of its own",
            0.25,
            matches("two heads", "learned"),
            is_true("two heads", ["named"], bool, NOT_NAMED),
            where(
                matches("no masks"),
                is_true("gradients", ["unreached"], lambda n: n == 0, "some layer gets no gradient"),
                *(matches("gradients", f"of_{name}") for name in ("x", "memory")),
            ),
        ),
        Criterion(
            "the blocks get their arguments",
            0.25,
            moved("two heads", "three heads", "output", text="the number of heads makes no difference"),
            is_true("dropout, training", ["random"], bool, "with dropout, two calls while training are the same"),
            *dropout_as_asked("two heads", "output"),
        ),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES,
    forbidden=("transformer", "multihead_attention"),
    right_variants=(
        right(
            "masks by name",
            {"x: torch.Tensor": "tgt: torch.Tensor", "for layer": "x = tgt\n        for layer"}
            | {CALL: "layer(x, memory, mask=mask, memory_mask=memory_mask)"},
        ),
        right(
            "all arguments written out, a Sequential as the container",
            {
                "num_layers: int, **block_args": "num_layers, input_dim, num_heads, dim_feedforward, dropout=0.0",
                "nn.ModuleList(": "nn.Sequential(*",
                BLOCK: "[DecoderBlock(input_dim, num_heads, dim_feedforward, dropout)",
                "range(num_layers))": "range(num_layers)])",
            },
        ),
        OfOwnBlocks,
    ),
)
