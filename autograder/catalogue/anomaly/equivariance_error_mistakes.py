"""What goes wrong in `equivariance_error`."""

from autograder.catalogue.common_mistakes import overwrites, switches
from autograder.catalogue.edits import mistake

TWO_WAYS = "Which two orders of operations should give the same result: permute, then f; and … ?"
ONE_NUMBER = "One logit of 35 changes by 0.7, the others not at all. What is the error?"
LARGEST, DIFFERENCE = ".abs().max()", "(permuted_before - permuted_after)"
CALLS, RETURN = "    with torch.no_grad():", "    return ("

MISTAKES = (
    mistake("positional encoding left on", {", add_positional_encoding=False": ""}, times=2).because(
        "You leave the positional encoding on, so the answer changes with the order; turn it off.",
        "What does add_positional_encoding do when you leave it out?",
    ),
    mistake("invariance instead of equivariance", {")[:, permutation]": ")"}).because(
        "You test that the logits do not change; they must be permuted together with the images.", TWO_WAYS
    ),
    mistake(
        "the inverse permutation",
        {")[:, permutation]": ")", "(permuted_before -": "(permuted_before[:, permutation] -"},
    ).because(
        "Your two sides are in inverse orders; permute both the same way, or restore one with argsort.", TWO_WAYS
    ),
    mistake("no image changes places", {"[:, permutation]": "[permutation]"}, times=2).because(
        "Your error is always 0, as it is if both sides permute whole sets (axis 0), or nothing. Permute the images "
        "(axis 1), once before the model and once after it.",
        "Which axis of [B, S, D] counts the images of a set, and on which side is it permuted before the model?",
    ),
    mistake("sets permuted along the batch", {"sets[:, permutation]": "sets[permutation]"}).because(
        "You permute axis 0 of the sets, and so the order of whole sets; permute axis 1, the images.",
        "Which axis of [B, S, D] counts the images of a set?",
    ),
    mistake("logits permuted along the batch", {"False)[:, permutation]": "False)[permutation]"}).because(
        "You permute axis 0 of the logits, the sets; permute axis 1, the images.",
        "Which axis of the logits [B, S, 1] counts the images of a set?",
    ),
    mistake("mean change", {LARGEST: ".abs().mean()"}).because(
        "You take the mean, which hides a single logit that is far off; take the maximum.", ONE_NUMBER
    ),
    mistake("squared change", {LARGEST: ".square().mean()"}).because(
        "You square the changes; take their absolute values.", ONE_NUMBER
    ),
    mistake("sign not removed", {LARGEST: ".max()"}).because(
        "You leave out abs, so a decrease never counts; take absolute values.",
        "A logit falls by 0.7 and no other moves. What is the error?",
    ),
    mistake("sign removed too early", {DIFFERENCE: "(permuted_before.abs() - permuted_after.abs())"}).because(
        "You take the absolute values of the logits; take that of their difference.",
        "A logit changes from −0.7 to 0.7. What is the error?",
    ),
    mistake("first image only", {DIFFERENCE: "(permuted_before - permuted_after)[:, 0]"}).because(
        "You look only at the first image of each set; take the maximum over all.", ONE_NUMBER
    ),
    mistake("change relative to each logit", {DIFFERENCE: f"({DIFFERENCE} / permuted_after)"}).because(
        "You divide by the logits; return the change itself.", ONE_NUMBER
    ),
    mistake("first set only", {CALLS: f"    sets = sets[:1]\n{CALLS}"}).because(
        "You look only at the first set of the batch; take the maximum over all.", ONE_NUMBER
    ),
    mistake(
        "yes or no", {f"{DIFFERENCE}{LARGEST}.item()": "torch.allclose(permuted_before, permuted_after, atol=1e-4)"}
    ).because("You return whether the two are close; return how far apart they are.", ONE_NUMBER),
    mistake("no Python number yet", {".item()": ""}).because(
        "The number is right, but it is not a Python float yet; convert it with item().",
        "What does print show for your result?",
    ),
    switches(
        "mode of model",
        "model switched to training",
        {CALLS: f"    model.train()\n{CALLS}"},
        "You change the model's mode; leave it unchanged.",
    ),
    overwrites(
        "sets",
        {RETURN: f"    sets.copy_(sets[:, permutation])\n{RETURN}"},
        "the images are in another order (`sets[:] = …` makes no new tensor).",
    ),
    switches(
        "gradient mode",
        "gradients switched off for good",
        {CALLS: "    torch.set_grad_enabled(False)\n    if True:"},
        "Your call turns gradients off for good; use `with torch.no_grad():`, which ends with its block.",
    ),
    mistake("sum of the changes", {LARGEST: ".abs().sum()"}).because(
        "You add up all changes; return the largest.", ONE_NUMBER
    ),
    mistake(
        "an error where nothing moves",
        {CALLS: f"    permutation = torch.arange(sets.shape[1]).roll(1)\n{CALLS}"},
        shown_by="there is an error where nothing is permuted",
    ).because(
        "You report an error even if `permutation` leaves every image where it is. Permute the images (axis 1) and the "
        "logits by `permutation`, and nothing else.",
        "What should your two sides be for the permutation 0, 1, 2, …?",
    ),
    mistake("relative change", {DIFFERENCE: f"({DIFFERENCE} / permuted_after{LARGEST})"}).because(
        "You divide by the size of the logits; return the change itself.", ONE_NUMBER
    ),
    mistake(
        "argsort of the permutation on both sides", {"[:, permutation]": "[:, permutation.argsort()]"}, times=2
    ).because(
        "You apply the inverse of the permutation on both sides. Apply the permutation itself.",
        "Which image comes first in sets[:, permutation]?",
    ),
    mistake("one side with positions", {"model(sets, add_positional_encoding=False)": "model(sets)"}).because(
        "You leave the positions out on one side only. Call the model with add_positional_encoding=False both times.",
        "With which arguments do you call the model, each time?",
    ),
    mistake("largest squared change", {LARGEST: ".square().max()"}).because(
        "You return the square of the largest change. Return its absolute value.", ONE_NUMBER
    ),
    mistake(
        "positions before the permutation",
        {"model(sets[:, permutation], add_positional_encoding=False)": "model(sets[:, permutation])"},
    ).because(
        "You leave the positions out on one side only. Call the model with add_positional_encoding=False both times.",
        "With which arguments do you call the model, each time?",
    ),
    *(
        mistake(name, {DIFFERENCE: f"(permuted_before{of_both} - permuted_after{of_both})"}).because(
            f"You compare {what}; compare the logits, image by image.", ONE_NUMBER
        )
        for name, of_both, what in (
            ("probabilities compared", ".softmax(1)", "probabilities (a softmax over the set), which hide a shift"),
            ("log-probabilities compared", ".log_softmax(1)", "log-probabilities, which hide a shift of all logits"),
            ("sigmoids compared", ".sigmoid()", "sigmoids of the logits"),
            ("sorted logits compared", ".sort(dim=1).values", "sorted logits, which hide any change of places"),
            ("sums over the set compared", ".sum(1)", "sums over the set, which hide any change of places"),
            ("means over the set compared", ".mean(1)", "means over the set, which hide any change of places"),
        )
    ),
    mistake("invariance, on average", {")[:, permutation]": ")", LARGEST: ".abs().mean()"}).because(
        "You take the mean change of the logits, and you do not permute them with the images. Permute them, and take "
        "the maximum.",
        TWO_WAYS,
    ),
)
