"""Announce four gigabytes and let the bytes drip."""

KIND = "forged frames"
DESERVES = 20
GETS = 0
NOTE = "A frame that is too large ends the submission."
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
