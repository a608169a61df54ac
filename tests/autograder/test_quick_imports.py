"""Nothing that grades waits for a grammar of web addresses, whichever door it comes in by."""

import subprocess
import sys

import pytest

DOORS = (
    "autograder.cli",
    "autograder.exports.gradescope_start",
    "autograder.grading.cluster",
    "autograder.grading.task",
)


@pytest.mark.parametrize("door", DOORS)
def test_nbformat_is_imported_without_a_grammar(door):
    script = f"import sys, autograder.{door}, nbformat; sys.exit('lark' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)
