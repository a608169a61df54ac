"""The published table: `python -m tests.attacks.table` writes docs/attacks.md from the corpus and what lies here."""

import json
from itertools import groupby
from pathlib import Path

from .attack import Attack, attacks
from .everywhere import ENVIRONMENTS
from .everywhere import RESULTS as EVERYWHERE
from .stock import RESULTS

PROMISES = Path(__file__).with_name("promises.md")
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

EVERYWHERE_HEAD = """\
Made by `python -m tests.attacks.everywhere` (as root, on Linux). No entry point grades: each passes a context, bytes,
refusals and sentences to the same call. For every attack these are compared over all {entry_points} entry points:
**{unequal} differ**. Each attack is then run in every environment, with the judge and the answers where only the
grader's user may enter.

{gains}

Bubblewrap keeps its promises for either user. *Another user* is what Gradescope's containers allow: it sees their
processes and abstract sockets. *Limits* alone have no walls, and every result says so.
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
    return "\n".join([*parts, PROMISES.read_text("utf-8").replace("{everywhere}\n", everywhere(corpus))])


def everywhere(corpus: list[Attack]) -> str:
    """The table of every attack at every entry point, in every environment."""
    found = json.loads(EVERYWHERE.read_text("utf-8"))
    lines = [
        EVERYWHERE_HEAD.format(
            entry_points=found[corpus[0].name]["entry_points"],
            unequal=sum(len(found[attack.name]["unequal"]) for attack in corpus),
            gains="\n".join(_gains(corpus, found, environment) for environment in ENVIRONMENTS),
        ),
        f"| attack | entry points alike | {' | '.join(ENVIRONMENTS)} |",
        f"|---|---|{'---|' * len(ENVIRONMENTS)}",
    ]
    for attack in corpus:
        result = found[attack.name]
        alike = result["entry_points"] - len(result["unequal"])
        runs = [_run_words(result["runs"][environment]) for environment in ENVIRONMENTS]
        lines.append(f"| {attack.name} | {alike} of {result['entry_points']} | {' | '.join(runs)} |")
    return "\n".join(lines) + "\n"


def _gains(corpus: list[Attack], found: dict, environment: str) -> str:
    """What differs in an environment from what is deserved, and from the first."""
    first = next(iter(ENVIRONMENTS))
    more, harmed, unequal = [], [], 0
    for attack in corpus:
        runs = found[attack.name]["runs"]
        more += [attack.name] if (runs[environment]["score"] or 0) > attack.deserves else []
        harmed += [attack.name] if runs[environment]["harm"] else []
        unequal += runs[environment]["flagged"] != runs[first]["flagged"]
    said = f"- **{environment}**: gains: {', '.join(more) or 'none'}; other flags than in the first: {unequal}"
    return f"{said}; read, reached or changed something: {', '.join(harmed) or 'none'}."


def _run_words(run: dict) -> str:
    words = [f"{run['score']:g}"] if run["score"] is not None else []
    return ", ".join([*words, *(["flagged"] if run["flagged"] else []), *run["harm"]])


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
