"""The fixed answers of a stage: drawn from a seed, computed in float64, kept as safetensors.

A file holds, for every exercise and case, the inputs, the expected outputs, and what each named
mistake gives on the same inputs. Equal tensors are stored once. The public file of a stage is
committed beside this module; a course's hidden one is drawn from the secret seed of that course and
lives in its directory only.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy

from autograder.files import write_whole

PUBLIC_SEED = 2017  # the year of “Attention Is All You Need”
FORMAT = "1"


def public_file(stage: str) -> Path:
    """Where the public answers of a stage are kept."""
    return Path(__file__).parent / f"{stage}.safetensors"


@cache
def load(path: Path) -> dict:
    """`{exercise: {"cases": {…}, "expected": {…}, "mistakes": {name: {…}}, "loses": {name: […]}}}`, for the judge."""
    return parse(path.read_bytes())


def parse(content: bytes) -> dict:
    """The result of `load`, from the bytes of a file."""
    manifest = json.loads(_metadata(content)["manifest"])
    tensors = safetensors.numpy.load(content)

    def restored(node: Any) -> Any:
        if not isinstance(node, dict):
            return node
        return {
            key: {path: tensors[digest] for path, digest in value.items()} if key == "tensors" else restored(value)
            for key, value in node.items()
        }

    return restored(manifest)


def _metadata(content: bytes) -> dict:
    """The text beside the tensors: safetensors reads it from files only."""
    length = int.from_bytes(content[:8], "little")
    return json.loads(content[8 : 8 + length])["__metadata__"]


def write(path: Path, content: dict) -> None:
    """Write answers, completely or not at all."""
    write_whole(path, serialise(content))


def serialise(content: dict) -> bytes:
    """The bytes of an answers file: every distinct tensor once, under a name made from its content."""
    tensors: dict[str, np.ndarray] = {}

    def stored(node: Any) -> Any:
        if not isinstance(node, dict):
            return node
        result: dict[str, Any] = {}
        for key, value in node.items():
            if key != "tensors":
                result[key] = stored(value)
                continue
            result[key] = {}
            for path, array in value.items():
                digest = hashlib.sha256(f"{array.dtype}{array.shape}".encode() + array.tobytes()).hexdigest()[:16]
                tensors[digest] = np.array(array, order="C")  # ascontiguousarray would turn a scalar into a vector
                result[key][path] = digest
        return result

    manifest = json.dumps(stored(content))  # in the order of the arguments, which is part of the contract
    return safetensors.numpy.save(dict(sorted(tensors.items())), metadata={"manifest": manifest, "format": FORMAT})


def same_answer_keys(one: dict, other: dict) -> bool:
    """Two contents of an answers file agree, as far as two processors do.

    What is drawn, and what is right, is right to 1e-6; what mistakes give is single precision through networks that
    nobody tuned, and is compared as the judge compares it.
    """
    return one.keys() == other.keys() and all(
        one[exercise].keys() == other[exercise].keys()
        and same(one[exercise]["mistakes"], other[exercise]["mistakes"], 1e-4)
        and all(same(one[exercise][part], other[exercise][part], 1e-6) for part in ("cases", "expected", "loses"))
        for exercise in one
    )


def same(one: dict, other: dict, tolerance: float = 1e-9) -> bool:
    """Two sets of answers agree: same structure, same inputs, numbers equal to `tolerance`."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
            if one.shape != other.shape or one.dtype != other.dtype:
                return False
            wide = [array.astype(np.float64) for array in (one, other)]
            return bool(np.allclose(*wide, rtol=tolerance, atol=tolerance, equal_nan=True))
        return one == other
    return one.keys() == other.keys() and all(same(one[key], other[key], tolerance) for key in one)
