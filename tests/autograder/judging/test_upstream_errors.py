"""One mistake costs once: an answer that fails because of another one is judged with the reference's in its place."""

from dataclasses import replace

import pytest

from autograder.judging.page import Page
from autograder.judging.upstream_errors import AT_ITS_PLACE, answers_called, carried_forward
from autograder.judging.verdict import CriterionVerdict, Verdict

BLOCK = "class Block(Base):\n    def __init__(self):\n        self.norm = Norm(3)"
STUB = "class Block(Norm):\n    def __init__(self):\n        raise NotImplementedError"
HELPER = "def make(): return Norm(3)\nclass Block:\n    def __init__(self):\n        self.norm = make()"


def verdict(name, score, status=None, **given):
    share = CriterionVerdict("values", True, score)
    rest = CriterionVerdict("more", False, 4.0 - score)
    status = status or {4: "right", 0: "wrong"}.get(score, "partial")
    return Verdict(name, status, (share, rest), **{"message": "It differs.", **given})


@pytest.mark.parametrize(
    ("source", "called"),
    [(BLOCK, {"Norm"}), (HELPER, {"Norm"}), (STUB, set()), ("class Block: pass", set()), ("def Block(:", set())],
)
def test_what_an_answer_calls_is_found_in_its_source_and_behind_helpers(source, called):
    assert answers_called("Block", Page(["class Norm: pass", source]), ["Norm", "Other"]) == called


class Runs:
    """`again`, with the verdicts that it is to give, noting what it was asked."""

    def __init__(self, **fresh):
        self.fresh, self.asked = fresh, []

    def __call__(self, replaced, wanted):
        self.asked.append((set(replaced), set(wanted)))
        return {name: self.fresh[name] for name in wanted}


def forwarded(verdicts, calls, runs, **more):
    made = {v.id: v for v in verdicts}
    calls = {name: frozenset(calls.get(name, ())) for name in made}
    return carried_forward(made, calls, {name: v.status for name, v in made.items()}, runs, **more)


class Explanations:
    """`explain`, which names everything, noting what it was asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, name, verdict):
        self.asked.append(name)
        return replace(verdict, known_mistake="found", message="Found.")


def test_an_answer_that_is_right_with_the_references_parts_is_right_and_says_whose_they_were():
    runs = Runs(Block=verdict("Block", 4, message=""))
    after = forwarded([verdict("Norm", 1), verdict("Block", 0, known_mistake="no norm")], {"Block": ["Norm"]}, runs)
    assert (after["Block"].status, after["Norm"].status) == ("right", "partial")
    assert after["Block"].known_mistake is None
    said = "Judged with the reference's Norm instead of yours, which is not right yet: start there."
    assert after["Block"].message == said
    assert runs.asked == [({"Norm"}, {"Block"})]


def test_one_slip_below_two_answers_takes_one_more_run():
    runs = Runs(Block=verdict("Block", 4), Stack=verdict("Stack", 4))
    verdicts = [verdict("Norm", 1), verdict("Block", 0), verdict("Stack", 0)]
    after = forwarded(verdicts, {"Block": ["Norm"], "Stack": ["Block", "Norm"]}, runs)
    assert [after[name].status for name in ("Norm", "Block", "Stack")] == ["partial", "right", "right"]
    assert len(runs.asked) == 1
    assert "reference's Norm instead" in after["Stack"].message


def test_only_a_verdict_that_stays_is_explained():
    explain, runs = Explanations(), Runs(Block=verdict("Block", 4, message=""))
    verdicts = [verdict("Norm", 1), verdict("Block", 0)]
    after = forwarded(verdicts, {"Block": ["Norm"]}, runs, explain=explain)
    assert (explain.asked, after["Norm"].known_mistake) == (["Norm"], "found")


def test_a_better_verdict_with_the_students_own_parts_is_explained():
    explain, runs = Explanations(), Runs(Block=verdict("Block", 2))
    after = forwarded([verdict("Norm", 1), verdict("Block", 3)], {"Block": ["Norm"]}, runs, explain=explain)["Block"]
    assert explain.asked == ["Norm", "Block"]
    assert after.message == "It calls your Norm, which is not right yet: start there."  # what was found may be Norm's


def test_where_nothing_can_be_run_again_every_verdict_is_explained():
    explain = Explanations()
    verdicts = {v.id: v for v in [verdict("Norm", 1), verdict("Block", 2)]}
    calls, statuses = {"Norm": frozenset(), "Block": frozenset({"Norm"})}, {"Norm": "partial", "Block": "partial"}
    after = carried_forward(verdicts, calls, statuses, lambda replaced, wanted: {}, explain=explain)
    assert [v.known_mistake for v in after.values()] == ["found", "found"]


def test_what_an_explanation_names_needs_no_other_run_where_all_that_is_called_is_right():
    runs = Runs()
    after = forwarded([verdict("Norm", 4), verdict("Block", 1)], {"Block": ["Norm"]}, runs, explain=Explanations())
    assert (after["Block"].known_mistake, runs.asked) == ("found", [])


def test_two_slips_one_upon_the_other_take_one_more_run_too():
    runs = Runs(Block=verdict("Block", 2), Stack=verdict("Stack", 4))
    verdicts = [verdict("Norm", 1), verdict("Block", 0), verdict("Stack", 0)]
    after = forwarded(verdicts, {"Block": ["Norm"], "Stack": ["Block", "Norm"]}, runs)
    assert [after[name].score for name in ("Norm", "Block", "Stack")] == [1, 2, 4]
    assert runs.asked == [({"Block", "Norm"}, {"Block", "Stack"})]
    assert "reference's Block and Norm instead" in after["Stack"].message


def test_where_there_is_no_further_run_the_first_verdicts_stay():
    verdicts = {v.id: v for v in [verdict("Norm", 1), verdict("Block", 2)]}
    calls = {"Norm": frozenset(), "Block": frozenset({"Norm"})}
    assert carried_forward(verdicts, calls, {}, lambda replaced, wanted: {}) == verdicts


@pytest.mark.parametrize(("score_there", "score_after"), [(4, 4), (2, 3)], ids=["better there", "worse there"])
def test_what_a_later_cell_may_have_changed_is_judged_at_its_place_and_the_better_counts(score_there, score_after):
    runs = Runs(Norm=verdict("Norm", score_there, message=""))
    after = carried_forward({"Norm": verdict("Norm", 3)}, {"Norm": frozenset()}, {}, runs, {"Norm"})["Norm"]
    assert runs.asked == [(set(), {"Norm"})]
    assert after.score == score_after
    assert (after.message == AT_ITS_PLACE) == (score_there == 4)


def test_a_right_answer_above_an_experiment_is_not_judged_twice():
    runs = Runs()
    right = verdict("Norm", 4)
    assert carried_forward({"Norm": right}, {"Norm": frozenset()}, {}, runs, {"Norm"}) == {"Norm": right}
    assert not runs.asked


def test_a_name_is_kept_only_where_it_still_fits():
    own = verdict("Block", 2, known_mistake="no residual")
    runs = Runs(Block=verdict("Block", 2, known_mistake=None, message="more: is off."))
    after = forwarded([verdict("Norm", 1), own], {"Block": ["Norm"]}, runs)
    assert (after["Block"].known_mistake, after["Block"].message) == (None, "more: is off.")


def test_where_the_students_own_parts_do_better_their_verdict_stays_without_a_name_and_points_to_them():
    own = verdict("Block", 3, known_mistake="no residual")
    after = forwarded([verdict("Norm", 1), own], {"Block": ["Norm"]}, Runs(Block=verdict("Block", 2)))["Block"]
    assert (after.score, after.known_mistake) == (3, None)
    assert after.message == "It calls your Norm, which is not right yet: start there."


def test_parts_that_are_right_alone_may_still_not_fit_together():
    after = forwarded([verdict("Norm", 4), verdict("Block", 0)], {"Block": ["Norm"]}, Runs(Block=verdict("Block", 4)))
    assert after["Block"].message.startswith("Your Norm passes its own check, but this answer earns more with")


def test_an_answer_that_a_later_cell_spoils_through_a_right_part_is_not_said_to_need_the_references():
    runs = Runs(Norm=verdict("Norm", 4, message=""), Block=verdict("Block", 4, message=""))
    made = {"Norm": verdict("Norm", 1), "Block": verdict("Block", 1)}
    calls, statuses = {"Norm": frozenset(), "Block": frozenset({"Norm"})}, {"Norm": "partial", "Block": "partial"}
    after = carried_forward(made, calls, statuses, runs, {"Norm", "Block"})
    assert [v.message for v in after.values()] == [AT_ITS_PLACE, AT_ITS_PLACE]


def test_a_written_answer_that_an_unwritten_one_ends_has_been_attempted():
    verdicts = [verdict("Norm", 0, "not_attempted"), verdict("Block", 0, "not_attempted")]
    after = forwarded(verdicts, {"Block": ["Norm"]}, Runs(Block=verdict("Block", 0, "error")))
    assert after["Block"].status == "error"


@pytest.mark.parametrize(
    ("norm", "block"),
    [
        (verdict("Norm", 1), verdict("Block", 4)),
        (verdict("Norm", 1), verdict("Block", 0, "forbidden")),
        (verdict("Norm", 1), verdict("Block", 0, "ungradable")),
        (verdict("Norm", 4), verdict("Block", 2, known_mistake="no residual")),
    ],
    ids=["right", "forbidden", "ungradable", "a mistake of its own"],
)
def test_nothing_is_run_again_without_need(norm, block):
    runs = Runs()
    assert forwarded([norm, block], {"Block": ["Norm"]}, runs)["Block"] == block
    assert not runs.asked
