"""Turn the test into text."""

KIND = "metadata and cells"
DESERVES = 12
ANSWERS = {"scaled_dot_product": "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n"}


def change(notebook):
    """A Markdown cell in place of the test."""
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "test_scaled_dot_product":
            cell.cell_type = cell.metadata.nbgrader.cell_type = "markdown"
            cell.pop("outputs", None)
            cell.pop("execution_count", None)
