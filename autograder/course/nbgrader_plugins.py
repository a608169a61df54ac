"""The call at the top of an nbgrader_config.py that connects the course to nbgrader."""

from traitlets.config import Config

from autograder.directory.configuration import VALUES_ALONE


def configure(c: Config) -> None:
    """Set up an instructor's nbgrader_config.py; where only its plain values are read, nbgrader is not imported."""
    if VALUES_ALONE.get():
        return
    from autograder.course.nbgrader_setup import set_up

    set_up(c)
