"""Everything slow, done once before the first fork, on one thread."""

import gc
import os
import sys

WARM_UP = """
import matplotlib.pyplot as plt
fig, (left, right) = plt.subplots(1, 2)
fig.colorbar(left.imshow([[0, 1], [2, 3]]))
right.plot([0, 1], label="line"); right.legend(); right.set_title(r"$x$ warm"); right.set_xlabel("query")
plt.show()
1 / 0
"""


def preload() -> list[str]:
    """Import what notebooks import, draw one figure, fail once; → the exercises that can be probed here."""
    gc.disable()  # a sixth of the time: hardly anything that is imported is garbage
    import ipywidgets  # noqa: F401 (so that children need not)
    import numpy.random  # noqa: F401 (which numpy itself loads when it is first asked for)
    import torch
    import torch.testing
    import torch.utils.data  # noqa: F401

    torch.set_num_threads(1)
    import course_lib  # noqa: F401
    from autograder.probes import run as probes
    from autograder.stages import STAGES
    from autograder.worker.shell import make_shell

    shell = make_shell()
    for line in WARM_UP, "plt.close('all')", "print(1)", "import numpy":
        shell.run_cell(line, store_history=True)
    shell.reset(new_session=True, aggressive=False)
    forget_errors()
    known = [name for stage in STAGES for name in stage.exercises if has_probe(probes, name)]
    gc.collect()
    gc.freeze()
    gc.enable()
    return known


def has_probe(probes, exercise: str) -> bool:
    """Is there code that runs this exercise?"""
    try:
        return callable(probes.probe_of(exercise))
    except (KeyError, ImportError, AttributeError):
        return False


def forget_errors() -> None:
    """Leave no trace of the failure that warmed up the tracebacks."""
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):
        if hasattr(sys, name):
            delattr(sys, name)


def single_thread() -> bool:
    """Is this process still on one thread, so that forking it is safe?"""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return True
