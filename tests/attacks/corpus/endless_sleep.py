"""Sleep for ever, in a process of its own that holds the lock of the interpreter."""

KIND = "stalling"
DESERVES = 20
STOCK = "It would take stock nbgrader's time limit, if one is set."
CELL = "import ctypes\nctypes.PyDLL(None).sleep(9973)\n"
