"""The built site in a browser: nothing serious for axe, no code wider than its column, nothing asked of the network.

It is looked at where `make docs` has built it.
"""

import pytest

from tests.browser.conftest import ROOT

axe = pytest.importorskip("tests.browser.axe")

SITE = ROOT / "build" / "docs"
PAGES = sorted(str(path.relative_to(SITE)) for path in SITE.rglob("*.html")) or ["index.html"]
WIDER = """() => [...document.querySelectorAll('div.highlight pre, div.output, table, math')].filter(part => {
    const box = part.getBoundingClientRect(), scrolls = getComputedStyle(part.parentElement).overflowX === 'auto';
    if (part.tagName === 'PRE') return box.width > 0 && part.scrollWidth > part.clientWidth + 1;
    return box.width > 0 && box.right > innerWidth + 1 && !scrolls;
}).map(part => part.textContent.trim().slice(0, 80))"""

pytestmark = [pytest.mark.browser, pytest.mark.skipif(not SITE.exists(), reason="make docs has not been run")]


@pytest.fixture(scope="module")
def opened(chromium):
    """Open a page of the site, unless it still is from the test before; what it asks of the network is in `asked`."""
    context, asked, last = chromium.new_context(viewport={"width": 1280, "height": 900}), [], []
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))

    def go(name, scheme):
        page.emulate_media(color_scheme=scheme)
        if last != [name]:
            asked.clear()
            page.goto((SITE / name).as_uri())
            page.evaluate("() => document.querySelectorAll('details').forEach(part => part.open = true)")
            last[:] = [name]
        return page, asked

    yield go
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_site_is_whole_for_everybody(opened, name, scheme):
    page, asked = opened(name, scheme)
    assert page.evaluate(WIDER) == []
    assert axe.serious(page) == set()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
