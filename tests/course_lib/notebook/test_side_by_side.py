"""What stage 10 prints: translations next to what is right."""

from course_lib.notebook import side_by_side

PAIRS = [("the dog sleeps", "der Hund schläft"), ("the cat sits", "die Katze sitzt")]


def test_a_word_is_replaced_by_its_partner_and_an_unknown_one_stays():
    pairs = [*PAIRS, ("a dog sits", "ein Hund sitzt"), ("a cat sleeps", "eine Katze schläft")]
    assert side_by_side.word_for_word(pairs, ["dog sits quietly"]) == ["Hund sitzt quietly"]


def test_what_was_said_on_the_way_comes_between_the_sentence_and_what_is_right(capsys):
    side_by_side.on_the_way(PAIRS[:1], [(100, ["der der"]), (200, ["der Hund"])])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[:4]] == [
        ["the", "dog", "sleeps"],
        ["100", "steps:", "der", "der"],
        ["200", "steps:", "der", "Hund"],
        ["right:", "der", "Hund", "schläft"],
    ]


def test_two_searches_are_shown_where_they_differ_and_both_are_counted(capsys):
    greedy, beam = [("der Hund schläft", -1.0), ("die Katze", -3.0)], [("der Hund schläft", -1.0), ("sitzt", -2.0)]
    side_by_side.two_searches(PAIRS, greedy, beam)
    shown = capsys.readouterr().out
    assert "the dog" not in shown
    assert "greedy  -3.00  die Katze" in shown
    assert "beam  -2.00  sitzt" in shown
    assert "of 2 sentences exactly right: greedy 1, a beam of five 1" in shown


def test_at_most_so_many_differences_are_shown(capsys):
    side_by_side.two_searches(PAIRS, [("a", -1.0)] * 2, [("b", -1.0)] * 2, most=1)
    assert "the cat" not in capsys.readouterr().out


def test_a_noun_counts_only_in_the_form_that_is_right(capsys):
    pairs = [("the schoolrooms", "die Schulzimmer"), ("of the schoolroom", "des Schulzimmers")]
    side_by_side.unseen_noun("schoolroom", "Schulz", pairs, ["die Schulzimmer", "des Schulzimmer"], most=1)
    shown = capsys.readouterr().out
    assert "in 1 of 2 sentences" in shown
    assert "of the schoolroom" not in shown
