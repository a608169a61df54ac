"""What the documentation tells people to type exists, and what it points to is there."""

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from autograder.cli import app
from autograder.judging.verdict import STATUSES

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMES = [page.name for page in PAGES]
COURSE = re.compile(r"(?:^|`)(?:\.venv/bin/)?course ([a-z][^`\n#]*)", re.MULTILINE)
PLACEHOLDER = re.compile("TOPIC|NN_name")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)#:]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_course_command_has_the_options_that_are_shown(page):
    commands = get_command(app).commands
    for found in COURSE.findall(page.read_text("utf-8")):
        name, *words = shlex.split(found)
        options = {option for parameter in commands[name].params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options | {"--help"}, found


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_make_target_that_is_shown_exists(page):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([a-z]+)(?=[`\s])", page.read_text("utf-8"), re.MULTILINE)) <= targets


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_link_leads_to_a_file_that_is_there_or_made(page):
    for link in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / link).exists() or link.startswith("made/"), link


def test_every_file_that_is_named_exists():
    for page in PAGES:
        for path in re.findall(r"`((?:autograder|course_lib|docs|tests)/[\w/.]+)`", page.read_text("utf-8")):
            assert (ROOT / path).exists() or PLACEHOLDER.search(path), (page.name, path)


def test_every_status_is_explained():
    explained = (ROOT / "docs" / "instructor.md").read_text("utf-8")
    assert all(f"`{status}`" in explained for status in STATUSES)
