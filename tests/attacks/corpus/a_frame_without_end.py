"""Announce four gigabytes and let the bytes drip."""

KIND = "forged frames"
DESERVES = 20
FLAGGED = True
NOTE = "A frame that is too large costs the cell that sent it."
CELL = """
import os
import socket
import struct

for number in range(3, 64):
    try:
        channel = socket.socket(fileno=os.dup(number))
        channel.send(struct.pack("<II", 2**32 - 1, 2**32 - 1) + b"{" * 97)
    except OSError:
        pass
"""
