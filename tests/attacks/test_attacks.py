"""Every submission of the corpus gets what its honest part deserves, and nothing outside has changed."""

import re
from pkgutil import resolve_name

import nbformat
import pytest

from .attack import KINDS, attacks
from .table import PAGE, page

CORPUS = attacks()


@pytest.mark.parametrize("attack", CORPUS, ids=[attack.name.replace(" ", "-") for attack in CORPUS])
def test_an_attack_gets_what_its_honest_part_deserves_and_changes_nothing(world, attack):
    result = world.grade(attack.handed_in(world.solved, world.places))
    submission = result["submission"]
    assert submission["score"] == attack.gets <= attack.deserves
    said = {exercise["id"]: exercise["status"] for exercise in submission["exercises"]}
    assert said | attack.status == said
    assert submission["max_score"] == 20
    assert not attack.flagged or submission["flags"]
    assert world.canary not in str(result)
    assert not world.hidden_numbers_in(result["notebook"] or "")
    assert world.left_running() == []
    assert not world.visited()


def test_after_all_of_them_everything_outside_is_as_it_was(world):
    assert world.state() == world.before


def test_after_all_of_them_an_honest_submission_is_graded_as_before(world):
    honest = world.grade(nbformat.writes(world.solved).encode())
    assert honest["submission"]["score"] == 20
    assert honest["submission"]["flags"] == []


def test_every_kind_of_attack_is_in_the_corpus():
    assert {attack.kind for attack in CORPUS} == set(KINDS)
    assert len(CORPUS) >= 100


def test_attacks_reach_only_for_what_the_autograder_has():
    found = {(attack.name, name) for attack in CORPUS for name in named_in(attack)}
    assert len(found) > 10
    assert sorted(f"{attack}: {name}" for attack, name in found if not exists(name)) == []


def named_in(attack):
    """The dotted names of the autograder in what an attack hands in."""
    return re.findall(r"\bautograder(?:\.(?!py\b)\w+)+", "\n".join([attack.cell, *attack.answers.values()]))


def exists(name):
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


def test_the_published_table_is_the_corpus():
    assert PAGE.read_text("utf-8") == page()
