import gzip
import hashlib
import os
from dataclasses import replace
from pathlib import Path

import pytest

from course_lib.tasks import multi30k
from course_lib.tasks.multi30k import Multi30kUnavailable, Subwords, TiedTranslationModel, load_multi30k, read_lines
from course_lib.tasks.task import train
from course_lib.text.bleu import bleu
from course_lib.text.vocabulary import SPECIAL

HERE = Path(os.environ.get("COURSE_DATA", "")) / "multi30k" / "train.de.gz"
needs_the_data = pytest.mark.skipif(
    not os.environ.get("COURSE_DATA") or not HERE.exists(), reason="COURSE_DATA names no folder with Multi30k"
)


@pytest.fixture
def published(tmp_path, monkeypatch):
    """Two small files in the place of the published ones, and their checksums; nothing can be downloaded."""

    def publish(german, english):
        for name, content in {"val.de": german, "val.en": english}.items():
            path = tmp_path / "multi30k" / f"{name}.gz"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(gzip.compress(content))
            monkeypatch.setitem(multi30k.SHA256, name, hashlib.sha256(path.read_bytes()).hexdigest())
        monkeypatch.setattr(multi30k, "ADDRESS", "http://127.0.0.1:9/nowhere")
        return tmp_path

    return publish


def test_pairs_are_read_in_both_directions_in_small_letters(published):
    folder = published("Ein Hund\nÄpfel\n".encode(), b"A dog\nApples\n")
    assert load_multi30k("val", folder=folder) == [("ein hund", "a dog"), ("äpfel", "apples")]
    assert load_multi30k("val", "en", "de", folder)[1] == ("apples", "äpfel")


def test_a_file_that_was_altered_offline_is_one_sentence_and_leaves_it_as_it_is(published):
    folder = published(b"ein hund\n", b"a dog\n")
    (folder / "multi30k" / "val.en.gz").write_bytes(b"something else")
    with pytest.raises(Multi30kUnavailable, match="could not be fetched .* needs no network: .*caption_task"):
        load_multi30k("val", folder=folder)
    assert sorted(path.name for path in (folder / "multi30k").iterdir()) == ["val.de.gz", "val.en.gz"]


def test_files_that_do_not_pair_up_are_named(published):
    folder = published(b"ein hund\nzwei\n", b"a dog\n")
    with pytest.raises(ValueError, match="val.de and val.en .* 2 and 1 lines"):
        load_multi30k("val", folder=folder)


def test_another_encoding_is_named_with_its_place(published):
    folder = published("Äpfel\n".encode("latin-1"), b"apples\n")
    with pytest.raises(ValueError, match=r"val.de.gz is not UTF-8 \(byte 0 is 0xc4\): save it as UTF-8"):
        load_multi30k("val", folder=folder)


def test_a_plain_text_file_is_read_too(tmp_path):
    path = tmp_path / "text.de"
    path.write_text("Ein Hund\n\nZwei", encoding="utf-8")
    assert read_lines(path) == ["ein hund", "", "zwei"]


def test_subwords_give_the_text_back_and_have_the_special_tokens_first():
    texts = ["ein hund schläft.", "zwei hunde, die schlafen.", "ein hund, zwei hunde"]
    subwords = Subwords(texts, size=60)
    assert [subwords.decode(subwords.encode(text)) for text in texts] == texts
    assert len(subwords) <= 60
    assert tuple(map(subwords.tokenizer.id_to_token, range(4))) == SPECIAL
    assert subwords.encode("Ein HUND") == subwords.encode("ein hund")
    assert 3 in subwords.encode("ein ☃")


def test_a_tied_model_has_one_table_for_source_target_and_output():
    model = TiedTranslationModel(11, 11, model_dim=6, num_heads=2, num_layers=1, dim_feedforward=7, max_len=9)
    tables = {
        parameter.data_ptr() for name, parameter in model.state_dict().items() if name.endswith("embedding.table")
    }
    assert len(tables) == 1
    assert sum(name.endswith("embedding.table") for name, _ in model.named_parameters()) == 1


@needs_the_data
def test_the_published_data_have_their_published_sizes_and_train_a_model(monkeypatch):
    monkeypatch.setenv("COURSE_DEVICE", "cpu")
    task = multi30k.multi30k_task()
    assert [len(part) for part in task.texts] == [29_000, 1_014, 1_000]
    assert sum(parameter.numel() for parameter in task.model_class(**task.model).parameters()) < 5_000_000
    source, target = task.texts[2][0]
    assert task.target.decode(task.target.encode(target)) == target
    assert task.source is task.target
    assert source.startswith("ein mann mit einem orangefarbenen hut")
    few = replace(task, validation=task.validation[:1], texts=(*task.texts[:2], task.texts[2][:3]))
    model, history = train(few, recipe=replace(task.recipe, max_steps=2, validate_every=1), progress=False)
    assert len(history.validations) == 2
    assert 0 <= multi30k.sacre_bleu(few, model, beam_size=2)[0] < 5


def test_the_score_is_that_of_sacrebleu_with_its_signature():
    class Parrot:
        texts = [[], [], [("ein hund schläft heute .", "a dog sleeps today ."), ("x", "the cat and the dog sleep")]]

        def translate(self, model, sources, beam_size):
            assert (model, beam_size) == ("model", 3)
            return ["A dog sleeps today .", "the cat and a dog sleep"]

    score, signature = multi30k.sacre_bleu(Parrot(), "model", beam_size=3)
    said = [["a", "dog", "sleeps", "today", "."], ["the", "cat", "and", "a", "dog", "sleep"]]
    assert score == pytest.approx(bleu(said, [reference.split() for _, reference in Parrot.texts[2]]))
    assert signature.startswith("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:")
