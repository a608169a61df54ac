"""Grades exported to other systems, one format per file, and submissions imported from them."""
