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
    "a case of one's own": [
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
    # another process
    "`os.fork`": ["import os", "def softmax(x):\n    return os.fork() or x"],
    "`fork`": ["from os import fork as f", "def softmax(x):\n    return f() or x"],
    "`posix_spawn`": ["def softmax(x):\n    return getattr(os, 'posix_' + 'spawn')(x)"],
    "`os.system`": ["def softmax(x):\n    return os.system(x)"],
    "`ProcessPoolExecutor`": [
        "from concurrent.futures import ProcessPoolExecutor",
        "pool = ProcessPoolExecutor(1)",
        "def softmax(x):\n    return pool.submit(max, x)",
    ],
    "`!`": ["def softmax(x):\n    said = !python ready.py\n    return said"],
    "`socket`": ["import os, socket", "def softmax(x):\n    return socket.socket()"],
    # another library, and torch's own copies
    "`scipy`": ["import math, scipy.special", "def softmax(x):\n    return scipy.special.logsumexp(x)"],
    "`jax`": ["from jax import nn as parts", "def softmax(x):\n    return parts.relu(x)"],
    "`_refs`": ["import torch._refs as parts", "def softmax(x):\n    return parts.exp(x)"],
    "`torch._decomp`": ["import torch._decomp", "def softmax(x):\n    return torch._decomp.table[x]"],
    "`o._pop_mode`": ["import torch.overrides as o", "def softmax(x):\n    return o._pop_mode()"],
    "`torch.distributions.transform_to`": ["def softmax(x):\n    return torch.distributions.transform_to(x)"],
    "`torch.autograd.grad`": ["def softmax(x):\n    return torch.autograd.grad(x.logsumexp(0).sum(), x)[0]"],
    "`allow_pickle`": ["def softmax(x):\n    return np.load('ready.npy', allow_pickle=True)"],
    "`torch.load`": ["def softmax(x):\n    return torch.load('ready.pt')(x)"],
    # names that no reader sees
    "`pkgutil.resolve_name`": ["import pkgutil", "def softmax(x):\n    return pkgutil.resolve_name(x)"],
    "`parts.__dict__`": ["parts = F", "def softmax(x):\n    return parts.__dict__[x]"],
    "`getattr`": ["take = getattr", "def softmax(x):\n    return take(F, x)"],
    "uses `getattr`": ["def softmax(x):\n    return getattr(*[F, x])(x)"],
    "`operator.attrgetter`": ["take = operator.attrgetter", "def softmax(x):\n    return take(x)(F)"],
    "`eval`": ["ready, = map(eval, ['x'])", "def softmax(x):\n    return ready(x)"],
    "`__code__`": ["match f:\n    case object(__code__=c):\n        pass", "def softmax(x):\n    return c"],
    "`__match_args__`": [
        "class Any:\n    __match_args__ = (name,)",
        "def softmax(x):\n    match F:\n        case Any(ready):\n            return ready(x)",
    ],
    "`typing.get_type_hints`": ["import typing", "def softmax(x):\n    return typing.get_type_hints(x)"],
    "`pickle`": ["import pickle", "def softmax(x):\n    return pickle.loads(b'c')(x)"],
    "`run_path`": ["from runpy import run_path as run", "def softmax(x):\n    return run('a.py')['ready'](x)"],
    "`timeit`": [
        "import timeit\nbox = {}",
        "timeit.timeit('box[0] = ready', globals={'box': box})",
        "def softmax(x):\n    return box[0](x)",
    ],
    "`types.FunctionType`": ["import types", "def softmax(x):\n    return types.FunctionType(x, {})"],
    "`inspect.getmembers`": ["import inspect", "def softmax(x):\n    return inspect.getmembers(F)"],
    "`T.__subclasses__`": ["def softmax(x):\n    return T.__subclasses__()[0]()(x)"],
}
OPEN = {
    "imports that no answer uses": ["import scipy, concurrent.futures, torch.multiprocessing\nimport math, jax", OWN],
    "a package beside one that it uses": ["import os, pickle, subprocess", OWN.replace("e =", "os.getpid()\n    e =")],
    "a shell command beside it": ["!pip list", OWN, "files = !ls"],
    "names of its own": ["vars, compile = [1], max", OWN.replace("e =", "for v in vars: compile\n    e =")],
    "a base class of torch's": ["class softmax(torch.optim.lr_scheduler._LRScheduler):\n    pass"],
    "numbers to start from": ["def softmax(x):\n    return nn.init._calculate_fan_in_and_fan_out(x)"],
    "its own attributes": ["class softmax:\n    def go(self):\n        return self.__dict__, self._refs, self.modules"],
    "the time": ["from timeit import default_timer", OWN.replace("e =", "default_timer()\n    e =")],
    "weights": ["def softmax(x):\n    return np.load('a', allow_pickle=False), torch.load('b', weights_only=True)"],
}


@pytest.mark.parametrize("cells", OPEN.values(), ids=OPEN)
def test_what_stands_in_the_open_needs_no_look(cells):
    assert out_of_sight(SOFTMAX, Page(cells)) is None
    assert changes_any_name(cells) is None


def test_a_ready_made_transform_is_found():
    cells = ["def softmax(x):\n    return torch.distributions.SoftmaxTransform()(x)"]
    assert "`torch.distributions.SoftmaxTransform`" in shortcut(SOFTMAX, Page(cells))


def test_what_forbids_nothing_may_use_any_library():
    cells = ["import scipy", "def padding_mask(x):\n    return scipy.special.logsumexp(x)"]
    assert out_of_sight(find("padding_mask"), Page(cells)) is None


@pytest.mark.parametrize("name", ["nn.Transformer.generate_square_subsequent_mask", "bias.causal_upper_left"])
def test_a_ready_made_mask_is_found(name):
    cells = ["from torch.nn.attention import bias", f"def causal_mask(size):\n    return {name}(size)"]
    assert f"`{name}`" in shortcut(find("causal_mask"), Page(cells))


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
        ("import torch._refs as parts", "torch._refs"),
        ("if not os.fork():\n    serve()", "os.fork"),
        ("from subprocess import Popen", "Popen"),
        ("%%bash --bg\npython serve.py", "!… &"),
        ("!python serve.py & sleep 1", "!… &"),
        ("!pip install a 2>&1 && wget 'b?c=1&d=2'", None),
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
        page = Page([source])
        assert shortcut(exercise, page) is None
        assert exercise.name not in page.bindings or out_of_sight(exercise, page) is None


def test_a_star_costs_its_reader_once_however_often_it_is_written():
    page = Page(["from torch import *\n" * 97, "relu = 1", "from torch import *"])
    assert [type(meaning).__name__ for meaning in page.bindings["relu"]] == ["ImportFrom", "Assign", "ImportFrom"]
    assert len(page.bindings["softmax"]) == 1


def test_entries_that_lead_to_each_other_are_followed_one_by_one():
    notes = "".join(f"f.a{n} = f.a{n + 1}\n" for n in range(500))
    page = Page([f"def softmax(x):\n    return f.a0\ndef f(): pass\n{notes}f.a500 = F.softmax"])
    assert shortcut(SOFTMAX, page)
    assert len(page.reached("softmax")) == 503
