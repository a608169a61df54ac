"""A damaged hand-in, brought back to the form of its release."""
