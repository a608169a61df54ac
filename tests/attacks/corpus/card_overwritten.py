"""Write over the verdict that stands below a test cell: `clear_output`, and an update of each display."""

KIND = "forged output"
DESERVES = 12
CELL = """
import threading
import time
from IPython.display import clear_output, display, update_display

handles = [display("waiting", display_id=name) for name in ("card", "score", "verdict", "test_scaled_dot_product")]

def later():
    for _ in range(50):
        time.sleep(0.02)
        try:
            clear_output(wait=False)
            for name in ("card", "score", "verdict", "test_scaled_dot_product"):
                update_display("8", display_id=name)
        except Exception:
            pass

threading.Thread(target=later, daemon=True).start()
"""
ANSWERS = {"scaled_dot_product": "def scaled_dot_product(q, k, v, mask=None):\n    return q, k\n"}
