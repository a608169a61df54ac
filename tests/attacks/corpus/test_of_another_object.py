"""Let the test check another exercise, or another object under the exercise's name."""

KIND = "metadata and cells"
DESERVES = 12
ANSWERS = {"scaled_dot_product": "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n"}


def change(notebook):
    """It checks the softmax instead."""
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "test_scaled_dot_product":
            cell.source = 'check("softmax", softmax)'
