"""Solutions are taken out, guidance stays, and a marker without its partner is named by its line."""

import pytest

from autograder.stripping.strip import MarkerError, strip, without_markers

SOURCE = """\
def first(x):
    # BEGIN SOLUTION
    #: Think of two.
    y = 2 * x  # twice
    return y
    # END SOLUTION


class Second:
    def forward(self, x):
        before = x
        # BEGIN SOLUTION
        return before + 1
        # END SOLUTION
"""


def test_guidance_survives_and_the_rest_becomes_a_stub():
    assert strip(SOURCE) == (
        "def first(x):\n    #: Think of two.\n    raise NotImplementedError\n\n\n"
        "class Second:\n    def forward(self, x):\n        before = x\n        raise NotImplementedError\n"
    )


def test_only_the_wanted_objects_are_stripped():
    stripped = strip(SOURCE, wanted={"Second"}.__contains__)
    assert "return y" in stripped
    assert "before + 1" not in stripped


def test_a_marker_may_say_whose_answer_a_helper_would_give_away():
    helper = "def helper(x):\n    # BEGIN SOLUTION of Second\n    return x + 1\n    # END SOLUTION\n"
    assert strip(helper, wanted={"Second"}.__contains__) == "def helper(x):\n    raise NotImplementedError\n"
    assert strip(helper, wanted={"helper"}.__contains__) == "def helper(x):\n    return x + 1\n"


def test_the_solved_source_has_no_marker_and_no_guidance():
    solved = without_markers(SOURCE)
    assert "SOLUTION" not in solved
    assert "#:" not in solved
    assert "return y" in solved


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("a\n# BEGIN SOLUTION\nb", 2),
        ("a\n# BEGIN SOLUTION of first\nb", 2),
        ("a\n# END SOLUTION", 2),
        ("# BEGIN SOLUTION\n# BEGIN SOLUTION\n# END SOLUTION", 2),
    ],
)
def test_a_marker_without_its_partner_is_an_error_with_its_line(source, line):
    with pytest.raises(MarkerError) as error:
        strip(source)
    assert error.value.line == line
