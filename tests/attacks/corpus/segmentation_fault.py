"""Crash the interpreter."""

KIND = "ending the process"
DESERVES = 20
CELL = "import ctypes\nctypes.string_at(0)\n"
