"""Exchange the identities of a hard and an easy exercise, so that the easy one earns the hard one's points."""

KIND = "metadata and cells"
DESERVES = 12
ANSWERS = {"scaled_dot_product": "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n"}


def change(notebook):
    """softmax says that it is scaled_dot_product, and the other way round; their tests too."""
    other = {"softmax": "scaled_dot_product", "scaled_dot_product": "softmax"}
    other |= {f"test_{name}": f"test_{to}" for name, to in other.items()}
    for cell in notebook.cells:
        grading = cell.metadata.get("nbgrader", {})
        if grading.get("grade_id") in other:
            grading.grade_id = cell.id = other[grading.grade_id]
