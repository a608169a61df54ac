"""Send a pickle, whose loading would start a program, where the channel carries tensors."""

KIND = "forged frames"
DESERVES = 20
FLAGGED = True
NOTE = "A cell that sends anything but a safetensors file fails; nothing is ever unpickled."
CELL = """
import json
import os
import pickle
import socket
import struct

class Loaded:
    def __reduce__(self):
        return os.system, ("touch @COURSE@/unpickled @HOME@/unpickled",)

payload = pickle.dumps({"values": Loaded()})
text = json.dumps({"op": "case", "name": "one sequence", "calls": [], "at": [0, 0], "token": None}).encode()
for number in range(3, 64):
    try:
        channel = socket.socket(fileno=os.dup(number))
        channel.send(struct.pack("<II", len(text), len(payload)) + text + payload)
    except OSError:
        pass
"""
