"""The trusted side of grading: starts workers, drives them, believes nothing they say. Never imports torch."""
