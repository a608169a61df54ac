"""What is flagged: code that a reader of the source cannot follow."""

import pytest

from autograder.catalogue import find
from autograder.judging.flagged import changes_any_name, out_of_sight
from autograder.judging.page import Page

SOFTMAX = find("softmax")
OWN = "def softmax(x, dim=-1):\n    e = torch.exp(x)\n    return e / e.sum(dim)\n"

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
    "its own attributes": [
        "class softmax:\n    def go(self):\n        return self.__dict__, vars(self), self._refs, self.modules"
    ],
    "the time": ["from timeit import default_timer", OWN.replace("e =", "default_timer()\n    e =")],
    "weights": ["def softmax(x):\n    return np.load('a', allow_pickle=False), torch.load('b', weights_only=True)"],
}


@pytest.mark.parametrize(("said", "cells"), OUT_OF_SIGHT.items(), ids=OUT_OF_SIGHT)
def test_what_cannot_be_followed_is_named(said, cells):
    assert said in out_of_sight(SOFTMAX, Page(cells))


@pytest.mark.parametrize("cells", OPEN.values(), ids=OPEN)
def test_what_stands_in_the_open_needs_no_look(cells):
    assert out_of_sight(SOFTMAX, Page(cells)) is None
    assert changes_any_name(cells) is None


def test_a_derivative_is_flagged_only_where_it_can_be_the_answer():
    cells = ["class RMSNorm(nn.Module):\n    def fit(self, loss):\n        loss.backward()"]
    assert out_of_sight(find("RMSNorm"), Page(cells)) is None


def test_what_forbids_nothing_may_use_any_library():
    cells = ["import scipy", "def padding_mask(x):\n    return scipy.special.logsumexp(x)"]
    assert out_of_sight(find("padding_mask"), Page(cells)) is None


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
