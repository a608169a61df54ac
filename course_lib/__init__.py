"""The reference Transformer of the course, and the helpers that a student imports.

`import course_lib` costs what `import torch` costs; pictures, widgets and data load where they are used.
"""

from course_lib import aliases
from course_lib.lazy import lazy_names

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "model.attention": ("softmax", "scaled_dot_product"),
        "model.masks": ("causal_mask", "padding_mask", "expand_mask"),
        "model.heads": ("split_heads", "merge_heads"),
        "model.multi_head": ("MultiheadAttention", "CrossAttention"),
        "model.positions": ("PositionalEncoding", "LearnedPositions"),
        "model.layers": ("LayerNorm", "FeedForward"),
        "model.encoder": ("EncoderBlock", "PreNormEncoderBlock", "TransformerEncoder"),
        "model.decoder": ("DecoderBlock", "TransformerDecoder"),
        "model.seq2seq": ("Seq2SeqTransformer", "shift_right", "sequence_loss", "greedy_decode"),
        "model.predictor": ("TransformerPredictor",),
        "model.translation": ("TranslationModel", "smoothed_loss"),
        "model.classifier": ("masked_mean", "SentenceClassifier", "ClsClassifier"),
        "model.masked_lm": ("MaskedLanguageModel",),
        "model.recurrent": ("gru_step",),
        "model.additive": ("AdditiveAttention", "BilinearAttention"),
        "model.attentive": ("AttentiveDecoder",),
        "model.graph": ("GraphAttention",),
        "model.embedding": ("TokenEmbedding",),
        "model.rms_norm": ("RMSNorm",),
        "model.rotary": ("rotate",),
        "model.swiglu": ("SwiGLU",),
        "model.grouped_query": ("GroupedQueryAttention",),
        "model.language_model": ("DecoderOnlyBlock", "LanguageModel"),
        "text.byte_pairs": ("learn_bpe", "apply_bpe"),
        "text.vocabulary": ("Vocabulary",),
        "text.batches": ("pad_batch", "bucket_batches"),
        "text.pairs": ("translation_batch",),
        "text.decoding": ("beam_search",),
        "text.bleu": ("bleu",),
        "text.next_token": ("next_token_loss",),
        "text.generating": ("filter_logits", "generate"),
        "inside.head_scores": ("previous_token_score", "induction_score"),
        "inside.interventions": ("ablation_losses", "patch_heads"),
        "inside.lens": ("logit_lens",),
        "training.schedule": ("CosineWarmupScheduler",),
        "training.step": ("train_step",),
        "training.devices": ("device", "seed_everything"),
        "tasks.reverse": ("ReverseDataset", "reverse_loss"),
        "tasks.anomaly": ("split_per_class", "sample_anomaly_sets", "anomaly_loss", "equivariance_error"),
        "tasks.masked_words": ("mask_tokens", "masked_lm_loss"),
        "tasks.bias": ("candidate_odds", "amplification"),
        "notebook.needs_your": ("needs_your",),
        "notebook.progress": ("progress",),
    },
)
aliases.install()


def __dir__() -> list[str]:
    return __all__
