"""What goes wrong with the mask of `scaled_dot_product`."""

from autograder.catalogue.attention.scaled_dot_product_mistakes import (
    FILLED,
    IF_MASKED,
    LOWEST,
    MASKED,
    SHINES_THROUGH,
    WEIGHTS,
    before_the_mask,
)
from autograder.catalogue.common_mistakes import takes_the_weight
from autograder.catalogue.edits import mistake, with_question

OF_MASK = (
    *with_question(
        "In `masked_fill(condition, value)`, which entries are filled, and where does the result go?",
        mistake("inverted mask", {"mask == 0": "mask != 0"}).because(
            "You hide the visible keys; 0 (False) must mean hidden."
        ),
        mistake("inverted mask, booleans only", {"mask == 0": "mask"}).because(
            "`masked_fill` fills where its condition is True, so you hide the visible keys (and a mask of 0 "
            "and 1 fails); fill where the mask is 0."
        ),
        mistake("booleans only", {"mask == 0": "~mask"}).because(
            "`~mask` works for booleans only; `mask == 0` serves 0 and 1 too."
        ),
        mistake("mask ignored", {MASKED: "scores.masked_fill"}).because(
            "Your mask has no effect. `masked_fill` returns a new tensor: does your code keep and use it?"
        ),
    ),
    mistake("−inf on a fully hidden row", {LOWEST: "-torch.inf"}).because(
        "A query that sees no key gets 0 / 0 = NaN, because all its scores are −inf or you divide by a sum of "
        "0; return finite values.",
        "What are the weights of a row in which everything is hidden, and what do they sum to?",
    ),
    mistake(
        "−inf added, and NaN replaced",
        {
            FILLED: "scores + torch.zeros(mask.shape).to(scores).masked_fill(mask == 0, -torch.inf)",
            WEIGHTS: f"torch.nan_to_num({WEIGHTS})",
        },
    ).because(
        "You replace the NaN of a query that sees no key by 0, but its gradients are still NaN, and they reach all "
        "parameters. Use the lowest finite number instead of −inf, so that no NaN arises.",
        "What is the derivative of a softmax whose result is NaN?",
    ),
    *with_question(
        "Which score does exp turn into 0, whatever the other scores are?",
        mistake("hidden scores set to 0", {LOWEST: "0.0"}).because(
            "Your hidden scores are 0 or almost 0 (−1e-9 is not −1e9), and exp(0) = 1, so hidden keys get weight. Set "
            "these scores to a very low number."
        ),
        mistake("hidden scores set to a high number", {LOWEST: "1e9"}).because(
            "Your sign is wrong, so hidden keys get all the weight; use a very low number."
        ),
        mistake("mask added as it is", {FILLED: "scores + mask.to(scores.dtype)"}).because(
            "You add 1 to the visible scores, which hides nothing; set the hidden ones to a very low number."
        ),
        *(
            mistake(f"a mask of {kind} {what}", {FILLED: f"{done} if {test} else {FILLED}"}).because(
                f"{says} Read a mask of any dtype in one way: where it is 0, set the score to a very low number."
            )
            for kind, test in (("floats", "mask.is_floating_point()"), ("numbers", "mask.dtype != torch.bool"))
            for what, done, says in (
                ("added", "scores + mask", f"You add a mask of {kind} to the scores, so 0 hides nothing."),
                ("multiplied", "scores * mask", f"You multiply the scores by a mask of {kind}, and exp(0) = 1."),
                ("left out", "scores", f"You ignore a mask of {kind}."),
            )
        ),
    ),
    mistake("hidden scores not low enough", {LOWEST: "-20.0"}, shown_by=SHINES_THROUGH).because(
        takes_the_weight("a hidden key"),
        "Which score does exp turn into 0, whatever the other scores are?",
    ),
    mistake(
        "not renormalised after masking",
        {MASKED: "scores.masked_fill", WEIGHTS: f"{WEIGHTS} * (1 if mask is None else mask)"},
    ).because(
        "You set weights to 0 after the softmax, so the rest no longer sum to 1; hide the scores before it.",
        "How much weight is lost when a key is hidden, and who should get it?",
    ),
    *with_question(
        "Which axes does the mask have, which do the scores have, and how do they line up from the right?",
        mistake("mask transposed", {"mask == 0": "mask.mT == 0"}).because(
            "You transpose the mask; its rows are queries and its columns keys."
        ),
        mistake("one mask for all samples", {"mask == 0": "mask.reshape(-1, *mask.shape[-2:])[0] == 0"}).because(
            "You use the first sample's mask for all samples; use each sample's own."
        ),
        mistake(
            "an axis for heads put into the mask", {"mask == 0": "(mask.unsqueeze(1) if mask.ndim == 3 else mask) == 0"}
        ).because("You add an axis to a mask of three; q, k and v may have no heads here, so leave it unchanged."),
    ),
    *with_question(
        "Which weights do you multiply with v, and which do you return?",
        mistake(
            "values made before the mask",
            before_the_mask(f"values = {WEIGHTS} @ v") | {"return attention @ v": "return values"},
        ).because(
            "You return masked attention but average the values with the unmasked weights; use the masked weights "
            "for both."
        ),
    ),
    *with_question(
        "What is `mask` when the caller gives none, and what may the first query see in that case?",
        mistake(
            "causal when no mask is given",
            before_the_mask("mask = torch.ones(scores.shape[-2:]).tril() if mask is None else mask"),
        ).because("Your function hides the future even without a mask; hide nothing then."),
        *(
            mistake(f"no test for None{by}", {IF_MASKED: "    if True:", "mask == 0": condition}).because(
                "Your function always uses its mask; without one `mask` is None, so hide nothing."
            )
            for by, condition in (("", "mask == 0"), (", by ~", "~mask"), (", by a method", "mask.logical_not()"))
        ),
    ),
    mistake(
        "filled after the softmax",
        {
            MASKED: "scores.masked_fill",
            "    return": f"{IF_MASKED}\n        attention = attention.masked_fill(mask == 0, -1e9)\n    return",
        },
    ).because(
        "You fill the weights with −1e9; fill the scores, because only a softmax turns a very low number into "
        "a weight of 0.",
        "Do you fill the scores or the weights?",
    ),
    mistake(
        "attention from before the mask", before_the_mask(f"unmasked = {WEIGHTS}") | {"@ v, attention": "@ v, unmasked"}
    ).because(
        "You average the values with masked weights but return the unmasked attention; return the weights "
        "that you used.",
        "Which weights averaged the values that you return?",
    ),
    *(
        mistake(f"hidden scores set to −{low}", {LOWEST: f"-{low}.0"}).because(
            f"You set hidden scores to −{low}, so hidden keys still have weight: exp(−{low}) is not 0. Use a very low "
            "number.",
            "Which score does exp turn into 0, whatever the others are?",
        )
        for low in (1, 10)
    ),
    *(
        mistake(f"{penalty} subtracted from hidden scores", {FILLED: f"scores - {penalty} * (mask == 0)"}).because(
            f"You subtract {penalty} from the hidden scores, so a hidden key keeps some weight; set them to a very low "
            "number.",
            "Which score does exp turn into 0, whatever the other scores are?",
        )
        for penalty in (5, 10, 20)
    ),
)
