"""`--to github-classroom`: a template repository with the notebook, and a workflow that reports points at every push.

The workflow judges on the public answers, which are in the package: nothing secret leaves the course, and nobody can
read from the points what the hidden cases are. The grade is made in the course, from clones: `course collect`.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import metadata
from pathlib import Path

import nbformat
import yaml

from autograder.directory.course import Course
from autograder.directory.variants import number_of_variants
from autograder.errors import CourseError
from autograder.exports.variants import SAME_FOR_ALL
from autograder.files import write_whole
from autograder.grading.context import Context
from autograder.sandbox.limits import Limits
from autograder.stages import stage_named
from autograder.versions import OURS

GRADER = ".github/grader"
README = """\
# {stage}

Open `{stage}.ipynb` in Jupyter, write your answers, commit and push. At every push the workflow *Points* runs the
public checks; its summary shows your points. Your grade is made later, on other numbers.
"""


def export_repository(course: Course, stage: str, folder: Path) -> Iterator[str]:
    """Write the template of a stage as a folder, ready to be pushed; yields sentences.

    Raises:
        CourseError: the folder is there already, and has a history of its own; or students are to have different pages.
    """
    if number_of_variants(course) > 1:
        raise CourseError(SAME_FOR_ALL.format(way="a template repository", stage=stage))
    root = folder / f"{stage}-github-classroom"
    if (root / ".git").exists():
        raise CourseError(f"{root} is a repository already: give another --output, or take it away.")
    Context.of(course, stage)  # the release is noted: what is handed in may have this form
    for name, content in repository(stage, course.release(stage), course.limits).items():
        write_whole(root / name, content)
    yield f"{root}: push it as a template repository, and choose it for the assignment of {stage}."
    yield f"What students push comes back by `course collect CLONES {stage}`."


def repository(stage: str, release: nbformat.NotebookNode, limits: Limits) -> dict[str, bytes]:
    """Path → content of everything in the template; `release` without hidden tests."""
    settings = {"stage": stage, "limits": asdict(limits)}
    page = json.dumps(release, indent=1, ensure_ascii=False).encode()
    return {
        f"{stage}.ipynb": page,
        "README.md": README.format(stage=stage).encode(),
        f"{GRADER}/release.ipynb": page,
        f"{GRADER}/settings.json": json.dumps(settings, indent=2).encode(),
        ".github/workflows/points.yml": yaml.safe_dump(_workflow(stage), sort_keys=False).encode(),
    }


def _workflow(stage: str) -> dict:
    """The workflow, for the version of the package that is installed here."""
    about = metadata(OURS)
    where = next(line.partition(", ")[2] for line in about.get_all("Project-URL", []) if line.startswith("Repository"))
    extras = ",".join(filter(None, ("instructor", stage_named(stage).extra)))
    install = f"pip install '{OURS}[{extras}] @ git+{where}@v{about['Version']}'"
    return {
        "name": "Points",
        "on": ["push"],
        "permissions": {"contents": "read"},
        "jobs": {
            "points": {
                "runs-on": "ubuntu-latest",
                "timeout-minutes": 30,
                "steps": [
                    {"uses": "actions/checkout@v4"},
                    {"uses": "actions/setup-python@v5", "with": {"python-version": "3.12"}},
                    {"run": install, "env": {"PIP_EXTRA_INDEX_URL": "https://download.pytorch.org/whl/cpu"}},
                    {"run": "python -m autograder.exports.github_run"},
                ],
            }
        },
    }
