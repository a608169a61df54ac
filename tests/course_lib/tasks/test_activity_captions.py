from course_lib.tasks.activity_captions import ACTIVITIES, activity_captions, shares_of_she

CAPTIONS = activity_captions(20_000, seed=3)


def test_each_caption_has_one_activity_and_one_pronoun():
    for words in CAPTIONS:
        assert sum(word in ("she", "he") for word in words) == 1
        assert sum(word in ACTIVITIES for word in words) == 1


def test_the_shares_are_those_that_were_chosen():
    found = shares_of_she(CAPTIONS)
    assert all(abs(found[activity] - share) < 0.05 for activity, (share, _, _) in ACTIVITIES.items())
    often = sum(weight for _, weight, _ in ACTIVITIES.values())
    expected = sum(share * weight for share, weight, _ in ACTIVITIES.values()) / often
    assert abs(found["all"] - expected) < 0.02


def test_the_same_seed_gives_the_same_captions():
    assert activity_captions(50, seed=3) == activity_captions(50, seed=3)
    assert activity_captions(50, seed=4) != activity_captions(50, seed=3)
