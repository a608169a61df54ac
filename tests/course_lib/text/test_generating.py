"""What may be drawn, beside transformers' filters, and a text with a cache beside one without."""

import pytest
import torch

from course_lib.model.language_model import LanguageModel
from course_lib.tasks.torchvision_mend import import_torchvision
from course_lib.text.generating import filter_logits, generate

import_torchvision()  # beside a CPU torch it takes transformers with it otherwise


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"temperature": 0.7}, ["Temperature"]),
        ({"top_k": 5}, ["TopK"]),
        ({"top_p": 0.8}, ["TopP"]),
        ({"temperature": 1.3, "top_k": 9, "top_p": 0.6}, ["Temperature", "TopK", "TopP"]),
    ],
    ids=str,
)
def test_the_filters_are_those_of_transformers(settings, names):
    process = pytest.importorskip("transformers.generation.logits_process")
    logits = 2 * torch.randn(7, 31, generator=torch.Generator().manual_seed(3))
    expected = logits
    for name, value in zip(names, settings.values(), strict=True):
        expected = getattr(process, f"{name}LogitsWarper")(value)(None, expected)
    torch.testing.assert_close(filter_logits(logits, **settings), expected, rtol=0, atol=1e-6)


def test_a_text_with_the_cache_is_the_one_without():
    model = LanguageModel(11, 24, 6, 2, num_layers=2, hidden_dim=7)
    prompt = torch.randint(11, (3, 4), generator=torch.Generator().manual_seed(0))
    text = prompt
    for _ in range(12):
        text = torch.cat([text, model(text)[:, -1:].argmax(dim=-1)], dim=1)
    assert torch.equal(generate(model, prompt, 12, temperature=0), text)
