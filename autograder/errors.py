"""Errors that are said to whoever called `course`, in one sentence."""


class CourseError(Exception):
    """Something that the caller can mend; the message is one sentence that says what to do."""

    exit_code = 2
