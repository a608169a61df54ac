"""What a picture looks like is said in the room of pictures; a page computes what it shows."""

import ast
from pathlib import Path

import pytest

from autograder.build.stage import read_stage

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "course_lib" / "notebook" / "pictures"
THEMES = sorted(path.stem for path in ROOM.glob("*.py") if path.stem != "__init__")
PAGES = sorted((ROOT / "solutions").glob("*.py"))


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_page_draws_nothing_itself(page):
    sources = [cell.source for cell in read_stage(page).cells if cell.kind == "code"]
    assert [source for source in sources if "matplotlib" in source or "plt." in source] == []


@pytest.mark.parametrize("theme", THEMES)
def test_every_picture_is_on_a_page(theme):
    tree = ast.parse((ROOM / f"{theme}.py").read_text("utf-8"))
    drawn = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")}
    importing = [page.read_text("utf-8") for page in PAGES if f"import {theme} as pictures" in page.read_text("utf-8")]
    assert {name for name in drawn if not any(f"pictures.{name}(" in page for page in importing)} == set()
    assert drawn
