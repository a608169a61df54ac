"""What goes wrong in `scaled_dot_product`."""

from autograder.catalogue.attention.softmax_mistakes import MISTAKES as OF_SOFTMAX
from autograder.catalogue.common_mistakes import cut_off_scores, in_double_precision, in_single_precision, overwrites
from autograder.catalogue.edits import inherited, mistake, with_question
from course_lib.model.attention import softmax

SHINES_THROUGH = "among scores far below 0, a hidden key has weight"

# pieces of the reference
ARGUMENTS = "q: torch.Tensor, k: torch.Tensor, v: torch.Tensor"
ROOT, WEIGHTS, LOWEST = "math.sqrt(q.shape[-1])", "softmax(scores, dim=-1)", "torch.finfo(scores.dtype).min"
SCORES, FILLED = f"q @ k.transpose(-2, -1) / {ROOT}", f"scores.masked_fill(mask == 0, {LOWEST})"
MASKED = "scores = scores.masked_fill"
IF_MASKED = "    if mask is not None:"


def before_the_mask(statement):
    """An edit: this statement before the test for a mask."""
    return {IF_MASKED: f"    {statement}\n{IF_MASKED}"}


OF_SCALE = (
    *with_question(
        "The variance of the scores is d_k. What is their standard deviation, and what makes it 1?",
        mistake("no scaling", {f" / {ROOT}": ""}).because(
            "You do not divide the scores by √d_k, so they grow with the width."
        ),
        mistake("divided by d_k", {ROOT: "q.shape[-1]"}).because(
            "You divide by d_k itself; divide by its square root."
        ),
        mistake("multiplied by √d_k", {f"/ {ROOT}": f"* {ROOT}"}).because(
            "You multiply the scores by √d_k; divide them. (Dividing by d_k ** -0.5 multiplies.)"
        ),
    ),
    *with_question(
        "Which axis does the dot product sum over, and of which tensors?",
        mistake("scaled by the number of keys", {"q.shape[-1]": "k.shape[-2]"}).because(
            "You scale by the number of keys; scale by their width."
        ),
        mistake("scaled by d_v", {"q.shape[-1]": "v.shape[-1]"}).because(
            "You scale by the width of the values; use the width of the keys."
        ),
    ),
    mistake("scaled after the softmax", {f" / {ROOT}": "", WEIGHTS: f"{WEIGHTS} / {ROOT}"}).because(
        "You divide the weights, which now sum to 1/√d_k; divide the scores.",
        "Is the scale inside the softmax in the formula, or outside?",
    ),
    mistake("scale lost under a mask", {MASKED: "scores = (q @ k.transpose(-2, -1)).masked_fill"}).because(
        "With a mask, you do not divide the scores by √d_k; always divide them.",
        "Which lines run with a mask, which without, and where do you scale?",
    ),
    mistake("divided by 8, whatever the width", {ROOT: "8.0"}).because(
        "You always divide by 8, the root of 64; divide by the root of d_k, the width of q and k.",
        "How wide are q and k here?",
    ),
    mistake(
        "cosines for scores", {SCORES: "F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)"}
    ).because(
        "Your scores are cosines: you divide by the lengths of q and k. Divide by the root of their width d_k instead.",
        "By which number does the formula divide all scores?",
    ),
    mistake("divided by d_k squared", {ROOT: "q.shape[-1] ** 2"}).because(
        "You divide by d_k²; divide by the root.", "What is the variance of a sum of d_k products, each of variance 1?"
    ),
)

OF_WEIGHTS = (
    *with_question(
        "The attention is [..., L, S]. Along which axis must it sum to 1, however many axes there are?",
        mistake("softmax over the queries", {"dim=-1": "dim=-2"}).because(
            "Your softmax runs over the queries, axis −2; it must run over the keys."
        ),
        mistake("softmax over axis 1", {"dim=-1": "dim=1"}).because(
            "Your softmax runs along axis 1, which is the axis of the keys only without a batch or heads; use the "
            "last axis."
        ),
        mistake("softmax over axis 0", {"dim=-1": "dim=0"}).because(
            "Your softmax over axis 0 mixes the samples of a batch; it must run over the keys."
        ),
    ),
    *with_question(
        "What turns scores into weights that sum to 1 for each query?",
        mistake("no softmax", {WEIGHTS: "scores", LOWEST: "0.0"}).because(
            "You weight the values with the raw scores, even negative ones; apply the softmax first."
        ),
        mistake("sigmoid instead of softmax", {WEIGHTS: "scores.sigmoid()"}).because(
            "Your weights do not sum to 1; normalise them over the keys."
        ),
    ),
    mistake("softmax twice", {WEIGHTS: f"softmax({WEIGHTS}, dim=-1)"}).because(
        "You apply the softmax twice, so your weights are nearly equal; apply it once.",
        "How much weight does a key get whose score is 100 above all others?",
    ),
    inherited(softmax, OF_SOFTMAX, "no shift by the maximum", called="exp without a shift").because(
        "You take exp of the unshifted scores, which gives NaN for large scores and for very low ones. Subtract the "
        "largest score of each query first, or call `softmax`.",
        "What is exp(-10000) in float32, and what is the sum of a row of such numbers?",
    ),
    mistake("hard argmax", {WEIGHTS: "F.one_hot(scores.argmax(-1), k.shape[-2]).to(v.dtype)"}).because(
        "You pick only the best key, and no gradient reaches q through a hard choice; weight all keys by the softmax.",
        "How would q learn if a small change of it changes nothing?",
    ),
    mistake("all axes reversed", {"k.transpose(-2, -1)": "k.permute(*reversed(range(k.ndim)))"}).because(
        "`k.T` reverses every axis of k, batch and heads too. Swap only the last two.",
        "What does `k.transpose(-2, -1)` do that `k.T` does not?",
    ),
    mistake("keys averaged", {"attention @ v": "attention @ k"}).because(
        "You average the keys; average the values instead.", "How wide is the output, d_k or d_v?"
    ),
    mistake(
        "softmax over queries and keys at once", {WEIGHTS: "softmax(scores.flatten(-2), dim=-1).view_as(scores)"}
    ).because(
        "Your weights sum to 1 over all pairs of query and key; they should sum to 1 for each query.",
        "What do the weights of one query add up to?",
    ),
)

OF_CONTRACT = (
    *with_question(
        "What do you return, in which order, and what do the rows of the second result add up to?",
        mistake("values alone", {"@ v, attention": "@ v"}).because(
            "You return only the values; return (values, attention)."
        ),
        mistake(
            "returned in the other order", {"return attention @ v, attention": "return attention, attention @ v"}
        ).because("You return (attention, values); return (values, attention)."),
        mistake("scores returned", {"@ v, attention": "@ v, scores", LOWEST: "-1e9"}).because(
            "You return the scores; return the attention, their softmax."
        ),
    ),
    *with_question(
        "In which order does the signature in the contract name its arguments?",
        mistake("keys before queries", {ARGUMENTS: "k, q, v"}).because(
            "Your first argument is the keys; use the order q, k, v."
        ),
        mistake("values before keys", {ARGUMENTS: "q, v, k"}).because(
            "Your second argument is the values; use the order q, k, v."
        ),
    ),
    mistake("scores returned, filled with the lowest number", {"@ v, attention": "@ v, scores"}).because(
        "You return the scores; return the attention, their softmax.",
        "What do the rows of the second thing that you return add up to?",
    ),
)

OF_GRADIENTS = (
    *with_question(
        "Which call takes your tensors out of autograd?",
        mistake("without gradients", {"def scaled_dot_product(": "@torch.no_grad()\ndef scaled_dot_product("}).because(
            "The numbers are right, but torch.no_grad (or detach, or NumPy) has detached them from the graph."
        ),
        *(
            mistake(f"{name}cut from the graph", {find: cut}).because(
                f"The numbers are right, but {which}: it can never learn."
            )
            for name, find, cut, which in (
                ("", "q @ k", "q.detach() @ k.detach()", "neither q nor k is in the graph"),
                ("queries ", "q @ k", "q.detach() @ k", "q is detached from the graph"),
                ("keys ", "q @ k", "q @ k.detach()", "k is detached from the graph"),
                ("values ", "@ v,", "@ v.detach(),", "v is detached from the graph"),
            )
        ),
    ),
    mistake("masked scores cut from the graph", {"scores.masked_fill": "scores.detach().masked_fill"}).because(
        "With a mask, your scores are detached from the graph, so q and k get no gradient. Keep "
        "the scores in the graph.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    *(
        inherited(
            softmax,
            OF_SOFTMAX,
            f"{what}sum cut from the graph",
            called=f"{what}sum of the softmax cut from the graph",
        ).because(
            "The sum in your softmax is detached from the graph, so part of the gradient is missing. Keep it in the "
            "graph.",
            "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
        )
        for what in ("", "maximum and ")
    ),
    overwrites(
        "q",
        {"scores = q @": f"q /= {ROOT}\n    scores = q @", f" / {ROOT}  #": "  #"},
        "scaled in place; a leaf of the graph may not be.",
        "queries overwritten",
    ),
    in_double_precision("values", {"q @ k": "q.double() @ k.double()", "attention @ v, ": "attention @ v.double(), "}),
    in_single_precision("values", {"q @ k": "q.float() @ k.float()", "attention @ v, ": "attention @ v.float(), "}),
)

CUT_OFF = cut_off_scores(lambda limits: {SCORES: f"({SCORES}).clamp({limits})"})
MISTAKES = OF_SCALE + OF_WEIGHTS + CUT_OFF + OF_CONTRACT + OF_GRADIENTS
