"""Print without end."""

KIND = "bombs"
DESERVES = 20
STOCK = "A bomb."
CELL = "while True:\n    print('8' * 9973)\n"
