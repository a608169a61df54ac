import html
import re
from types import SimpleNamespace

import ipywidgets
import pytest
import torch

import course_lib
from course_lib.inside.hooked import AttentionOnly
from course_lib.model.translation import TranslationModel
from course_lib.notebook import widgets
from course_lib.notebook.guess import guess_first
from course_lib.notebook.widgets.explorer import Explorer
from course_lib.notebook.widgets.plot import Panel, whole
from course_lib.tasks.checkpoint import load_pretrained
from course_lib.tasks.translation import TranslationTask
from course_lib.text.text_tokens import Characters
from course_lib.text.vocabulary import Vocabulary
from course_lib.text.word_vectors import BY_HAND, by_hand

SETS = torch.rand(5, 7, 64, generator=torch.Generator().manual_seed(0))
WORDS = ["the", "animal", "did", "not", "cross", "it", "again"]

VOCABULARY = course_lib.Vocabulary([WORDS])
LETTERS = Characters("to be or not to be, that is the question")
LINES = {  # what is typed
    "review": ["the animal did not", "a zebra"],
    "sentence": ["the _ again", "no blank"],
    "English": ["the dog sleeps", "le chien"],
    "text": ["to be or not", "été"],
}


def even_attention(model, tokens):
    return torch.full(tokens.shape, 1 / tokens.shape[1])


def writes_upwards(src, tokens, src_mask=None):
    """A model that always says one more than the last token."""
    return 5 * torch.nn.functional.one_hot((tokens + 1) % 11, 11).float()


def reverse_maps():
    data = course_lib.ReverseDataset(num_categories=10, seq_len=16, size=3).data
    inputs = torch.nn.functional.one_hot(data, 10).float()
    return widgets.attention_explorer(load_pretrained("reverse"), inputs, labels=data)


def translations():
    english, german = Vocabulary([["the", "dog", "sleeps"]]), Vocabulary([["der", "Hund", "schläft"]])
    sizes = dict(model_dim=6, num_heads=3, num_layers=2, dim_feedforward=7, max_len=5)
    model = TranslationModel(len(english), len(german), **sizes)
    sides = (
        SimpleNamespace(vocabulary=side, encode=lambda text, side=side: side.encode(text.split()), decode=side.decode)
        for side in (english, german)
    )
    texts = {"texts": (), "source": next(sides), "target": next(sides)}
    nothing = dict(loss_fn=None, recipe=None, train=None, validation=[], test=[])
    task = TranslationTask(name="three words", model=sizes, model_class=TranslationModel, **texts, **nothing)
    return widgets.translation_box(task, model, "the dog sleeps")


MAKERS = {
    "saturation": widgets.saturation,
    "head_explorer": lambda: widgets.head_explorer(
        course_lib.MultiheadAttention(5, 6, 3), torch.randn(2, 7, 5), tokens=WORDS
    ),
    "position_explorer": widgets.position_explorer,
    "schedule_explorer": widgets.schedule_explorer,
    "attention_explorer": reverse_maps,
    "greedy_steps": lambda: widgets.greedy_steps(writes_upwards, torch.tensor([[3, 5]]), bos=1, eos=5, max_len=13),
    "word_lookup": lambda: widgets.word_lookup([*BY_HAND], by_hand([*BY_HAND]), "bank"),
    "anomaly_gallery": lambda: widgets.anomaly_gallery(load_pretrained("digits"), SETS, torch.zeros(5).long()),
    "translation_box": translations,
    "review_reader": lambda: widgets.review_reader(
        course_lib.SentenceClassifier(20, 2, 6, 2, 1, max_len=9), VOCABULARY, "the animal did not", even_attention
    ),
    "head_reader": lambda: widgets.head_reader(AttentionOnly(len(LETTERS), 6, 3, 2), LETTERS, "to be or not to be"),
    "blank_filler": lambda: widgets.blank_filler(
        course_lib.MaskedLanguageModel(len(VOCABULARY), 6, 2, 1, max_len=9), VOCABULARY, "the animal _ again", 1
    ),
}


@pytest.fixture(params=MAKERS, scope="module")
def explorer(request):
    torch.manual_seed(0)
    return MAKERS[request.param]()


def ends(control):
    """The settings at the two ends of a control."""
    if isinstance(control, ipywidgets.Checkbox):
        return [not control.value, control.value]
    if isinstance(control, ipywidgets.SelectionSlider):
        return [control.options[0], control.options[-1]]
    if isinstance(control, ipywidgets.FloatLogSlider):
        return [10**control.min, 10**control.max]
    if control.description in LINES:
        return LINES[control.description]
    return [control.min, control.max]


def test_every_public_widget_is_tried_here():
    assert set(MAKERS) == set(widgets.__all__) - {"Explorer"}


def test_every_end_of_every_control_has_a_picture_with_its_words(explorer):
    explorer.refresh()
    for name, control in explorer.controls.items():
        for value in ends(control):
            control.value = value
            assert explorer.values()[name] == pytest.approx(value)
            label = re.search(r'<svg role="img" aria-label="([^"]*)"', explorer.picture.value)[1]
            assert html.unescape(label) == explorer.words()
            assert "nan" not in explorer.picture.value


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "No map: there is nothing to read"), ("t", "to “t”"), ("to be " * 9, "␣to␣be␣to␣be␣"), ("é", "No map:")],
)
def test_a_text_of_any_length_is_read_or_refused(text, said):
    reader = MAKERS["head_reader"]()
    reader.controls["text"].value = text
    assert said in reader.words()
    assert "stopped with" not in reader.picture.value


def test_moving_a_control_changes_picture_and_words(explorer):
    first = next(iter(explorer.controls.values()))
    low, high = ends(first)
    first.value = low
    before = explorer.picture.value, explorer.words()
    first.value = high
    assert explorer.picture.value != before[0]
    assert explorer.words() != before[1]


def test_a_widget_offers_itself_a_still_picture_and_words(explorer, monkeypatch):
    monkeypatch.delenv("COURSE_PICTURES", raising=False)
    bundle = explorer._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/html"].startswith("<svg ")
    assert bundle["text/plain"] == explorer.words()


@pytest.mark.parametrize("make", [widgets.saturation, lambda: guess_first("Up?", ["yes", "no"])(print)])
def test_a_widget_is_shown_by_ipywidgets_7_which_has_another_hook_for_it(make, monkeypatch):
    """Colab has 7.7.1."""
    monkeypatch.delattr(ipywidgets.Widget, "_repr_mimebundle_")
    for name in ("COURSE_PICTURES", "COURSE_GUESS"):
        monkeypatch.delenv(name, raising=False)
    shown = make()
    view = shown._repr_mimebundle_()["application/vnd.jupyter.widget-view+json"]
    assert view == {"version_major": 2, "version_minor": 0, "model_id": shown.box.model_id}


def test_where_nobody_looks_there_are_words_alone(explorer, monkeypatch):
    monkeypatch.setenv("COURSE_PICTURES", "off")
    assert explorer._repr_mimebundle_() == {"text/plain": explorer.words()}


def test_a_picture_has_a_title_and_names_its_axes(explorer):
    for panel in explorer.draw(**explorer.values()):
        assert panel.title
        assert panel.x
        assert panel.y or panel.y_ticks == []


def test_code_that_stops_says_so_in_the_pictures_place():
    slider = ipywidgets.IntSlider(value=1, max=3)
    fragile = Explorer(
        lambda n: [Panel("t", "x", "y", whole(3)).bars([1 / n])], lambda n: f"{n} < {1 / n:.2f}", n=slider
    )
    slider.value = 0
    assert (
        fragile.picture.value == "<p>The code behind this picture stopped with ZeroDivisionError: division by zero</p>"
    )
    slider.value = 2
    assert 'aria-label="2 &lt; 0.50"' in fragile.picture.value


def unwritten(*arguments, **options):
    raise NotImplementedError


@pytest.mark.parametrize(
    "make",
    [
        lambda: widgets.head_explorer(unwritten, torch.zeros(1, 3, 5)),
        lambda: widgets.position_explorer(unwritten),
        lambda: widgets.schedule_explorer(unwritten),
        lambda: widgets.attention_explorer(SimpleNamespace(get_attention_maps=unwritten), torch.zeros(1, 3, 5)),
        lambda: widgets.greedy_steps(unwritten, torch.zeros(1, 3).long(), bos=1, eos=2, max_len=5),
        lambda: widgets.anomaly_gallery(unwritten, SETS, torch.zeros(5).long()),
    ],
)
def test_unwritten_code_says_so_where_the_widget_is_made(make, capsys):
    with course_lib.needs_your("part"):
        make()
    assert "waits for your part" in capsys.readouterr().out


def test_a_widget_shows_the_students_own_code():
    class Nowhere(torch.nn.Module):
        """Every position has the same code."""

        def __init__(self, d_model):
            super().__init__()

        def forward(self, x):
            return x + 1

    assert "1.00 with the next, 1.00 with the farthest" in widgets.position_explorer(Nowhere).words()


def test_decoding_goes_on_to_the_end_token_and_no_further():
    steps = MAKERS["greedy_steps"]()
    steps.controls["step"].value = 99
    assert steps.controls["step"].max == 4
    assert steps.words().startswith("Step 4 of 4. The source is 3 5; written so far: 1 2 3 4.")
    assert steps.words().endswith("which ends the sequence.")


def test_a_trained_models_map_is_read_in_words():
    assert "query by query, are 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0." in reverse_maps().words()


def test_the_gallery_can_show_its_mistakes_alone():
    model = load_pretrained("digits")
    with torch.no_grad():
        guess = model(SETS, add_positional_encoding=False).squeeze(-1).argmax(-1)
    target = guess.clone()
    target[3] = (guess[3] + 1) % 7
    gallery = widgets.anomaly_gallery(model, SETS, target)
    assert "the model finds it" in gallery.words()
    gallery.controls["mistakes_only"].value = True
    assert gallery.words().startswith("Set 3 of 5")
    assert "1 of these sets are missed" in gallery.words()


def test_the_gallery_refuses_features_that_are_no_picture():
    with pytest.raises(ValueError, match=r"7 features are not a square picture: pass images=\[B, S, H, W\]"):
        widgets.anomaly_gallery(lambda sets, **options: sets[..., :1], torch.zeros(2, 3, 7), torch.zeros(2).long())


def test_the_gallery_takes_pictures_in_colour():
    sets, images = torch.zeros(2, 3, 7), torch.rand(2, 3, 5, 5, 3)
    gallery = widgets.anomaly_gallery(lambda sets, **options: sets[..., :1], sets, torch.zeros(2).long(), images)
    gallery.refresh()
    assert gallery.picture.value.count("<image") == 3


def test_looking_at_a_model_leaves_its_mode_as_it_was():
    model = course_lib.TransformerPredictor(5, 6, 3, num_heads=2, num_layers=1, dropout=0.5)
    model.transformer.eval()
    widgets.attention_explorer(model, torch.zeros(2, 7, 5))
    assert model.training
    assert not model.transformer.training


@pytest.mark.parametrize("name", ["review_reader", "blank_filler"])
@pytest.mark.parametrize(
    ("text", "says"), [("the _ zebra", "“zebra” is not in the vocabulary"), (" ", ""), ("the animal " * 7 + "_", "")]
)
def test_a_line_that_cannot_be_read_is_refused_with_a_sentence(name, text, says):
    explorer = MAKERS[name]()
    explorer.controls[next(iter(explorer.controls))].value = text.replace("_ ", "") if name == "review_reader" else text
    assert re.match(r"No (verdict|guess): ", explorer.words())
    assert says in explorer.words()
    assert "stopped with" not in explorer.picture.value


def test_an_unknown_widget_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        widgets.nothing  # noqa: B018


def test_show_displays_from_the_middle_of_a_cell(capsys, monkeypatch):
    monkeypatch.setenv("COURSE_PICTURES", "off")
    widgets.saturation().show()
    assert "Two bar charts" in capsys.readouterr().out
