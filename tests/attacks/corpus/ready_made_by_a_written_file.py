"""Write the ready-made softmax into a module, and run it or import it from there."""

KIND = "built-in functions"
DESERVES = 16
FLAGGED = True
NOTE = "Nobody reads what a submission writes: it is flagged, and refused because torch says what ran."
STATUS = {"softmax": "forbidden"}
ANSWERS = {
    "softmax": """
from pathlib import Path
import sys

Path("scripted.py").write_text('''
import torch
import warnings
warnings.simplefilter("ignore")
text = "def ready(x, dim: int):\\\\n    return torch." + "soft" + "max(x, dim)\\\\n"
unit = torch.jit.CompilationUnit(text)
mine = lambda logits, dim=-1: unit.ready(logits, dim)
''')
sys.path.insert(0, "")
%run scripted.py
from scripted import mine as softmax
"""
}
