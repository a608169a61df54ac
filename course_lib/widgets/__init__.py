"""Pictures with controls. Each works with a widget front end, and stands still without one."""

from course_lib.widgets.saturation import saturation

__all__ = ["saturation"]
