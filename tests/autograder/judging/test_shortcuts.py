"""Shortcuts are found where the student's object reaches them, and nowhere else."""

import inspect
from pathlib import Path

import nbformat
import pytest

from autograder.catalogue import exercises_of, find
from autograder.catalogue.edits import Rewrite
from autograder.course.demo.run import submission
from autograder.course.demo.submissions import Handed
from autograder.grading.notebook import Notebook
from autograder.judging.page import Page
from autograder.judging.shortcuts import changes_any_name, out_of_sight, shortcut
from autograder.stages import STAGES

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"
DOT = find("scaled_dot_product")
USES = "def scaled_dot_product(q, k, v, mask=None):\n    return {}\n"

TAKEN = {
    "as an attribute": ["import torch.nn.functional as F", USES.format("F.scaled_dot_product_attention(q, k, v), q")],
    "in full": [USES.format("torch.nn.functional.scaled_dot_product_attention(q, k, v), q")],
    "imported under another name": [
        "from torch.nn.functional import scaled_dot_product_attention as sdpa",
        USES.format("sdpa(q, k, v), q"),
    ],
    "by getattr": [USES.format('getattr(F, "scaled_dot_product_attention")(q, k, v), q')],
    "in a helper of another cell": [
        "def helper(q, k, v):\n    return F.scaled_dot_product_attention(q, k, v)",
        USES.format("helper(q, k, v), q"),
    ],
    "by assignment": ["attend = F.scaled_dot_product_attention", USES.format("attend(q, k, v), q")],
    "beside a magic": ["%matplotlib inline\nfast = F.scaled_dot_product_attention", USES.format("fast(q, k, v), q")],
    "the answer, imported": ["from course_lib import scaled_dot_product"],
    "the answer, under another name": [
        "from course_lib.model.attention import scaled_dot_product as theirs",
        USES.format("theirs(q, k, v, mask)"),
    ],
    "the answer, by its module": [
        "import course_lib.model.attention as a",
        USES.format("a.scaled_dot_product(q, k, v)"),
    ],
}

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


@pytest.mark.parametrize("cells", TAKEN.values(), ids=TAKEN)
def test_a_shortcut_is_found(cells):
    assert "scaled_dot_product" in shortcut(DOT, Page(cells))


@pytest.mark.parametrize(
    ("name", "said"),
    [("AdditiveAttention", "does not count"), ("masked_mean", "does not build on"), ("softmax", None)],
)
def test_an_import_inside_a_method_is_said_to_be_the_answer_or_missing_or_neither(name, said):
    cell = (
        "class AttentiveDecoder(nn.Module):\n    def forward(self, tokens, memory, mask=None):\n"
        f"        from course_lib import {name}\n        return {name}(memory, mask)"
    )
    sentence = shortcut(find("AttentiveDecoder"), Page([cell]))
    assert sentence is None if said is None else f"`{name}`" in sentence and said in sentence


@pytest.mark.parametrize("cells", NOT_TAKEN.values(), ids=NOT_TAKEN)
def test_what_is_no_shortcut_is_left_alone(cells):
    assert shortcut(DOT, Page(cells)) is None


def test_a_class_named_like_a_ready_made_one_is_no_shortcut():
    cells = ["class MultiheadAttention(nn.Module):\n    def __init__(self):\n        super(MultiheadAttention, self)"]
    assert shortcut(find("MultiheadAttention"), Page(cells)) is None


SOFTMAX = find("softmax")
READY = "def softmax(x, dim=-1):\n    return torch.softmax(x, dim)\n"
OWN = "def softmax(x, dim=-1):\n    e = torch.exp(x)\n    return e / e.sum(dim)\n"
REBOUND = {
    "inside another statement": [OWN, "if True:\n    " + READY.replace("\n    ", "\n        ")],
    "from what it was": [READY, "softmax = twice(softmax)"],
    "by match": [OWN, "match F.softmax:\n    case softmax:\n        pass"],
    "by a star": [OWN, "from torch.nn.functional import *"],
    "by a name of a star": [
        "from torch.nn.functional import *",
        "def softmax(x):\n    return log_softmax(x)",
    ],
    "by a function": [OWN, "def other():\n    global softmax\n    softmax = F.softmax"],
    "its code": [OWN, "softmax.__code__ = F.softmax.__code__"],
    "in a timed cell": ["%%time\n" + READY],
    "in a captured cell of a timed one": ["%%capture\n%%time\n" + READY],
    "in a timed line": [OWN, "%time softmax = F.softmax"],
    "beside a question": ["pool?\n" + READY],
    "beside a shell command": ["files = !ls\n" + READY],
    "from another package": ["from scipy.special import softmax as theirs", "def softmax(x):\n    return theirs(x)"],
    "by its safe name": ["def softmax(x, dim):\n    return torch._safe_softmax(x, dim)"],
}

USES_TOOLS = "def softmax(x, dim=-1):\n    return TOOLS[0](x, dim)\n"
PUT_AWAY = {
    "append": ["TOOLS = []", "TOOLS.append(F.softmax)", USES_TOOLS],
    "append below the test's other cells": ["TOOLS = []", USES_TOOLS, "if True:\n    TOOLS.append(F.softmax)"],
    "insert": ["TOOLS = []\nTOOLS.insert(0, torch.softmax)", USES_TOOLS],
    "update": ["TOOLS = {}", "TOOLS.update({0: F.softmax})", USES_TOOLS],
    "setdefault": ["TOOLS = {}", "x = TOOLS.setdefault(0, F.softmax)", USES_TOOLS],
    "an or": ["TOOLS = {}", "TOOLS |= {0: F.softmax}", USES_TOOLS],
    "a sum": ["TOOLS = []", "TOOLS += [F.softmax]", USES_TOOLS],
    "a slice": ["TOOLS = []", "TOOLS[:] = [F.softmax]", USES_TOOLS],
    "setitem": ["TOOLS = [None]", "import operator\noperator.setitem(TOOLS, 0, F.softmax)", USES_TOOLS],
    "the type's method": ["TOOLS = []", "list.append(TOOLS, F.softmax)", USES_TOOLS],
    "a partial": ["TOOLS = []", "TOOLS.append(functools.partial(F.softmax))", USES_TOOLS],
    "a loop": ["TOOLS = []", "for f in [F.softmax]:\n    TOOLS.append(f)", USES_TOOLS],
    "a function": ["TOOLS = []", "def put(f):\n    TOOLS.append(f)", "put(F.softmax)", USES_TOOLS],
    "a function's item": ["TOOLS = {}", "def put(f):\n    TOOLS[0] = f", "put(F.softmax)", USES_TOOLS],
    "a decorator": [
        "TOOLS = []\ndef register(f):\n    TOOLS.append(f)\n    return f",
        "@register\ndef ready(x, dim):\n    return torch.softmax(x, dim)",
        USES_TOOLS,
    ],
    "a decorator with arguments": [
        "TOOLS = {}\ndef register(n):\n    def put(f):\n        TOOLS[n] = f\n    return put",
        "@register(0)\ndef ready(x, dim):\n    return torch.softmax(x, dim)",
        USES_TOOLS,
    ],
    "another name": ["TOOLS = []", "T = TOOLS\nT.append(F.softmax)", USES_TOOLS],
    "a bound method": ["TOOLS = []", "add = TOOLS.append\nadd(F.softmax)", USES_TOOLS],
    "a lambda": ["TOOLS = []", "add = lambda f: TOOLS.append(f)\nadd(F.softmax)", USES_TOOLS],
    "a map": ["TOOLS = []", "list(map(TOOLS.append, [F.softmax]))", USES_TOOLS],
    "a class attribute": ["class TOOLS:\n    first = F.softmax", "def softmax(x):\n    return TOOLS.first(x)"],
    "a list of a class": [
        "class T:\n    all = []\nT.all.append(F.softmax)",
        "def softmax(x):\n    return T.all[0](x)",
    ],
    "a default": ["def softmax(x, dim=-1, ready=F.softmax):\n    return ready(x, dim)"],
    "an attrgetter": ["ready = operator.attrgetter('softmax')(F)", "def softmax(x):\n    return ready(x)"],
    "a name from parts": ["ready = getattr(F, ''.join(['soft', 'max']))", "def softmax(x):\n    return ready(x)"],
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


@pytest.mark.parametrize("cells", PUT_AWAY.values(), ids=PUT_AWAY)
def test_what_was_put_into_a_container_is_found(cells):
    assert "softmax" in (shortcut(SOFTMAX, Page(cells)) or "")


@pytest.mark.parametrize("cells", NOT_PUT.values(), ids=NOT_PUT)
def test_a_demonstration_that_mentions_both_puts_nothing_anywhere(cells):
    assert shortcut(SOFTMAX, Page(cells)) is None


@pytest.mark.parametrize("cells", REBOUND.values(), ids=REBOUND)
def test_another_meaning_of_a_name_is_followed(cells):
    assert "softmax`" in shortcut(SOFTMAX, Page(cells))


def test_what_stands_below_the_test_can_change_an_answer_but_not_its_name():
    assert shortcut(SOFTMAX, Page([OWN], ["softmax = F.softmax"])) is None
    assert shortcut(SOFTMAX, Page([OWN], ["softmax.__code__ = F.softmax.__code__"]))


OUT_OF_SIGHT = {
    "`exec`": [OWN.replace("e =", "exec('')\n    e =")],
    "`helper`": ["import helper", "def softmax(x):\n    return helper.go(x)"],
    "`subprocess`": ["import subprocess", "def softmax(x):\n    return subprocess.run(x)"],
    "`_thread`": ["import _thread", "def softmax(x):\n    return _thread.start_new_thread(x)"],
    "not defined anywhere in the source": ["%run elsewhere.py"],
}


@pytest.mark.parametrize(("said", "cells"), OUT_OF_SIGHT.items(), ids=OUT_OF_SIGHT)
def test_what_cannot_be_followed_is_named(said, cells):
    assert said in out_of_sight(SOFTMAX, Page(cells))


@pytest.mark.parametrize(
    ("source", "way"),
    [
        ("%run elsewhere.py", "%run"),
        ("%%hidden_magic\nx", "%hidden_magic"),
        ("get_ipython().user_ns['softmax'] = F.softmax", "get_ipython"),
        ("exec(text)", "exec"),
        ("TOOLS.append(torch.jit.script(f))", "torch.jit"),
        ("import torch as t\nf = t.compile(g)", "t.compile"),
        ("from torch import jit", "jit"),
        ("import torch._C as c", "torch._C"),
        ("torch.ops.aten.softmax", "torch.ops"),
        ("getattr(torch, 'ji' + 't')", "jit"),
        ("__import__('torch')", "__import__"),
        ("import re\nre.compile('a'), model.eval(), jax.jit(f), torch.nn.Linear(2, 3)", None),
        ("from nowhere import *", "from nowhere import *"),
        ("-" * 10_000 + "1", "a cell that is too deeply nested to be read"),
        ("%matplotlib inline\n!pip list\nx = 1", None),
        ("%%time\nx = %timeit -n 3 -o y", None),
        ("%load_ext nbgrader", None),
        ("%load_ext nowhere", "%load_ext"),
        ("def broken(:", None),
    ],
)
def test_what_can_change_any_name_unseen_is_named(source, way):
    assert changes_any_name([source]) == way


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
        assert shortcut(exercise, Page([source])) is None


def test_a_star_costs_its_reader_once_however_often_it_is_written():
    page = Page(["from torch import *\n" * 97, "relu = 1", "from torch import *"])
    assert [type(meaning).__name__ for meaning in page.bindings["relu"]] == ["ImportFrom", "Assign", "ImportFrom"]
    assert len(page.bindings["softmax"]) == 1
