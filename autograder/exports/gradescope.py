"""`--to gradescope`: a zip in Gradescope's autograder form, with the engine, the release and the hidden answers.

Source: Gradescope's autograder specification: `setup.sh` and `run_autograder` at the root of the zip, which is
unpacked into /autograder/source. Anyone who has the zip has the course's hidden answers.
"""

import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from importlib.metadata import distribution, distributions
from pathlib import Path

import autograder
import course_lib
from autograder.directory.course import Course
from autograder.directory.variants import number_of_variants
from autograder.errors import CourseError
from autograder.exports.variants import variants_by_mail
from autograder.files import write_whole
from autograder.grading.context import Context
from autograder.stages import stage_named
from autograder.versions import PACKAGES, versions

BEGINNING = (1980, 1, 1, 0, 0, 0)  # the same course gives the same bytes
BESIDE = ("pyproject.toml", "README.md", "LICENSE")

CPU_BUILDS = ("torch", "torchvision")
SETUP = """\
#!/usr/bin/env bash
# Runs once, when Gradescope builds the image. Choose Ubuntu 24.04 or later there.
set -e
cd /autograder/source
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv bubblewrap
python3 -m venv /autograder/venv
# torch's own CPU build: the one for CUDA brings some 6 GB more
/autograder/venv/bin/pip install --no-cache-dir --extra-index-url https://download.pytorch.org/whl/cpu \\
    --constraint constraints.txt --requirement requirements.txt
# the judge lies beside the answers, where a submission may not read, and not among the installed packages
/autograder/venv/bin/pip install --no-cache-dir --no-deps --target judge ./package
chmod 700 /autograder/source
"""

RUN = """\
#!/usr/bin/env bash
cd /
PYTHONPATH=/autograder/source/judge exec /autograder/venv/bin/python -m autograder.exports.gradescope_start
"""


def export_autograder(course: Course, stage: str, folder: Path) -> Iterator[str]:
    """Write the zip of a stage; yield what must be said of it."""
    path = folder / f"{stage}-gradescope.zip"
    by_mail = variants_by_mail(course, stage)
    contexts = [Context.of_variant(course, stage, None, number) for number in range(number_of_variants(course))]
    write_whole(path, autograder_zip(*contexts, by_mail=by_mail), mode=0o600)
    yield f"{path}: upload it as the autograder of {stage}."
    yield "It contains this course's hidden answers; keep it among instructors."


def autograder_zip(context: Context, *others: Context, by_mail: dict[str, int] | None = None) -> bytes:
    """The bytes of the zip: the contexts of all variants in order, and which student has which, by e-mail address."""
    needs = distribution(PACKAGES[0]).requires or ()
    settings = {"stage": context.stage, "limits": asdict(context.limits), "versions": versions(), "variants": by_mail}
    files = {
        "setup.sh": SETUP.encode(),
        "run_autograder": RUN.encode(),
        "requirements.txt": "".join(f"{line}\n" for line in requirements(context.stage, needs)).encode(),
        "constraints.txt": "".join(f"{line}\n" for line in _constraints()).encode(),
        "course/settings.json": json.dumps(settings, indent=2).encode(),
        **_variant("course", context),
        **{f"package/{name}": content for name, content in _package().items()},
    }
    for number, other in enumerate(others, start=1):
        files |= _variant(f"course/{number}", other)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name, BEGINNING)
            member.external_attr = (0o755 if name in ("setup.sh", "run_autograder") else 0o644) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return buffer.getvalue()


def _variant(folder: str, context: Context) -> dict[str, bytes]:
    """What differs between the variants of a stage."""
    return {
        f"{folder}/release.ipynb": json.dumps(context.release, indent=1, ensure_ascii=False).encode(),
        f"{folder}/answers.safetensors": context.answer_key_file.read_bytes(),
        f"{folder}/others.json": json.dumps(context.others).encode(),
    }


def requirements(stage: str, needs: Iterable[str]) -> list[str]:
    """Of what a package needs, what grading a stage needs: of everybody, of the instructor, and of the stage's page."""
    extras = [f'extra == "{name}"' for name in ("instructor", stage_named(stage).extra)]
    parts = (need.partition(";") for need in needs)
    wanted = {name.strip() for name, _, where in parts if "extra" not in where or where.strip() in extras}
    return sorted(name for name in wanted if not name.startswith(PACKAGES[0]))


def _constraints() -> list[str]:
    """The versions of everything that is installed here; of torch the builds for the CPU."""
    found = {there.name.lower(): there.version.partition("+")[0] for there in distributions()}
    cpu = {name: f"{found[name]}+cpu" for name in CPU_BUILDS if name in found}
    return sorted(f"{name}=={number}" for name, number in (found | cpu).items() if name != PACKAGES[0])


def _package() -> dict[str, bytes]:
    """This package as source, ready for `pip install`."""
    root = Path(autograder.__file__).parents[1]
    if not (root / BESIDE[0]).is_file():
        raise CourseError(
            f"An autograder for Gradescope can only be made in a checkout of the course; there is no {BESIDE[0]} here."
        )
    files = {name: (root / name).read_bytes() for name in BESIDE if (root / name).is_file()}
    for folder in (Path(autograder.__file__).parent, Path(course_lib.__file__).parent):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                files[f"{folder.name}/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
    return files
