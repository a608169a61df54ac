"""Where the nbgrader_config.py of courses made by version 0.1 looks for the course's plug-ins."""

from autograder.course.nbgrader_plugins import configure

__all__ = ["configure"]
