"""The walk through the site finds links that lead nowhere, and nothing else."""

import pytest

from docs.tools.walk import broken, main

GOOD = '<h2 id="a b">x</h2><a href="two.html#end">2</a><a href="#a%20b">here</a><a href="https://example.org">out</a>'
OTHER = '<a name="end" href="sub/../index.html"></a><img src="data:image/png;base64,AA=="><img src="i.png" alt="">'


@pytest.fixture
def site(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "index.html").write_text(GOOD)
    (tmp_path / "two.html").write_text(OTHER)
    (tmp_path / "i.png").write_bytes(b"")
    return tmp_path


def test_a_site_whose_links_lead_somewhere_is_whole(site, capsys):
    assert broken(site) == []
    main(site)
    assert "2 pages" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('<a href="three.html">3</a>', "three.html leads to no file"),
        ('<a href="two.html#start">3</a>', "leads to no place on its page"),
        ('<a href="#nowhere">3</a>', "leads to no place on its page"),
        ('<img src="gone.png">', "gone.png leads to no file"),
        ('<script src="https://example.org/x.js"></script>', "from elsewhere"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "from elsewhere"),
    ],
)
def test_a_link_that_leads_nowhere_is_named_with_its_page(site, text, words):
    (site / "bad.html").write_text(text)
    [sentence] = broken(site)
    assert sentence.startswith("bad.html")
    assert words in sentence


def test_a_broken_site_ends_with_an_error(site):
    (site / "bad.html").write_text('<a href="three.html">3</a>')
    with pytest.raises(SystemExit, match="three"):
        main(site)
