"""What the models are trained on: data, losses, default recipes, and the resulting checkpoints."""

from course_lib.lazy import lazy_names

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "checkpoint": ("load_pretrained", "pretrained_details"),
        "task": ("REVERSE_PUBLISHED", "SET_SIZE", "Task", "accuracy_on_test", "digits_task", "reverse_task", "train"),
    },
)
