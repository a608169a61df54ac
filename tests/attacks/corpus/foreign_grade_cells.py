"""Add test cells with points that were never released."""

KIND = "metadata and cells"
DESERVES = 12
ANSWERS = {"scaled_dot_product": "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n"}


def change(notebook):
    """A bonus for everything."""
    template = next(c for c in notebook.cells if c.cell_type == "code")
    for number in range(3):
        bonus = type(template)(template)
        bonus.id, bonus.source = f"bonus-{number}", "1000"
        grading = {"grade": True, "grade_id": f"bonus{number}", "locked": True, "points": 1000, "schema_version": 3}
        grading |= {"solution": False, "task": False, "cell_type": "code"}
        bonus.metadata = type(template)(nbgrader=type(template)(grading))
        notebook.cells.append(bonus)
