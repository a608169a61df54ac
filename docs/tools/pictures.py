"""The pictures of the README and of these pages, from what they show: `python -m docs.tools.pictures`; with `--check`
whether the README's first one is today's.

Needs chromium. The class report is that of the demonstration course in `build/demo`, made when it is not there.
"""

import hashlib
import subprocess
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from autograder.catalogue import find
from autograder.course.demo.submissions import CLASS
from autograder.judging import answer_key
from autograder.judging.answer_key.compute import answer_key_of
from autograder.judging.judge import judge
from autograder.practice.card import html_card
from autograder.probes.run import collect
from autograder.stages import stage_of
from docs.tools.executed import ROOT

PICTURES = ROOT / "docs" / "pictures"
CHROMIUM = "/usr/bin/chromium"
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync"]
DIGEST = PICTURES / "card.digest"  # digest and rows of the card that the picture shows, to compare
COLOURS = 64  # of the palette: flat drawings need no more
EXERCISE, STUDENT = "scaled_dot_product", "no-scaling"
PAGE = """<!doctype html><meta charset="utf-8"><title>card</title><style>{colours}
body{{font:16px/1.5 system-ui,sans-serif;margin:0;background:#fff;color:#1f2328}}
#page{{padding:18px;width:760px}}.code{{background:#f6f8fa;border:1px solid #d0d7de;margin:0 0 10px;padding:2px 14px}}
.code pre{{margin:8px 0;font-size:14px}}</style><div id="page">{cells}{card}</div>"""


def main() -> None:
    """Draw every picture again."""
    with sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        picture_of(browser, card_page(), "#page", PICTURES / "card.png")
        DIGEST.write_text(f"{digest_of(card_page())} {rows_of(card_page())}\n", "utf-8")
        picture_of(browser, report_page(), "body", PICTURES / "report.png", height=1010)
        browser.close()


def picture_of(browser: Browser, page: str, part: str, path: Path, height: int | None = None) -> None:
    """Render `page` and keep its `part`, at most `height` pixels of it, with few colours."""
    tab = browser.new_page(viewport={"width": 900, "height": 800}, device_scale_factor=1.5)
    tab.set_content(page)
    tab.locator(part).screenshot(path=path)
    tab.close()
    picture = Image.open(path).convert("RGB")
    picture = picture.crop((0, 0, picture.width, min(picture.height, height or picture.height)))
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def digest_of(page: str) -> str:
    """What changes when the picture would."""
    return hashlib.sha256(page.encode()).hexdigest()[:16]


def rows_of(page: str) -> int:
    """The criteria on the card."""
    return page.count("<tr")


def check(page: str | None = None) -> None:
    """End with an error when the picture no longer shows the card of today, or of `page`, down to its words."""
    if DIGEST.read_text("utf-8").split()[0] != digest_of(page or card_page()):
        sys.exit("docs/pictures/card.png is not today's card: run make pictures")


def card_page() -> str:
    """An answer that forgets the scale, and what its check says."""
    source = next(handed.answers[EXERCISE] for handed in CLASS if handed.student == STUDENT)
    cells = [source, f'check("{EXERCISE}", {EXERCISE})']
    formatter = HtmlFormatter(style="tango")
    shown = "".join(f'<div class="code">{highlight(cell, PythonLexer(), formatter)}</div>' for cell in cells)
    return PAGE.format(colours=formatter.get_style_defs(), cells=shown, card=card_of(source))


def card_of(source: str) -> str:
    """The card below an answer, on the public cases."""
    names: dict = {}
    exec("import math\nimport torch\nfrom course_lib import softmax\n" + source, names)
    exercise = find(EXERCISE)
    known = answer_key_of((exercise,), answer_key.PUBLIC_SEED)[EXERCISE]
    verdict = judge(exercise, known, collect(EXERCISE, names[EXERCISE], known["cases"]))
    return html_card(verdict)


def report_page() -> str:
    """The class report of the demonstration."""
    course, command = ROOT / "build" / "demo", Path(sys.executable).with_name("course")
    stage = stage_of(EXERCISE).name
    subprocess.run([command, "demo", course], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([command, "report", stage, "--course", course], check=True, stdout=subprocess.DEVNULL)
    return (course / "report" / f"{stage}.html").read_text("utf-8")


if __name__ == "__main__":
    check() if "--check" in sys.argv else main()
