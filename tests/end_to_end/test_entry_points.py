"""The same points through every entry point, of two classes, an honest and a damaged one, over three stages."""

import pytest

from .entry_points import ENTRY_POINTS, HONEST, NONE, STAGES, every_entry_point

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # an open file of nbgrader's
    pytest.mark.filterwarnings("ignore:Object of type:sqlalchemy.exc.SAWarning"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


@pytest.mark.sandbox
def test_every_entry_point_gives_the_same_points(tmp_path):
    found = every_entry_point(tmp_path)
    for (stage, student), points in found.items():
        assert set(points) == set(ENTRY_POINTS)
        assert len(set(points.values())) == 1, (stage, student, points)
    for stage in STAGES:
        of_stage = [set(found[stage, f"{kind}-0"].values()).pop() for kind in HONEST]
        assert len(set(of_stage)) == 3
        assert set(found[stage, "no-notebook-0"].values()) == {NONE}
        assert found[stage, "renamed-0"] == found[stage, "mistake-0"]
