"""Take all the memory."""

KIND = "bombs"
DESERVES = 20
STOCK = "A bomb."
CELL = "hoard = []\nwhile True:\n    hoard.append(bytearray(64 << 20))\n"
