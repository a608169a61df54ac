"""How a worker is started: in bubblewrap where that works, else with limits only; for root also as another user.

Inside bubblewrap there is no network and no sight of anything but the system's libraries, this Python, the
packages it imports (without this project's) and the stripped package, all read-only.
"""

import contextlib
import functools
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from autograder.sandbox import launch

UID = 1000
UNPROTECTED = (
    "Graded without a sandbox: with limits alone, a submission can reach this machine's files, even the gradebook."
)
WRITABLE = ("/dev/shm", "/tmp")
SHARED = (*WRITABLE, "/var/tmp")
LEAST = 16 << 20  # the server keeps its own caches there
LAST = ("--remount-ro", "/", "--chdir", "/tmp", "--")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts", "localtime", "mime.types")
OURS = ("course_lib", "autograder", "attention_workshop*", "__editable__*attention_workshop*")
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",
    "USER": "student",
    "LOGNAME": "student",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "MPLCONFIGDIR": "/tmp/matplotlib",
    "IPYTHONDIR": "/tmp/ipython",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "NPROC": "1",  # XLA starts as many threads as there are cores, unless told otherwise
    "XLA_FLAGS": "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true",  # it compiles quickly
    "JAX_PLATFORMS": "cpu",
    "PYTHONDONTWRITEBYTECODE": "1",
    "CUDA_VISIBLE_DEVICES": "",
}
BOOT = """
import json, os, resource, signal, sys
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.nice(10)
_, mode, paths = sys.argv
paths = json.loads(paths)
sys.path[:] = [paths["package"], *sys.path, *paths["site"]]
sys.argv, sys.dont_write_bytecode = [""], True
from autograder.worker.server import main
main(mode)
"""


@dataclass(frozen=True)
class Command:
    """A command line and the environment to start it in."""

    arguments: list[str]
    environment: dict[str, str]
    user: int | None = None  # whom root becomes, when that is not the launcher's task


def python() -> str:
    """This interpreter itself, not a virtual environment's link to it."""
    return os.path.realpath(sys.executable)


def site_directories() -> list[str]:
    """Where installed packages are imported from; never the working directory or a checkout."""
    found = [path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages")]
    return [path for path in dict.fromkeys(found) if os.path.isdir(path)]


def worker_command(stripped_package: Path, mode: str, sandbox: str, scratch: Path, files: int) -> Command:
    """How to start a worker on `stripped_package`. `scratch` is a directory of its own without bubblewrap."""
    stripped_package = stripped_package.resolve()
    seen = "/stripped" if sandbox == "bubblewrap" else str(stripped_package)
    paths = json.dumps({"package": seen, "site": site_directories()})
    arguments = [python(), "-I", "-S", "-B", "-c", BOOT, mode, paths]
    if sandbox == "bubblewrap":
        return Command(bubblewrap(arguments, stripped_package, files, attached=mode == "once"), ENVIRONMENT)
    places = {"HOME": scratch, "MPLCONFIGDIR": scratch / "matplotlib", "IPYTHONDIR": scratch / "ipython"}
    environment = ENVIRONMENT | {name: str(place) for name, place in places.items()} | {"TMPDIR": str(scratch)}
    return Command(arguments, environment, launch.NOBODY if sandbox == "user" else None)


def scratch_directory(prefix: str, sandbox: str) -> Path:
    """A new directory for a worker, which belongs to whom it runs as."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    if sandbox == "user":
        os.chown(folder, -1, launch.NOBODY)
        folder.chmod(0o770)
    return folder


def sweep(sandbox: str) -> None:
    """Remove what a submission left where everybody may write: the next one, and its own next run, find nothing.

    Only another user's files can be told from everybody's; in bubblewrap there is nothing to remove.
    """
    for place in SHARED if sandbox == "user" else ():
        with contextlib.suppress(OSError):
            for entry in os.scandir(place):
                if entry.stat(follow_symlinks=False).st_uid != launch.NOBODY:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    os.unlink(entry.path)


def bubblewrap(
    arguments: list[str],
    stripped_package: Path | None = None,
    files: int = 0,
    attached: bool = True,
    other_user: bool | None = None,
) -> list[str]:
    """`arguments` inside bubblewrap. Root first becomes somebody who owns nothing, where that works.

    Args:
        stripped_package: shown as /stripped.
        files: the size of /tmp and /dev/shm, in bytes.
        attached: dies with the thread that started it; else it has to notice for itself that nobody listens.
        other_user: does root become somebody else? None: where that works.
    """
    other_user = becomes_other_user() if other_user is None else other_user
    packages = list(dict.fromkeys([sys.base_prefix, *site_directories()]))
    shown = {path: path for path in packages if path != "/usr" and not path.startswith("/usr/")}
    if stripped_package:
        shown["/stripped"] = str(stripped_package)
    words = ["--die-with-parent"] if attached else []
    words += [word for path in masked(packages) for word in mask(path)]
    if not other_user:
        return [*options(shown, files), *words, *LAST, *arguments]
    stage = {path: f"{launch.STAGE}/{number}" for number, path in enumerate(shown)}
    moves = [[shown[path], stage[path], path == "/stripped"] for path in shown]
    launcher = [python(), "-I", "-S", launch.__file__, json.dumps(moves)]
    return [*launcher, *options(stage, files), *words, *LAST, *arguments]


def options(shown: dict[str, str], files: int) -> list[str]:
    """The beginning of bubblewrap's command line: `shown` maps a path inside to its source outside."""
    words = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--new-session", "--clearenv"]
    words += ["--uid", str(UID), "--gid", str(UID), "--hostname", "worker", "--cap-drop", "ALL"]
    words += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    words += [word for place in WRITABLE for word in ("--size", str(max(files, LEAST)), "--tmpfs", place)]
    for name, value in ENVIRONMENT.items():
        words += ["--setenv", name, value]
    for place in SYSTEM:
        if os.path.islink(place):
            words += ["--symlink", os.readlink(place), place]
        elif os.path.isdir(place):
            words += ["--ro-bind", place, place]
    for name in SETTINGS:
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    for place, source in shown.items():
        words += ["--ro-bind", source, place]
    return words


def masked(packages: list[str]) -> list[str]:
    """This project as installed in `packages`: what a worker must not see beside its stripped package."""
    places = [*packages, "/usr", "/usr/local"]
    places += [found for place in places for found in glob.glob(f"{glob.escape(place)}/lib/python3*/*-packages")]
    found = [path for place in places for name in OURS for path in glob.glob(f"{glob.escape(place)}/{name}")]
    return list(dict.fromkeys(found))


def mask(path: str) -> list[str]:
    """Options that put an empty directory, or an empty file, instead of `path`."""
    return ["--tmpfs", path, "--remount-ro", path] if os.path.isdir(path) else ["--ro-bind", os.devnull, path]


@functools.cache
def becomes_other_user() -> bool:
    """Are we root, and can we run bubblewrap as somebody else?"""
    return os.geteuid() == 0 and not trial(bubblewrap([python(), "-I", "-S", "-c", ""], other_user=True))


def refusal() -> str:
    """Why bubblewrap cannot be used here; empty when it can."""
    return _refusal_of_trial() if shutil.which("bwrap") else "bubblewrap is not installed"


@functools.cache
def _refusal_of_trial() -> str:
    return trial(bubblewrap([python(), "-I", "-S", "-c", ""]))


def trial(command: list[str]) -> str:
    """Run `command`; → what went wrong, or nothing."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, env=ENVIRONMENT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if not done.returncode else done.stderr.strip()[-500:] or f"exit code {done.returncode}"


def choose(wanted: str | None) -> str:
    """`bubblewrap` or `limits`: what was asked for, else the better one that works here. `user` must be asked for.

    `user`: limits, and a user who owns nothing. It keeps a submission from what only root may read or write, in a
    container that holds nothing else.
    """
    if wanted not in (None, "bubblewrap", "user", "limits"):
        raise ValueError(f"sandbox must be 'bubblewrap', 'user' or 'limits', not {wanted!r}")
    if wanted == "user" and os.geteuid():
        raise RuntimeError("only root can run submissions as another user")
    if wanted in ("user", "limits"):
        return wanted
    why_not = refusal()
    if wanted and why_not:
        raise RuntimeError(f"bubblewrap cannot run here ({why_not}); install it or choose --sandbox limits")
    return "limits" if why_not else "bubblewrap"
