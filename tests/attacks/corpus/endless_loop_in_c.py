"""Loop for ever inside C code, where no Python exception can arrive."""

KIND = "stalling"
DESERVES = 20
STOCK = "It would take stock nbgrader's time limit, if one is set."
CELL = "import re\nre.match('(a?){60}a{60}', 'a' * 60)\nsum(range(10**15))\n"
