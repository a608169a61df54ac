"""The whole Transformer as one drawing, which shows the parts that are finished and the one in progress."""

import html
import os
from dataclasses import dataclass

from course_lib.notebook.scores import read_scores

DONE, NOW = "#4a86c8", "#d9730d"  # both readable on white and on black
WIDTH, HEIGHT = 760, 476


@dataclass(frozen=True)
class Box:
    """A part of the drawing: its label, its position, and the exercises that implement it."""

    words: str
    left: float
    top: float
    wide: float
    exercises: tuple[str, ...]


BOXES = (
    # inside attention, from the bottom up
    Box("q · kᵀ / √d_k", 20, 344, 170, ("scaled_dot_product",)),
    Box("mask", 20, 308, 170, ("causal_mask", "padding_mask", "expand_mask")),
    Box("softmax", 20, 272, 170, ("softmax",)),
    Box("mean of the values", 20, 236, 170, ("scaled_dot_product",)),
    Box("split into heads", 20, 406, 170, ("split_heads",)),
    Box("merge the heads", 20, 188, 170, ("merge_heads",)),
    Box("multi-head attention", 20, 140, 170, ("MultiheadAttention", "CrossAttention")),
    # the encoder
    Box("tokens to vectors", 240, 440, 200, ("learn_bpe", "apply_bpe", "Vocabulary", "pad_batch", "TokenEmbedding")),
    Box("+ positions", 240, 404, 200, ("PositionalEncoding", "LearnedPositions")),
    Box("self-attention", 260, 324, 160, ("MultiheadAttention", "EncoderBlock")),
    Box("+ input, norm", 260, 292, 160, ("LayerNorm", "EncoderBlock")),
    Box("feed-forward", 260, 252, 160, ("FeedForward", "EncoderBlock")),
    Box("+ input, norm", 260, 220, 160, ("LayerNorm", "EncoderBlock")),
    Box("N blocks: the encoder", 240, 172, 200, ("TransformerEncoder",)),
    Box("a class for a token, or a text", 240, 100, 200, ("TransformerPredictor", "SentenceClassifier")),
    # the decoder
    Box("target, shifted right", 500, 440, 230, ("shift_right", "translation_batch")),
    Box("+ positions", 500, 404, 230, ("PositionalEncoding", "LearnedPositions")),
    Box("causal self-attention", 520, 344, 190, ("causal_mask", "DecoderBlock")),
    Box("+ input, norm", 520, 314, 190, ("LayerNorm", "DecoderBlock")),
    Box("attention to the memory", 520, 276, 190, ("CrossAttention", "DecoderBlock")),
    Box("+ input, norm", 520, 246, 190, ("LayerNorm", "DecoderBlock")),
    Box("feed-forward, + input, norm", 520, 208, 190, ("FeedForward", "DecoderBlock")),
    Box("N blocks: the decoder", 500, 160, 230, ("TransformerDecoder",)),
    Box("a word for every place", 500, 100, 230, ("Seq2SeqTransformer", "TranslationModel")),
    Box("write: greedy, beam", 500, 64, 230, ("greedy_decode", "beam_search")),
    # what is done with it
    Box(
        "training: loss, schedule, step",
        20,
        64,
        420,
        ("sequence_loss", "CosineWarmupScheduler", "train_step", "smoothed_loss"),
    ),
    Box("before Transformers", 20, 100, 170, ("gru_step", "AdditiveAttention", "AttentiveDecoder", "GraphAttention")),
)
FRAMES = (  # words; left, top, width, height
    ("inside attention", 8, 224, 194, 164),
    ("a block", 250, 208, 180, 162),
    ("a block", 510, 196, 210, 190),
)
COLUMNS = {  # the middle of a column → where its lines begin and end
    105: "406-368 344-332 308-296 272-260 236-212 188-164",
    340: "440-428 404-348 324-316 292-276 252-244 220-196 172-124",
    615: "440-428 404-368 344-338 314-300 276-270 246-232 208-184 160-124 100-88",
}
MEMORY = "M440 184 H475 V288 H514"


class Architecture:
    """The drawing, and the same in words.

    Args:
        now: the exercises that are being written.
        done: those that are finished.
    """

    def __init__(self, now: tuple[str, ...], done: frozenset[str]):
        self.now, self.done = now, done

    def __str__(self) -> str:
        now = ", ".join(dict.fromkeys(box.words for box in BOXES if set(box.exercises) & set(self.now)))
        done = ", ".join(dict.fromkeys(box.words for box in BOXES if set(box.exercises) <= self.done))
        return (
            "A drawing of the Transformer, encoder on the left, decoder on the right, attention beside them"
            + (f". At hand now: {now}" if now else "")
            + f". Finished: {done or 'nothing yet'}."
        )

    __repr__ = __str__

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        words = {"text/plain": str(self)}
        return words if os.environ.get("COURSE_PICTURES") == "off" else words | {"text/html": self.svg()}

    def svg(self) -> str:
        """The drawing; lines and words take the page's colour."""
        lines = [f"M{x} {way.replace('-', ' V')}" for x, column in COLUMNS.items() for way in column.split()]
        parts = [f'<path d="{line}" fill="none" stroke="currentColor"/>' for line in (*lines, MEMORY)]
        parts += ['<text x="446" y="178" font-size="10">memory</text>', *(_frame(*frame) for frame in FRAMES)]
        parts += [self._drawn(box) for box in BOXES]
        key = (("written", DONE, 0.35, 1), ("at hand", NOW, 0.25, 3), ("to come", "currentColor", 0, 1))
        for place, (words, colour, opacity, edge) in enumerate(key):
            x, ink = (
                20 + 110 * place,
                f'fill="{colour}" fill-opacity="{opacity}" stroke="{colour}" stroke-width="{edge}"',
            )
            parts.append(f'<rect x="{x}" y="18" width="16" height="16" rx="4" {ink}/>')
            parts.append(f'<text x="{x + 24}" y="30">{words}</text>')
        return (
            f'<svg role="img" aria-label="{html.escape(str(self), quote=True)}" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" style="max-width:100%;height:auto;font:12px sans-serif" fill="currentColor">'
            f"{''.join(parts)}</svg>"
        )

    def _drawn(self, box: Box) -> str:
        """A box, filled in proportion to its finished exercises; a thick edge if one of them is in progress."""
        share = len(set(box.exercises) & self.done) / len(box.exercises)
        edge, width = (NOW, 3) if set(box.exercises) & set(self.now) else ("currentColor", 1)
        place = f'x="{box.left}" y="{box.top}" height="24" rx="6"'
        words, middle = f"✓ {box.words}" if share == 1 else box.words, box.left + box.wide / 2
        return (
            f'<rect {place} width="{box.wide * share:.0f}" fill="{DONE}" fill-opacity="0.35"/>'
            f'<rect {place} width="{box.wide}" fill="none" stroke="{edge}" stroke-width="{width}"/>'
            f'<text x="{middle}" y="{box.top + 16}" text-anchor="middle">{words}</text>'
        )


def architecture(*now: str) -> Architecture:
    """The Transformer as a drawing, in which the parts that `check` found right are filled in.

    Args:
        now: the exercises that are at hand; they get a thick edge.
    """
    kept = read_scores().values()
    done = {name for stage in kept for name, most in stage["points"].items() if stage["scores"].get(name, 0) >= most}
    return Architecture(now, frozenset(done))


def _frame(words: str, x: int, y: int, wide: int, high: int) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="8" fill="none" stroke="currentColor" '
        f'stroke-dasharray="4 4"/>'
        f'<text x="{x + wide - 6}" y="{y + high - 5}" text-anchor="end" font-size="10">{words}</text>'
    )
