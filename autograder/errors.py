"""Errors that the caller of `course` gets in one sentence."""


class CourseError(Exception):
    """Something that the caller can fix; the message is one sentence that says what to do."""

    exit_code = 2
