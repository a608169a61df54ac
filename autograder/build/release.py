"""The student notebook, by nbgrader's own converters; and what `course build` writes or checks."""

from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

import nbformat
from nbconvert.exporters import NotebookExporter
from torch import set_num_threads
from traitlets.config import Config

from autograder.build.hints import hints_json
from autograder.build.kill_matrix import kill_matrix, kill_matrix_file
from autograder.build.notebook import source_notebook
from autograder.build.proof import digest as proof_digest
from autograder.build.proof import proved
from autograder.build.stage import AuthoredStage, read_stage
from autograder.catalogue import exercises_of
from autograder.catalogue.exercise import Exercise
from autograder.errors import CourseError
from autograder.installed import with_framework
from autograder.judging import answer_key
from autograder.judging.answer_key.compute import draw
from autograder.judging.answer_key.fingerprint import fingerprint
from autograder.practice.hints import hints_file
from autograder.protocol.channel import BadFrame, packed
from autograder.sandbox.attempt import probe_request
from autograder.stages import STAGE_NAMES
from autograder.stripping.release import WRITTEN_ANSWER, release_preprocessors


class DoesNotCross(CourseError):
    """The cases of an exercise, which are sent together, do not fit into one request to a worker."""

    exit_code = 1


def solved_notebook(stage: AuthoredStage) -> bytes:
    """The source notebook as a file."""
    return _bytes(nbformat.writes(source_notebook(stage)))


def student_notebook(stage: AuthoredStage) -> bytes:
    """The notebook that a student opens: what `nbgrader generate_assignment` makes of the source."""
    config = Config()
    config.Exporter.default_preprocessors = []
    config.ClearSolutions.text_stub = WRITTEN_ANSWER
    exporter = NotebookExporter(config=config)
    for preprocessor in release_preprocessors(save=False):
        exporter.register_preprocessor(preprocessor, enabled=True)
    text, _ = exporter.from_notebook_node(source_notebook(stage), resources={"nbgrader": {}, "metadata": {}})
    return _bytes(text)


def stages_in(
    solutions: Path, only: tuple[str, ...] = (), tell: Callable[[str], None] = lambda sentence: None
) -> list[AuthoredStage]:
    """The stages of a folder, in order, or `only` some; all are read, and refused, before anything is written.

    Stages whose framework is not installed are left out, with a sentence for `tell`; where none remains, a
    `FrameworkMissing` is raised.
    """
    paths = {path.stem: path for path in sorted(solutions.glob("[0-9]*.py")) if not only or path.stem in only}
    known = with_framework((name for name in paths if name in STAGE_NAMES), tell)
    return [read_stage(path) for name, path in paths.items() if name in known or name not in STAGE_NAMES]


def outputs(
    root: Path, only: tuple[str, ...] = (), tell: Callable[[str], None] = lambda sentence: None
) -> Iterable[tuple[Path, bytes]]:
    """Each file that the build makes, of all stages or `only` some, and its content; `tell` as in `stages_in`."""
    stages = stages_in(root / "solutions", only, tell)
    for stage in stages:
        yield root / "notebooks" / f"{stage.name}.ipynb", student_notebook(stage)
        yield hints_file(stage.name), hints_json(stage)
    for stage, content in zip(stages, _public_answer_keys([stage.name for stage in stages]), strict=True):
        yield (path := answer_key.public_file(stage.name)), content
        yield _record_of(path), _sources_digest(stage.name, content)
        yield kill_matrix_file(stage.name), kill_matrix(stage, answer_key.parse(content))


def _public_answer_keys(stages: list[str]) -> list[bytes]:
    """The committed answers of stages whose record says that they still hold, and computed ones of the others."""
    known = {stage: answer_key.public_file(stage).read_bytes() for stage in stages if still_hold(stage)}
    stale = [stage for stage in stages if stage not in known]
    if stale:
        with ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=set_num_threads, initargs=(1,)) as pool:
            known |= zip(stale, pool.map(answers_of, stale), strict=True)
    return [known[stage] for stage in stages]


def still_hold(stage: str, path: Path | None = None) -> bool:
    """Whether a stage's answers (committed, or at `path`) and the files they are made from are unchanged."""
    path = path or answer_key.public_file(stage)
    record = _record_of(path)
    return path.exists() and record.exists() and record.read_bytes() == _sources_digest(stage, path.read_bytes())


def _record_of(path: Path) -> Path:
    return path.with_suffix(".sources_digest")


def _sources_digest(stage: str, content: bytes) -> bytes:
    """Three digests: of the files that a stage's answers were computed from, of these answers, of what was proved."""
    return f"{fingerprint(stage)}\n{sha256(content).hexdigest()}\n{proof_digest()}\n".encode()


def answers_of(stage: str) -> bytes:
    """The answers of a stage; the committed ones, unless a number has moved by more than processors differ.

    Raises:
        CatalogueFault: an exercise doesn't hold what it promises.
        DoesNotCross: its cases do not reach a worker.
    """
    path = answer_key.public_file(stage)
    refuse_what_does_not_cross(exercises_of(stage))
    computed = {exercise.id: proved(exercise) for exercise in exercises_of(stage)}
    if path.exists() and answer_key.same_answer_keys(answer_key.load(path), computed):
        return path.read_bytes()
    return answer_key.serialise(computed)


def refuse_what_does_not_cross(exercises: tuple[Exercise, ...]) -> None:
    """A `DoesNotCross` where a worker would refuse the cases of an exercise: here, not when a class is graded."""
    for exercise in exercises:
        cases = {case.name: draw(exercise, case, answer_key.PUBLIC_SEED) for case in exercise.cases}
        try:
            packed(*probe_request(exercise.id, cases))
        except BadFrame as error:
            raise DoesNotCross(
                f"The cases of {exercise.id} do not cross to a worker in one request ({error}): "
                "leave some out, or give them fewer weights."
            ) from None


def _bytes(text: str) -> bytes:
    return (text.rstrip("\n") + "\n").encode()
