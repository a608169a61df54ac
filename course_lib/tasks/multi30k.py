"""The full version of stage 10: Multi30k, 29,000 descriptions of pictures in English and German.

The files (1.5 MB) are downloaded once, from an address that names the state of the data set, and checked by their
sha256. They are for research and teaching, not for commerce; so are the weights of what is trained on them.

Source: D. Elliott et al. 2016, *Multi30K: Multilingual English-German Image Descriptions*; task 1, raw.
"""

import gzip
import os
from collections.abc import Sequence
from pathlib import Path

from torch import nn

from course_lib.extras import require_packages
from course_lib.model.translation import TranslationModel
from course_lib.tasks.download import fetch
from course_lib.tasks.translation import TextPair, TranslationTask, pair_up, translation_task
from course_lib.training.recipe import Recipe

COMMIT = "a3d2e0d26b56f3846f66a952536ffed4e401d05a"
ADDRESS = f"https://raw.githubusercontent.com/multi30k/dataset/{COMMIT}/data/task1/raw"
SHA256 = {
    "train.de": "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6",
    "train.en": "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f",
    "val.de": "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a",
    "val.en": "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28",
    "test_2016_flickr.de": "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8",
    "test_2016_flickr.en": "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9",
}
PARTS = ("train", "val", "test_2016_flickr")
SUBWORDS = 5_000  # of both languages together

# 14 epochs of some 168 batches, under half an hour on two cores. The model is left with the mean of the last five.
MULTI30K = Recipe(
    learning_rate=2e-3,
    batch_size=3_000,
    max_steps=14 * 168,
    warmup=400,
    max_norm=1.0,
    validate_every=168,
    betas=(0.9, 0.98),
    average_last=5,
)


class Multi30kUnavailable(RuntimeError):
    """Multi30k is not here and cannot be downloaded; the message names data that need no network."""


class TiedTranslationModel(TranslationModel):
    """Both languages in one vocabulary and one table: reading, hearing itself and speaking.

    Source: "Attention Is All You Need", section 3.4.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.src_embedding = self.tgt_embedding


class Subwords:
    """Byte pairs of `tokenizers`, learned on lower-case text: `encode` to ids, `decode` back to text, `len`.

    The special tokens have the ids that they have in a `Vocabulary`. A blank is a character like others, ▁, so that
    decoding gives the text back as it was.
    """

    def __init__(self, texts: Sequence[str], size: int):
        from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

        from course_lib.text.vocabulary import SPECIAL

        self.tokenizer = Tokenizer(models.BPE(unk_token=SPECIAL[3]))
        self.tokenizer.normalizer = normalizers.Lowercase()
        self.tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Metaspace(prepend_scheme="always"), pre_tokenizers.Punctuation()]
        )
        self.tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
        trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=list(SPECIAL), show_progress=False)
        self.tokenizer.train_from_iterator(texts, trainer)

    def __len__(self) -> int:
        return self.tokenizer.get_vocab_size()

    def encode(self, text: str) -> list[int]:
        return self.tokenizer.encode(text).ids

    def decode(self, ids: Sequence[int]) -> str:
        return self.tokenizer.decode(list(ids))


def multi30k_task(source: str = "de", target: str = "en", folder: Path | None = None) -> TranslationTask:
    """Multi30k in one direction: width 192, 3 + 3 layers, 3.2 million parameters; lower-case.

    For folder and errors see `load_multi30k`.
    """
    parts = [load_multi30k(part, source, target, folder) for part in PARTS]
    subwords = Subwords([text for pair in parts[0] for text in pair], SUBWORDS)
    sizes = dict(model_dim=192, num_heads=8, num_layers=3, dim_feedforward=384, max_len=128, dropout=0.2)
    return translation_task("multi30k", parts, (subwords, subwords), sizes, MULTI30K, TiedTranslationModel)


def load_multi30k(part: str, source: str = "de", target: str = "en", folder: Path | None = None) -> list[TextPair]:
    """One part of the data, "train", "val" or "test_2016_flickr": pairs of sentences, lower-case.

    Args:
        part: 29,000, 1,014 or 1,000 pairs.
        source, target: "de" and "en", or the other way round.
        folder: where the files are kept; `COURSE_DATA` or ~/.cache/attention-workshop when it is None.

    Raises:
        Multi30kUnavailable: when a file is missing and cannot be downloaded, or is not the one published.
        ValueError: when the two files do not fit together; see `pair_up`.
    """
    folder = Path(folder or os.environ.get("COURSE_DATA") or Path.home() / ".cache" / "attention-workshop") / "multi30k"
    try:
        paths = [
            fetch(f"{ADDRESS}/{name}.gz", folder / f"{name}.gz", f"sha256:{SHA256[name]}")
            for name in (f"{part}.{source}", f"{part}.{target}")
        ]
    except (OSError, ValueError) as error:
        raise Multi30kUnavailable(
            f"Multi30k is not in {folder} and could not be fetched ({error}); the caption language needs no network: "
            "course_lib.tasks.translation.caption_task()"
        ) from error
    return pair_up(*map(read_lines, paths), names=(f"{part}.{source}", f"{part}.{target}"))


def read_lines(path: Path) -> list[str]:
    """The lines of a text file in UTF-8, lower-case; packed by gzip where its name ends in .gz.

    Raises:
        ValueError: when the text is in another encoding.
    """
    with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
        content = file.read()
    try:
        return content.decode("utf-8").lower().removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path.name} is not UTF-8 (byte {error.start} is {content[error.start]:#x}): save it as UTF-8"
        ) from error


def sacre_bleu(task: TranslationTask, model: nn.Module, beam_size: int = 5) -> tuple[float, str]:
    """BLEU on the test part as sacreBLEU counts it, in small letters, and the signature that says how it counted.

    Source: M. Post 2018, *A Call for Clarity in Reporting BLEU Scores*.
    """
    require_packages("sacrebleu", extra="translation")
    from sacrebleu.metrics import BLEU

    sources, references = zip(*task.texts[2], strict=True)
    metric = BLEU(lowercase=True)
    score = metric.corpus_score(task.translate(model, sources, beam_size), [references]).score
    return score, str(metric.get_signature())
