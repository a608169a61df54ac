"""What to say when `check` is called with something that it cannot check."""

import inspect

from autograder.catalogue.exercise import Exercise
from autograder.stages import STAGES


def wrong_call(exercise_id: object) -> str:
    """A sentence about a first argument that is not a name."""
    if exercise_id is None:
        return 'check takes the name of an exercise and the object you wrote: check("softmax", softmax).'
    name = getattr(exercise_id, "__name__", "softmax")
    return f'check takes the name of the exercise first, in quotation marks: check("{name}", {name}).'


def wrong_object(exercise: Exercise, student: object) -> str | None:
    """A sentence about an object that cannot be this exercise, or None."""
    name, call = exercise.name, f'check("{exercise.id}", {exercise.name})'
    kind = "class" if inspect.isclass(exercise.reference) else "function"
    own = getattr(student, "__name__", name)
    if own != name and _is_exercise(own):
        return f"This is {own}, another exercise. Write {call}."
    makes_one = inspect.isfunction(student) and student.__name__ == name  # a function of that name that builds one
    if kind == "class" and not inspect.isclass(student) and not makes_one:
        passed = f"an instance of {name}" if type(student).__name__ == name else _a(student)
        return f"{name} is a class; you passed {passed}. Write {call}, without parentheses after the name."
    if kind == "function" and (inspect.isclass(student) or not callable(student)):
        passed = "a class" if inspect.isclass(student) else _a(student)
        return f"{name} is a function; you passed {passed}. Write {call}, without calling it."
    return None


def _is_exercise(name: str) -> bool:
    return any(name in stage.objects for stage in STAGES)


def _a(thing: object) -> str:
    """What something is, for people.

    >>> _a("softmax"), _a(3), _a(len)
    ('a string (leave out the quotation marks)', 'an int', 'a function')
    """
    if isinstance(thing, str):
        return "a string (leave out the quotation marks)"
    if inspect.isroutine(thing):
        return "a function"
    kind = type(thing).__name__
    return f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}"
