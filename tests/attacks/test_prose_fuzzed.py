"""MathML, SVG and markup in prose, put together at random: whatever comes of it, nothing runs in a reader's browser."""

import random

import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from autograder.grading.sanitize import safe_prose

from .pages import Page

TAGS = (
    *("math", "mi", "mtext", "mglyph", "maction", "semantics", "annotation-xml", "annotation", "mstyle", "msub"),
    *("svg", "g", "use", "image", "animate", "set", "foreignObject", "desc", "title", "style", "script", "a"),
    *("table", "td", "p", "b", "form", "iframe", "object", "base", "noscript", "template", "textarea", "select", "xmp"),
    *("plaintext", "noembed", "img", "details", "input", "select", "option"),
)
ATTRIBUTES = (
    *("href", "xlink:href", "src", "data", "action", "formaction", "actiontype", "to", "values", "from", "style"),
    *("onload", "onerror", "onclick", "onbegin", "ontoggle", "srcdoc", "xmlns", "encoding", "definitionURL", "id"),
)
VALUES = (
    *("javascript:alert(1)", "jav&#x09;ascript:alert(1)", "&#106;avascript:alert(1)", "vbscript:x", "statusline#x"),
    *(
        "data:text/html,<script>alert(1)</script>",
        "x:expression(alert(1))",
        "alert(1)",
        "text/html",
        "#",
        "//e.example",
    ),
    *("http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/svg", "application/xhtml+xml", "`", "'", '"', ""),
)
LOOSE = (
    *(
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?xml ?>",
        "<!DOCTYPE x>",
        "</p>",
        "</math>",
        "</svg>",
        "<br",
        ">",
        "<",
        "\0",
    ),
    *(
        "\n\n",
        "```",
        "~~~",
        "    ",
        "$",
        "$$",
        "\\(",
        "\\href{javascript:alert(1)}{x}",
        "\\require{html}",
        "text",
        "| ",
    ),
    *("[x](javascript:alert(1))", "![x](//e.example/a.png)", "[r]: javascript:alert(1)\n", "[x][r]", "&lt;", "\\"),
)


def prose(draw: random.Random) -> str:
    """Some tags, closed or not, among what is left over of others."""
    return "".join(draw.choice((_tag, _tag, _end, _loose))(draw) for _ in range(draw.randint(1, 13)))


def _tag(draw: random.Random) -> str:
    given = "".join(_attribute(draw) for _ in range(draw.randint(0, 3)))
    return f"<{_cased(draw, draw.choice(TAGS))}{given}{draw.choice(('>', '/>', ''))}"


def _attribute(draw: random.Random) -> str:
    between, quote = draw.choice((" ", "/", "\n", "\f")), draw.choice(('"', "'", ""))
    return f"{between}{_cased(draw, draw.choice(ATTRIBUTES))}={quote}{draw.choice(VALUES)}{quote}"


def _end(draw: random.Random) -> str:
    return f"</{_cased(draw, draw.choice(TAGS))}{draw.choice(('>', ' >', ''))}"


def _loose(draw: random.Random) -> str:
    return draw.choice(LOOSE)


def _cased(draw: random.Random, name: str) -> str:
    return "".join(draw.choice((letter.upper(), letter)) for letter in name) if draw.random() < 0.3 else name


@pytest.mark.parametrize("seed", range(11))
def test_of_a_hundred_texts_none_runs_or_fetches_anything(seed):
    draw = random.Random(seed)
    for _ in range(100):
        source = prose(draw)
        page = Page(markdown2html_mistune(safe_prose(source)))
        found = page.scripts, page.handlers, page.links, page.frames, page.formulas
        assert found == ([], [], [], [], []), source


def test_the_texts_would_do_harm_unless_they_were_cleaned():
    draw = random.Random(0)
    pages = [Page(markdown2html_mistune(prose(draw))) for _ in range(100)]
    assert sum(bool(page.scripts or page.handlers or page.links or page.frames) for page in pages) > 50
