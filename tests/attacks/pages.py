"""What of a submission would run in the browser of somebody who opens a page made from it."""

import re
from html.parser import HTMLParser

SCHEMES = re.compile(r"[\s\x00-\x20]*(javascript|vbscript|data:text)", re.IGNORECASE)
LATEX = re.compile(r"\\(href|mmlToken|require|cssId|style|class|csname)\b", re.IGNORECASE)
FRAMES = (
    "iframe",
    "object",
    "embed",
    "form",
    "base",
    "svg",
    "maction",
    "mglyph",
    "annotation-xml",
)  # MathML only draws
UNTOUCHED_BY_FORMULAS = ("pre", "code", "script", "style", "textarea")


class Page(HTMLParser):
    """Handlers, links that run code, scripts and formulas with links, of the page's making or the submission's."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.open, self.scripts, self.handlers, self.links, self.formulas, self.frames = [], [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        """Collect what may run."""
        given = {name: value or "" for name, value in attributes}
        self.handlers += [(tag, name, value) for name, value in given.items() if name.startswith("on")]
        self.links += [value for value in given.values() if SCHEMES.match(value)]
        self.frames += [tag] if tag in FRAMES or tag == "math" and set(given) - {"xmlns", "display"} else []
        if tag == "script":
            self.scripts.append(given.get("src", ""))
        if tag not in ("br", "hr", "img", "meta", "link", "input"):
            ignored = "ignore" if "mathjax_ignore" in given.get("class", "") else tag
            self.open.append((tag, ignored))

    def handle_endtag(self, tag):
        """Close up to this tag."""
        while any(tag == name for name, _ in self.open) and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        """Text of a script, or text in which MathJax looks for formulas."""
        kinds = {kind for _, kind in self.open}
        if "script" in kinds:
            self.scripts[-1] += data
        elif not kinds & {*UNTOUCHED_BY_FORMULAS, "ignore"}:
            self.formulas += LATEX.findall(data)
