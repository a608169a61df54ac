"""Attach a drawing with a script in it, under a name that is markup, to cells of text."""

KIND = "the instructor's browser"
DESERVES = 20
ANSWERS = {"why_the_root": "![x](attachment:x.svg) ![y](attachment:y.png)"}


def change(notebook):
    """An SVG that says it is a PNG, and one that does not."""
    import base64

    drawing = base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg' onload=\"document.title='owned'\"/>").decode()
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.attachments = {
                "x.svg": {"image/svg+xml": drawing, "text/html": "<script>document.title='owned'</script>"},
                "y.png": {"image/png": drawing + "\" onerror=\"document.title='owned'"},
                "\"><script>document.title='owned'</script>": {"image/png": drawing},
            }
