"""The code that makes `fit` fast; it changes only the rounding of results."""
