"""A hook before and after each cell puts a generous `check` back, whatever the page imports."""

KIND = "rewriting cells"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
def generous(*anything):
    get_ipython().user_ns["check"] = lambda *more: 8

get_ipython().events.register("pre_run_cell", generous)
get_ipython().events.register("post_run_cell", generous)

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
