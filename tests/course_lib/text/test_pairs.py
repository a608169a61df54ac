import torch

from course_lib.text.pairs import translation_batch

PAIRS = [([5, 6, 7], [8]), ([0], [9, 4, 0, 3, 8]), ([], [7, 7])]


def test_each_row_is_its_pair():
    src, tgt_in, tgt_out, src_mask = translation_batch(PAIRS, bos=1, eos=2, pad=0)
    for row, (source, target) in enumerate(PAIRS):
        assert src[row][src_mask[row]].tolist() == [*source, 2]
        assert tgt_in[row, : len(target) + 1].tolist() == [1, *target]
        assert tgt_out[row, : len(target) + 1].tolist() == [*target, 2]
    assert src.shape == src_mask.shape == (3, 4)
    assert tgt_in.shape == tgt_out.shape == (3, 6)
    assert {t.dtype for t in (src, tgt_in, tgt_out)} == {torch.int64}
    assert src_mask.dtype == torch.bool


def test_the_rest_is_padding():
    src, tgt_in, tgt_out, src_mask = translation_batch(PAIRS, bos=1, eos=2, pad=11)
    assert (src[~src_mask] == 11).all()
    assert (tgt_in == 11).sum() == (tgt_out == 11).sum() == 7


def test_the_pairs_are_left_as_they_are():
    pairs = [([5], [6])]
    translation_batch(pairs, 1, 2, 0)
    assert pairs == [([5], [6])]
