"""From the stages as authored to what a student opens: notebooks, and the package that they import."""
