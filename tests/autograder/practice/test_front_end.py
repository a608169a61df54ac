import types

import pytest
from jupyter_client.manager import start_new_kernel

from autograder.practice import front_end

IN_A_KERNEL = """
import os
os.environ["COURSE_PROGRESS"] = os.environ["COURSE_MY_TRANSFORMER"] = "off"
from autograder import check
def causal_mask(size):
    import torch
    return torch.ones(size, size).tril(1).bool()
check("causal_mask", causal_mask)
"""


@pytest.fixture(scope="module")
def kernel():
    """A Python kernel, and a client like that of `jupyter console`."""
    manager, client = start_new_kernel(kernel_name="python3")
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def shown(kernel, **asked):
    """What a kernel prints, and the plain text of what the last line returns."""
    printed, results = [], []

    def note(message):
        content = message["content"]
        printed.append(content.get("text", ""))
        results.append(content.get("data", {}).get("text/plain", ""))

    kernel.execute_interactive(IN_A_KERNEL, timeout=60, output_hook=note, **asked)
    return "".join(printed), "".join(results)


def test_a_terminal_in_front_of_a_kernel_gets_the_card_as_text(kernel):
    printed, result = shown(kernel, allow_stdin=True)
    assert printed.startswith("causal_mask: Not right yet") or printed.startswith("causal_mask: Partly right")
    assert "diagonal one too high" in printed
    assert float(result) < 2


def test_what_executes_a_notebook_gets_the_number_and_nothing_printed(kernel):
    printed, result = shown(kernel, allow_stdin=False)
    assert printed == ""
    assert float(result) < 2


OURS, A_BROWSERS = "0a1b2c3d-4e5f_813_7", "9f1c7a52-0c6e-4a57-9d2e-6f1d0f7f3a11"


@pytest.mark.parametrize(
    ("number", "metadata", "stdin", "terminal"),
    [
        (OURS, {}, True, True),  # jupyter console
        (OURS, {}, False, False),  # nbconvert, Validate
        (A_BROWSERS, {"cellId": "a1"}, True, False),  # JupyterLab
        (A_BROWSERS, {}, True, False),  # the notebook before version 7
        (OURS, {"cellId": "a1"}, True, False),  # an editor with cells of its own
    ],
)
def test_who_asks_is_read_from_the_request(number, metadata, stdin, terminal):
    request = {"header": {"msg_id": number}, "metadata": metadata, "content": {"allow_stdin": stdin}}
    shell = types.SimpleNamespace(get_parent=lambda: request)
    assert front_end.is_asked_by_a_terminal(shell) is terminal
