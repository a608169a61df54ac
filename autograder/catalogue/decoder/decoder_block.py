"""DecoderBlock(input_dim, num_heads, dim_feedforward, dropout=0.0), judged with injected weights."""

import numpy as np

import course_lib.model.decoder as reference
from autograder.catalogue.checks import fits, is_true, matches, moved, same_alone, unmoved, where
from autograder.catalogue.decoder.block_cases import CASES
from autograder.catalogue.decoder.decoder_block_attention_mistakes import OF_ATTENTION
from autograder.catalogue.decoder.decoder_block_mistakes import CAUSAL, CROSS, MASK, MISTAKES, SELF, SUB_LAYERS
from autograder.catalogue.decoder.decoder_block_wiring_mistakes import OF_WIRING
from autograder.catalogue.decoder.shared import dropout_as_asked
from autograder.catalogue.edits import right
from autograder.catalogue.encoder.block_checks import dropped_once
from autograder.catalogue.exercise import Criterion, Exercise, common_criterion

FLOOR = 1e-4  # of influence: of 357 draws the smallest was 0.009, and what is not reached stays at 0


def lower_triangle(influence):
    """Nothing above the diagonal, something everywhere else."""
    return ((influence > FLOOR) == np.tri(len(influence), dtype=bool)).all()


def masked_triangle(influence, mask):
    """Each output follows exactly the tokens that the mask and causality show, and its own by the residual."""
    visible = (mask & np.tri(len(mask), dtype=bool)) | np.eye(len(mask), dtype=bool)
    return ((influence > FLOOR) == visible).all()


def sees_itself(uniform_influence):
    """A norm hides that all features grow alike, so this comes to a token through the attention alone."""
    return uniform_influence.diagonal().min() > FLOOR


PADDED = ("padding in the tokens", "other tokens before the last", "output")
MEMORY = "padding in the memory"
SILENT, VALUES = (matches(case, "output") for case in ("silent sub-layers", "values"))
HIDES, HEARD = "the mask hides more than causality does", "the memory is heard, its padding is not"
DROPOUT = "dropout while training, and only then"
TOKENS_ATTEND = moved(  # else what follows would hold of a block that returns its input
    "values", "one token moved", "output", at=lambda a: a[:, [0, 1, 3, 4]], text="no token listens to another"
)

DECODER_BLOCK = Exercise(
    id="DecoderBlock",
    title="The decoder block",
    reference=reference.DecoderBlock,
    cases=CASES,
    criteria=(
        Criterion(
            "values",
            0.75,
            matches("parameters", "output"),
            matches("memory as long as the tokens", "output"),
            where(VALUES, matches("fewer tokens", "fewer")),
        ),
        Criterion(
            "each token sees itself and the earlier ones",
            1,
            is_true(
                "influence",
                ["influence"],
                lower_triangle,
                "a token affects an earlier output, or does not affect its own or a later one",
            ),
            is_true("influence", ["uniform_influence"], sees_itself, "a token does not attend to itself"),
        ),
        Criterion(
            HIDES,
            1,
            fits(
                "masked, influence",
                ["influence"],
                ["mask"],
                masked_triangle,
                "a hidden or later token affects an output, or a visible token does not",
            ),
            unmoved(
                *PADDED,
                at=lambda a: a[1, 4],
                text="with a mask [B, 1, 1, T], changing a hidden token changes the output",
            ),
            moved(
                *PADDED,
                at=lambda a: a[0, 4],
                text="with a mask [B, 1, 1, T], changing a visible token leaves the output unchanged",
            ),
            where(VALUES, matches("a mask for each head", "output")),
        ),
        Criterion(
            "a mask may be boolean or 0/1",
            0.5,
            TOKENS_ATTEND,
            moved("values", "masked", "output", text="with the mask everything is as without"),
            *(
                unmoved(masked, same, "output", text=f"the same mask as {kind} gives different values")
                for masked, same, kind in (
                    ("masked", "mask of integers", "integers"),
                    ("masked", "mask of floats", "floats [B, T, T]"),
                    (MEMORY, "memory mask of floats", "floats [B, 1, 1, S]"),
                )
            ),
        ),
        Criterion(
            HEARD,
            1,
            moved("values", "another memory", "output", text="changing the memory leaves the output unchanged"),
            unmoved(MEMORY, "hidden memory moved", "output", text="changing hidden memory changes the output"),
            moved(
                MEMORY,
                "visible memory moved",
                "output",
                at=lambda a: a[:, 0],
                text="changing visible memory leaves the first token's output unchanged",
            ),
            where(
                VALUES,
                *(matches(f"a memory mask for each {what}", "output") for what in ("head", "query")),
            ),
        ),
        Criterion("residuals, then norms", 0.5, SILENT),
        Criterion("samples do not mix", 0.25, TOKENS_ATTEND, same_alone("values", "one sample alone", 1, "output")),
        Criterion(
            DROPOUT,
            0.25,
            TOKENS_ATTEND,
            *dropout_as_asked("values", "output"),
            where(
                SILENT,
                *(
                    is_true(f"dropout on the {part}", ["random"], bool, f"no dropout is applied to the {part}")
                    for part in ("self-attention", "cross-attention", "feed-forward")
                ),
                is_true(
                    "everything dropped", ["output", "again"], np.array_equal, "dropout=1.0 leaves something random"
                ),
                unmoved(
                    "silent sub-layers",
                    "everything dropped",
                    "output",
                    text="with dropout=1.0 something else is left than the residuals and the norms",
                ),
                dropped_once("all ones, dropped"),
            ),
        ),
        Criterion(
            "gradients reach every parameter",
            0.25,
            is_true("gradients", ["unreached"], lambda n: n == 0, "some parameters get no gradient"),
            where(VALUES, matches("gradients", "of_x"), matches("gradients", "of_memory")),
        ),
        common_criterion(0.5),
    ),
    mistakes=MISTAKES + OF_ATTENTION + OF_WIRING,
    forbidden=("transformer", "multihead_attention"),
    right_variants=(
        right(
            "torch's norms, three dropouts, a mask by index",
            {
                "x: torch.Tensor": "tgt: torch.Tensor",
                f"visible = {CAUSAL}.to(x.device)": "x, place = tgt, torch.arange(tgt.shape[1])\n"
                "        visible = (place <= place[:, None])[None, None]",
                f"{MASK} & visible": "torch.logical_and(visible, expand_mask(mask))",
            }
            | {
                f"self.norm{i} = ": f"self.dropout{i} = nn.Dropout(dropout)\n        self.norm{i} = nn."
                for i in SUB_LAYERS
            }
            | {f"self.dropout({layer})": f"self.dropout{i}({layer})" for i, layer in SUB_LAYERS.items()},
        ),
        right(
            "a buffer that is saved, and arguments by place alone",
            {
                "self.norm1 = ": "self.register_buffer('seen', torch.ones(9, 9).tril().bool())\n        self.norm1 = ",
                "None = None,\n    )": "None = None,\n        /,\n    )",
                f"{CAUSAL}.to(x.device)": "self.seen[: x.shape[1], : x.shape[1]]",
                f"{MASK} & visible": "torch.minimum(visible.int(), expand_mask(mask).int())",
            },
        ),
        right(
            "self-attention as a causal cross-attention to oneself",
            {
                "MultiheadAttention(input_dim, input_dim, num_heads)": f"CrossAttention({'input_dim, ' * 4}num_heads)",
                SELF: "self.self_attn(x, x, x, mask=mask, is_causal=True)",
                CROSS: "self.cross_attn(queries=x, keys=memory, values=memory, mask=memory_mask)",
            },
        ),
        right(
            "masks as numbers, and no Dropout module",
            {
                f"{MASK} & visible": "visible.float() * (mask != 0)",
                "nn.Dropout(dropout)": "lambda change: F.dropout(change, dropout, self.training)",
            },
        ),
    ),
)
