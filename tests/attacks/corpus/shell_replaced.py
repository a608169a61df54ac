"""Replace the shell's way of running cells, so that nothing after this one is executed."""

KIND = "patching"
DESERVES = 12
GETS = 4
NOTE = "The answers below the attack are never defined: only what stood above it counts."
ANSWERS = {
    "scaled_dot_product": """
class Fine:
    success, error_before_exec, error_in_exec, result = True, None, None, 8

get_ipython().run_cell = lambda *anything, **more: Fine()
"""
}
