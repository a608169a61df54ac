"""Give cells identities that are paths, markup and commands."""

KIND = "metadata and cells"
DESERVES = 12
ANSWERS = {"scaled_dot_product": "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n"}


def change(notebook):
    """Cell ids and grade_ids that would be harmful where they are trusted."""
    bad = [
        "../../../gradebook.db",
        "\"><script>document.title='owned'</script>",
        "'; drop table grade; --",
        "\x1b]0;owned\x07",
    ]
    node = type(notebook.cells[0])
    for number, text in enumerate(bad):
        grading = node(grade=True, grade_id=text, locked=True, points=9, schema_version=3, solution=False, task=False)
        cell = node(cell_type="markdown", id=text, metadata=node(nbgrader=grading), source="text")
        notebook.cells.insert(3 * number, cell)


def data(notebook):
    """As JSON: nbformat itself would refuse to write such ids."""
    import json

    return json.dumps(notebook).encode()
