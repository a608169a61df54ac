"""Put one submission out of reach of the server, of the others, and of more than its share."""

import contextlib
import fcntl
import os
import resource
import signal
import stat
import sys
import time

from autograder.worker import kernel, seccomp

OPEN_FILES = 256
ADDRESSES = 4  # times the memory: room for stacks and arenas that are reserved and hardly used
PLACES = ("/tmp", "/dev/shm")


def enter_namespaces() -> None:
    """Leave the server's user, mount, process, IPC and network namespaces; the next fork is process 1 of the new."""
    uid, gid = os.getuid(), os.getgid()
    own = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC | kernel.CLONE_NEWNET
    kernel.unshare(kernel.CLONE_NEWUSER | own)
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"{uid} {uid} 1")
    write("/proc/self/gid_map", f"{gid} {gid} 1")


def private_mounts(size: int) -> bool:
    """An empty /tmp and /dev/shm of `size` bytes, its own terminals and /proc; → whether /proc could be had."""
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    flags = kernel.MS_NOSUID | kernel.MS_NODEV
    kept = [(os.open(path, os.O_PATH), path) for path in packages_below(PLACES)]
    for place in PLACES:
        kernel.mount("tmpfs", place, "tmpfs", flags, f"size={size},nr_inodes=20000,mode=1777")
    for descriptor, path in kept:
        os.makedirs(path)
        kernel.mount(f"/proc/self/fd/{descriptor}", path, None, kernel.MS_BIND | kernel.MS_REC)
        os.close(descriptor)
    kernel.mount("devpts", "/dev/pts", "devpts", kernel.MS_NOSUID | kernel.MS_NOEXEC, "newinstance,ptmxmode=0666")
    try:
        kernel.mount("proc", "/proc", "proc", flags | kernel.MS_NOEXEC)
        write("/proc/sys/user/max_user_namespaces", "0")
    except OSError:
        kernel.mount("tmpfs", "/proc", "tmpfs", flags | kernel.MS_RDONLY, "size=4096")
        return False
    return True


def packages_below(places: tuple[str, ...]) -> list[str]:
    """Where this Python and its packages lie below `places`: a new mount there would hide them."""
    found = sorted(path for path in {sys.base_prefix, *sys.path} if path.startswith(tuple(f"{p}/" for p in places)))
    return [path for path in found if not any(path.startswith(f"{other}/") for other in found)]


def size() -> tuple[int, int]:
    """All addresses of this process, and those that it may write to, in bytes; 0 where /proc does not say."""
    try:
        with open("/proc/self/statm") as file:
            pages = [int(field) for field in file.read().split()]
    except OSError:
        return 0, 0
    return resource.getpagesize() * pages[0], resource.getpagesize() * pages[5]


def limit(memory: int, files: int, processes: int, seconds: float, used: tuple[int, int], counted: bool) -> None:
    """Set the limits that the kernel keeps for each process; the judge watches their sum.

    Args:
        used: what preloading had taken already, as `size` says it.
        counted: are `processes` counted from zero here, as in a user namespace of its own?
    """
    limits = {
        resource.RLIMIT_AS: used[0] + ADDRESSES * memory,  # what the page tables of a mapping grow with
        resource.RLIMIT_DATA: used[1] + memory,
        resource.RLIMIT_FSIZE: files,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CPU: int(2 * seconds) + 60,
    }
    if counted:
        limits[resource.RLIMIT_NPROC] = processes
    for which, value in limits.items():
        _, hard = resource.getrlimit(which)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (value, value))


def renounce() -> None:
    """No capabilities, no way to new ones, and only harmless system calls."""
    kernel.drop_capabilities()
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # lost with the change of user; /proc/self needs it
    seccomp.install()


def die_with_parent() -> None:
    """When the parent is killed, this process is killed too."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)


def end_children() -> None:
    """Kill this process's children, and theirs as they become its own, until there is none."""
    with contextlib.suppress(ChildProcessError):
        while True:
            with contextlib.suppress(OSError), open("/proc/thread-self/children") as file:
                for child in file.read().split():
                    os.kill(int(child), signal.SIGKILL)
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.001)


def keep_only(*descriptors: int) -> None:
    """Close every descriptor but these and the read-only files (fonts) that preloading left open.

    Those, and standard input, are opened again: a position that one fork sets would be read by the next.
    """
    inherited = list(filter(read_only_file, range(3, 256)))
    for descriptor in [0, *inherited] if os.path.isdir("/proc/self/fd") else []:
        own = os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC)
        if descriptor:
            os.lseek(own, os.lseek(descriptor, 0, os.SEEK_CUR), os.SEEK_SET)
        os.dup2(own, descriptor, inheritable=not descriptor)
        os.close(own)
    kept = sorted({0, 1, 2, *descriptors, *inherited})
    for low, high in zip(kept, kept[1:] + [1 << 16], strict=True):
        os.closerange(low + 1, high)


def read_only_file(descriptor: int) -> bool:
    """Is it an open file on disk that can only be read?"""
    try:
        writable = fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE
        return not writable and stat.S_ISREG(os.fstat(descriptor).st_mode)
    except OSError:
        return False


def try_nesting() -> dict:
    """Can a child have namespaces of its own here? → what could be had, and why not."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            enter_namespaces()
            if not os.fork():
                own_proc = private_mounts(1 << 20)
                renounce()
                os.write(writer, b"own /proc" if own_proc else b"empty /proc")
                os._exit(0)
            os.wait()
        except BaseException as error:  # noqa: BLE001 (a child must not return into the server's code)
            os.write(writer, f"refused: {error}".encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answers:
        said = answers.read()
    os.waitpid(child, 0)
    return {"nested": said in ("own /proc", "empty /proc"), "nesting": said or "refused"}


def write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
