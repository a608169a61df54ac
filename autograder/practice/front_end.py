"""What asks for a check: a notebook in a browser, a terminal, or a program that executes notebooks."""

import re
import sys
from typing import Any

NUMBERED_BY_JUPYTER_CLIENT = re.compile(r"_\d+_\d+$")  # session, process, message


def interactive_shell() -> Any:
    """IPython's shell, or None in a plain Python program, where IPython isn't imported either."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def shows_html() -> bool:
    """Whether the value of the last line is shown as HTML: in a notebook, and not in a terminal or a script."""
    shell = interactive_shell()
    return type(shell).__name__ not in ("NoneType", "TerminalInteractiveShell") and not is_asked_by_a_terminal(shell)


def is_asked_by_a_terminal(shell: Any) -> bool:
    """Whether `jupyter console`, or another terminal, sent the code that runs: there only the plain text is shown.

    Its requests are numbered by jupyter_client, and there is a keyboard to ask. Browsers number theirs differently,
    and what executes whole notebooks has no keyboard.
    """
    request = shell.get_parent() if hasattr(shell, "get_parent") else None
    if not isinstance(request, dict) or "google.colab" in sys.modules:
        return False
    number = request.get("header", {}).get("msg_id", "")
    asks = request.get("content", {}).get("allow_stdin") is True and "cellId" not in request.get("metadata", {})
    return asks and NUMBERED_BY_JUPYTER_CLIENT.search(number) is not None
