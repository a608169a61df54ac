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
        "You return a negative number if the model is less one-sided; return 0.", "What does max(0, …) do?"
    ),
    mistake("how much it changed", {POINTS: f"100 * abs({ONE_SIDED})"}).because(
        "You also count it as amplified if the model is less one-sided; return 0.", "What does max(0, …) do?"
    ),
    mistake("distance of the shares", {POINTS: "100 * abs(predicted_share[activity] - share)"}).because(
        "You return the distance between the two shares; compare their distances from one half.", HALF
    ),
    mistake("a plain difference", {POINTS: "100 * (predicted_share[activity] - share)"}).because(
        "You subtract the shares; subtract their distances from one half.", HALF
    ),
    mistake("only what grows", {POINTS: "100 * max(0.0, predicted_share[activity] - share)"}).because(
        "You count only shares that grow; count 0.2 that falls to 0.1 too.", HALF
    ),
    mistake(
        "one side alone", {ONE_SIDED: f"({ONE_SIDED}) * ((predicted_share[activity] > 0.5) == (share > 0.5))"}
    ).because("You return 0 if the model takes the other side; compare its distance from one half too.", SIDE),
    mistake("against nothing", {" - abs(share - 0.5)": ""}).because(
        "You return how one-sided the model is; subtract how one-sided the texts are.",
        "With what is the model compared?",
    ),
    mistake("shares, not points", {"100 * ": ""}).because("You return a fraction; return percentage points.", UNIT),
    mistake("twice", {"100 * ": "200 * "}).because(
        "Your numbers are twice too large; a |share − ½| of ½ is 50 percentage points.", UNIT
    ),
    mistake("in relation to the texts", {POINTS: f"100 * max(0.0, {ONE_SIDED}) / abs(share - 0.5)"}).because(
        "You divide by how one-sided the texts are; subtract it.", UNIT
    ),
    mistake(
        "side by side",
        {
            PAIRS: "for (activity, share), other in zip(corpus_share.items(), predicted_share.values())",
            "predicted_share[activity]": "other",
        },
    ).because("You pair the dicts by order, which may differ; pair them by name.", "How do you find an activity?"),
    mistake(
        "the mean",
        {"return {": "found = {", PAIRS + "\n    }": f"{PAIRS}\n    }}\n    return sum(found.values()) / len(found)"},
    ).because(
        "You return the mean; return one number per activity.", "What does the docstring say the function returns?"
    ),
    mistake("a list", {"return {": "return [", "activity: 100": "100", PAIRS + "\n    }": f"{PAIRS}\n    ]"}).because(
        "You return a list; return a dict, activity → number.", "What does the docstring say the function returns?"
    ),
    mistake(
        "amplified ones alone",
        {PAIRS + "\n": f"{PAIRS}\n        if abs(predicted_share[activity] - 0.5) > abs(share - 0.5)\n"},
    ).because(
        "You leave out activities that are not amplified; return 0 for them.", "Which activities must the result have?"
    ),
    mistake(
        "balanced ones left out",
        {PAIRS + "\n": f"{PAIRS}\n        if share != 0.5\n"},
    ).because(
        "You leave out activities of which the texts have a share of exactly one half; return a number for them too.",
        "Which activities must the result have?",
    ),
    mistake(
        "from one side of the texts",
        {ONE_SIDED: "(predicted_share[activity] - 0.5) * (share - 0.5) / abs(share - 0.5) - abs(share - 0.5)"},
    ).because("You measure from one half only towards the side of the texts; take the distance on either side.", SIDE),
    mistake("the mean beside them", {PAIRS + "\n    }": f"{PAIRS}\n    }} | {{'all': 0.0}}"}).because(
        "Your result has an entry that is not an activity; leave it out.", "Which activities must the result have?"
    ),
    overwrites(
        "predicted_share",
        {"return {": "predicted_share.update({", PAIRS + "\n    }": f"{PAIRS}\n    }})\n    return predicted_share"},
        "the shares are gone.",
        "written into the argument",
    ),
    mistake(
        "the texts against the model",
        {POINTS: "100 * max(0.0, abs(share - 0.5) - abs(predicted_share[activity] - 0.5))"},
    ).because(
        "You subtract the model from the texts; subtract the texts from the model.",
        "Which of the two is more one-sided if something is amplified?",
    ),
    mistake("rounded", {POINTS: f"round({POINTS})"}).because(
        "You round to whole points; do not round.", "What would the average over fifty activities be made of?"
    ),
)
