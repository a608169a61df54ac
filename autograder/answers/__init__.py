"""The fixed answers of a stage: drawn from a seed, computed in float64, kept as safetensors.

A file holds, for every exercise and case, the inputs, the expected outputs, and what each named
misconception gives on the same inputs. Equal tensors are stored once. The public file of a stage is
committed beside this module; a course's hidden one is drawn from the secret seed of that course and
lives in its directory only.
"""

import hashlib
import json
import os
from functools import cache
from pathlib import Path

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save

PUBLIC_SEED = 2017  # the year of “Attention Is All You Need”
FORMAT = "1"


def public_file(stage: str) -> Path:
    """Where the public answers of a stage are kept."""
    return Path(__file__).parent / f"{stage}.safetensors"


@cache
def load(path: Path) -> dict:
    """`{exercise: {"cases": {…}, "expected": {…}, "misconceptions": {name: {…}}}}`, ready for the judge."""
    with safe_open(path, framework="numpy") as file:
        manifest = json.loads(file.metadata()["manifest"])
        tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 (not a mapping)

    def restored(node):
        if not isinstance(node, dict):
            return node
        return {
            key: {path: tensors[digest] for path, digest in value.items()} if key == "tensors" else restored(value)
            for key, value in node.items()
        }

    return restored(manifest)


def write(path: Path, content: dict) -> None:
    """Write answers under a temporary name, then rename: no reader meets half a file."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(serialise(content))
    temporary.replace(path)


def serialise(content: dict) -> bytes:
    """The bytes of an answers file: every distinct tensor once, under a name made from its content."""
    tensors: dict[str, np.ndarray] = {}

    def stored(node):
        if not isinstance(node, dict):
            return node
        result = {}
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
    return save(dict(sorted(tensors.items())), metadata={"manifest": manifest, "format": FORMAT})


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


@cache
def fingerprint(stage: str) -> str:
    """A digest of everything that the answers of a stage are computed from: exercises, probes, reference."""
    import autograder
    import course_lib

    here, topic = Path(autograder.__file__).parent, stage.split("_", 1)[1]
    folders = (here / "exercises", here / "exercises" / topic, here / "probes", Path(course_lib.__file__).parent)
    makers = ("answers/compute.py", "answers/fair.py", "judge.py", "properties.py", "results.py")
    files = [*(here / maker for maker in makers), *(path for folder in folders for path in sorted(folder.glob("*.py")))]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()
