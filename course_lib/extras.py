"""Packages that only some stages use: an extra installs them, and a missing one is one sentence."""

from importlib.util import find_spec

DISTRIBUTIONS = {"sklearn": "scikit-learn"}  # where a package is not installed under the name it is imported by


class PackageMissing(ImportError):
    """A package that a stage uses is not installed; IPython shows the sentence and no traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def require_packages(*modules: str, extra: str) -> None:
    """Raise a `PackageMissing` unless all these modules can be imported; `extra` installs them.

    >>> require_packages("torch", "nothing_of_this_name", extra="words")
    Traceback (most recent call last):
    course_lib.extras.PackageMissing: This needs nothing_of_this_name, which is not installed here. Run %pip install \
'attention-workshop[words]' in a cell, then restart the kernel.
    """
    missing = [DISTRIBUTIONS.get(name, name) for name in modules if find_spec(name) is None]
    if missing:
        *others, last = missing
        names, verb = (f"{', '.join(others)} and {last}", "are") if others else (last, "is")
        raise PackageMissing(
            f"This needs {names}, which {verb} not installed here. "
            f"Run %pip install 'attention-workshop[{extra}]' in a cell, then restart the kernel."
        )
