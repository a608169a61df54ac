"""Training: the step, the schedule, the loop, the batches, the device."""

from course_lib.lazy import lazy_names

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "batches": ("Batches", "in_order"),
        "history": ("History",),
        "loop": ("evaluate", "fit"),
        "recipe": ("Recipe",),
    },
)
