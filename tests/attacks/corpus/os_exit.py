"""End the process at once, in a cell, before anything can be judged."""

KIND = "ending the process"
DESERVES = 20
NOTE = "The cell is lost; the answers of the others count."
CELL = "import os\nos._exit(0)\n"
