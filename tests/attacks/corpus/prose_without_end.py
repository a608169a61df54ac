"""Hand in prose whose markup takes its reader's time squared, in many cells: tags that never close, or only close."""

import nbformat

KIND = "the file"
DESERVES = 20
STOCK = "It would take for ever."


def change(notebook):
    for number, part in enumerate(("<b></p>", "![", "*a", "[[", "</b><i>", "<details>") * 9):
        notebook.cells.append(nbformat.v4.new_markdown_cell(part * (19_000 // len(part)), id=f"prose-{number}"))
    notebook.cells.append(nbformat.v4.new_markdown_cell("<b></p>" * 21_000, id="prose-long"))
