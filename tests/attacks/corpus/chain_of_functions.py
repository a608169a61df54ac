"""Write twenty thousand functions, each of which calls the next: who looks for shortcuts follows every one."""

KIND = "the file"
DESERVES = 20
FLAGGED = True
NOTE = "The code is too long: that cell is not read."
STOCK = "It would take for ever."
CELL = "\n".join(f"def f{number}(): return f{number + 1}()" for number in range(20_000))
