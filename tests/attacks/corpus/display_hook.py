"""A display hook shows the full score, whatever a cell's last line gives."""

KIND = "rewriting cells"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import sys

class Eight(float):
    def __repr__(self):
        return "8.0"

get_ipython().display_formatter.format = lambda *anything, **more: ({"text/plain": "8"}, {})
sys.displayhook = lambda value: print(8)
get_ipython().displayhook.compute_format_data = lambda value: ({"text/plain": "8"}, {})

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
