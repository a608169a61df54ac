from dataclasses import replace

import pytest
import torch

from course_lib.model.translation import smoothed_loss
from course_lib.tasks.task import make_model, train
from course_lib.tasks.translation import (
    SMOOTHING,
    Words,
    pair_up,
    split_words,
    translation_loss,
    translation_task,
)
from course_lib.tasks.translation_batches import TranslationBatches
from course_lib.text.pairs import translation_batch
from course_lib.text.vocabulary import BOS, EOS, PAD, UNK
from course_lib.training.engine.fast_path import fast_path
from course_lib.training.recipe import Recipe

PAIRS = [("ein Hund schläft", "a dog sleeps"), ("ein Hund , der", "a dog that"), ("schläft", "sleeps sleeps")] * 5
SIZES = dict(model_dim=12, num_heads=3, num_layers=1, dim_feedforward=13, max_len=6)
SHORT = Recipe(learning_rate=2e-2, batch_size=31, max_steps=40, warmup=4, validate_every=20)


@pytest.fixture(autouse=True)
def _on_the_cpu(monkeypatch):
    monkeypatch.setenv("COURSE_DEVICE", "cpu")


def make_task(texts=PAIRS, **sizes):
    tokens = tuple(Words(side) for side in zip(*PAIRS, strict=True))
    return translation_task("test", [texts, PAIRS[:2], PAIRS[:3]], tokens, SIZES | sizes, SHORT)


def test_the_loss_is_the_smoothed_one_and_the_accuracy_counts_real_tokens():
    model, batch = make_model(make_task(), SHORT), make_task().test[0]
    src, tgt_in, tgt_out, src_mask = batch
    loss, accuracy = translation_loss(model, batch)
    logits, real = model(src, tgt_in, src_mask), tgt_out != PAD
    torch.testing.assert_close(loss, smoothed_loss(logits, tgt_out, PAD, SMOOTHING))
    assert accuracy.item() == pytest.approx((logits.argmax(-1)[real] == tgt_out[real]).double().mean().item())


def test_an_epoch_has_each_pair_once_in_batches_of_so_many_tokens():
    pairs = [([4] * (1 + place % 7), [5 + place]) for place in range(53)]
    batches = list(TranslationBatches(pairs, 30).epoch(torch.Generator().manual_seed(0)))
    assert sorted(row[0].item() for _, _, tgt_out, _ in batches for row in tgt_out) == list(range(5, 58))
    assert max(src.numel() for src, *_ in batches) <= 30
    assert all(tgt_in[0, 0] == BOS and tgt_out[0, 1] == EOS for _, tgt_in, tgt_out, _ in batches)


def test_a_batch_is_the_translation_batch_of_its_pairs():
    pairs = [([4], []), ([], [5, 6, 7, 8]), ([PAD, 9, 4], [10]), ([4, 5], [PAD, BOS, EOS])]
    batches = TranslationBatches(pairs, 30)
    for places in ([0], [1], [2, 0], [3, 1, 0, 2]):
        expected = translation_batch([pairs[place] for place in places], BOS, EOS, PAD)
        for tensor, other in zip(batches.batch(places), expected, strict=True):
            assert tensor.dtype == other.dtype
            assert torch.equal(tensor, other)


def test_the_same_generator_gives_the_same_batches_and_the_next_epoch_others():
    pairs = [([4] * (1 + place % 7), [5 + place]) for place in range(53)]
    batches, generator = TranslationBatches(pairs, 30), torch.Generator().manual_seed(0)
    first, second = ([batch[2].tolist() for batch in batches.epoch(generator)] for _ in range(2))
    again = [batch[2].tolist() for batch in batches.epoch(torch.Generator().manual_seed(0))]
    assert first == again != second


def test_fit_learns_a_few_sentences_by_heart_and_one_seed_gives_one_set_of_weights():
    task = make_task()
    first, again = (train(task, seed=1, progress=False)[0] for _ in range(2))
    for one, other in zip(first.parameters(), again.parameters(), strict=True):
        assert torch.equal(one, other)
    assert task.accuracy(first) == 1.0


def test_a_recipe_may_leave_the_mean_of_the_last_weights():
    task = make_task()
    averaged, _ = train(task, recipe=replace(SHORT, average_last=2), progress=False)
    single, _ = train(task, recipe=replace(SHORT, average_last=1), progress=False)
    assert not torch.equal(averaged.output_bias, single.output_bias)


def test_every_attention_and_norm_of_encoder_and_decoder_takes_the_fast_path_and_computes_the_same():
    model = make_model(make_task(), SHORT).double()
    src, tgt_in, _, src_mask = next(iter(make_task().test))
    written = model(src, tgt_in, src_mask)
    with fast_path(model), torch.profiler.profile() as quick:
        torch.testing.assert_close(model(src, tgt_in, src_mask), written)
    counts = {event.key: event.count for event in quick.key_averages()}
    assert counts["aten::native_layer_norm"] == 5  # two of the encoder block, three of the decoder block
    assert counts["aten::softmax"] == 3  # each attention has a mask: the source's, or the causal one
    assert "aten::amax" not in counts


def test_words_are_read_with_a_capital_at_the_beginning_and_with_or_without_a_point():
    words = Words(["ein Hund , der schläft"])
    assert words.decode(words.encode("Ein Hund, der schläft.")) == "ein Hund, der schläft"
    assert words.encode("Hund katze") == [words.vocabulary.ids["Hund"], UNK]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "'' cannot be translated: it has no word"),
        (" .", "cannot be translated: it has no word"),
        ("blau grün", "'blau grün' cannot be translated: none of its words is known"),
        ("ein " * 6, "it has 6 tokens and the model reads at most 5; translate it in parts"),
    ],
)
def test_a_text_that_cannot_be_translated_is_one_sentence(text, problem):
    task = make_task()
    with pytest.raises(ValueError, match=problem):
        task.translate(make_model(task, SHORT), [text])


def test_pairs_that_are_too_long_are_left_out_and_counted(capsys):
    task = make_task([*PAIRS, ("ein " * 6, "a dog")])
    assert capsys.readouterr().out == "test: left out 1 of 16 pairs, which have more than 5 tokens\n"
    assert len(task.train(31).pairs) == 15


def test_an_empty_line_is_left_out_with_its_pair_and_counted(capsys):
    assert pair_up(["a", " ", "c"], ["x", "y", "z"], ("de", "en")) == [("a", "x"), ("c", "z")]
    assert capsys.readouterr().out == "de, en: left out 1 of 3 pairs, in which a line is empty\n"


def test_lines_that_do_not_pair_up_are_said_with_both_numbers():
    with pytest.raises(ValueError, match="train.de and train.en must be .* but there are 2 and 1 lines"):
        pair_up(["a", "b"], ["x"], ("train.de", "train.en"))


def test_commas_are_words_and_points_are_not():
    assert split_words("Weil es regnet, schläft er.") == ["Weil", "es", "regnet", ",", "schläft", "er"]
