"""A course directory: nbgrader's, with what the judge needs beside it in `.course/`."""

import hashlib
import json
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import nbformat
from traitlets.config import Config

import autograder
from autograder.directory.configuration import read_config, read_values
from autograder.errors import CourseError
from autograder.files import write_whole
from autograder.judging import answer_key
from autograder.judging.answer_key.fingerprint import fingerprint, sources_of
from autograder.logs import keep_log, log
from autograder.sandbox.limits import Limits
from autograder.stage_meant import stage_meant
from autograder.stages import STAGES
from autograder.versions import versions

FORMAT = 1
MARK = ".course/course.json"


@dataclass(frozen=True)
class Course:
    """An initialised course directory. Make one with `Course.open`."""

    root: Path

    @classmethod
    def open(cls, root: Path) -> "Course":
        """The course in a directory; a `CourseError` when it is none, or another version's."""
        root = Path(root).resolve()
        try:
            mark = json.loads((root / MARK).read_text("utf-8"))
        except (OSError, ValueError):
            raise CourseError(f"{root} is not a course directory; create one with `course init DIR`.") from None
        if mark.get("format") != FORMAT:
            raise CourseError(
                f"{root} was made by another version of the course (format {mark.get('format')}, not "
                f"{FORMAT}); create a new one with `course init DIR` and move submitted/ there."
            )
        close_to_others(root / ".course")
        keep_log(root / MARK.partition("/")[0])
        return cls(root)

    @property
    def private(self) -> Path:
        """What no student, and no worker, sees."""
        return self.root / ".course"

    @cached_property
    def config(self) -> Config:
        """The instructor's nbgrader_config.py; a `CourseError` where it does not run."""
        return read_config(self.root)

    @cached_property
    def values(self) -> Config:
        """Only its plain values, for code that doesn't need nbgrader."""
        return read_values(self.root)

    @cached_property
    def db_url(self) -> str:
        """Where the gradebook is."""
        return str(self.values.CourseDirectory.get("db_url") or f"sqlite:///{self.root / 'gradebook.db'}")

    @cached_property
    def course_id(self) -> str:
        """nbgrader's name for the course."""
        return str(self.values.CourseDirectory.get("course_id") or "default_course")

    @cached_property
    def limits(self) -> Limits:
        """What a submission may use, according to the configuration."""
        wanted = self.values.get("Limits", {})
        unknown = set(wanted) - set(Limits.__dataclass_fields__)
        if unknown:
            known = ", ".join(Limits.__dataclass_fields__)
            raise CourseError(
                f"nbgrader_config.py sets the unknown limit c.Limits.{unknown.pop()}; the limits are {known}."
            )
        for name, value in wanted.items():
            if type(value) not in (int, float) or not value > 0:
                raise CourseError(f"nbgrader_config.py sets c.Limits.{name} to {value!r}; it must be a number above 0.")
        return Limits(**wanted)

    def stage(self, name: str) -> str:
        """The name of the stage of this course that a person means; an `UnknownStage` where none or several may be."""
        return stage_meant(name, tuple(stage for stage in STAGES if stage.name in self.stages)).name

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages that this course has."""
        return tuple(stage.name for stage in STAGES if self.source_file(stage.name).exists())

    def source_file(self, stage: str) -> Path:
        return self.root / "source" / stage / f"{stage}.ipynb"

    def release_file(self, stage: str) -> Path:
        return self.root / "release" / stage / f"{stage}.ipynb"

    def submitted_file(self, stage: str, student: str) -> Path:
        return self.root / "submitted" / student / stage / f"{stage}.ipynb"

    def autograded_file(self, stage: str, student: str) -> Path:
        return self.root / "autograded" / student / stage / f"{stage}.ipynb"

    def release(self, stage: str) -> nbformat.NotebookNode:
        """The notebook that students were given; made by nbgrader when it is not there yet."""
        if not self.release_file(stage).exists():
            generate_assignment(self, stage)
        try:
            return nbformat.read(self.release_file(stage), as_version=4)
        except ValueError:
            how = f"`nbgrader generate_assignment {stage} --force`"
            raise CourseError(f"{self.release_file(stage)} is not a notebook; release it again with {how}.") from None

    def students(self, stage: str) -> list[str]:
        """Who has a directory for this stage in submitted/, in order."""
        folder = self.root / "submitted"
        return sorted(p.name for p in folder.iterdir() if (p / stage).is_dir()) if folder.is_dir() else []

    def answers_file(self, stage: str, variant: int = 0) -> Path:
        return self.private / "answers" / f"{stage}{f'.variant-{variant}' if variant else ''}.safetensors"

    def answer_key(self, stage: str, variant: int = 0) -> dict:
        """The hidden answers of this course: drawn from its secret seed, renewed when an exercise has changed.

        Those of another variant are as fair, on numbers and sizes of their own.
        """
        path = self.answers_file(stage, variant)
        stamp = path.with_suffix(".made_from")
        current = fingerprint(stage, self.private / "derived")
        if not path.exists() or not stamp.exists() or stamp.read_text() != current:
            # the catalogue, the references and torch: 1.5 s of CPU time, only if numbers are drawn
            from autograder.judging.answer_key.draw import drawn

            log.info("drawing the hidden cases of %s", stage)
            path.parent.mkdir(parents=True, exist_ok=True)
            seed = int((self.private / "seed").read_text(), 16) + (variant << 128)  # longer than any course's seed
            answer_key.write(path, drawn(stage, seed))
            write_whole(stamp, current.encode())
            self._parts_file(stage).unlink(missing_ok=True)
        if not self._parts_file(stage).exists():
            made = {"packages": versions(), "files": parts_of_verdicts(stage)}
            write_whole(self._parts_file(stage), json.dumps(made).encode())
        return answer_key.load(path)

    def sources_of(self, stage: str) -> dict | None:
        """What the hidden answers were drawn with, `{"packages": …, "files": …}`; None before they were."""
        path = self._parts_file(stage)
        return json.loads(path.read_text("utf-8")) if path.exists() else None

    def _parts_file(self, stage: str) -> Path:
        return self.private / "answers" / f"{stage}.parts.json"

    @property
    def mark(self) -> dict:
        """What `course init` noted of itself."""
        return json.loads((self.root / MARK).read_text("utf-8"))


def parts_of_verdicts(stage: str) -> dict[str, str]:
    """The files of the package that decide about the verdicts on a stage → a digest of each."""
    root = Path(autograder.__file__).parents[1]
    digests = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in sources_of(stage)}
    return {path.relative_to(root).as_posix(): digest for path, digest in sorted(digests.items())}


def close_to_others(private: Path) -> None:
    """Only the owner, and a group that the owner let in, may enter: a copy of a course loses its modes on the way."""
    with suppress(OSError):  # of somebody else, who has to answer for it
        if (mode := private.stat().st_mode) & 0o007:
            private.chmod(mode & 0o770)


def mark_as_course(root: Path) -> None:
    """Give a directory its secret seed and its mark; the mark comes last."""
    private = root / ".course"
    private.mkdir(parents=True, exist_ok=True)
    private.chmod(0o700)
    seed = private / "seed"
    if not seed.exists():
        write_whole(seed, secrets.token_hex(16).encode(), mode=0o600)
    made_by = version("attention-workshop")
    if (root / MARK).exists():
        made_by = json.loads((root / MARK).read_text("utf-8")).get("made_by")
    write_whole(root / MARK, json.dumps({"format": FORMAT, "made_by": made_by}).encode())


def generate_assignment(course: Course, stage: str) -> None:
    """`nbgrader generate_assignment`, in this process and quietly."""
    _nbgrader(course, "generate_assignment", stage)


def generate_feedback(course: Course, stage: str) -> None:
    """`nbgrader generate_feedback`, in this process and quietly."""
    _nbgrader(course, "generate_feedback", stage)


def _nbgrader(course: Course, action: str, stage: str) -> None:
    import logging

    from nbgrader.apps.api import NbGraderAPI  # 0.7 s of CPU time
    from nbgrader.coursedir import CourseDirectory

    config = Config(course.config)
    config.CourseDirectory.root = str(course.root)
    api = NbGraderAPI(coursedir=CourseDirectory(config=config), config=config)
    level = api.log.level  # of one logger that all of nbgrader has
    api.log.setLevel(logging.ERROR)  # goes into the outcome
    try:
        outcome = getattr(api, action)(stage, force=True)
    finally:
        api.log.setLevel(level)
    if not outcome["success"]:
        said = outcome.get("log") or outcome.get("error") or ""
        causes = re.findall(r"^ +(\w*Error: .*)$", said, re.MULTILINE)  # above them stands how nbgrader came there
        raise CourseError(f"nbgrader {action} {stage} failed: {causes[-1] if causes else said}")
