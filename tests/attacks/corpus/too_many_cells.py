"""A hundred thousand cells, all of them with the same identity."""

KIND = "the file"
DESERVES = 20
STOCK = "It would take hours."


def data(notebook):
    """The honest cells first."""
    import json

    cell = {"cell_type": "markdown", "id": "same", "metadata": {}, "source": ""}
    notebook.cells += [cell] * 100_003
    return json.dumps(notebook).encode()
