"""What ran is asked of torch's dispatcher: by whatever name, and from wherever, an operator is called."""

import subprocess
import sys

import pytest

WAYS = {
    "its function": "torch.softmax(x, -1)",
    "overrides switched off": "off(lambda: x.softmax(-1))",
    "TorchScript": "scripted(x)",
    "the built-in behind it": "torch._C._VariableFunctions._softmax(x, -1, False)",
    "the operator": "torch.ops.aten._softmax(x, -1, False)",
    "a function over a batch": "off(lambda: torch.vmap(lambda row: row.softmax(-1))(x))",
    "a gradient": "off(lambda: torch.softmax(x.clone().requires_grad_(), -1).sum().backward())",
    "a thread": "in_a_thread(lambda: off(lambda: torch.softmax(x, -1)))",
    "a result that is there already": "torch._C._VariableFunctions._softmax(x, -1, False, out=torch.empty(3, 5))",
    "another function": "off(lambda: torch.nn.functional.gumbel_softmax(x))",
}
SCRIPT = f"""
import threading, warnings
warnings.simplefilter("error")
import torch
from autograder.probes.torch import operators

heard, ways = set(), {WAYS!r}
x = torch.arange(15.0).reshape(3, 5)
before = torch.softmax(x, -1)
operators.follow_operators(heard.add)
warnings.simplefilter("ignore")
scripted = torch.jit.script(torch.nn.Softmax(-1))

def off(work):
    with torch._C.DisableTorchFunction():
        return work()

def in_a_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

for way, source in ways.items():
    heard.clear()
    eval(source)
    print(way, "_softmax" in heard, sep=":")
heard.clear()
torch.exp(x) / torch.exp(x).sum(-1, keepdim=True), torch.logsumexp(x, -1), x.norm(), torch.randn(3), x.var(-1)
print("from its parts", not heard, sep=":")
print("the same numbers", torch.equal(before, torch.softmax(x, -1)), sep=":")
x = x.detach().double().requires_grad_()
print("the same gradients", torch.autograd.gradcheck(lambda x: torch.softmax(x, -1), x), sep=":")
try:
    torch.softmax(x, 7)
except IndexError:
    print("the same errors", True, sep=":")
"""
OTHERS = ["from its parts", "the same numbers", "the same gradients", "the same errors"]


@pytest.fixture(scope="module")
def heard():
    """Way → was it heard? In a process of its own, for torch stays so."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(line.rsplit(":", 1) for line in done.stdout.splitlines())


@pytest.mark.parametrize("way", [*WAYS, *OTHERS])
def test_an_operator_is_heard_by_every_way_and_nothing_else_changes(heard, way):
    assert heard[way] == "True"
