"""What is forbidden: shortcuts are found wherever the student's object reaches them."""

import pytest

from autograder.catalogue import find
from autograder.judging.page import Page
from autograder.judging.shortcuts import shortcut

DOT = find("scaled_dot_product")
USES = "def scaled_dot_product(q, k, v, mask=None):\n    return {}\n"
SOFTMAX = find("softmax")
READY = "def softmax(x, dim=-1):\n    return torch.softmax(x, dim)\n"
OWN = "def softmax(x, dim=-1):\n    e = torch.exp(x)\n    return e / e.sum(dim)\n"

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
    "by a pattern": [
        "match parts:\n    case object(softmax=ready):\n        pass",
        "def softmax(x):\n    return ready(x)",
    ],
    "by a path of names": ["ready = operator.attrgetter('nn.functional.softmax')(torch)", "softmax = ready"],
    "by a raised error": [
        "def softmax(x):\n    return ready(x)",
        "try:\n    raise Wrong(F.softmax)\nexcept Wrong as e:\n    ready = e.args[0]",
    ],
    "where an own definition may not run": [READY, "if False:\n    " + OWN.replace("\n    ", "\n        ")],
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
    "a keyword": ["TOOLS = []", "put(into=TOOLS, f=F.softmax)", USES_TOOLS],
    "a dict of names": ["TOOLS = {}", "run('…', f=F.softmax, names={'TOOLS': TOOLS})", USES_TOOLS],
    "an entry of a table that is asked by a name": ["TOOLS = {}", "TOOLS[0] = F.softmax", USES_TOOLS],
    "an entry of a table that is searched": [
        "TOOLS = {}",
        "TOOLS['a'] = F.softmax",
        "def softmax(x):\n    return [*TOOLS.values()][0](x)",
    ],
    "an attribute of a function": [
        "def tool(): pass\ntool.ready = F.softmax",
        "def softmax(x):\n    return tool.ready(x)",
    ],
    "an attribute by a text": [
        "def tool(): pass\ntool.ready = F.softmax",
        "def softmax(x):\n    return getattr(tool, 'ready')(x)",
    ],
    "an attribute by parts of a text": [
        "def tool(): pass\ntool.ready = F.softmax",
        "def softmax(x):\n    return getattr(tool, 're' + 'ady')(x)",
    ],
    "an attribute by a pattern": [
        "def tool(): pass\ntool.ready = F.softmax",
        "def softmax(x):\n    match tool:\n        case object(ready=f):\n            return f(x)",
    ],
    "a self that is a library": ["self = F", "def softmax(x):\n    return self.softmax(x)"],
    "a namespace's entry": ["space = F.__dict__", "def softmax(x):\n    return space['softmax'](x)"],
    "a library's entry": ["from parts import ALL", "def softmax(x):\n    return ALL['softmax'](x)"],
    "a library's attribute beside an own one": [
        "class Mine:\n    softmax = None",
        "parts = F\ndef softmax(x):\n    return Mine and parts.softmax(x)",
    ],
    "a default": ["def softmax(x, dim=-1, ready=F.softmax):\n    return ready(x, dim)"],
    "an attrgetter": ["ready = operator.attrgetter('softmax')(F)", "def softmax(x):\n    return ready(x)"],
    "a name from parts": ["ready = getattr(F, ''.join(['soft', 'max']))", "def softmax(x):\n    return ready(x)"],
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


@pytest.mark.parametrize("cells", REBOUND.values(), ids=REBOUND)
def test_another_meaning_of_a_name_is_followed(cells):
    assert "softmax`" in shortcut(SOFTMAX, Page(cells))


@pytest.mark.parametrize("cells", PUT_AWAY.values(), ids=PUT_AWAY)
def test_what_was_put_into_a_container_is_found(cells):
    assert "softmax" in (shortcut(SOFTMAX, Page(cells)) or "")


def test_what_stands_below_the_test_can_change_an_answer_but_not_its_name():
    assert shortcut(SOFTMAX, Page([OWN], ["softmax = F.softmax"])) is None
    assert shortcut(SOFTMAX, Page([OWN], ["softmax.__code__ = F.softmax.__code__"]))


def test_a_ready_made_transform_is_found():
    cells = ["def softmax(x):\n    return torch.distributions.SoftmaxTransform()(x)"]
    assert "`torch.distributions.SoftmaxTransform`" in shortcut(SOFTMAX, Page(cells))


@pytest.mark.parametrize("name", ["nn.Transformer.generate_square_subsequent_mask", "bias.causal_upper_left"])
def test_a_ready_made_mask_is_found(name):
    cells = ["from torch.nn.attention import bias", f"def causal_mask(size):\n    return {name}(size)"]
    assert f"`{name}`" in shortcut(find("causal_mask"), Page(cells))
