"""A course with the public answers in place of hidden ones: to draw those takes half a minute a stage."""

from autograder.directory.course import Course
from autograder.files import write_whole
from autograder.judging import answer_key
from autograder.judging.answer_key.fingerprint import fingerprint


def give_public_answers(course: Course, stage: str) -> None:
    """Let a course judge a stage by the public answers."""
    known = course.private / "answers" / f"{stage}.safetensors"
    write_whole(known, answer_key.public_file(stage).read_bytes())
    write_whole(known.with_suffix(".made_from"), fingerprint(stage).encode())
