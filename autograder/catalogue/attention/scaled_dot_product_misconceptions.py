"""What a good assistant would say of each wrong way to write scaled dot-product attention."""

from autograder.catalogue.attention import scaled_dot_product_mistakes as wrong
from autograder.catalogue.attention.scaled_dot_product_mask_misconceptions import OF_MASKS
from autograder.catalogue.attention.scaled_dot_product_shares import EVERYTHING, EVERYTHING_BUT_THE_MASK, LEADING
from autograder.catalogue.exercise import Misconception

OTHERS = (
    Misconception(
        "no scaling",
        wrong.no_scaling,
        "The scores are not divided by √d_k, so they grow with the width and the softmax saturates.",
        "What is the variance of a dot product of two random vectors with d_k components?",
        ("values",),
    ),
    Misconception(
        "divided by d_k",
        wrong.divided_by_d_k,
        "You divide by d_k itself; the paper divides by its square root.",
        "The variance of the scores is d_k. What is their standard deviation?",
        ("values",),
    ),
    Misconception(
        "multiplied by √d_k",
        wrong.multiplied_by_root,
        "The scores are multiplied by √d_k instead of divided: dividing by d_k ** -0.5 multiplies.",
        "Do your scores get larger or smaller when you scale them?",
        ("values",),
    ),
    Misconception(
        "scaled by the number of keys",
        wrong.divided_by_root_of_keys,
        "You scale by the length of the sequence; what makes the scores grow is the width of q and k.",
        "Which axis does the dot product sum over?",
        ("values",),
    ),
    Misconception(
        "scaled by d_v",
        wrong.divided_by_root_of_d_v,
        "You scale by the width of the values; the scores come from queries and keys, of width d_k.",
        "Do the values take part in the scores?",
        ("values",),
    ),
    Misconception(
        "softmax over the queries",
        wrong.over_the_queries,
        "Your softmax runs over the queries: each key shares itself out, instead of each query sharing out its weight.",
        "The attention is [..., L, S]. Along which axis must it sum to 1?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected",),
    ),
    Misconception(
        "softmax over axis 1",
        wrong.over_axis_one,
        "Your softmax runs over axis 1, which is the keys only when there is no batch.",
        "Which number names the last axis, however many there are?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected", "any leading dimensions"),
    ),
    Misconception(
        "softmax over axis 0",
        wrong.over_axis_zero,
        "Your softmax runs over axis 0, which mixes the samples of a batch.",
        "Which number names the last axis, however many there are?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected", "any leading dimensions"),
    ),
    Misconception(
        "hard argmax",
        wrong.hard_argmax,
        "You pick the best key outright; attention is a soft choice, and through a hard one no gradient reaches q.",
        "How would q learn if a small change of it changes nothing?",
        ("values", "gradients reach q, k and v"),
    ),
    Misconception(
        "no softmax",
        wrong.raw_scores,
        "You weigh the values with the raw scores; they are neither positive nor do they sum to 1.",
        "What turns scores into weights?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected",),
    ),
    Misconception(
        "−inf on a fully hidden row",
        wrong.infinite_fill,
        "With −inf a query that sees no key gets 0 / 0 = NaN, and one NaN spoils a whole training run.",
        "What is softmax of a row that is −inf everywhere?",
        ("a query that sees nothing gives no NaN",),
    ),
    Misconception(
        "scaled after the softmax",
        wrong.scaled_after_softmax,
        "You divide the weights, not the scores: they now sum to 1/√d_k.",
        "Is the scale inside the softmax in the formula, or outside?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected",),
    ),
    Misconception(
        "all axes reversed",
        wrong.all_axes_reversed,
        "`k.T` reverses every axis of k, batch and heads too. Only the last two are to be swapped.",
        "What does `k.transpose(-2, -1)` do that `k.T` does not?",
        EVERYTHING,
    ),
    Misconception(
        "returned in the other order",
        wrong.returned_in_the_other_order,
        "You return (attention, values); the contract is (values, attention).",
        "Which of the two has the shape [..., L, S]?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected", "gradients reach q, k and v"),
    ),
    Misconception(
        "cut from the graph",
        wrong.cut_from_the_graph,
        "The numbers are right, but q and k are cut out of autograd: they can never learn.",
        "Which call takes your tensor out of autograd?",
        ("gradients reach q, k and v",),
    ),
    Misconception(
        "scaled by the number of queries",
        wrong.divided_by_root_of_queries,
        "You scale by the number of queries; what makes the scores grow is the width of q and k.",
        "Which axis does the dot product sum over?",
        ("values",),
    ),
    Misconception(
        "divided by d_k squared",
        wrong.divided_by_square,
        "You divide by d_k²; the paper divides by the square root.",
        "The variance of the scores is d_k. What is their standard deviation?",
        ("values",),
    ),
    Misconception(
        "keys averaged",
        wrong.values_compared,
        "You average the keys; it is the values that are to be averaged.",
        "What width has the output, d_k or d_v?",
        ("values", "gradients reach q, k and v"),
    ),
    Misconception(
        "sigmoid in the place of softmax",
        wrong.by_sigmoid,
        "Each of your weights is between 0 and 1, but together they do not sum to 1: that takes a softmax.",
        "What do the weights of one query add up to?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected",),
    ),
    Misconception(
        "causal when no mask is given",
        wrong.causal_by_default,
        "Your function hides the future even when no mask is given.",
        "What may the first query see when mask is None?",
        ("values",),
    ),
    Misconception(
        "scores returned",
        wrong.scores_returned,
        "In the place of the attention you return the scores; the attention is what the softmax makes of them.",
        "What do the rows of your second result add up to?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected",),
    ),
    Misconception(
        "values alone",
        wrong.values_alone,
        "You return the values alone; the contract is the pair (values, attention).",
        "How many things does the docstring say that you return?",
        EVERYTHING_BUT_THE_MASK + ("mask is respected", "a mask may be boolean or 0/1", LEADING),
    ),
    Misconception(
        "keys before queries",
        wrong.keys_before_queries,
        "Your first argument is the keys; the order of the contract is q, k, v, and callers count on it.",
        "What is first in the signature?",
        EVERYTHING,
    ),
    Misconception(
        "values before keys",
        wrong.values_before_keys,
        "Your second argument is the values; the order of the contract is q, k, v, and callers count on it.",
        "What is second in the signature?",
        EVERYTHING,
    ),
    Misconception(
        "without gradients",
        wrong.without_gradients,
        "The numbers are right, but torch.no_grad (or detach, or NumPy) has cut them out of autograd.",
        "Which call takes your tensors out of autograd?",
        ("gradients reach q, k and v",),
    ),
    *(
        Misconception(
            f"{name} cut from the graph",
            cut,
            f"The numbers are right, but the {name} are cut out of autograd: they can never learn.",
            "Which call takes your tensor out of autograd?",
            ("gradients reach q, k and v",),
        )
        for name, cut in (
            ("queries", wrong.queries_cut_off),
            ("keys", wrong.keys_cut_off),
            ("values", wrong.values_cut_off),
        )
    ),
    Misconception(
        "sum of the softmax cut from the graph",
        wrong.sum_cut_off,
        "Your sum is cut out of autograd: the gradient misses that more weight here is less weight there.",
        "If one score grows, what happens to the weights of the other keys?",
        ("gradients reach q, k and v",),
    ),
    Misconception(
        "queries overwritten",
        wrong.queries_overwritten,
        "You scale q in place: the caller's tensor is changed, and a leaf of the graph may not be.",
        "What is the difference between `q /= c` and `q = q / c`?",
        ("gradients reach q, k and v",),
    ),
)

MISCONCEPTIONS = OTHERS + OF_MASKS
