"""What graders still have to mark, and where."""

from dataclasses import dataclass

import nbformat

from autograder.directory.course import Course
from autograder.directory.database import open_gradebook
from autograder.errors import CourseError
from autograder.exports.scores import read_scores
from autograder.grading.division import first_marks, read_division, second_marks
from autograder.grading.notebook import Notebook


@dataclass(frozen=True)
class Task:
    """An answer that somebody has to mark; `page` is the formgrader's, after the address of the server."""

    stage: str
    student: str
    question: str
    grader: str
    second: bool
    page: str

    def __str__(self) -> str:
        if self.second:
            return f"{self.stage}, {self.student}, {self.question}: a second mark, by `course mark`"
        return f"{self.stage}, {self.student}, {self.question}: {self.page}"


def left(course: Course, stage: str) -> list[Task]:
    """What is left of a stage, in the order of questions; empty where nothing is divided."""
    division = read_division(course, stage)
    if division is None:
        return []
    pages = _pages(course, stage)
    open_ = {(student, question) for student, s in read_scores(course, stage).items() for question in s.by_hand_open}
    given, marked = first_marks(course, stage), second_marks(course, stage)
    tasks = [Task(stage, s, q, division.grader(s, q), False, pages[s]) for s, q in open_]
    for student, question in {*open_, *given} - marked.keys():
        if second := division.second(student, question):
            tasks.append(Task(stage, student, question, second, True, pages[student]))
    return sorted(tasks, key=lambda task: (task.question, task.second, task.student))


def answer_of(course: Course, stage: str, student: str, question: str) -> str:
    """What a student wrote, as it was graded; a `CourseError` where there is nothing."""
    path = course.autograded_file(stage, student)
    cells = Notebook(nbformat.read(path, as_version=4)).named if path.is_file() else {}
    if question not in cells:
        raise CourseError(f"{student} has no graded answer to {question} in {stage}.")
    return cells[question].source


def _pages(course: Course, stage: str) -> dict[str, str]:
    with open_gradebook(course.db_url, course.course_id) as gradebook:
        found = gradebook.notebook_submissions(stage, stage)
        return {one.student.id: f"/formgrader/submissions/{one.id}/" for one in found}
