"""What `run_autograder` starts on Gradescope: grade the one submission that is there, write results.json.

Format: Gradescope's autograder specification. Where the machinery fails there is no results.json and the exit
code is 1: Gradescope then says that the autograder failed, and can run it again. That is never a 0.

Its containers refuse bubblewrap. There a submission runs as a user who may read the stripped package and Python's
packages, and neither the judge nor the answers nor the results; where not even that can be had, nothing is graded.

The worker's server starts here, while `gradescope_run` imports torch and the judge, as `course grade` does it.
"""

import json
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

import autograder
from autograder import quick_imports  # noqa: F401
from autograder.files import write_whole
from autograder.sandbox import ahead, sandbox
from autograder.stripping.package import stripped_package

ROOT = "GRADESCOPE_ROOT"  # another place than /autograder, for tests


def main() -> int:
    """Grade; the exit code."""
    root = Path(os.environ.get(ROOT, "/autograder"))
    try:
        with tempfile.TemporaryDirectory() as scratch:
            os.chmod(scratch, 0o755)  # for the stripped package
            start_server(root, Path(scratch))
            from autograder.exports.gradescope_run import results
            from autograder.grading.task import close_workers

            try:
                outcome = results(root, Path(scratch))
            finally:
                close_workers()
    except (RuntimeError, OSError) as error:
        print(f"Not graded, run again: {error}", file=sys.stderr)
        return 1
    content = json.dumps(outcome, indent=2, ensure_ascii=False)
    write_whole(root / "results" / "results.json", content.encode(errors="replace"))  # a file's name need not be text
    return 0


def start_server(root: Path, scratch: Path) -> None:
    """The server of the stage whose answers are here; `results` claims it."""
    settings = json.loads((root / "source" / "course" / "settings.json").read_text("utf-8"))
    ahead.start(stripped_package(settings["stage"], scratch), protection(root), 1)


@cache
def protection(root: Path) -> str:
    """`bubblewrap`, or `user` behind doors that only root opens; a `RuntimeError` where neither keeps them shut."""
    if not (why_not := sandbox.refusal()):
        return "bubblewrap"
    if not Path(autograder.__file__).is_relative_to(root.resolve()):
        raise RuntimeError(f"bubblewrap cannot run here ({why_not}), and submissions can read the judge's files")
    chosen = sandbox.choose("user")
    for name in ("source", "submission", "results"):
        (root / name).chmod(0o700)
    print(
        f"bubblewrap cannot run here ({why_not}), so the submission runs as a user who can read neither judge nor "
        "answers."
    )
    return chosen


if __name__ == "__main__":
    sys.exit(main())
