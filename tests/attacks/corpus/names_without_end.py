"""Send the judge a record with hundreds of thousands of names, on the submission's own channel."""

KIND = "bombs"
DESERVES = 20
FLAGGED = True
NOTE = "What is no answer costs the cell that sent it."
STOCK = "A bomb."
CELL = """
import json, os, socket, stat, struct
names = {f"n{n}": [] for n in range(300_000)}
text = json.dumps({"op": "case", "name": "x", "calls": [], "error": {"type": "E", "message": "", "expected": names}})
for number in range(3, 64):
    try:
        if stat.S_ISSOCK(os.fstat(number).st_mode):
            channel = socket.socket(fileno=os.dup(number))
            channel.setblocking(True)
            channel.sendall(struct.pack("<II", len(text), 0) + text.encode())
    except OSError:
        pass
"""
