"""Commands and kernels as processes of their own that need not import torch and nbgrader first: forks of one that has.

The fork runs the command's own script as `__main__`, with its own arguments, directory and standard streams; a command
takes a quarter of a second of computing so, in place of five seconds. Whoever tests what a command
imports, or how it is installed, starts it as users do: `start(…, cold=True)`. A kernel is ipykernel's own, in a fork
that has imported what most pages import: `start_kernel` stands in for jupyter_client's `launch_kernel`.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TextIO

BIN = Path(sys.executable).parent
ROOT = Path(__file__).resolve().parents[1]
SERVE = "from tests.warm import serve; serve()"
IMPORTED = (
    "autograder.cli",
    "autograder.course.grade",
    "autograder.course.demo.run",
    "autograder.course.nbgrader_setup",
    "autograder.practice.check",
    "course_lib.notebook.pictures",
    "ipykernel.kernelapp",
    "matplotlib.pyplot",
    "torch._dynamo",  # an optimizer imports it
)
NUMBER = 4  # bytes


def environment() -> dict[str, str]:
    """That of a newcomer: no activated environment, a bare PATH."""
    return {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/"), "COLUMNS": "120", "OMP_NUM_THREADS": "1"}


def start(
    name: str, *arguments: object, cwd: Path | None = None, cold: bool = False, site: Path | None = None
) -> "Running | subprocess.Popen":
    """Start one of the environment's commands; what comes back has what tests use of `subprocess.Popen`.

    With `site`, a folder, it and every Python that it starts begin with the `sitecustomize.py` there.
    """
    words = [str(BIN / name), *map(str, arguments)]
    variables = environment() | ({"PYTHONPATH": str(site)} if site else {})
    if cold or sys.platform != "linux":  # elsewhere a fork of what has imported torch may crash
        pipe = subprocess.PIPE
        return subprocess.Popen(words, cwd=cwd, env=variables, stdout=pipe, stderr=pipe, text=True)
    return Running(words, cwd or Path.cwd(), variables)


def start_kernel(words: list[str], cwd: str, env: dict[str, str], **_: object) -> "Running":
    """Start a kernel, as `python -m ipykernel_launcher …` would; what jupyter_client calls in place of `Popen`."""
    return Running([*words, f"--IPKernelApp.parent_handle={os.getpid()}"], Path(cwd), env, leads=True)


class Running:
    """A command under way.

    Attributes:
        pid: of its process.
        returncode: as `subprocess` has it, a negative number after a signal; None while it runs.
    """

    stdin = stdout = stderr = None

    def __init__(self, words: list[str], cwd: Path, environment: dict[str, str], leads: bool = False):
        self.returncode = None
        self._written = [tempfile.TemporaryFile("w+", encoding="utf-8") for _ in range(2)]  # noqa: SIM115 - until read
        self._news, there = socket.socketpair()
        order = {"words": words, "cwd": str(cwd), "environment": environment, "leads": leads}
        with there:
            handles = [there.fileno(), *(file.fileno() for file in self._written)]
            socket.send_fds(_server(), [json.dumps(order).encode()], handles)
        self.pid = self._told()

    def _told(self) -> int:
        news = self._news.recv(NUMBER)
        if len(news) < NUMBER:
            raise RuntimeError("the server of warm commands has ended")
        return int.from_bytes(news, "big")

    def poll(self, seconds: float = 0) -> int | None:
        """Its exit code, if it has ended or does so within so many seconds."""
        if self.returncode is None and select.select([self._news], [], [], seconds)[0]:
            self.returncode = os.waitstatus_to_exitcode(self._told())
            self._news.close()
            self._said = tuple(map(_whole, self._written))
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal; one that has ended gets none, as with `Popen`."""
        with suppress(ProcessLookupError):
            if self.poll() is None:
                os.kill(self.pid, number)

    def wait(self, timeout: float = 300) -> int:
        """Wait for its end: its exit code."""
        self.communicate(timeout)
        return self.returncode

    def communicate(self, timeout: float = 300) -> tuple[str, str]:
        """Wait for its end: what it wrote on standard output and standard error."""
        if self.poll(timeout) is None:
            os.kill(self.pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired(str(self.pid), timeout)
        return self._said


def _whole(file: TextIO) -> str:
    """All that was written into a file, which is closed."""
    with file:
        file.seek(0)
        return file.read()


@cache
def _server() -> socket.socket:
    """The process that forks, one for each that runs tests; it ends with it."""
    here, there = socket.socketpair()
    with there:
        command = [sys.executable, "-c", SERVE]
        server = subprocess.Popen(command, stdin=there, stdout=subprocess.DEVNULL, cwd=ROOT, env=environment())

    def close() -> None:
        here.close()
        server.wait()

    atexit.register(close)
    return here


def serve() -> None:
    """Fork for every order that comes through standard input."""
    orders = socket.socket(fileno=os.dup(0))
    for module in IMPORTED:
        importlib.import_module(module)
    gc.freeze()  # what is there is shared by all, and stays
    sys.path[0] = str(BIN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    null = os.open(os.devnull, os.O_RDWR)
    while True:
        order, descriptors, _, _ = socket.recv_fds(orders, 1 << 16, 3)
        if not order:
            os._exit(0)
        if not os.fork():
            break
        for descriptor in descriptors:
            os.close(descriptor)
    orders.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    order = json.loads(order)
    report(socket.socket(fileno=descriptors.pop(0)), order["leads"])
    for target, source in enumerate((null, *descriptors)):
        os.dup2(source, target)
        os.close(source)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background ignores Ctrl-C
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["environment"])
    if backend := os.environ.get("MPLBACKEND"):
        sys.modules["matplotlib"].rcParams["backend"] = backend  # as its import would have done
    customize = Path(os.environ.get("PYTHONPATH", os.devnull)) / "sitecustomize.py"
    if customize.exists():
        runpy.run_path(str(customize))  # as Python would have begun
    end(exit_code_of(order["words"]))


def exit_code_of(words: list[str]) -> int:
    """Run a command's script, or `python -m module`, to its end."""
    try:
        if words[1:2] == ["-m"]:
            sys.argv, sys.path[0] = words[2:], os.getcwd()
            runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        else:
            sys.argv = words
            runpy.run_path(sys.argv[0], run_name="__main__")
    except SystemExit as left:
        if isinstance(left.code, str):
            print(left.code, file=sys.stderr)
            return 1
        return left.code or 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def end(code: int) -> None:
    """As Python ends, but for the second that it takes to forget all modules."""
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def report(news: socket.socket, leads: bool) -> None:
    """Fork once more, and go on there, perhaps as the first of a process group: signals go to all of a kernel's.

    Who stays says the process's number, and how it ended.
    """
    with news:
        if child := os.fork():
            if leads:
                os.setpgid(child, child)
            news.send(child.to_bytes(NUMBER, "big"))
            news.send(os.waitpid(child, 0)[1].to_bytes(NUMBER, "big"))
            os._exit(0)
