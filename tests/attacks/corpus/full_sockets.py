"""Fill socket pairs, and connections to itself, in many processes: what waits in them is in no process's memory."""

KIND = "bombs"
DESERVES = 20
STOCK = "A bomb."
CELL = """
import os, resource, socket, time
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
for _ in range(15):
    if not os.fork():
        break
held = []
def fill(end):
    end.setblocking(False)
    try:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
    except OSError:
        pass
    try:
        while end.send(bytes(1 << 16)):
            pass
    except OSError:
        pass
try:
    while True:
        held += socket.socketpair()
        fill(held[-1])
        fill(held[-2])
except OSError:
    pass
try:
    with socket.create_server(("127.0.0.1", 0)) as server:
        while True:
            held.append(socket.create_connection(server.getsockname()))
            fill(held[-1])
except OSError:
    pass
time.sleep(997)
"""
