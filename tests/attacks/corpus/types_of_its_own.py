"""Put numbers where text belongs, text where cells belong, and objects where names belong."""

KIND = "the file"
DESERVES = 12
ANSWERS = {"scaled_dot_product": "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n"}


def data(notebook):
    """Cells that are no cells between those that are."""
    import json

    strange = [None, 8, "text", [], {"cell_type": 8}, {"cell_type": "code", "source": {"a": 1}, "metadata": 8}]
    strange += [{"cell_type": "code", "source": ["a", 8], "metadata": {"nbgrader": [8]}, "outputs": 8, "id": {"a": 1}}]
    strange += [
        {"cell_type": "code", "source": "1", "metadata": {"nbgrader": {"grade_id": {"a": 1}, "points": "many"}}}
    ]
    mixed = [cell for number, cell in enumerate(notebook.cells) for cell in (cell, strange[number % len(strange)])]
    return json.dumps({"nbformat": "4", "metadata": [], "cells": mixed, "nbformat_minor": None}).encode()
