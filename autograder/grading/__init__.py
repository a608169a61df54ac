"""From a submitted file to a verdict, a feedback notebook and a row in the gradebook."""

from autograder import quick_imports  # noqa: F401
