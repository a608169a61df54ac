import subprocess
import sys

import pytest

from course_lib.tasks import torchvision_mend

CODE = """
import warnings
warnings.simplefilter("error")
from course_lib.tasks.torchvision_mend import import_torchvision
torchvision = import_torchvision()
import torch
model = torchvision.models.resnet18(weights=None).eval()
print(tuple(model(torch.zeros(1, 3, 41, 37)).shape), import_torchvision() is torchvision)
"""

BROKEN = """
import sys, types, importlib.abc
class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if name == "torchvision":
            return importlib.machinery.ModuleSpec(name, self)
    def create_module(self, spec): return None
    def exec_module(self, module): raise RuntimeError("built for another torch")
sys.meta_path.insert(0, Finder())
from course_lib.tasks.torchvision_mend import import_torchvision
try:
    import_torchvision()
except ImportError as error:
    print(error)
"""


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_torchvision_imports_beside_this_torch_and_its_models_work():
    assert run(CODE).strip() == "(1, 1000) True"


def test_another_fault_of_torchvision_is_passed_on_in_words():
    assert run(BROKEN).strip() == "torchvision is installed, but its import fails: built for another torch"


def test_where_it_is_missing_the_error_says_what_to_install(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(torchvision_mend.importlib, "import_module", missing)
    with pytest.raises(ImportError, match=r"pip install 'attention-workshop\[images\]'"):
        torchvision_mend.import_torchvision()
