"""A number of a million digits, whose conversion takes for ever, as an execution count."""

KIND = "the file"
DESERVES = 20
STOCK = "It may take for ever."


def data(notebook):
    """The rest of the notebook is honest."""
    import nbformat

    text = nbformat.writes(notebook)
    return text.replace('"execution_count": null', f'"execution_count": {"9" * 1_000_003}', 1).encode()
