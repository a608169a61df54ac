"""The one table of stages. Pages, probes, answer keys and docs are made from it or checked against it.

It holds nothing secret: a worker, which runs student code, reads it to find its probes.
"""

import difflib
from dataclasses import dataclass, field
from functools import cache


@dataclass(frozen=True)
class Track:
    """A framework that the course is written in.

    Attributes:
        title: what people call it.
        prefix: the ids of its exercises begin with it; the names that students write do not.
        library: the package of its references.
        extra: what `pip install attention-workshop[…]` must name; empty where nothing is needed.
        packages: what its exercises import that the extra installs.
    """

    name: str
    title: str
    prefix: str
    library: str
    extra: str
    packages: tuple[str, ...] = ()


TRACKS = {
    "torch": Track("torch", "PyTorch", prefix="", library="course_lib", extra=""),
    "jax": Track("jax", "JAX", "jax_", "course_lib.jax", "jax", packages=("jax", "flax", "optax")),
}


@dataclass(frozen=True)
class Stage:
    """A stage: `NN_name`, what it is called, and what is written in it.

    Attributes:
        topic: the module of its exercises (`autograder.catalogue.TOPIC`) and probes (`autograder.probes.TRACK.TOPIC`).
        track: a name of `TRACKS`.
        needs: the stages, by name, whose solutions the stripped package of this one keeps, and what they need in turn.
        exercises: ids, in the order in which the page sets them.
        packages: what the page imports besides, which `extra` installs; verdicts do not depend on it.
    """

    name: str
    title: str
    topic: str
    track: str
    needs: tuple[str, ...]
    exercises: tuple[str, ...]
    packages: tuple[str, ...] = field(default=(), repr=False)

    @property
    def imports(self) -> tuple[str, ...]:
        """Every module of the page that not all students have."""
        return (*TRACKS[self.track].packages, *self.packages)

    @property
    def extra(self) -> str:
        """The extra that installs these modules; empty where there are none."""
        return TRACKS[self.track].extra or (self.topic if self.packages else "")

    @property
    def number(self) -> int:
        return int(self.name.split("_")[0])

    @property
    def objects(self) -> tuple[str, ...]:
        """The names of the functions and classes that the exercises ask for."""
        return tuple(exercise.removeprefix(TRACKS[self.track].prefix) for exercise in self.exercises)


STAGES = (
    Stage(
        "01_attention",
        "Attention",
        "attention",
        "torch",
        needs=(),
        exercises=("softmax", "scaled_dot_product", "causal_mask", "padding_mask", "expand_mask"),
    ),
    Stage(
        "02_multi_head",
        "Multi-head attention",
        "multi_head",
        "torch",
        needs=("01_attention",),
        exercises=("split_heads", "merge_heads", "MultiheadAttention", "CrossAttention"),
    ),
    Stage(
        "03_positions",
        "Positions",
        "positions",
        "torch",
        needs=("02_multi_head",),
        exercises=("PositionalEncoding", "LearnedPositions"),
    ),
    Stage(
        "04_encoder",
        "The encoder",
        "encoder",
        "torch",
        needs=("02_multi_head", "03_positions"),
        exercises=("LayerNorm", "FeedForward", "EncoderBlock", "PreNormEncoderBlock", "TransformerEncoder"),
    ),
    Stage(
        "05_decoder",
        "The decoder",
        "decoder",
        "torch",
        needs=("03_positions", "04_encoder"),
        exercises=(
            "DecoderBlock",
            "TransformerDecoder",
            "Seq2SeqTransformer",
            "shift_right",
            "sequence_loss",
            "greedy_decode",
        ),
    ),
    Stage(
        "06_training",
        "Training",
        "training",
        "torch",
        needs=("03_positions", "04_encoder"),
        exercises=("CosineWarmupScheduler", "TransformerPredictor", "train_step"),
    ),
    Stage(
        "07_reverse",
        "Reverse a sequence",
        "reverse",
        "torch",
        needs=("06_training",),
        exercises=("ReverseDataset", "reverse_loss"),
    ),
    Stage(
        "08_anomaly",
        "Find the odd one out",
        "anomaly",
        "torch",
        needs=("06_training",),
        exercises=("split_per_class", "sample_anomaly_sets", "anomaly_loss", "equivariance_error"),
        packages=("sklearn",),
    ),
    Stage(
        "09_words",
        "Words",
        "words",
        "torch",
        needs=("01_attention",),
        exercises=("learn_bpe", "apply_bpe", "Vocabulary", "pad_batch", "bucket_batches", "TokenEmbedding"),
    ),
    Stage(
        "10_translation",
        "Translation",
        "translation",
        "torch",
        needs=("05_decoder", "06_training", "09_words"),
        exercises=("translation_batch", "smoothed_loss", "TranslationModel", "beam_search", "bleu"),
        packages=("sacrebleu",),
    ),
    Stage(
        "11_sentences",
        "Sentences",
        "sentences",
        "torch",
        needs=("04_encoder", "06_training", "09_words"),
        exercises=(
            "masked_mean",
            "SentenceClassifier",
            "ClsClassifier",
            "mask_tokens",
            "masked_lm_loss",
            "candidate_odds",
            "amplification",
        ),
        packages=("sklearn",),
    ),
    Stage(
        "12_origins",
        "Where attention came from",
        "origins",
        "torch",
        needs=("01_attention",),
        exercises=("gru_step", "AdditiveAttention", "BilinearAttention", "AttentiveDecoder", "GraphAttention"),
        packages=("networkx",),
    ),
    Stage(
        "13_language_model",
        "A language model",
        "language_model",
        "torch",
        needs=("01_attention", "02_multi_head", "09_words"),
        exercises=(
            "RMSNorm",
            "rotate",
            "SwiGLU",
            "GroupedQueryAttention",
            "LanguageModel",
            "next_token_loss",
            "filter_logits",
            "generate",
        ),
    ),
    Stage(
        "14_inside",
        "Inside the model",
        "inside",
        "torch",
        needs=("13_language_model",),
        exercises=("previous_token_score", "induction_score", "ablation_losses", "patch_heads", "logit_lens"),
    ),
    Stage(
        "21_jax_attention",
        "Attention as pure functions",
        "jax_attention",
        "jax",
        needs=(),
        exercises=(
            "jax_scaled_dot_product",
            "jax_expand_mask",
            "jax_init_attention",
            "jax_multihead_attention",
            "jax_dropout",
        ),
    ),
    Stage(
        "22_jax_model",
        "The encoder in flax",
        "jax_model",
        "jax",
        needs=("21_jax_attention",),
        exercises=("jax_PositionalEncoding", "jax_EncoderBlock", "jax_TransformerEncoder", "jax_TransformerPredictor"),
    ),
    Stage(
        "23_jax_training",
        "Training as a fold",
        "jax_training",
        "jax",
        needs=("22_jax_model",),
        exercises=(
            "jax_cosine_warmup_schedule",
            "jax_reverse_loss",
            "jax_anomaly_loss",
            "jax_train_step",
            "jax_train_epoch",
        ),
        packages=("sklearn",),
    ),
)
STAGE_NAMES = tuple(stage.name for stage in STAGES)


class UnknownStage(LookupError):
    """No stage, or more than one, is meant; the message is one sentence."""


class UnknownExercise(KeyError):
    """No exercise has this id; the message offers the nearest."""

    def __str__(self) -> str:
        return self.args[0]


def stage_named(name: str) -> Stage:
    """The stage of exactly this name."""
    for stage in STAGES:
        if stage.name == name:
            return stage
    raise UnknownStage(f"no stage has this name; the stages are {', '.join(STAGE_NAMES)}")


@cache
def needed_by(name: str) -> frozenset[str]:
    """The names of the stages that a stage needs, directly or through others."""
    direct = stage_named(name).needs
    return frozenset(direct).union(*map(needed_by, direct))


@cache
def left_out_of(name: str, track: str | None = None) -> frozenset[str]:
    """The objects of a track that the stripped package of a stage lacks: the stage's own, and those it does not need.

    `track`: that of the stage when left out.
    """
    kept, track = needed_by(name), track or stage_named(name).track
    others = (stage for stage in STAGES if stage.name not in kept and stage.track == track)
    return frozenset(name for stage in others for name in stage.objects)


def track_of_module(module: str) -> Track:
    """The track that a module of `course_lib` belongs to.

    >>> track_of_module("course_lib.model.masks").name, track_of_module("course_lib.jax.attention").name
    ('torch', 'jax')
    """
    within = (track for track in TRACKS.values() if f"{module}.".startswith(f"{track.library}."))
    return max(within, key=lambda track: len(track.library))


def name_of(exercise: str) -> str:
    """The name of the object that a student writes for an exercise; any other name is returned unchanged.

    >>> name_of("jax_scaled_dot_product"), name_of("softmax"), name_of("helper")
    ('scaled_dot_product', 'softmax', 'helper')
    """
    setting = next((stage for stage in STAGES if exercise in stage.exercises), None)
    return setting.objects[setting.exercises.index(exercise)] if setting else exercise


def stage_of(exercise: str) -> Stage:
    """The stage that sets an exercise; an `UnknownExercise` that offers the nearest id."""
    for stage in STAGES:
        if exercise in stage.exercises:
            return stage
    every = [known for stage in STAGES for known in stage.exercises]
    near = difflib.get_close_matches(str(exercise), every, n=1, cutoff=0.4)
    offer = f" Did you mean “{near[0]}”?" if near else f" The ids are {', '.join(every)}."
    raise UnknownExercise(f"There is no exercise “{exercise}”.{offer}")
