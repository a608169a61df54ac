"""A progress bar with the remaining time, in a terminal and in a notebook."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

Show = Callable[[int, str], None]
SECONDS_BETWEEN = 0.1


@contextlib.contextmanager
def progress_bar(title: str, total: int, shown: bool = True) -> Iterator[Show]:
    """A bar that `show(done, words)` moves, at most ten times a second.

    Nothing is drawn where nobody looks: when shown is False, when the output is a file or a pipe, and when rich
    is not installed.
    """
    if not (shown and _is_watched() and _has_rich()):
        yield lambda done, words: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.theme import Theme

    numbers = Theme({"progress.download": "none", "progress.remaining": "none"})  # their colours are dim on dark paper
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    columns += (TextColumn("{task.fields[words]}"),)
    with Progress(*columns, console=Console(theme=numbers), auto_refresh=False) as bar:
        task = bar.add_task(title, total=total, words="")
        last = 0.0

        def show(done: int, words: str) -> None:
            nonlocal last
            bar.update(task, completed=done, words=words)
            if done >= total or time.monotonic() - last > SECONDS_BETWEEN:
                bar.refresh()
                last = time.monotonic()

        yield show
        bar.update(task, total=bar.tasks[0].completed or total)  # ended before its last step, it has ended all the same
        bar.refresh()


def _is_watched() -> bool:
    return sys.stdout.isatty() or "ipykernel" in sys.modules


def _has_rich() -> bool:
    try:
        import rich.progress  # noqa: F401
    except ImportError:
        return False
    return True
