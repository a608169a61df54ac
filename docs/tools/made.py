"""The pages that are made and not written: the stages and the table of wrong answers, below `docs/made/`."""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

from autograder.build.release import stages_in
from docs.tools import concepts, limits, stages, wrong_answers
from docs.tools.executed import ROOT

MADE = ROOT / "docs" / "made"
log = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict:
    """Make the pages before Sphinx looks which there are."""
    app.connect("builder-inited", lambda app: make())
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def make() -> None:
    """Write every page that is not as it should be, and remove those of stages that are gone."""
    authored = stages_in(ROOT / "solutions")
    wanted = {MADE / "wrong_answers.md": wrong_answers.page(authored), MADE / "limits.md": limits.table()}
    wanted[MADE / "concepts.md"] = concepts.page(authored)
    for stage in authored:
        log.info("executing %s, unless nothing has changed", stage.name)
        wanted[MADE / "stages" / f"{stage.name}.md"] = stages.page(stage)
    for path in set(MADE.rglob("*.md")) - wanted.keys():
        path.unlink()
    for path, text in wanted.items():
        _write(path, text)


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text("utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
