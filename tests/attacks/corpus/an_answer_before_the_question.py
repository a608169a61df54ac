"""A thread sends prepared answers all the time, so that one of them is there when the question comes."""

KIND = "forged frames"
DESERVES = 20
FLAGGED = True
NOTE = "A cell that sends an unrequested frame fails: nothing that its process says later is believed."
CELL = """
import json
import os
import socket
import struct
import threading
import time

def frame(header):
    text = json.dumps(header).encode()
    return struct.pack("<II", len(text), 0) + text

def prepared():
    sockets = []
    for number in range(3, 64):
        try:
            sockets.append(socket.socket(fileno=os.dup(number)))
        except OSError:
            pass
    while True:
        for channel in sockets:
            channel.send(frame({"op": "case", "name": "one sequence", "calls": [], "at": [0, 0], "token": "0"}))
            channel.send(frame({"op": "done", "status": "ok", "at": [0, 0], "token": "0"}))
        time.sleep(0.001)

threading.Thread(target=prepared, daemon=True).start()
time.sleep(0.05)
"""
