"""What goes wrong in `scaled_dot_product`."""

from autograder.catalogue.attention.softmax_mistakes import MISTAKES as OF_SOFTMAX
from autograder.catalogue.common_mistakes import in_double_precision, overwrites
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
    inherited(softmax, OF_SOFTMAX, "sum cut from the graph", called="sum of the softmax cut from the graph").because(
        "The sum in your softmax is detached from the graph, so part of the gradient is missing. Keep it in the graph.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    overwrites(
        "q",
        {"scores = q @": f"q /= {ROOT}\n    scores = q @", f" / {ROOT}  #": "  #"},
        "scaled in place; a leaf of the graph may not be.",
        "queries overwritten",
    ),
    in_double_precision("values", {"q @ k": "q.double() @ k.double()", "attention @ v, ": "attention @ v.double(), "}),
)

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
            "Your mask has no effect, because `masked_fill` returns a new tensor; keep its result."
        ),
    ),
    mistake("−inf on a fully hidden row", {LOWEST: "-torch.inf"}).because(
        "A query that sees no key gets 0 / 0 = NaN, because all its scores are −inf or you divide by a sum of "
        "0; return finite values.",
        "What are the weights of a row in which everything is hidden, and what do they sum to?",
    ),
    *with_question(
        "Which score does exp turn into 0, whatever the other scores are?",
        mistake("hidden scores set to 0", {LOWEST: "0.0"}).because(
            "A hidden score is 0 (−1e-9 is not −1e9), and exp(0) = 1."
        ),
        mistake("hidden scores set to a high number", {LOWEST: "1e9"}).because(
            "Your sign is wrong, so hidden keys get all the weight; use a very low number."
        ),
        mistake("mask added as it is", {FILLED: "scores + mask.to(scores.dtype)"}).because(
            "You add 1 to the visible scores, which hides nothing; set the hidden ones to a very low number."
        ),
    ),
    mistake("hidden scores not low enough", {LOWEST: "-20.0"}, shown_by=SHINES_THROUGH).because(
        "Your fill value is not low enough: if all scores are far below it, the hidden key has the highest.",
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
    mistake("hidden scores set to −1", {LOWEST: "-1.0"}).because(
        "You set hidden scores to −1, which still has the weight exp(−1); use a very low number.",
        "Which score does exp turn into 0, whatever the others are?",
    ),
)

MISTAKES = OF_SCALE + OF_WEIGHTS + OF_CONTRACT + OF_GRADIENTS + OF_MASK
