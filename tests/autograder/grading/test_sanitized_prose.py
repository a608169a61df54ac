"""What a page of feedback may hold is decided on what Markdown makes of a text, not on how the text is spelled."""

import html
import re

import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from autograder.grading.sanitize import LONG, safe_prose

UNSAFE = {
    **{f"entities {n} deep": f"[x](&{'amp;' * n}#106;avascript:alert(1))" for n in (0, 1, 7, 8, 14, 40)},
    "entities of other spellings": "[x](&#38;#38;#x26;AMP;amp;#38;amp;#38;amp;#38;#106;avascript:alert(1))",
    "a link to a file": "[x](file:///etc/passwd)",
    "a link by reference": "[x][r]\n\n[r]: vbscript:run",
    "a scheme of somebody's own": "[x](ms-settings:privacy)",
    "a picture from elsewhere, by reference": "![x][r]\n\n[r]: https://elsewhere.example/seen.png",
    "an address in a tag": '<a href="jav&#x61;script:alert(1)">x</a>',
}
PLAIN = {
    "formulas": "Divide by $\\sqrt{d_k}$, and $$a < b \\le c$$ holds.",
    "a list": "1. one\n2. two\n   - three",
    "a table": "| a | b |\n|---|---|\n| 1 | 2 |",
    "a link": "See [the paper](https://arxiv.org/abs/1706.03762) or write to [me](mailto:me@school.example).",
    "an attached picture": "![plot](attachment:plot.png)",
    "a task list": "- [x] done\n- [ ] open",
}


@pytest.mark.parametrize("source", UNSAFE.values(), ids=UNSAFE)
@pytest.mark.parametrize("times", [1, 2])
def test_nothing_runs_and_nothing_is_fetched_however_often_it_is_cleaned(source, times):
    for _ in range(times):
        source = safe_prose(source)
    made = markdown2html_mistune(source)
    assert not [link for link in re.findall(r'href="([^"]*)"', made) if ":" in html.unescape(html.unescape(link))]
    assert "src" not in made


@pytest.mark.parametrize("source", PLAIN.values(), ids=PLAIN)
def test_honest_prose_is_read_as_it_was_written(source):
    cleaned = safe_prose(source).replace("&lt;", "<").replace("&amp;", "&")
    assert cleaned == source


def test_a_picture_from_elsewhere_becomes_a_link():
    assert safe_prose("![x](https://elsewhere.example/a.png)") == "[x](https://elsewhere.example/a.png)"


def test_a_text_too_long_to_be_cleaned_is_shown_as_it_was_typed():
    shown = safe_prose("<b></p>" * LONG)
    assert shown.startswith("```text\n<b></p>")
    assert "<b>" not in markdown2html_mistune(shown)


def test_a_fence_in_the_text_does_not_end_the_fence_around_it():
    shown = safe_prose("```\n````\n" + "[x](file:///etc/passwd)")
    assert "href" not in markdown2html_mistune(shown)
