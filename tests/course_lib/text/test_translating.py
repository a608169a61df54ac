import pytest
import torch

from course_lib.model.translation import TranslationModel
from course_lib.text.decoding import beam_search
from course_lib.text.translating import translate
from course_lib.text.vocabulary import BOS, EOS

LONGEST = 7


@pytest.fixture(scope="module")
def model():
    """Untrained, with large weights and a liking for eos, so that its sentences differ, in length too."""
    torch.manual_seed(0)
    model = TranslationModel(17, 13, model_dim=6, num_heads=2, num_layers=1, dim_feedforward=11, max_len=LONGEST + 4)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter)
    model.output_bias.data[EOS] = 4.0
    return model.double()


@pytest.fixture(scope="module")
def sources():
    generator = torch.Generator().manual_seed(0)
    lengths = torch.randint(1, 10, (31,), generator=generator).tolist()
    return [torch.randint(4, 17, (length,), generator=generator).tolist() for length in lengths]


@pytest.mark.parametrize("beam_size", [1, 2, 5])
def test_a_list_of_sentences_is_translated_as_beam_search_translates_each(model, sources, beam_size):
    together = translate(model, sources, LONGEST, beam_size)
    alone = [
        beam_search(model, torch.tensor([[*source, EOS]]), BOS, EOS, beam_size, LONGEST)[0][0] for source in sources
    ]
    assert together == alone
    assert len({len(made) for made in together}) > 2


def test_length_counts_as_alpha_says(model, sources):
    plain, by_length = (translate(model, sources, LONGEST, beam_size=4, alpha=alpha) for alpha in (0.0, 3.0))
    assert sum(map(len, by_length)) > sum(map(len, plain))


def test_a_beam_may_be_wider_than_the_vocabulary_at_first(model, sources):
    assert len(translate(model, sources[:2], LONGEST, beam_size=23)) == 2


def test_the_mode_of_the_model_and_the_sources_stay_as_they_were(model, sources):
    before = [list(source) for source in sources]
    for training in (True, False):
        translate(model.train(training), sources, LONGEST)
        assert model.training is training
    assert sources == before


def test_an_empty_sentence_is_named_by_its_place(model):
    with pytest.raises(ValueError, match="nothing to translate in sentence 1: it is empty"):
        translate(model, [[5], [], [6]], LONGEST)
