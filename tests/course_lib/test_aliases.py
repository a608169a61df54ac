"""What notebooks published earlier import is still there, and is the same thing as under its new name."""

import importlib

import pytest

from course_lib.aliases import NOW

PUBLISHED = """
from course_lib import MultiheadAttention, EncoderBlock, LayerNorm, PositionalEncoding, TransformerEncoder
from course_lib import TransformerPredictor, causal_mask, device, expand_mask, needs_your, scaled_dot_product
from course_lib.batches import Batches, in_order
from course_lib.checkpoint import load_pretrained, pretrained_details
from course_lib.cifar import cifar_task
from course_lib.compat import copy_attention, copy_decoder_layer, copy_encoder_layer
from course_lib.live_curve import live_curve
from course_lib.pictures import heat_map, show
from course_lib.recipe import Recipe
from course_lib.tasks import accuracy_on_test, train
from course_lib.threads import suitable_threads
from course_lib.training import evaluate, fit
from course_lib.widgets import anomaly_gallery, attention_explorer, greedy_steps, head_explorer
from course_lib.widgets import position_explorer, saturation, schedule_explorer
from autograder import check
""".strip().splitlines()


@pytest.mark.parametrize(("earlier", "now"), NOW.items(), ids=NOW)
def test_a_module_has_two_names_and_is_one_thing(earlier, now):
    assert importlib.import_module(earlier) is importlib.import_module(now)


@pytest.mark.parametrize("line", PUBLISHED, ids=lambda line: line.split()[1])
def test_what_a_published_notebook_imports_is_there(line):
    names = {}
    exec(line, names)
    assert all(names[name.strip()] is not None for name in line.split(" import ")[1].split(","))


def test_a_name_that_never_was_is_still_an_error():
    with pytest.raises(ModuleNotFoundError, match="course_lib.picture"):
        importlib.import_module("course_lib.picture")
