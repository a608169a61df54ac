"""A file that is small and grows beyond all measure when it is read: nests within nests."""

KIND = "the file"
DESERVES = 0
STOCK = "It may take all the memory."


def data(notebook):
    """Half a million lists in lists in the metadata."""
    deep = b"[" * 100_003 + b"]" * 100_003
    wide = b"[" + b",".join([b"[" * 50 + b"]" * 50] * 20_011) + b"]"
    return b'{"nbformat": 4, "nbformat_minor": 5, "cells": [], "metadata": {"a": ' + deep + b', "b": ' + wide + b"}}"
