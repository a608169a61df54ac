"""A real IPython shell without a front end: what it shows becomes nbformat v4 outputs.

Rich output is handed to `emit`; text goes to descriptors 1 and 2 like anybody's, so that Python, C code and
subprocesses stay in order.
"""

import ast
import base64
import builtins
import io
import sys
import warnings
from collections.abc import Callable
from typing import NoReturn

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.protocol.channel import KINDS

MAX_MESSAGE = 20_000


def drop(header: dict) -> None:
    """What a shell reports that runs for no submission."""


class Publisher(DisplayPublisher):
    """What `display()` and inline figures call."""

    shell: "Shell"

    def publish(
        self,
        data: dict,
        metadata: dict | None = None,
        source: str | None = None,  # deprecated in IPython, and passed by nobody
        *,
        transient: dict | None = None,
        update: bool = False,
        **_: object,
    ) -> None:
        record = {"output_type": "display_data", "data": bundle(data), "metadata": {}}
        self.shell.emit(
            {
                "op": "output",
                "output": record,
                "display_id": (transient or {}).get("display_id"),
                "update": bool(update),
            }
        )

    def clear_output(self, wait: bool = False) -> None:
        self.shell.emit({"op": "clear", "wait": bool(wait)})


class Result(DisplayHook):
    """What the value of a cell's last line goes through."""

    shell: "Shell"

    def write_output_prompt(self) -> None:
        """Nothing: the notebook writes its own."""

    def write_format_data(self, format_dict: dict, md_dict: dict | None = None) -> None:
        record = {
            "output_type": "execute_result",
            "data": bundle(format_dict),
            "metadata": {},
        }
        self.shell.emit({"op": "output", "output": record})

    def finish_displayhook(self) -> None:
        self._is_active = False


class Shell(InteractiveShell):
    """An `InteractiveShell` that reports to `emit` and touches no disk."""

    display_pub_class = Publisher
    displayhook_class = Result

    emit: Callable[[dict], None] = staticmethod(drop)  # a submission puts its own here

    def transform_cell(self, raw_cell: str) -> str:
        """As IPython reads it; lines that are Python already have nothing of IPython's, and are not searched for it."""
        if "\n" not in raw_cell.strip() or not is_python(raw_cell):
            return super().transform_cell(raw_cell)
        return raw_cell if raw_cell.endswith("\n") else f"{raw_cell}\n"

    def enable_gui(self, gui: str | None = None) -> None:
        """There is no event loop to integrate with."""

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException, stb: list[str]) -> None:
        try:
            message = str(evalue)
        except Exception:  # noqa: BLE001 (an exception's own __str__ is student code)
            message = "<an exception whose text cannot be shown>"
        record = {
            "output_type": "error",
            "ename": str(etype.__name__)[:MAX_MESSAGE],
            "evalue": message[:MAX_MESSAGE],
            "traceback": [str(line)[:MAX_MESSAGE] for line in stb[:100]],
        }
        self.emit({"op": "output", "output": record})


Shell.system = InteractiveShell.system_raw


def is_python(source: str) -> bool:
    """Does it parse as it stands, a bare `await` included?"""
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(source, "cell", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except Exception:  # noqa: BLE001 (a magic, or nothing that anybody can read)
        return False
    return True


def make_shell() -> Shell:
    """The shell of this process, without history, profile start-up files or colours of a terminal."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.cache_size = 1000
    config.InteractiveShell.colors = "neutral"
    config.InteractiveShell.autoindent = False
    return Shell.instance(config=config)


def bundle(data: dict) -> dict:
    """What is kept of a mime bundle: text, and pictures in base64."""
    kept = {kind: data[kind] for kind in KINDS if isinstance(data.get(kind), (str, bytes))}
    return {kind: base64.b64encode(v).decode("ascii") if isinstance(v, bytes) else v for kind, v in kept.items()}


def text_stream(descriptor: int) -> io.TextIOWrapper:
    """A `sys.stdout` for a file descriptor: nothing stays in a buffer when a cell dies."""
    raw = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True)


def no_input(prompt: object = "", *_: object) -> NoReturn:
    """Stands for `input`: nobody sits at the keyboard."""
    raise RuntimeError("input() cannot be answered during grading; put the value in the cell")


def take_over_streams() -> None:
    """Point Python's streams at descriptors 1 and 2, and take the keyboard away."""
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        stream = text_stream(descriptor)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    builtins.input = no_input
