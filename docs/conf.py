"""Sphinx's configuration: everything is built offline, and the pages ask for nothing from elsewhere."""

import sys
from importlib.metadata import version as installed
from pathlib import Path

from pygments.formatters import HtmlFormatter

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

project = "Attention Workshop"
copyright = "the authors of the Attention Workshop; prose and pictures CC BY 4.0"
version = release = installed("attention-workshop")
extensions = ["myst_parser", "docs.tools.formulas", "docs.tools.made"]
exclude_patterns = ["examples", "templates", "tools", "made/limits.md"]
myst_enable_extensions = ["amsmath", "dollarmath", "deflist"]
myst_heading_anchors = 3
smartquotes = False
html_math_renderer = "mathml"
html_theme = "basic"
html_title = project
templates_path = ["templates"]
html_static_path = ["static"]
html_css_files = ["site.css", ("pygments_dark.css", {"media": "(prefers-color-scheme: dark)"})]
html_sidebars = {"**": ["contents.html", "searchbox.html"]}
html_show_sourcelink = html_show_sphinx = html_use_index = False
html_copy_source = False
highlight_language = "text"
pygments_style = "default"  # every colour has contrast enough on light grey


ACCESSIBLE = {  # what Sphinx writes, and what a screen reader and a keyboard need
    'role="heading">': 'role="heading" aria-level="2">',
    '<div class="math notranslate': '<div tabindex="0" class="math notranslate',  # a wide formula scrolls
}


def setup(app) -> None:
    """Code is coloured for dark pages too, and every page can be read without eyes and without a mouse."""
    app.connect("build-finished", _write_dark_colours)
    app.connect("build-finished", _make_accessible)


def _make_accessible(app, error) -> None:
    if error is None:
        for path in Path(app.outdir).rglob("*.html"):
            text = path.read_text("utf-8")
            for plain, better in ACCESSIBLE.items():
                text = text.replace(plain, better)
            path.write_text(text, "utf-8")


def _write_dark_colours(app, error) -> None:
    if error is None:
        rules = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
        (Path(app.outdir) / "_static" / "pygments_dark.css").write_text(rules, "utf-8")
