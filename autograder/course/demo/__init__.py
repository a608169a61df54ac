"""A class of made-up students, to show and to test what grading does."""
