"""Display JSON of a million small lists, in many cells: a few bytes each to send, hundreds to hold."""

import nbformat

KIND = "bombs"
DESERVES = 20
STOCK = "A bomb."
CELL = "deep = [[] for _ in range(1_000_000)]"


def change(notebook):
    shown = "from IPython.display import display\ndisplay({'application/json': deep, 'text/plain': 'x'}, raw=True)"
    for number in range(5):
        notebook.cells.append(nbformat.v4.new_code_cell(shown, id=f"shown-{number}"))
