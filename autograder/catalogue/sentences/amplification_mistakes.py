"""What goes wrong in `amplification`."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake

HALF = "From where do you measure how one-sided a share is?"
SIDE = "A share falls from 0.6 to 0.1. Is the model more one-sided than its texts?"
UNIT = "0.80 instead of 0.75: how many percentage points are that?"

ONE_SIDED = "abs(predicted_share[activity] - 0.5) - abs(share - 0.5)"
POINTS = f"100 * max(0.0, {ONE_SIDED})"
PAIRS = "for activity, share in corpus_share.items()"

MISTAKES = (
    mistake("below 0 where less", {POINTS: f"100 * ({ONE_SIDED})"}).because(
        "Where the model is less one-sided you return a negative number; it is 0 there.", "What does max(0, …) do?"
    ),
    mistake("how much it changed", {POINTS: f"100 * abs({ONE_SIDED})"}).because(
        "You count it as amplified, too, where the model is less one-sided.", "What does max(0, …) do?"
    ),
    mistake("distance of the shares", {POINTS: "100 * abs(predicted_share[activity] - share)"}).because(
        "You return how far the two shares are apart; what counts is how far each is from one half.", HALF
    ),
    mistake("a plain difference", {POINTS: "100 * (predicted_share[activity] - share)"}).because(
        "You subtract the shares; what counts is how far each is from one half.", HALF
    ),
    mistake("only what grows", {POINTS: "100 * max(0.0, predicted_share[activity] - share)"}).because(
        "You count only where the share grows; a share of 0.2 that falls to 0.1 is amplified too.", HALF
    ),
    mistake(
        "one side alone", {ONE_SIDED: f"({ONE_SIDED}) * ((predicted_share[activity] > 0.5) == (share > 0.5))"}
    ).because("Where the model takes the other side you return 0; it may be more one-sided there as well.", SIDE),
    mistake("against nothing", {" - abs(share - 0.5)": ""}).because(
        "You return how one-sided the model is; the texts were one-sided before it.", "With what is the model compared?"
    ),
    mistake("shares, not points", {"100 * ": ""}).because(
        "You return a fraction; percentage points are asked for.", UNIT
    ),
    mistake("twice", {"100 * ": "200 * "}).because(
        "Your numbers are twice too large: |share − ½| goes up to ½, and that is 50 percentage points.", UNIT
    ),
    mistake("in relation to the texts", {POINTS: f"100 * max(0.0, {ONE_SIDED}) / abs(share - 0.5)"}).because(
        "You divide by how one-sided the texts are; percentage points are a difference.", UNIT
    ),
    mistake(
        "side by side",
        {
            PAIRS: "for (activity, share), other in zip(corpus_share.items(), predicted_share.values())",
            "predicted_share[activity]": "other",
        },
        "You go through both dicts side by side; their order may differ, their names do not.",
        "How do you find an activity?",
    ),
    mistake(
        "the mean",
        {"return {": "found = {", PAIRS + "\n    }": f"{PAIRS}\n    }}\n    return sum(found.values()) / len(found)"},
    ).because("You return one number, the mean; each activity has its own.", "What does the docstring say comes back?"),
    mistake("a list", {"return {": "return [", "activity: 100": "100", PAIRS + "\n    }": f"{PAIRS}\n    ]"}).because(
        "You return a list; an activity is found by its name.", "What does the docstring say comes back?"
    ),
    mistake(
        "amplified ones alone",
        {PAIRS + "\n": f"{PAIRS}\n        if abs(predicted_share[activity] - 0.5) > abs(share - 0.5)\n"},
    ).because("You leave out what is not amplified; its value is 0.", "Which activities must the result have?"),
    mistake("the mean beside them", {PAIRS + "\n    }": f"{PAIRS}\n    }} | {{'all': 0.0}}"}).because(
        "Your result has an entry that is no activity.", "Which activities must the result have?"
    ),
    overwrites(
        "predicted_share",
        {"return {": "predicted_share.update({", PAIRS + "\n    }": f"{PAIRS}\n    }})\n    return predicted_share"},
        "the shares are gone.",
        "written into the argument",
    ),
    mistake("the texts used up", {"corpus_share.items()": "[corpus_share.popitem() for _ in list(corpus_share)]"}),
    mistake(
        "the texts against the model",
        {POINTS: "100 * max(0.0, abs(share - 0.5) - abs(predicted_share[activity] - 0.5))"},
    ).because(
        "You subtract the model from the texts.", "Which of the two is the more one-sided when something is amplified?"
    ),
    mistake("rounded", {POINTS: f"round({POINTS})"}).because(
        "You round to whole points.", "What would the average over fifty activities be made of?"
    ),
)
