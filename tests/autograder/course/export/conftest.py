"""An LMS's zip, collected into a course."""

import pytest

from autograder.course.collect import collect_zip

from .zips import STAGE, zipped


@pytest.fixture
def collect(course, tmp_path):
    """`collect({name: content}, …)` makes a zip and collects it."""

    def run(members, **given):
        path = tmp_path / "lms.zip"
        path.write_bytes(zipped(members))
        return collect_zip(course, STAGE, path, **given)

    return run
