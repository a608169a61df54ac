"""The published table: `python -m tests.attacks.table` writes docs/attacks.md from the corpus and stock.json."""

import json
from itertools import groupby
from pathlib import Path

from .attack import Attack, attacks
from .stock import RESULTS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "attacks.md"
HEAD = """\
# Attacks, and what becomes of them

{count} hostile submissions, each graded end to end, on every run of the tests (`tests/attacks/`): repaired, run in
the sandbox, judged outside it. Each has a right answer to everything that it does not attack, and the score that
this honest part deserves. None gets more; after all of them every file, process and socket outside is as it was, no
secret has come out, and the next honest submission gets full marks.

The last column is stock nbgrader {version} on the same file, with its own configuration and the course's `check` in
the page (`python -m tests.attacks.stock`). Where that is not safe to try, it says why. Of {tried} that were tried,
**{more} got more than they deserved** and {harmed} did harm besides.

Scores are points of 20. *Deserved* is what the honest part is worth, *here* what this grader gives: less only where
the attack breaks the submission's own voice.
"""
TAIL = """\
## What is promised, and what is not

- **Promised**: the numbers that are judged were computed by the submission, in a process that has no answer, no
  hidden case before it is asked, no reference solution of this stage, no network, and no way to anybody else's work.
  The verdict is made elsewhere, from those numbers alone.
- **No hidden case reaches the feedback**: the probes run when every cell has run, each on its object and the names of
  the page as they were at its test cell. By then all outputs stand; what is written or shown later is dropped, and a
  card says of an error only its status. So no hand-in carries the inputs home for a table that a second one looks up.
  (Cases drawn for each student would need new answers for each, of the reference and of every known mistake; a fork
  for each probe costs 10 ms of processor time. The order costs nothing.) What is left are the bits of a verdict: which
  properties held.
- **Not promised**: that a determined student has written the exercise from its parts. The course is open, and so
  is PyTorch. Names that would make an exercise empty are found in the syntax tree of what the answer reaches, also
  where they are put together from constants, and among the functions that ran, in any thread, as the worker reports
  them. Names go by family: `softmax` stands for all of torch's names that contain it. What is read is what IPython
  makes of a cell. A submission can forge that report, and it can hide a name from any reader of its source; one that
  reaches for the means to do so (`exec`, `getattr` with a computed name, `torch._C`, TorchScript, another process, a
  module that it wrote, `%run`, the grader's own modules) and earns points is **flagged**, by exercise and by name, for
  a person to look at.
- **Beside each other**: a submission's time is its own. What it waits for a processor does not count, and all its
  processes together have the time of one; who takes more than a share for long runs only when nobody else wants to.
  What timed out beside others is run once more, alone, before it counts, and no timeout is remembered.
- **After each other**: every submission has its own user, mount, process, IPC and network namespace, terminals, /tmp
  and open files. Not promised: that two who cooperate and are graded at the same moment find no way to signal (by
  how busy the machine is).
- **What it costs the grader** has an end: values, bytes, code, prose, outputs and, as the last net, 768 MB and 60 s of
  each grading process. What is beyond is left out and flagged, and what was computed is judged.
- **Memory of the kernel**: page tables and full sockets count as a submission's memory, there are no sockets of the
  internet, and no way to larger buffers.
- **As an ordinary user** all of this holds as for root. Only the user differs: a submission runs as the user who
  grades, without capabilities, where root becomes somebody who owns nothing.
- **On Gradescope**, whose containers refuse bubblewrap, a submission runs as a user who can read the student edition
  and the installed packages, and neither the judge, the answers nor the results; where not even that can be had,
  nothing is graded. It sees the container's processes.
- **Without bubblewrap** there are limits, and no walls: a submission runs as the user who grades and can read and
  write what that user can. Limits of time, memory, processes and the grader's own cost hold as above, there are no
  sockets of the internet, and open files are opened anew; namespaces are not, and full sockets are counted for no
  submission. `course doctor` says what protects you here.
- **Formulas** on the pages are set by MathJax, which is loaded from where nbgrader loads it. Links and macros that
  would let a formula run code are taken out before the page is made.
"""


def page() -> str:
    """The whole page."""
    corpus, stock = attacks(), json.loads(RESULTS.read_text("utf-8"))
    tried = [stock[attack.name] | {"deserves": attack.deserves} for attack in corpus if attack.name in stock]
    head = HEAD.format(
        count=len(corpus),
        version="0.9.6",
        tried=len(tried),
        more=sum((result["score"] or 0) > result["deserves"] for result in tried),
        harmed=sum(bool(result["harm"]) for result in tried),
    )
    parts = [head]
    for kind, some in groupby(corpus, key=lambda attack: attack.kind):
        lines = [
            f"## {kind[0].upper()}{kind[1:]}\n",
            "| attack | deserved | here | stock nbgrader |",
            "|---|---|---|---|",
        ]
        parts.append("\n".join(lines + [row(attack, stock) for attack in some]) + "\n")
    return "\n".join([*parts, TAIL])


def row(attack: Attack, stock: dict) -> str:
    """One line of the table."""
    here = f"{attack.gets:g}" + (", flagged" if attack.flagged else "") + (f" ({attack.note})" if attack.note else "")
    cells = (f"**{attack.name}**: {attack.tries}", f"{attack.deserves:g}", here, stock_words(attack, stock))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def stock_words(attack: Attack, stock: dict) -> str:
    """What stock nbgrader did."""
    if attack.stock:
        return f"not tried: {attack.stock[0].lower()}{attack.stock[1:].rstrip('.')}"
    result = stock[attack.name]
    said = "no score" if result["score"] is None else f"{result['score']:g}"
    said = f"**{said}**" if (result["score"] or 0) > attack.deserves else said
    ended = {"done": [], "failed": ["autograde failed"], "never ended": ["autograde was killed after 150 s"]}
    return ", ".join([said, *ended[result["autograde"]], *result["harm"]])


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), "utf-8")
