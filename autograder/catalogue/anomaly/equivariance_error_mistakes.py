"""What goes wrong in `equivariance_error`."""

from autograder.catalogue.common_mistakes import overwrites, switches
from autograder.catalogue.edits import mistake

TWO_WAYS = "Which two orders of doing things should give the same: permute, then f; and … ?"
ONE_NUMBER = "One logit of 35 changes by 0.7, the others not at all. What is the error?"
LARGEST, DIFFERENCE = ".abs().max()", "(permuted_before - permuted_after)"
CALLS, RETURN = "    with torch.no_grad():", "    return ("

MISTAKES = (
    mistake("positional encoding left on", {", add_positional_encoding=False": ""}, times=2).because(
        "The model is told the place of each image, so of course its answer changes with the order.",
        "What does add_positional_encoding do when you leave it out?",
    ),
    mistake("invariance instead of equivariance", {")[:, permutation]": ")"}).because(
        "You ask that nothing changes; but when the images change places, their logits should go with them.", TWO_WAYS
    ),
    mistake(
        "the inverse permutation",
        {")[:, permutation]": ")", "(permuted_before -": "(permuted_before[:, permutation] -"},
    ).because(
        "Your two sides are in inverse orders: permute both alike, or put one back in its order, by argsort.", TWO_WAYS
    ),
    mistake("no image changes places", {"[:, permutation]": "[permutation]"}, times=2).because(
        "Both sides of your comparison are the same: whole sets changed places (axis 0), or nothing did.",
        "Which axis of [B, S, D] counts the images of a set, and on which side is it permuted before the model?",
    ),
    mistake("mean change", {LARGEST: ".abs().mean()"}).because(
        "The mean hides a single logit that is far off among many that are right.", ONE_NUMBER
    ),
    mistake("squared change", {LARGEST: ".square().mean()"}).because(
        "Squares make small errors vanish and large ones larger; asked for is the change itself.", ONE_NUMBER
    ),
    mistake("sign not removed", {LARGEST: ".max()"}).because(
        "Without abs a change downwards never counts.", "A logit falls by 0.7 and no other moves. What is the error?"
    ),
    mistake("first set only", {CALLS: f"    sets = sets[:1]\n{CALLS}"}).because(
        "You look at the first set of the batch alone; the largest change may be in another.", ONE_NUMBER
    ),
    mistake(
        "yes or no", {f"{DIFFERENCE}{LARGEST}.item()": "torch.allclose(permuted_before, permuted_after, atol=1e-4)"}
    ).because("Your answer says whether the two are close; asked for is how far apart they are.", ONE_NUMBER),
    mistake("no Python number yet", {".item()": ""}).because(
        "The number is right, but what holds it is no Python float: item() makes it one.",
        "What does print show for your result?",
    ),
    switches(
        "mode of model",
        "model switched to training",
        {CALLS: f"    model.train()\n{CALLS}"},
        "You change the model's mode. Leave the model in the mode in which you got it.",
    ),
    overwrites(
        "sets",
        {RETURN: f"    sets.copy_(sets[:, permutation])\n{RETURN}"},
        "the images stand in another order (`sets[:] = …` makes no new tensor).",
    ),
    switches(
        "gradient mode",
        "gradients switched off for good",
        {CALLS: "    torch.set_grad_enabled(False)\n    if True:"},
        "After your call nobody's gradients are computed any more: `with torch.no_grad():` ends where its block ends.",
    ),
    mistake("sum of the changes", {LARGEST: ".abs().sum()"}).because(
        "The sum of all changes grows with the number of logits; asked for is the largest.", ONE_NUMBER
    ),
    mistake(
        "another permutation",
        {CALLS: f"    permutation = torch.arange(sets.shape[1]).roll(1)\n{CALLS}"},
        shown_by="there is an error where nothing is permuted",
    ).because(
        "You permute with an order of your own; the one to test comes as an argument.",
        "Where does your code use its argument `permutation`?",
    ),
    mistake("relative change", {DIFFERENCE: f"({DIFFERENCE} / permuted_after{LARGEST})"}).because(
        "You divide by the size of the logits; asked for is the change itself.", ONE_NUMBER
    ),
    mistake("argsort of the permutation on both sides", {"[:, permutation]": "[:, permutation.argsort()]"}, times=2),
)
