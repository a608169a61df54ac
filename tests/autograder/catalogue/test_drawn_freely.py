"""Answers that may be drawn freely: fair draws pass under any seed, and a mistake is named without equal numbers."""

from functools import cache

import numpy as np
import pytest
import torch
from torch.utils.data import Dataset

from autograder.catalogue import find
from autograder.catalogue.checks import evenly_spread, fits
from autograder.catalogue.results import Results
from autograder.judging.answer_key.compute import answer_key_of, expected_of
from autograder.judging.judge import judge, points_of
from autograder.probes.run import collect


@cache
def answers_to(exercise):
    return answer_key_of((exercise,), 20011)[exercise.id]


def verdict_on(exercise_id, implementation):
    exercise = find(exercise_id)
    answers = answers_to(exercise)
    return judge(exercise, answers, collect(exercise_id, implementation, answers["cases"]))


def status_under(seed, exercise_id, implementation):
    """The verdict's status, without the known mistakes: running them takes nearly all the time."""
    exercise = find(exercise_id)
    cases, expected = expected_of(exercise, seed)
    answers = {"cases": cases, "expected": expected}
    return points_of(exercise, answers, collect(exercise_id, implementation, cases)).status


class OwnDraws(Dataset):
    """Draws in another way than the reference: no number agrees."""

    def __init__(self, num_categories, seq_len, size, seed=0):
        self.data = torch.from_numpy(np.random.default_rng(seed).integers(num_categories, size=(size, seq_len)))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.data[index], self.data[index].flip(-1)


class OwnCopies(OwnDraws):
    def __getitem__(self, index):
        return self.data[index], self.data[index]


class OwnGarbage(OwnDraws):
    def __getitem__(self, index):
        return self.data[index], self.data[index] * 0


class Hostile(OwnDraws):
    """Numbers that would fill the memory of a careless judge."""

    def __init__(self, num_categories, seq_len, size, seed=0):
        self.data = torch.full((size, seq_len), 2**62)


def own_sets(features, labels, anomaly_index, set_size, generator, place=None):
    sizes = labels.unique(return_counts=True)[1]
    if len(sizes) < 2 or sizes.min() < set_size - 1:
        raise ValueError(f"no sets of {set_size} from {len(sizes)} classes, the smallest of {sizes.min()} images")
    rng = np.random.default_rng(torch.randint(2**31, (1,), generator=generator).item())
    targets, rows = [], []
    for odd in anomaly_index.tolist():
        others = torch.where(labels == rng.choice([c for c in labels.unique().tolist() if c != labels[odd]]))[0]
        row = rng.choice(others.numpy(), set_size - 1, replace=False).tolist()
        targets.append(int(rng.integers(set_size)) if place is None else place)
        row.insert(targets[-1], odd)
        rows.append(row)
    indices = torch.tensor(rows)
    return features[indices], torch.tensor(targets), indices


def always_last(*arguments):
    return own_sets(*arguments, place=4)


def enormous(features, labels, anomaly_index, set_size, generator):
    sets, target, indices = own_sets(features, labels, anomaly_index, set_size, generator)
    return sets, target * 2**61, indices * 2**60


def own_buckets(lengths, max_tokens, generator, orderly=False):
    rng = np.random.default_rng(torch.randint(2**31, (1,), generator=generator).item())
    batches = [[]]
    for index in sorted(rng.permutation(len(lengths)).tolist(), key=lambda i: -lengths[i]):
        if batches[-1] and (len(batches[-1]) + 1) * lengths[batches[-1][0]] > max_tokens:
            batches.append([])
        batches[-1].append(index)
    return batches if orderly else [batches[i] for i in rng.permutation(len(batches))]


def buckets_in_order(*arguments):
    return own_buckets(*arguments, orderly=True)


def endless_buckets(lengths, max_tokens, generator):
    return [[2**62] * 10**5]


def test_a_mistake_is_named_although_no_number_agrees():
    verdict = verdict_on("ReverseDataset", OwnCopies)
    assert verdict.known_mistake == "nothing reversed"
    assert verdict_on("sample_anomaly_sets", always_last).known_mistake == "the odd one always last"
    assert verdict_on("bucket_batches", buckets_in_order).known_mistake == "batches from long to short"


def test_an_unknown_mistake_is_given_no_name():
    verdict = verdict_on("ReverseDataset", OwnGarbage)
    assert [share.name for share in verdict.criteria if not share.passed] == ["the targets are the tokens backwards"]
    assert verdict.known_mistake is None


@pytest.mark.parametrize("seed", [2, 3, 5, 7, 11])
def test_a_fair_draw_is_right_under_any_seed(seed):
    assert status_under(seed, "ReverseDataset", OwnDraws) == "right"
    assert status_under(seed, "sample_anomaly_sets", own_sets) == "right"
    assert status_under(seed, "bucket_batches", own_buckets) == "right"


@pytest.mark.parametrize(
    ("exercise_id", "hostile"),
    [("ReverseDataset", Hostile), ("sample_anomaly_sets", enormous), ("bucket_batches", endless_buckets)],
)
def test_enormous_numbers_are_judged_and_not_counted(exercise_id, hostile):
    verdict = verdict_on(exercise_id, hostile)
    assert verdict.status in ("partial", "wrong")
    assert verdict.score < verdict.max_score


def test_counts_of_a_fair_die_are_even_and_those_of_a_loaded_one_are_not():
    faces = np.random.default_rng(0).integers(7, size=1009)
    assert evenly_spread(np.bincount(faces))
    assert not evenly_spread(np.bincount(np.minimum(faces, 5)))
    assert not evenly_spread(np.zeros(7))


def test_a_rule_sees_the_inputs_that_the_judge_drew():
    record = {"a case": {"tensors": {"picked": np.arange(3)}}}
    inputs = {"a case": {"tensors": {}, "settings": {"number": 3}}}
    results = Results(record, record, {}, inputs)
    assert fits("a case", ["picked"], ["number"], lambda p, n: len(p) == n, "not three")(results) is None
    assert fits("a case", ["picked"], ["number"], lambda p, n: p[n], "out of range")(results).text == "out of range"
