"""What `course` writes on the terminal, and how it ends."""

import sys
from typing import Any, NoReturn

import typer
from rich.console import Console
from typer.core import TyperGroup

FAILED, USAGE, INTERRUPTED = 1, 2, 130
VERBOSE = "--verbose"
# the caller's, and Typer's ways to end; the usage errors are click's, under whatever name Typer has it
PASSED_ON: tuple[type[Exception], ...] = (typer.Exit, typer.Abort, *typer.BadParameter.__mro__[1:3])

console = Console()


class Commands(TyperGroup):
    """All commands: an error that the caller can fix, a refusal of the disk, a missing package is one sentence."""

    def parse_args(self, context: Any, args: list[str]) -> list[str]:
        """`--verbose` belongs to every command, so it may appear anywhere."""
        front = [word for word in args if word == VERBOSE]
        return super().parse_args(context, front[:1] + [word for word in args if word != VERBOSE])

    def invoke(self, context: Any) -> object:
        """Run one of them; what fails is logged with its traceback before it becomes a sentence."""
        from autograder.errors import CourseError
        from autograder.files import disk_trouble
        from autograder.logs import fault, log
        from autograder.stages import UnknownStage

        log.info("%s", " ".join(["course", *sys.argv[1:]]))
        try:
            return super().invoke(context)
        except CourseError as error:
            stop(str(error), error.exit_code)
        except UnknownStage as error:
            stop(str(error))
        except PASSED_ON:
            raise
        except ModuleNotFoundError as error:
            fault(f"{error.name} could not be imported", error)
            missing = (error.name or "").partition(".")[0]
            if missing in ("", "autograder", "course_lib"):
                raise
            extras = "instructor,jax" if missing in ("flax", "jax", "optax") else "instructor"
            stop(
                f"{missing} is not installed. This command is for instructors and needs: pip install "
                f"'attention-workshop[{extras}]'.",
                FAILED,
            )
        except Exception as error:
            fault("the command failed", error)
            if not (trouble := disk_trouble(error)):
                raise
            stop(f"{trouble}. Anything written before is kept; fix this and run the command again.", FAILED)


def say(sentence: object, screen: Console | None = None) -> None:
    """Print one sentence, never wrapped, as plain text: no part of it is read as markup."""
    from autograder.cli.tables import harmless

    (screen or console).print(harmless(str(sentence)), highlight=False, soft_wrap=True)


def stop(sentence: str, code: int = USAGE) -> NoReturn:
    """End with one sentence on stderr that says what to do."""
    from autograder.cli.tables import harmless

    Console(stderr=True).print(harmless(sentence), style="bold", highlight=False, soft_wrap=True)
    raise typer.Exit(code)
