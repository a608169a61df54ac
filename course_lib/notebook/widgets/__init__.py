"""Pictures with controls. Each works with a widget front end, and stands still without one."""

from course_lib.lazy import lazy_names

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "explorer": ("Explorer",),
        "widths": ("saturation",),
        "heads": ("head_explorer",),
        "reading": ("head_reader",),
        "positions": ("position_explorer",),
        "schedule": ("schedule_explorer",),
        "attention_maps": ("attention_explorer",),
        "decoding": ("greedy_steps",),
        "lookup": ("word_lookup",),
        "gallery": ("anomaly_gallery",),
        "translating": ("translation_box",),
        "sentences": ("review_reader", "blank_filler"),
    },
)


def __dir__() -> list[str]:
    return __all__
