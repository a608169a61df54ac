"""Zeros are no evidence of an edit."""

import torch
from torch.nn import functional as F

from autograder.catalogue import find
from autograder.judging import answer_key
from autograder.judging.answer_key.single_edit import single_edit
from autograder.probes.run import collect
from autograder.stages import stage_of


def never_right(model, batch):
    sets, target = batch
    logits = model(sets, add_positional_encoding=False).squeeze(-1)
    return F.cross_entropy(logits, target), torch.zeros(())


def test_an_accuracy_of_zero_names_no_edit_that_gives_zero_as_well():
    known = answer_key.load(answer_key.public_file(stage_of("anomaly_loss").name))["anomaly_loss"]
    actual = collect("anomaly_loss", never_right, known["cases"])
    assert single_edit(find("anomaly_loss"), known, actual) is None
