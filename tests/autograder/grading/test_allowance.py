"""What one submission may cost the grader itself: beyond it, a flag, and the others are not disturbed."""

import mmap
import signal
import subprocess
import sys

import nbformat
import pytest

from autograder.grading import allowance, sanitize, task
from autograder.grading.allowance import TooCostly, limited
from autograder.grading.context import Context
from autograder.repair import canonical
from autograder.repair.reading import read_submission
from autograder.sandbox.outputs import Outputs, Text

STAGE = "01_attention"
LIMITED = """
from autograder.grading.allowance import MEMORY, limit_memory
limit_memory()
try:
    held = bytearray(MEMORY)
except MemoryError:
    print("refused")
print(len(bytearray(MEMORY // 2)) == MEMORY // 2)
"""

UNFORESEEN = """
import jax, numpy as np  # as whoever forks a grading process has imported them
from autograder.catalogue import find
from autograder.grading.allowance import MEMORY, limit_memory
from autograder.judging.answer_key import load, public_file
from autograder.judging.judge import judge
exercise = find("jax_scaled_dot_product")
limit_memory()
key = load(public_file("21_jax_attention"))[exercise.id]
noisy = {
    case: record | {"tensors": {name: x + np.arange(x.size).reshape(x.shape) for name, x in record["tensors"].items()}}
    for case, record in key["expected"].items()
}
print(judge(exercise, key, noisy).status)
print(len(bytearray(MEMORY // 2)) == MEMORY // 2)
"""


def spin():
    while True:
        pass


def test_processor_time_beyond_the_allowance_is_an_error_and_the_clock_is_put_back():
    before = signal.getsignal(signal.SIGPROF)
    with pytest.raises(TooCostly), limited(0.05):
        spin()
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGPROF) == before


@pytest.mark.parametrize("error", [MemoryError, TooCostly])
def test_a_submission_that_costs_too_much_is_a_persons_and_the_next_is_graded(course, tools, monkeypatch, error):
    context = Context.of(course, STAGE)

    def costly(*_):
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(task, "sanitised", costly)
        refused = task.grade_bytes(context, tools.solved(course))
    assert (refused["submission"]["status"], refused["submission"]["flags"]) == ("ungradable", [task.TOO_MUCH])
    assert task.grade_bytes(context, tools.solved(course))["submission"]["score"] == 20


@pytest.mark.skipif(sys.platform != "linux", reason="addresses are counted in /proc")
def test_memory_beyond_the_allowance_is_refused():
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused", "True"]
    assert allowance.MEMORY % mmap.PAGESIZE == 0


@pytest.mark.skipif(sys.platform != "linux", reason="addresses are counted in /proc")
def test_what_a_framework_takes_to_explain_an_answer_does_not_count():
    pytest.importorskip("jax")
    done = subprocess.run([sys.executable, "-c", UNFORESEEN], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["partial", "True"], done.stderr


def test_pictures_and_text_are_kept_up_to_an_allowance_of_the_whole_submission():
    text = Text()
    text.left.rich, text.left.text = 100, 50
    shown = [Outputs(text, limit=40, displays={}) for _ in range(3)]
    for outputs in shown:
        picture = {"output_type": "display_data", "data": {"text/plain": "x" * 37}, "metadata": {}}
        outputs.add({"op": "output", "output": picture})
        text.files[0].write(b"y" * 23)
        outputs.advance()
    assert [len(outputs.records) for outputs in shown] == [2, 2, 1]
    assert [sum(len(record.get("text", "")) for record in outputs.records) for outputs in shown][:2] == [23, 23]
    assert text.left.spent
    text.close()


def test_the_error_of_a_cell_is_kept_when_nothing_else_is():
    text = Text()
    text.left.rich = 0
    shown = Outputs(text, limit=40, displays={})
    shown.add({"op": "output", "output": {"output_type": "error", "ename": "E", "evalue": "e", "traceback": []}})
    assert [record["ename"] for record in shown.records] == ["E"]
    text.close()


def test_too_much_code_is_cut_where_it_is_longest_and_flagged():
    cells = [nbformat.v4.new_code_cell(f"{name} = 1\n" * 9973) for name in "abcdefg"] + [
        nbformat.v4.new_code_cell("short = 1"),
        nbformat.v4.new_markdown_cell("p" * 2 * canonical.MAX_CODE),
    ]
    notebook, _, flags = read_submission(nbformat.writes(nbformat.v4.new_notebook(cells=cells)).encode())
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert sum(map(len, code)) <= canonical.MAX_CODE
    assert "short = 1" in code
    assert len(notebook.cells) == len(code) + 1
    assert any("the longest cells were not read" in flag for flag in flags)


def test_prose_beyond_the_allowance_is_shown_as_it_was_typed():
    cells = [nbformat.v4.new_markdown_cell(f"{n} *a*" + " b" * (sanitize.LONG // 2 - 97)) for n in range(23)]
    shown = sanitize.safe_notebook(nbformat.v4.new_notebook(cells=cells)).cells
    typed = [cell.source.startswith("```text") for cell in shown]
    assert typed == sorted(typed)
    assert typed.count(False) == sanitize.MUCH // len(cells[0].source)
