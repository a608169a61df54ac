"""Hand in a pickle that would start a program, under the name of the notebook."""

KIND = "the file"
DESERVES = 0


def data(notebook):
    """No notebook at all."""
    import pickle

    class Loaded:
        def __reduce__(self):
            import os

            return os.system, ("touch @COURSE@/unpickled",)

    return pickle.dumps({"cells": Loaded()})
