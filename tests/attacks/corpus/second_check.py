"""Call `check` in a separate cell, on a right answer under the name of the wrong one."""

KIND = "forged output"
DESERVES = 12
ANSWERS = {"scaled_dot_product": "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n"}


def change(notebook):
    """A second test cell with the first one's identity, below all the others."""
    cell = next(
        c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "test_scaled_dot_product"
    )
    copy = type(cell)(cell)
    copy.id, copy.source = "again", 'check("softmax", softmax)\n8'
    notebook.cells.append(copy)
