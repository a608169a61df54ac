"""Earlier module names that published notebooks still import, such as `course_lib.pictures`."""

import importlib
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec

_ROOMS = {
    "model": "attention masks heads multi_head positions layers encoder decoder seq2seq predictor",
    "training": "batches devices history progress_bar recipe schedule",
    "training.engine": "threads",
    "tasks": "anomaly anomaly_batches checkpoint cifar digits download reverse torchvision_mend",
    "notebook": "live_curve pictures scores widgets",
}
NOW = {f"course_lib.{name}": f"course_lib.{room}.{name}" for room, names in _ROOMS.items() for name in names.split()}
NOW |= {
    "course_lib.compat": "course_lib.interop",
    "course_lib.notebook.progress_bar": "course_lib.training.progress_bar",
    "course_lib.standing": "course_lib.notebook.progress",
    "course_lib.steps": "course_lib.training.step",
    "course_lib.waiting": "course_lib.notebook.needs_your",
}


class _EarlierNames(MetaPathFinder, Loader):
    """Answers an import by an earlier name with the module itself, not with a second copy of it."""

    def find_spec(self, name, path=None, target=None):
        return ModuleSpec(name, self) if name in NOW else None

    def exec_module(self, module):
        sys.modules[module.__name__] = importlib.import_module(NOW[module.__name__])


def install() -> None:
    """Make the earlier names importable; further calls do nothing."""
    if not any(isinstance(finder, _EarlierNames) for finder in sys.meta_path):
        sys.meta_path.append(_EarlierNames())
