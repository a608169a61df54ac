"""Loop for ever in an answer."""

KIND = "stalling"
DESERVES = 12
STATUS = {"scaled_dot_product": "timeout"}
STOCK = "It would take stock nbgrader's time limit, if one is set."
ANSWERS = {
    "scaled_dot_product": """
def scaled_dot_product(q, k, v, mask=None):
    while True:
        pass
"""
}
