"""Grades on their way out to other systems: one format a file. And submissions on their way in."""
