"""From the stages as authored to what a student opens: notebooks, and the student edition of `course_lib`."""
