"""A context as bytes, for a machine that shares no disk with this one: all that judging needs, and nothing else."""

import io
import json
import os
import tempfile
from dataclasses import asdict
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import nbformat

from autograder.grading.context import Context
from autograder.judging.answer_key.fingerprint import fingerprint
from autograder.sandbox.limits import Limits
from autograder.versions import versions

SETTINGS, RELEASE, ANSWERS, PACKAGE = "settings.json", "release.ipynb", "answers.safetensors", "package"


def identity(stage: str) -> dict[str, str]:
    """What must be equal on two machines if their verdicts on a stage are to agree."""
    return {"stage": stage, "exercises": fingerprint(stage)} | versions()


def pack(context: Context) -> bytes:
    """The context as one zip file, made for `unpack`. Without bubblewrap only where that was asked for."""
    settings = {
        "stage": context.stage,
        "package": context.stripped_package.name,
        "limits": asdict(context.limits),
        "sandbox": context.sandbox or "bubblewrap",
        "earlier": context.earlier,
        "others": context.others,
        "identity": identity(context.stage),
    }
    whole = io.BytesIO()
    with ZipFile(whole, "w", ZIP_DEFLATED) as file:
        file.writestr(SETTINGS, json.dumps(settings))
        file.writestr(RELEASE, nbformat.writes(context.release))
        file.write(context.answer_key_file, ANSWERS)
        for path in sorted(context.stripped_package.rglob("*")):
            if path.is_file():
                file.write(path, f"{PACKAGE}/{path.relative_to(context.stripped_package).as_posix()}")
    return whole.getvalue()


def unpack(packed: bytes, folder: Path) -> tuple[Context, dict[str, str]]:
    """The context and its identity: files in a private directory below `folder`, the answers in memory alone."""
    private = Path(tempfile.mkdtemp(prefix="context-", dir=folder))  # mode 0700
    with ZipFile(io.BytesIO(packed)) as file:
        settings = json.loads(file.read(SETTINGS))
        file.extractall(private)
    stripped_package = private / settings["package"]
    os.rename(private / PACKAGE, stripped_package)
    context = Context(
        settings["stage"],
        nbformat.read(private / RELEASE, as_version=4),
        private / ANSWERS,
        stripped_package,
        Limits(**settings["limits"]),
        settings["sandbox"],
        settings["earlier"],
        settings["others"],
    )
    context.answer_key  # noqa: B018 (loaded once, kept)
    context.answer_key_file.unlink()
    return context, settings["identity"]
