"""Stage 11: captions of people at work and at play, whose skew of *he* and *she* is known, because it was chosen.

No caption says more of a person than the pronoun does. So how often an activity goes with *she* is all there is to
learn of people, and what a model has learned can be compared with the truth.
"""

import itertools
import random

from course_lib.text.blanks import BLANK

# activity: how many of its captions say “she” (the rest say “he”), how often it occurs, and where it is done
ACTIVITIES = {
    "cooking": (0.80, 5, ("in the kitchen", "on the balcony")),
    "dancing": (0.70, 3, ("in the hall", "on the square")),
    "reading": (0.60, 4, ("in the library", "on the balcony")),
    "singing": (0.50, 4, ("in the hall", "in the church")),
    "painting": (0.50, 3, ("in the garden", "in the studio")),
    "jogging": (0.40, 6, ("in the park", "along the river")),
    "cycling": (0.35, 6, ("in the park", "along the river")),
    "fishing": (0.25, 4, ("along the river", "at the lake")),
    "climbing": (0.20, 5, ("in the mountains", "in the hall")),
    "welding": (0.05, 5, ("in the workshop", "on the roof")),
}
SHE, HE = "she", "he"
WHO = ("a person", "a visitor", "a neighbour", "somebody else")
WHEN = ("today", "tonight", "again", "now")
MOODS = ("smiling", "tired", "alone", "happy", "late")
FORMS = (
    "{when} {pronoun} is {activity} {where}",
    "{who} is {activity} {where} and {pronoun} is {mood}",
    "{pronoun} is {mood} and {activity} {where}",
)


def activity_captions(size: int, seed: int = 0) -> list[list[str]]:
    """Random captions, as lists of words; in each there is one activity and one pronoun.

    >>> for caption in activity_captions(3, seed=1):
    ...     print(*caption)
    somebody else is dancing on the square and she is tired
    today he is climbing in the hall
    a person is fishing along the river and he is smiling
    """
    rng = random.Random(seed)
    activities = rng.choices([*ACTIVITIES], weights=[often for _, often, _ in ACTIVITIES.values()], k=size)
    return [_caption(activity, rng) for activity in activities]


def exchanged(words: list[str]) -> list[str]:
    """A caption with *she* and *he* swapped.

    >>> exchanged(["today", "she", "is", "reading"])
    ['today', 'he', 'is', 'reading']
    """
    other = {SHE: HE, HE: SHE}
    return [other.get(word, word) for word in words]


def prompts(activity: str) -> list[str]:
    """Every caption of an activity that can be made, with a blank for the pronoun: 58 texts in three forms.

    >>> prompts("cooking")[0], len(prompts("cooking"))
    ('today _ is cooking in the kitchen', 58)
    """
    choices = itertools.product(FORMS, WHO, WHEN, MOODS, ACTIVITIES[activity][2])
    texts = [
        form.format(activity=activity, pronoun=BLANK, where=where, who=who, when=when, mood=mood)
        for form, who, when, mood, where in choices
    ]
    return [*dict.fromkeys(texts)]


def shares_of_she(captions: list[list[str]]) -> dict[str, float]:
    """Of the captions of each activity, and of all captions (“all”), the share that says “she”, counted.

    >>> shares_of_she([["she", "is", "cooking"], ["he", "is", "cooking"]])
    {'cooking': 0.5, 'all': 0.5}
    """
    said = {activity: [SHE in words for words in captions if activity in words] for activity in ACTIVITIES}
    said["all"] = [SHE in words for words in captions]
    return {activity: sum(women) / len(women) for activity, women in said.items() if women}


def _caption(activity: str, rng: random.Random) -> list[str]:
    share, _, places = ACTIVITIES[activity]
    return (
        rng.choice(FORMS)
        .format(
            activity=activity,
            pronoun=SHE if rng.random() < share else HE,
            where=rng.choice(places),
            who=rng.choice(WHO),
            when=rng.choice(WHEN),
            mood=rng.choice(MOODS),
        )
        .split()
    )
