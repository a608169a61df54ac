"""Nothing that grades waits for a grammar of web addresses, whichever door it comes in by."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("door", ["cli", "exports.gradescope_start", "grading.cluster", "grading.task"])
def test_nbformat_is_imported_without_a_grammar(door):
    script = f"import sys, autograder.{door}, nbformat; sys.exit('lark' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)
