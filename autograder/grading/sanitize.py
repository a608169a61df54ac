"""Make a graded notebook safe to open: nothing that a submission wrote may run in an instructor's browser."""

import html
import re
from functools import lru_cache
from html.parser import HTMLParser
from urllib.parse import unquote

import nbformat
import nh3

from autograder.protocol.channel import KINDS

HARMLESS = (
    "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li ol p pre q s span "
    "strong sub summary sup table tbody td th thead tr u ul var"
)
TAGS = frozenset(HARMLESS.split())
OTHER_TAG = re.compile(rf"<(?!/?({'|'.join(TAGS)})(\s[^<>]*)?/?>)", re.IGNORECASE)
ATTRIBUTES = {"a": {"href", "title"}, "img": {"alt", "title", "width", "height"}}
LATEX_LINK = re.compile(
    r"\\(href|url|unicode|class|cssId|style|require|mmlToken|csname|html[a-z]*)(?![a-z])", re.IGNORECASE
)
NOISE = r"[\s\\\x00-\x20\u200b]*"  # browsers skip some of it inside a scheme, Markdown the backslash
RUNS_CODE = re.compile(f"({'|'.join(NOISE.join(word) for word in ('javascript', 'vbscript'))}){NOISE}:", re.IGNORECASE)
DATA_LINK = re.compile(r"(\]\s*\(|\]:|<|&lt;)\s*data\s*:", re.IGNORECASE)
ROUNDS = 7  # of entities within entities; what has more of them is shown as it was typed
LONG = 20_000  # characters that are cleaned and rendered; a longer text is shown as it was typed
MUCH = 20 * LONG  # characters of all texts of a notebook; those that come later are shown as they were typed
EXTERNAL = re.compile(
    r"!(?=\[[^\]\n]*\]\s*\(\s*<?\s*(?!attachment:|#no-picture)[^)\s])"
)  # a picture from elsewhere: a link
BADGE = re.compile(r"\[!\[([^\[\]\n]*)\]\([^()\s]*\)\]\(")  # a link with a picture from elsewhere: its words
ADDRESSES = ("href", "src", "action", "formaction", "data", "poster", "background", "cite", "srcset", "xlink:href")
MADE = TAGS | {"input", "section", "label"}  # what Markdown itself makes, besides
SAFE_SCHEMES = ("http", "https", "mailto")
SCHEME = re.compile(r"[\x00-\x20]*([^/?#:]*):")
ATTACHMENT = re.compile(r"attachment[\s\\]*:([^\s)>\"']*)", re.IGNORECASE)
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")


def safe_notebook(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The same notebook with prose cleaned and outputs reduced to text and pictures, except for our own cards."""
    room = MUCH
    for cell in notebook.cells:
        attached = cell.pop("attachments", {})
        if cell.cell_type != "code":
            room -= len(cell.source)
            prose = safe_prose(cell.source) if room >= 0 else _as_typed(cell.source)
            cell.source, kept = with_pictures(prose, attached)
            cell.update({"attachments": kept} if kept else {})
        elif not is_card(cell):
            safe = map(_safe_output, cell.outputs)
            cell.outputs = [output for output in safe if output.get("data", True)]  # nbconvert complains of empty ones
    return notebook


def is_card(cell: nbformat.NotebookNode) -> bool:
    """A locked test cell: the outputs below it were written by the judge."""
    grading = cell.metadata.get("nbgrader", {})
    return bool(grading.get("grade") and grading.get("locked"))


@lru_cache(maxsize=64)  # most prose is the release's, in every submission
def safe_prose(source: str) -> str:
    """Markdown without scripts: dangerous HTML is shown as text, links that run code lose their scheme.

    >>> safe_prose("a < b <script>alert(1)</script> [x](javascript:alert(1))")
    'a &lt; b &lt;script&gt;alert(1)&lt;/script&gt; [x](alert(1))'
    >>> safe_prose("[x](java&#115;cript&colon;alert(1)) $\\\\hr&#101;f{x}{y}$")
    '[x](alert(1)) $\\\\text{x}{y}$'
    """
    if len(source) > LONG:
        return _as_typed(source)
    typed = source
    for _ in range(ROUNDS):
        source = html.unescape(source)
    if html.unescape(source) != source:  # whoever reads it next would read something else
        return _as_typed(typed)
    source = OTHER_TAG.sub("&lt;", source)  # what is no tag to it, nh3 would leave out
    source = nh3.clean(source, tags=TAGS, attributes=ATTRIBUTES, url_schemes={*SAFE_SCHEMES}, link_rel=None)
    while found := RUNS_CODE.search(source):
        source = source[: found.start()] + source[found.end() :]
    source = BADGE.sub(r"[\1](", source)
    source = EXTERNAL.sub("", LATEX_LINK.sub(r"\\text", DATA_LINK.sub(r"\1", source)))
    return source if _harmless(source) else _as_typed(typed)


def _harmless(source: str) -> bool:
    """Whether what Markdown makes of it holds nothing that runs, and asks nothing of another machine."""
    from nbconvert.filters.markdown_mistune import markdown2html_mistune  # 0.2 s of CPU time

    found = _Unsafe()
    try:
        found.feed(markdown2html_mistune(ATTACHMENT.sub("#", source)))
        found.close()
    except Exception:  # noqa: BLE001 (what cannot be rendered here is not rendered anywhere)
        return False
    return not found.things


class _Unsafe(HTMLParser):
    """Notes tags and attributes that a page of feedback may not have, as a browser would read them."""

    def __init__(self) -> None:
        super().__init__()
        self.things: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in MADE:
            self.things.append(tag)
        for name, value in attrs:
            scheme = SCHEME.match(value or "")
            outside = (
                tag == "img" and name == "src" and not (value or "").startswith(("attachment:", "#", "data:image/"))
            )
            foreign = name in ADDRESSES and tag != "img" and scheme and scheme[1].lower() not in SAFE_SCHEMES
            if name.startswith("on") or name == "style" and "url" in (value or "").lower() or outside or foreign:
                self.things.append(f"{tag} {name}")


def _as_typed(source: str) -> str:
    """The text in a code fence longer than any inside it, so that it is shown as typed."""
    fence = "`" * (max(map(len, re.findall("`+", source)), default=2) + 1)
    return f"{fence}text\n{source}\n{fence}"


def with_pictures(source: str, attached: dict) -> tuple[str, dict]:
    """The prose and its attached pictures under plain names; anything that is missing or not a picture is left out.

    >>> with_pictures("![x](attachment:a%20b.png) ![y](attachment:c)", {"a b.png": {"image/png": "AAAA"}})
    ('![x](attachment:picture-0) ![y](#no-picture)', {'picture-0': {'image/png': 'AAAA'}})
    """
    kept = nbformat.NotebookNode()
    names: dict[str, str] = {}
    for name, bundle in attached.items():
        pictures = {kind: data for kind, data in bundle.items() if kind in PICTURES and _plain(kind, data)}
        if pictures:
            names[name] = f"picture-{len(kept)}"
            kept[names[name]] = nbformat.from_dict(pictures)
    known = set(names.values())

    def shown(found: re.Match) -> str:
        name = unquote(found[1])
        plain = name if name in known else names.get(name)
        return f"attachment:{plain}" if plain else "#no-picture"

    return ATTACHMENT.sub(shown, source), kept


def _safe_output(output: nbformat.NotebookNode) -> nbformat.NotebookNode:
    if output.output_type in ("display_data", "execute_result"):
        output.data = {kind: value for kind, value in output.data.items() if kind in KINDS and _plain(kind, value)}
        output.metadata = {}
    return output


def _plain(kind: str, value: object) -> bool:
    return isinstance(value, str) and (kind == "text/plain" or BASE64.fullmatch(value) is not None)
