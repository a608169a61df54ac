"""What is free: an own thing of a forbidden name, a comparison, a demonstration, the page and the right variants."""

import inspect
from pathlib import Path

import nbformat
import pytest

from autograder.catalogue import exercises_of, find
from autograder.catalogue.edits import Rewrite
from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed
from autograder.grading.notebook import Notebook
from autograder.judging.flagged import changes_any_name, out_of_sight
from autograder.judging.page import Page
from autograder.judging.shortcuts import shortcut
from autograder.stages import STAGES

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"
DOT = find("scaled_dot_product")
USES = "def scaled_dot_product(q, k, v, mask=None):\n    return {}\n"
SOFTMAX = find("softmax")
OWN = "def softmax(x, dim=-1):\n    e = torch.exp(x)\n    return e / e.sum(dim)\n"

NOT_TAKEN = {
    "a demonstration elsewhere": ["F.scaled_dot_product_attention(q, k, v)", USES.format("q, k")],
    "a comment": [USES.format("q, k  # like F.scaled_dot_product_attention")],
    "a docstring": ['def scaled_dot_product(q, k, v):\n    """As F.scaled_dot_product_attention."""\n    return q, k'],
    "a local name like a global one": [
        "with open('x') as mask:\n    F.scaled_dot_product_attention(q, k, v)",
        USES.format("q, mask"),
    ],
    "an older definition": [USES.format("F.scaled_dot_product_attention(q, k, v), q"), USES.format("q, k")],
    "a cell that is not Python": ["def broken(:", USES.format("q, k")],
    "its own method of that name": [
        "class M:\n    def go(self):\n        return self.scaled_dot_product_attention()",
        USES.format("M().go(), q"),
    ],
}
USES_SCALE = "SCALE = torch.tensor(1.0)\nSEEN = []\n" + OWN.replace("(x)", "(x * SCALE)").replace("e /", "SEEN, e /")
NOT_PUT = {
    "a comparison": [OWN, "print(softmax(x), F.softmax(x, dim=-1))"],
    "a comparison by a function": [OWN, "def same(a, b):\n    return a(x) == b(x)", "same(softmax, F.softmax)"],
    "a use beside it": [USES_SCALE, "print(SCALE, F.softmax(x * SCALE, dim=-1), len(SEEN))"],
    "a device": [
        "device = torch.device('cpu')\nx = torch.ones(2).to(device)",
        OWN.replace("(x)", "(x.to(device))"),
        "y = F.softmax(x.to(device), -1)\nassert y.device == device",
    ],
    "another list": ["SEEN, ALL = [], []", OWN.replace("e /", "SEEN, e /"), "ALL.append(F.softmax(x))"],
}
OWN_NAMES = {  # the student's own thing has a name that something ready-made has, too
    "a counter by name": ["calls = {'softmax': 0}", OWN.replace("e =", "calls['softmax'] += 1\n    e =")],
    "a counter": ["stats = types.SimpleNamespace(softmax=0)", OWN.replace("e =", "stats.softmax += 1\n    e =")],
    "a counter that is read": ["stats = types.SimpleNamespace(softmax=0)", OWN.replace("e /", "stats.softmax, e /")],
    "a function of a class": [
        "class Mine:\n    @staticmethod\n    " + OWN.replace("\n    ", "\n        "),
        "def softmax(x, dim=-1):\n    return Mine.softmax(x, dim)",
    ],
    "a method": [
        "class Mine:\n    def softmax(self, x):\n        return x",
        "mine = Mine()",
        "def softmax(x, dim=-1):\n    return mine.softmax(x)",
    ],
    "a namespace that is returned": [
        "def parts(x):\n    return types.SimpleNamespace(softmax=x)",
        "def softmax(x, dim=-1):\n    return parts(x).softmax",
    ],
    "a case of its own": [
        "class Mine:\n    softmax = 1",
        "def softmax(x, dim=-1):\n    match x:\n        case Mine(softmax=y):\n            return y",
    ],
    "a comparison in the same block": [
        "try:\n    " + OWN.replace("\n    ", "\n        ") + "    print(F.softmax(x))\nfinally: x"
    ],
    "a comparison at the function": [OWN, "softmax.error = (softmax(x) - torch.softmax(x, -1)).abs().max()"],
    "a table of versions": [
        "versions = {}\ndef version(f):\n    versions[f.__name__] = f\n    return f",
        "@version\n" + OWN.replace("softmax", "stable"),
        "versions['torch'] = torch.softmax",
        "softmax = versions['stable']",
        "for name, f in versions.items():\n    print(name, f(x))",
    ],
}
ATTENDS = "    a = softmax(q @ k.mT)\n"
OWN_FIELDS = {
    "a namespace": [
        "def look(q, k, v):\n" + ATTENDS + "    return SimpleNamespace(values=a @ v, attention=a)",
        "def scaled_dot_product(q, k, v):\n    out = look(q, k, v)\n    return out.values, out.attention",
    ],
    "a named tuple": [
        "from collections import namedtuple\nResult = namedtuple('Result', 'values attention')",
        "def scaled_dot_product(q, k, v):\n" + ATTENDS + "    r = Result(a @ v, a)\n    return r.values, r.attention",
    ],
    "a dataclass": [
        "@dataclass\nclass Look:\n    values: torch.Tensor\n    attention: torch.Tensor",
        "def look(q, k, v):\n" + ATTENDS + "    return Look(a @ v, a)",
        "def both(found):\n    return found.values, found.attention",
        "def scaled_dot_product(q, k, v):\n    return both(look(q, k, v))",
    ],
    "an attribute of an attribute": [
        "class Look:\n    def __init__(self, a):\n        self.attention = a",
        "class Attend:\n    def __call__(self, a):\n        self.look = Look(a)\n        return self.look.attention",
        "def scaled_dot_product(q, k, v):\n" + ATTENDS + "    return a @ v, Attend()(a)",
    ],
    "a dict": [
        "log = []",
        "def scaled_dot_product(q, k, v):\n" + ATTENDS + "    out = {'attention': a}\n    log.append(out)\n"
        "    return out['attention'] @ v, out['attention']",
    ],
    "a mask that a demonstration changes": [
        "mask = None",
        "def scaled_dot_product(q, k, v, mask=mask):\n" + ATTENDS + "    return a @ v, a",
        "with shown():\n    mask[0] = True\n    F.scaled_dot_product_attention(q, k, v, mask)",
    ],
}


@pytest.mark.parametrize("cells", NOT_TAKEN.values(), ids=NOT_TAKEN)
def test_what_is_no_shortcut_is_left_alone(cells):
    assert shortcut(DOT, Page(cells)) is None


def test_a_class_named_like_a_ready_made_one_is_no_shortcut():
    cells = ["class MultiheadAttention(nn.Module):\n    def __init__(self):\n        super(MultiheadAttention, self)"]
    assert shortcut(find("MultiheadAttention"), Page(cells)) is None


@pytest.mark.parametrize("cells", NOT_PUT.values(), ids=NOT_PUT)
def test_a_demonstration_that_mentions_both_puts_nothing_anywhere(cells):
    assert shortcut(SOFTMAX, Page(cells)) is None


@pytest.mark.parametrize("cells", OWN_NAMES.values(), ids=OWN_NAMES)
def test_an_own_thing_of_the_same_name_is_no_shortcut(cells):
    assert shortcut(SOFTMAX, Page(cells)) is None


@pytest.mark.parametrize("cells", OWN_FIELDS.values(), ids=OWN_FIELDS)
def test_an_own_field_called_attention_is_no_shortcut(cells):
    assert shortcut(DOT, Page(cells)) is None


def test_the_released_cells_put_nothing_into_an_answer():
    ours = [
        "from autograder import check",
        "check('softmax', softmax)",
        "mask[..., 0] = F.scaled_dot_product_attention(q)",
    ]
    page = Page([ours[0], OWN.replace("softmax", "stable"), "softmax = stable", ours[1]], ours[2:], ours)
    assert (shortcut(SOFTMAX, page), out_of_sight(SOFTMAX, page)) == (None, None)
    page = Page(["mask = None", USES.format("q, mask").replace("mask=None", "mask=mask"), *ours], [], ours)
    assert shortcut(DOT, page) is None


@pytest.mark.parametrize("stage", [stage.name for stage in STAGES])
def test_neither_the_page_nor_its_solutions_need_a_look(stage):
    released = (NOTEBOOKS / f"{stage}.ipynb").read_text("utf-8")
    notebook = Notebook(nbformat.reads(submission(Handed("", 0), nbformat.reads(released, 4), stage).decode(), 4))
    assert changes_any_name(cell.source for cell in notebook.code) is None
    for exercise in exercises_of(stage):
        page = notebook.page(exercise.id)
        assert (shortcut(exercise, page), out_of_sight(exercise, page)) == (None, None)


@pytest.mark.parametrize("exercise", [e for stage in STAGES for e in exercises_of(stage.name)], ids=lambda e: e.id)
def test_right_variants_take_no_shortcut(exercise):
    for way in exercise.right_variants:
        written = way if isinstance(way, Rewrite) else Rewrite(way.__name__, body=way)
        source = inspect.getsource(written.body) if written.body else written.source(exercise.reference)
        page = Page([source])
        assert shortcut(exercise, page) is None
        assert exercise.name not in page.bindings or out_of_sight(exercise, page) is None
