"""Fork until nothing can be forked."""

KIND = "bombs"
DESERVES = 20
STOCK = "A bomb."
CELL = "import os\nwhile True:\n    os.fork()\n"
