"""Hand in the test of a right answer many times, under many names."""

KIND = "metadata and cells"
DESERVES = 12
ANSWERS = {"scaled_dot_product": "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n"}


def change(notebook):
    """Twenty more of the same test, and the same under the names of others."""
    cells = {c.metadata.get("nbgrader", {}).get("grade_id"): c for c in notebook.cells}
    test, other = cells["test_softmax"], cells["test_scaled_dot_product"]
    for number in range(20):
        copy = type(test)(test)
        copy.id, copy.metadata = f"copy-{number}", type(test)(nbgrader=type(test)(test.metadata.nbgrader))
        copy.metadata.nbgrader.grade_id = f"test_softmax_{number}" if number % 2 else other.metadata.nbgrader.grade_id
        notebook.cells.append(copy)
