"""What goes wrong in `scaled_dot_product`."""

from autograder.catalogue.attention.softmax_wrong import MISTAKES as OF_SOFTMAX
from autograder.catalogue.edits import borrowed, wrong
from course_lib.model.attention import softmax

WIDTH = "Which axis does the dot product sum over?"
DEVIATION = "The variance of the scores is d_k. What is their standard deviation?"
LAST_AXIS = "Which number names the last axis, however many there are?"
DETACHED = "Which call takes your tensors out of autograd?"
LOW_SCORE = "Which score does exp turn into 0?"
SHINES_THROUGH = "among scores far below 0, a hidden key has weight"
WHICH_ENTRIES = "In `masked_fill(condition, value)`, which entries are filled?"

# pieces of the reference
ARGUMENTS = "q: torch.Tensor, k: torch.Tensor, v: torch.Tensor"
ROOT, WEIGHTS, LOWEST = "math.sqrt(q.shape[-1])", "softmax(scores, dim=-1)", "torch.finfo(scores.dtype).min"
SCORES, FILLED = f"q @ k.transpose(-2, -1) / {ROOT}", f"scores.masked_fill(mask == 0, {LOWEST})"
MASKED = "scores = scores.masked_fill"
IF_MASKED = "    if mask is not None:"

OF_SCALE = (
    wrong(
        "no scaling",
        {f" / {ROOT}": ""},
        "The scores are not divided by √d_k, so they grow with the width and the softmax saturates.",
        "What is the variance of a dot product of two random vectors with d_k components?",
    ),
    *(
        wrong(name, {ROOT: divisor}, f"You divide by {what}; the paper divides by the square root of d_k.", DEVIATION)
        for name, divisor, what in (
            ("divided by d_k", "q.shape[-1]", "d_k itself"),
            ("divided by d_k squared", "q.shape[-1] ** 2", "d_k²"),
        )
    ),
    wrong(
        "multiplied by √d_k",
        {f"/ {ROOT}": f"* {ROOT}"},
        "The scores are multiplied by √d_k instead of divided: dividing by d_k ** -0.5 multiplies.",
        "Do your scores get larger or smaller when you scale them?",
    ),
    *(
        wrong(
            f"scaled by {name}",
            {"q.shape[-1]": size},
            f"You scale by {what}; what makes the scores grow is the width of q and k, d_k.",
            WIDTH,
        )
        for name, size, what in (
            ("the number of keys", "k.shape[-2]", "the number of keys"),
            ("the number of queries", "q.shape[-2]", "the number of queries"),
            ("d_v", "v.shape[-1]", "the width of the values, which have no part in the scores"),
        )
    ),
    wrong(
        "scaled after the softmax",
        {f" / {ROOT}": "", WEIGHTS: f"{WEIGHTS} / {ROOT}"},
        "You divide the weights, not the scores: they now sum to 1/√d_k.",
        "Is the scale inside the softmax in the formula, or outside?",
    ),
    wrong(
        "scale lost under a mask",
        {MASKED: "scores = (q @ k.transpose(-2, -1)).masked_fill"},
        "When a mask is given, your scores are no longer divided by √d_k.",
        "What runs with a mask and what without, and where do you scale?",
    ),
)

OF_WEIGHTS = (
    wrong(
        "softmax over the queries",
        {"dim=-1": "dim=-2"},
        "Your softmax runs over the queries: each key shares itself out, instead of each query sharing out its weight.",
        "The attention is [..., L, S]. Along which axis must it sum to 1?",
    ),
    *(
        wrong(name, {"dim=-1": f"dim={axis}"}, f"Your softmax runs over axis {axis}, which {what}.", LAST_AXIS)
        for name, axis, what in (
            ("softmax over axis 1", 1, "is the keys only when there is no batch"),
            ("softmax over axis 0", 0, "mixes the samples of a batch"),
        )
    ),
    wrong(
        "softmax over queries and keys at once",
        {WEIGHTS: "softmax(scores.flatten(-2), dim=-1).view_as(scores)"},
        "Your softmax runs over all pairs of query and key: together they share out a weight of 1, and not each query.",
        "What do the weights of one query add up to?",
    ),
    wrong(
        "hard argmax",
        {WEIGHTS: "F.one_hot(scores.argmax(-1), k.shape[-2]).to(v.dtype)"},
        "You pick the best key outright; attention is a soft choice, and through a hard one no gradient reaches q.",
        "How would q learn if a small change of it changes nothing?",
    ),
    wrong(
        "no softmax",
        {WEIGHTS: "scores", LOWEST: "0.0"},
        "You weigh the values with the raw scores; they are neither positive nor do they sum to 1.",
        "What turns scores into weights?",
    ),
    wrong(
        "sigmoid in the place of softmax",
        {WEIGHTS: "scores.sigmoid()"},
        "Each of your weights is between 0 and 1, but together they do not sum to 1: that takes a softmax.",
        "What do the weights of one query add up to?",
    ),
    wrong(
        "all axes reversed",
        {"k.transpose(-2, -1)": "k.permute(*reversed(range(k.ndim)))"},
        "`k.T` reverses every axis of k, batch and heads too. Only the last two are to be swapped.",
        "What does `k.transpose(-2, -1)` do that `k.T` does not?",
    ),
    wrong(
        "keys averaged",
        {"attention @ v": "attention @ k"},
        "You average the keys; it is the values that are to be averaged.",
        "What width has the output, d_k or d_v?",
    ),
)

OF_CONTRACT = (
    wrong(
        "returned in the other order",
        {"return attention @ v, attention": "return attention, attention @ v"},
        "You return (attention, values); the contract is (values, attention).",
        "Which of the two has the shape [..., L, S]?",
    ),
    *(
        wrong(
            name,
            {"@ v, attention": "@ v, scores", LOWEST: fill},
            "Instead of the attention you return the scores; the attention is what the softmax makes of them.",
            "What do the rows of your second result add up to?",
        )
        for name, fill in (("scores returned", "-1e9"), ("scores returned, filled with the lowest number", LOWEST))
    ),
    wrong(
        "values alone",
        {"@ v, attention": "@ v"},
        "You return the values alone; the contract is the pair (values, attention).",
        "How many things does the docstring say that you return?",
    ),
    *(
        wrong(
            name,
            {ARGUMENTS: order},
            f"Your {place} argument is the {what}; the order of the contract is q, k, v, and callers count on it.",
            f"What is {place} in the signature?",
        )
        for name, order, place, what in (
            ("keys before queries", "k, q, v", "first", "keys"),
            ("values before keys", "q, v, k", "second", "values"),
        )
    ),
)

OF_GRADIENTS = (
    wrong(
        "without gradients",
        {"def scaled_dot_product(": "@torch.no_grad()\ndef scaled_dot_product("},
        "The numbers are right, but torch.no_grad (or detach, or NumPy) has cut them out of autograd.",
        DETACHED,
    ),
    *(
        wrong(
            f"{name}cut from the graph",
            {find: cut},
            f"The numbers are right, but {which} cut out of autograd: no gradient comes back there.",
            DETACHED,
        )
        for name, find, cut, which in (
            ("", "q @ k", "q.detach() @ k.detach()", "q and k are"),
            ("queries ", "q @ k", "q.detach() @ k", "q is"),
            ("keys ", "q @ k", "q @ k.detach()", "k is"),
            ("values ", "@ v,", "@ v.detach(),", "v is"),
        )
    ),
    borrowed(softmax, OF_SOFTMAX, "sum cut from the graph", "", called="sum of the softmax cut from the graph"),
)

OF_WHAT_IS_KEPT = (
    wrong(
        "queries overwritten",
        {"scores = q @": f"q /= {ROOT}\n    scores = q @", f" / {ROOT}  #": "  #"},
        "You scale q in place: the caller's tensor is changed, and a leaf of the graph may not be.",
        "What is the difference between `q /= c` and `q = q / c`?",
        shown_by="the argument q is another one after the call",
    ),
    wrong(
        "in double precision",
        {"q @ k": "q.double() @ k.double()", "attention @ v, ": "attention @ v.double(), "},
        "Your results are float64 where q, k and v are float32: the next layer will refuse them.",
        "Which of your operations changes the dtype, and where do you change it back?",
        shown_by="values is float64 where float32 is due",
    ),
)

OF_MASK = (
    wrong(
        "inverted mask",
        {"mask == 0": "mask != 0"},
        "Your mask is inverted: here 0 (False) means hidden, and you hide what should be seen.",
        WHICH_ENTRIES,
    ),
    wrong(
        "inverted mask, booleans only",
        {"mask == 0": "mask"},
        "`masked_fill` fills where its condition is True, and so hides what should be seen; a mask of 0 and 1 fails.",
        WHICH_ENTRIES,
    ),
    wrong(
        "booleans only",
        {"mask == 0": "~mask"},
        "`~mask` works for booleans only; a mask may also hold 0 and 1. `mask == 0` serves all.",
        "What is ~1?",
    ),
    wrong(
        "mask ignored",
        {MASKED: "scores.masked_fill"},
        "The mask has no effect. `masked_fill` returns a new tensor and leaves the old one as it was.",
        "Where does the result of `masked_fill` go?",
    ),
    wrong(
        "−inf on a fully hidden row",
        {LOWEST: "-torch.inf"},
        "A query that sees no key gets 0 / 0 = NaN: its scores are all −inf, or a sum of 0 is divided by.",
        "Which weights has a row in which everything is hidden, and what is their sum?",
    ),
    wrong(
        "hidden scores set to 0",
        {LOWEST: "0.0"},
        "You set the hidden scores to 0 (or almost: −1e-9 is not −1e9); exp(0) = 1, so a hidden key gets weight.",
        LOW_SCORE,
    ),
    wrong(
        "hidden scores set to a high number",
        {LOWEST: "1e9"},
        "You give the hidden scores a very high number, so that they get all the weight; the sign is wrong.",
        LOW_SCORE,
    ),
    wrong(
        "hidden scores set to −1",
        {LOWEST: "-1.0"},
        "A score of −1 still has the weight exp(−1): fill with a very low number.",
        LOW_SCORE,
    ),
    wrong(
        "hidden scores not low enough",
        {LOWEST: "-20.0"},
        "Your number is not low enough: where all scores are far below it, what is hidden has the highest one.",
        LOW_SCORE,
        shown_by=SHINES_THROUGH,
    ),
    wrong(
        "mask added as it is",
        {FILLED: "scores + mask.to(scores.dtype)"},
        "You add the mask itself to the scores: visible keys gain 1 and hidden ones lose nothing.",
        "What should be added to the score of a hidden key?",
    ),
    wrong(
        "not renormalised after masking",
        {MASKED: "scores.masked_fill", WEIGHTS: f"{WEIGHTS} * (1 if mask is None else mask)"},
        "You set weights to 0 after the softmax and leave the rest as they are: they no longer sum to 1.",
        "How much weight is lost when a key is hidden, and who should get it?",
    ),
    wrong(
        "filled after the softmax",
        {
            MASKED: "scores.masked_fill",
            "    return": f"{IF_MASKED}\n        attention = attention.masked_fill(mask == 0, -1e9)\n    return",
        },
        "You put −1e9 instead of weights; a very low number makes a weight of 0 only if a softmax follows.",
        "Is it the scores or the weights that you fill?",
    ),
    wrong(
        "one mask for all samples",
        {"mask == 0": "mask.reshape(-1, *mask.shape[-2:])[0] == 0"},
        "You use the mask of the first sample for all of them.",
        "What does a mask [B, 1, L, S] say about the second sample?",
    ),
    wrong(
        "mask transposed",
        {"mask == 0": "mask.mT == 0"},
        "Your mask lies on its side: its rows are queries, its columns are keys.",
        "Which axis of the mask belongs to the keys?",
    ),
    wrong(
        "an axis for heads put into the mask",
        {"mask == 0": "(mask.unsqueeze(1) if mask.ndim == 3 else mask) == 0"},
        "You add an axis to a mask of three; q, k and v need not have heads here, and it fits the scores as it is.",
        "Which shape have the scores of q [B, L, d_k]?",
    ),
    wrong(
        "values made before the mask",
        {IF_MASKED: f"    values = {WEIGHTS} @ v\n{IF_MASKED}", "return attention @ v": "return values"},
        "Your attention is masked, but the values were averaged with the weights from before.",
        "Which weights do you multiply with v?",
    ),
    wrong(
        "attention from before the mask",
        {IF_MASKED: f"    unmasked = {WEIGHTS}\n{IF_MASKED}", "@ v, attention": "@ v, unmasked"},
        "Your values are masked, but the attention that you return is the one from before.",
        "Which of your variables holds the weights that v was multiplied with?",
    ),
    wrong(
        "causal when no mask is given",
        {IF_MASKED: f"    mask = torch.ones(scores.shape[-2:]).tril() if mask is None else mask\n{IF_MASKED}"},
        "Your function hides the future even when no mask is given.",
        "What may the first query see when mask is None?",
    ),
    *(
        wrong(
            f"no test for None{by}",
            {IF_MASKED: "    if True:", "mask == 0": condition},
            "Your function always uses its mask; without one, `mask` is None and there is nothing to hide.",
            "What is `mask` when the caller gives none?",
        )
        for by, condition in (("", "mask == 0"), (", by ~", "~mask"), (", by a method", "mask.logical_not()"))
    ),
)

MISTAKES = OF_SCALE + OF_WEIGHTS + OF_CONTRACT + OF_GRADIENTS + OF_WHAT_IS_KEPT + OF_MASK
