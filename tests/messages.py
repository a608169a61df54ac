"""Every sentence that `course`, a card, a report or a feedback page can show: `python -m tests.messages [PART]`.

They are found in the source, so the list cannot go stale: strings that read as prose, the help of commands, and the
text of templates. `--flag` prints only those that `tests/phrases.py` would write differently.
"""

import argparse
import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.phrases import translated

ROOT = Path(__file__).parents[1]
ROOMS = ("autograder", "course_lib")
TEMPLATES = (".j2", ".tpl", ".html")
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md")
COMMANDS = "autograder/cli/"  # here a docstring is the help of a command

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
WORD = re.compile(r"[(“‘\"']*[A-Za-z]+(?:[’'/-][A-Za-z]+)*[.,:;?!)”’\"']*")
CODE = re.compile(
    r"\n {4}|^\s*(?:select|insert|return|def|class|import|from|for|if|with) [^.]*$|\(\?[P:]", re.IGNORECASE
)
MARKUP = re.compile(r"\{#.*?#\}|<(style|script)\b.*?</\1>|\{%.*?%\}|<[^>]*>", re.DOTALL)
FENCED = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Message:
    """A sentence, or a part of one, where it is written; a value that is filled in is shown as {its expression}."""

    path: str
    line: int
    text: str


def messages(part: str = "") -> list[Message]:
    """All messages of the files whose path contains `part`, in the order of paths and lines."""
    return [message for path in _files(part) for message in _of(path)]


def docstrings(part: str = "") -> list[Message]:
    """The docstrings of the same files, without the examples in them."""
    found = []
    for path in (path for path in _files(part) if path.suffix == ".py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, DOCUMENTED) and (said := ast.get_docstring(node)):
                prose = re.sub(r"^ *(?:>>>|\.\.\.).*(?:\n.+)*", "", said, flags=re.MULTILINE)
                found.append(Message(_name(path), node.body[0].lineno, " ".join(prose.split())))
    return found


def pages() -> list[Message]:
    """The paragraphs of the committed documentation, without its code, and without what `tests/attacks` writes."""
    found = []
    for path in sorted(path for pattern in PAGES for path in ROOT.glob(pattern) if path.name != "attacks.md"):
        text = FENCED.sub(lambda code: "\n" * code[0].count("\n"), path.read_text(encoding="utf-8"))
        line = 1
        for paragraph in re.split(r"(\n\s*\n)", text):
            if paragraph.strip():
                found.append(Message(_name(path), line, " ".join(paragraph.split())))
            line += paragraph.count("\n")
    return found


def in_python(source: str, path: str = "") -> list[Message]:
    """The messages of a module: no docstring but those of commands, and nothing that is code."""
    tree = ast.parse(source)
    skipped, found = set(_docstrings(tree, path)), []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
        if id(node) in skipped:
            continue
        text = _text(node)
        if text is not None and reads_as_prose(text):
            found.append(Message(path, node.lineno, " ".join(text.split())))
    return sorted(found, key=lambda message: message.line)


def reads_as_prose(text: str) -> bool:
    """Whether most of it is words, at least three of them.

    >>> reads_as_prose("{path} is empty: choose another file."), reads_as_prose("x = self.norm(x + y)")
    (True, False)
    """
    parts = re.sub(r"\{[^{}]*\}", "x", text).split()
    words = [part for part in parts if WORD.fullmatch(part)]
    return len(words) >= 3 and len(words) >= 0.6 * len(parts) and not CODE.search(text)


def _files(part: str) -> Iterator[Path]:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            if part in _name(path) and path.suffix in (".py", *TEMPLATES) and "__pycache__" not in path.parts:
                yield path


def _of(path: Path) -> list[Message]:
    text = path.read_text(encoding="utf-8")
    return in_python(text, _name(path)) if path.suffix == ".py" else _in_template(text, _name(path))


def _in_template(text: str, path: str) -> list[Message]:
    lines = MARKUP.sub(lambda markup: "\n" * markup[0].count("\n"), text).split("\n")
    return [Message(path, n, line.strip()) for n, line in enumerate(lines, 1) if reads_as_prose(line)]


def _docstrings(tree: ast.Module, path: str) -> Iterator[int]:
    """The strings that are statements: docstrings, except the help of commands."""
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED):
            command = path.startswith(COMMANDS) and isinstance(node, ast.FunctionDef) and node.name[0] != "_"
            yield from (id(part.value) for part in node.body if isinstance(part, ast.Expr) and not command)


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (
            part.value if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}" for part in node.values
        )
        return "".join(parts)
    return None


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def show(found: Iterable[Message]) -> str:
    """One line per message, grouped by file."""
    lines, file = [], None
    for message in found:
        if message.path != file:
            file = message.path
            lines.append(f"\n{file}")
        lines.append(f"{message.line:5}  {message.text}")
    return "\n".join(lines).lstrip()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("part", nargs="?", default="", help="only files whose path contains this")
    arguments.add_argument(
        "--flag", action="store_true", help="only what would be written differently, docstrings and docs included"
    )
    asked = arguments.parse_args()
    found = messages(asked.part)
    if asked.flag:
        every = [*found, *docstrings(asked.part), *(page for page in pages() if asked.part in page.path)]
        found = [
            Message(one.path, one.line, f"{one.text}  [{'; '.join(said)}]")
            for one in every
            if (said := translated(one.text))
        ]
    print(show(found))


if __name__ == "__main__":
    main()
