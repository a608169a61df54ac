"""Submissions on a running dask cluster: one task each, results as they finish, even if a worker dies."""

import logging
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from autograder.errors import CourseError
from autograder.grading.context import Context
from autograder.grading.packing import identity, pack, unpack
from autograder.grading.task import grade_bytes
from autograder.grading.verify_result import InvalidResult, verified
from autograder.sandbox import sandbox as sandboxes

if TYPE_CHECKING:
    from dask.typing import Key
    from distributed import Client

AHEAD = 2  # submissions under way for each thread of the cluster
PATIENCE = 10  # seconds to wait for a scheduler, and as many for its first worker

_contexts: dict[str, Context] = {}  # on a worker: what has been unpacked there
_unpacking = threading.Lock()


def over(address: str, patience: float = PATIENCE) -> Callable:
    """A function like `autograder.grading.pool.local` that runs submissions through the scheduler at `address`.

    Waits `patience` seconds for the scheduler, and as many for its first worker.

    Raises:
        CourseError: no dask here, no scheduler there, no worker that it has, or one that cannot grade.
    """
    connected = [_connect(address, patience)]

    def spread(task: Callable, submissions: Iterable[tuple[str, tuple]], jobs: int) -> Iterator[tuple[str, object]]:
        client = connected.pop() if connected else _connect(address, patience)
        try:
            yield from _through(client, iter(submissions), jobs)
        except (OSError, CancelledError):  # dask's own errors of a connection are OSErrors
            raise CourseError(
                f"The cluster at {address} was lost. Finished results are saved; run the same command again "
                "to continue."
            ) from None
        finally:
            client.close()

    return spread


def _connect(address: str, patience: float) -> "Client":
    """A client of the scheduler, once it has a worker."""
    try:
        from distributed import Client
    except ImportError:
        raise CourseError(
            "--scheduler needs dask, which is not installed: pip install 'attention-workshop[cluster]'."
        ) from None
    if not re.search(r":\d+$", address):  # dask would try for half a minute
        raise CourseError(f"No dask scheduler answers at {address}; an address looks like tcp://HOST:8786.")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is said in a sentence
    try:
        client = Client(address, timeout=patience, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise CourseError(
            f"No dask scheduler answers at {address} ({reason}): start one with `dask scheduler`, or leave out "
            "--scheduler to grade on this machine."
        ) from None
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError:
        client.close()
        raise CourseError(
            f"The scheduler at {address} has no workers; start some with `dask worker {address}`."
        ) from None
    return client


def _through(client: "Client", submissions: Iterator, jobs: int) -> Iterator[tuple[str, object]]:
    """Results as they finish, with at most `jobs` submissions under way."""
    from distributed import as_completed

    student, arguments = next(submissions)
    _all_can_grade(client, arguments[0])
    sent: dict[str, tuple] = {}  # a context's digest → its name there, and the task that holds it
    waiting, finished = chain([(student, arguments)], submissions), as_completed(loop=client.loop)
    under_way: dict[Key, tuple] = {}  # the key of a future → whose it is, and what was sent
    while True:
        room = min(jobs, AHEAD * sum(client.nthreads().values()) or 1)
        while len(under_way) < room and (entry := next(waiting, None)) is not None:
            student, (context, data, _, refused, _) = entry
            if context.digest not in sent:
                # A task, not scattered data: should the worker that holds the result die, the scheduler makes it again.
                name, packed = uuid4().hex, pack(context)
                sent[context.digest] = name, client.submit(bytes, packed, key=f"context-{name}", pure=False)
            future = client.submit(_grade, *sent[context.digest], data, refused, key=f"grade-{uuid4().hex}")
            under_way[future.key] = student, (context, data, refused)
            finished.add(future)
        if not under_way:
            return
        future = next(finished)
        if future.cancelled():
            raise CancelledError
        student, sent_there = under_way.pop(future.key)
        yield student, future.exception() or looked_through(future.result(), *sent_there)


def looked_through(result: object, context: Context, data: bytes, refused: tuple[str, ...]) -> dict | InvalidResult:
    try:
        return verified(result, context, data, refused)
    except InvalidResult as why:
        return InvalidResult(f"a machine of the cluster answered what cannot be: {why}")


def _all_can_grade(client: "Client", context: Context) -> None:
    """Ask every worker before anything is sent to it."""
    answers = client.run(why_not, identity(context.stage), context.sandbox, on_error="return")
    for worker, why in answers.items():
        if why:
            why = why if isinstance(why, str) else f"it has no usable attention-workshop ({why})"
            raise CourseError(f"The worker {worker} cannot grade: {why}.")


def why_not(expected: dict[str, str], sandbox: str | None) -> str:
    """On a worker: why it cannot grade as the others do; empty when it can."""
    here = identity(expected["stage"])
    for name, wanted in expected.items():
        if here[name] != wanted:
            return f"its {name} is {here[name]}, the grader's is {wanted}; install the same version on both"
    if sandbox != "limits" and (refusal := sandboxes.refusal()):
        return f"bubblewrap does not run there ({refusal}); install it there, or use --sandbox limits"
    return ""


def _grade(name: str, packed: bytes, data: bytes, refused: tuple[str, ...]) -> dict:
    """On a worker: one submission. Answers are unpacked for the judge alone, which is this process."""
    from distributed import get_worker

    with _unpacking:
        if name not in _contexts:
            context, expected = unpack(packed, Path(get_worker().local_directory))
            if why := why_not(expected, context.sandbox):
                raise RuntimeError(why)
            _contexts[name] = context
    return grade_bytes(_contexts[name], data, refused=refused)
