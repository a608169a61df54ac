"""Hand in test cells whose stored output is already the full score."""

KIND = "forged output"
DESERVES = 12
ANSWERS = {"scaled_dot_product": "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n"}


def change(notebook):
    """Every test cell says 8."""
    node = type(notebook)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code":
            data = {"text/plain": "8", "text/html": "<p>right, 8 of 8 points</p>"}
            output = node(output_type="execute_result", data=data, metadata=node(), execution_count=1)
            cell.outputs = [output]
            cell.execution_count = 1
