"""What `course` writes on the terminal, and how it ends."""

import typer
from rich.console import Console
from typer.core import TyperGroup

FAILED, USAGE, INTERRUPTED = 1, 2, 130

console = Console()


class Commands(TyperGroup):
    """All commands: what the caller can mend, what the disk refuses, what was never installed is one sentence."""

    def invoke(self, context):
        """Run one of them."""
        from autograder.errors import CourseError
        from autograder.files import disk_trouble
        from autograder.stages import UnknownStage

        try:
            return super().invoke(context)
        except CourseError as error:
            stop(str(error), error.exit_code)
        except UnknownStage as error:
            stop(str(error))
        except ModuleNotFoundError as error:
            missing = (error.name or "").partition(".")[0]
            if missing in ("", "autograder", "course_lib"):
                raise
            stop(
                f"{missing} is not installed: this command is the instructor's, and needs "
                "pip install 'attention-workshop[instructor]'.",
                FAILED,
            )
        except Exception as error:
            if not (trouble := disk_trouble(error)):
                raise
            stop(f"{trouble}. What was written before is kept: mend that, and run this again.", FAILED)


def say(sentence: object, screen: Console | None = None) -> None:
    """Print one sentence, never wrapped, as the words that it is: what a student chose in it is harmless."""
    from autograder.grading.report import harmless

    (screen or console).print(harmless(str(sentence)), highlight=False, soft_wrap=True)


def stop(sentence: str, code: int = USAGE) -> None:
    """End with one sentence on stderr that says what to do."""
    Console(stderr=True).print(sentence, style="bold", highlight=False, markup=False, soft_wrap=True)
    raise typer.Exit(code)
