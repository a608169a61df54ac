"""The stripped package: the answers of what its stage needs, none else, and nothing of the judge."""

import ast

import pytest

from autograder.stages import STAGE_NAMES, STAGES, left_out_of, needed_by, stage_named, track_of_module
from autograder.stripping.package import digest, package_files, stripped_package


@pytest.fixture(scope="module")
def files():
    return {stage: package_files(stage) for stage in STAGE_NAMES}


def stubs_and_solved(files):
    """(track, name) of top-level objects whose body still raises NotImplementedError, and of all others."""
    open_, solved = set(), set()
    for name, content in files.items():
        if name.startswith("course_lib/") and name.endswith(".py"):
            track = track_of_module(name.removesuffix(".py").replace("/", ".")).name
            for node in ast.parse(content).body:
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    raised = [n for n in ast.walk(node) if isinstance(n, ast.Raise)]
                    stub = any(isinstance(n.exc, ast.Name) and n.exc.id == "NotImplementedError" for n in raised)
                    (open_ if stub else solved).add((track, node.name))
    return open_, solved


@pytest.mark.parametrize("stage", STAGE_NAMES)
def test_the_answers_of_what_a_stage_needs_are_there_and_no_others(files, stage):
    open_, solved = stubs_and_solved(files[stage])
    every = {(other.track, name) for other in STAGES for name in other.objects}
    needed = {(other.track, name) for other in map(stage_named, needed_by(stage)) for name in other.objects}
    assert (every & solved, every & open_) == (needed, every - needed)


@pytest.mark.parametrize("stage", STAGE_NAMES)
def test_no_marker_is_left(files, stage):
    assert not [name for name, text in files[stage].items() if isinstance(text, str) and "# BEGIN SOLUTION" in text]


def test_helpers_that_do_the_work_of_an_exercise_are_open_until_it_is_written(files):
    """The fast paths of layers, and the steps of the engine, would otherwise be answers to import."""
    helpers = {
        "_layer_norm": "LayerNorm",
        "_attention": "MultiheadAttention",
        "FlatStep": "train_step",
        "GraphedStep": "train_step",
    }
    for stage in STAGE_NAMES:
        open_, _ = stubs_and_solved(files[stage])
        names = {name for track, name in open_ if track == "torch"}
        assert helpers.keys() & names == {name for name, of in helpers.items() if of in left_out_of(stage, "torch")}


def test_of_the_autograder_only_what_probes_is_there(files):
    parts = {name.split("/")[1] for name in files["01_attention"] if name.startswith("autograder/")}
    assert parts == {"__init__.py", "stage.txt", "stages.py", "probes", "protocol", "worker"}


def test_an_edition_is_made_once_and_named_by_its_content(files, tmp_path):
    first = stripped_package("03_positions", tmp_path)
    assert stripped_package("03_positions", tmp_path) == first
    assert first.name.endswith(digest(files["03_positions"])[:12])
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == [first.name]
