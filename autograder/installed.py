"""What a stage needs besides the package itself, and whether it is installed here."""

from collections.abc import Callable, Iterable
from importlib.util import find_spec

from autograder.errors import CourseError
from autograder.stages import TRACKS, stage_named


class FrameworkMissing(CourseError):
    """Stages whose framework is not installed; the message says how to install it."""


def missing_framework(stage: str) -> tuple[str, ...]:
    """The packages of a stage's framework that cannot be imported here."""
    return tuple(name for name in TRACKS[stage_named(stage).track].packages if find_spec(name) is None)


def require_framework(stage: str) -> None:
    """Raise a `FrameworkMissing` unless a stage can be built and graded here."""
    if missing := missing_framework(stage):
        raise FrameworkMissing(f"{stage} {_how_to_install(stage, missing)}")


def with_framework(stages: Iterable[str], tell: Callable[[str], None]) -> tuple[str, ...]:
    """Those of the stages that can be built and graded here.

    Args:
        stages: their names.
        tell: called with a sentence for each stage that is left out.

    Raises:
        FrameworkMissing: none of them can.
    """
    stages = tuple(stages)
    lacking = {stage: missing for stage in stages if (missing := missing_framework(stage))}
    if lacking and len(lacking) == len(stages):
        require_framework(stages[0])
    for stage, missing in lacking.items():
        tell(f"Left out: {stage} {_how_to_install(stage, missing)}")
    return tuple(stage for stage in stages if stage not in lacking)


def _how_to_install(stage: str, missing: tuple[str, ...]) -> str:
    extra = TRACKS[stage_named(stage).track].extra
    *others, last = missing
    names, verb = (f"{', '.join(others)} and {last}", "are") if others else (last, "is")
    return f"needs {names}, which {verb} not installed here: pip install 'attention-workshop[{extra}]'."
