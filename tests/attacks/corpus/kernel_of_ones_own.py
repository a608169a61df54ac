"""Ask for another kernel, another language, and preprocessors by name, in the notebook's metadata."""

KIND = "metadata and cells"
DESERVES = 12
ANSWERS = {"scaled_dot_product": "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n"}


def change(notebook):
    """A kernel that is a shell command, and a language whose highlighter does not exist."""
    node = type(notebook)
    notebook.metadata = node(
        kernelspec=node(name="../../bin/sh", display_name="<script>document.title='owned'</script>", language="bash"),
        language_info=node(name="<img src=x onerror=alert(1)>", pygments_lexer="../../../etc/passwd"),
        widgets={"application/vnd.jupyter.widget-state+json": {"state": {}, "version_major": 2, "version_minor": 0}},
        celltoolbar="Create Assignment",
        nbgrader={"score": 1000},
    )
