"""What many tests read is made once in a test run, by whichever of its processes needs it first."""

import gc
import os
import shutil
import sys
import tempfile

import pytest
from filelock import FileLock

from autograder import quick_imports  # noqa: F401

# Programs of a few operations that run a few times: XLA takes longer to optimise one than it could ever save.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")

# What one process of a test run has compiled, the others, kernels too, need not compile again; XLA's own limits would
# keep no program that small.
PROGRAMS = {
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
}

LONG = (  # more than fifteen seconds each, or most of them: the longest first
    "test_entry_points.py::test_every_entry_point_gives_the_same_points",
    "test_pages.py::test_a_solved_page_has_full_marks_and_words_for_every_picture[10_",
    "test_pages.py::test_a_solved_page_has_full_marks_and_words_for_every_picture[23_",
    "test_pages.py::test_a_solved_page_has_full_marks_and_words_for_every_picture[13_",
    "test_demo.py::test_each_student_gets_what_they_deserve",
    "test_pages.py::test_a_solved_page",
    "test_pages.py::test_an_empty_page",
    "test_stages.py::",
    "tests/browser/",  # a JupyterLab for each process that runs some of them: not at the end, where they are shared out
)


def pytest_configure(config):
    """A folder for compiled programs, made by the first process; those that it starts inherit its name."""
    if "JAX_COMPILATION_CACHE_DIR" not in os.environ:
        folder = tempfile.TemporaryDirectory(prefix="programs-")
        config.add_cleanup(folder.cleanup)
        os.environ |= PROGRAMS | {"JAX_COMPILATION_CACHE_DIR": folder.name}


def pytest_collection_modifyitems(items):
    """Long tests come first: one that began as the last would leave the other cores without work. Where bubblewrap
    cannot run, those that need it are skipped."""
    items.sort(key=lambda item: next((n for n, name in enumerate(LONG) if name in item.nodeid), len(LONG)))
    from autograder.sandbox.sandbox import refusal

    walled = [item for item in items if item.get_closest_marker("sandbox")]
    if walled and (why := refusal()):
        for item in walled:
            item.add_marker(pytest.mark.skip(reason=f"bubblewrap cannot run here: {why}"))


def pytest_collection_finish():
    """What is imported by now stays: no collection of garbage needs to look at it again. Tracing by JAX makes little
    of it, and Python, which looks after every 700 new objects, would spend a sixth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


def pytest_runtest_setup():
    """absl comes with JAX and logs to the stderr of its import, which is pytest's own. When nbgrader configures
    logging, absl closes that stream, unless it is the real one."""
    if absl_logging := sys.modules.get("absl.logging"):
        absl_logging.get_absl_handler().python_handler.setStream(sys.__stderr__)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory, worker_id):
    """`made_once(name, make)`: the folder that `make(folder)` has filled, for all processes: not to be written to."""
    own = tmp_path_factory.getbasetemp()
    shared = (own if worker_id == "master" else own.parent) / "made-once"
    shared.mkdir(exist_ok=True)

    def folder(name, make):
        with FileLock(shared / f"{name}.lock"):
            if not (shared / name).exists():
                unfinished = tmp_path_factory.mktemp("unfinished")
                make(unfinished)
                os.rename(unfinished, shared / name)
        return shared / name

    return folder


@pytest.fixture(scope="session")
def copy_of_course(made_once):
    """`copy_of_course(root)`: a course with stage 01 and no submissions, its hidden numbers drawn."""
    from autograder.course.init import init_course
    from autograder.directory.course import Course
    from autograder.grading.context import Context

    def make(folder):
        Context.of(init_course(folder / "course", only=("01_attention",)), "01_attention")

    made = made_once("course", make)

    def copy(root):
        shutil.copytree(made / "course", root)
        return Course.open(root)

    return copy
