"""Display pictures and pages without end."""

KIND = "bombs"
DESERVES = 20
STOCK = "A bomb."
CELL = """
from IPython.display import display

for number in range(2000):
    display({"image/png": "A" * 1_000_000, "text/html": "<p>8</p>" * 10_000}, raw=True)
"""
