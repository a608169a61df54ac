"""Turn tests into answers and answers into tests: unlocked, retyped, without checksums."""

KIND = "metadata and cells"
DESERVES = 12
ANSWERS = {"scaled_dot_product": "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n8\n"}


def change(notebook):
    """Every flag the other way round."""
    for cell in notebook.cells:
        grading = cell.metadata.get("nbgrader", {})
        if grading.get("grade_id", "").endswith("scaled_dot_product"):
            grading.update(locked=not grading.locked, solution=not grading.solution, grade=not grading.grade, points=8)
            grading.pop("checksum", None)
