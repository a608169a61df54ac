"""A course directory: made, graded into, reported on, exported."""
