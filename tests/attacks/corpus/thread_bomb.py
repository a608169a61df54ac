"""Start threads until none can be started."""

KIND = "bombs"
DESERVES = 20
STOCK = "A bomb."
CELL = """
import threading
import time

while True:
    threading.Thread(target=time.sleep, args=(997,), daemon=True).start()
"""
