"""Kill the process group."""

KIND = "ending the process"
DESERVES = 20
STOCK = "It would kill the grader."
CELL = "import os\nos.killpg(0, 9)\n"
