"""What a loss that is another one is told, and what it loses."""

from autograder.catalogue.decoder import sequence_loss_mistakes as wrong
from autograder.catalogue.exercise import Misconception

VALUES, PADDING, SURE = "values", "padding does not count", "stable when the model is sure"
GRADIENTS = "gradients reach the logits"

MISCONCEPTIONS = (
    Misconception(
        "cross-entropy on probabilities",
        wrong.on_probabilities,
        "cross_entropy takes logits and applies the softmax itself; given probabilities the loss cannot come near 0.",
        "What does `F.cross_entropy` do with its first argument before it takes the logarithm?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "logarithm of a softmax",
        wrong.on_log_of_the_softmax,
        "The formula is right on paper; a probability too small for a float becomes 0, and its logarithm −inf.",
        "Which function gives the logarithm of the softmax without computing the softmax first?",
        (SURE,),
    ),
    Misconception(
        "a small number inside the logarithm",
        wrong.log_with_a_small_number,
        "The small number keeps the logarithm finite, and wrong: a sure mistake never costs more than −log(1e-9).",
        "What should a mistake cost that the model gives a probability of e⁻¹⁰⁰?",
        (SURE,),
    ),
    Misconception(
        "padding counted",
        wrong.padding_counted,
        "Padding is guessed and rewarded like real tokens: a long batch of short sentences seems easy.",
        "Which of the B·T losses should the mean leave out?",
        (PADDING,),
    ),
    Misconception(
        "divided by all places",
        wrong.divided_by_all,
        "The sum leaves the padding out, but you divide by B·T: the more padding, the smaller the loss.",
        "How many losses have you added up?",
        (PADDING,),
    ),
    Misconception(
        "sum instead of mean",
        wrong.summed,
        "This is the sum: it grows with the batch, and the learning rate would have to shrink with it.",
        "By what must the sum be divided?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "divided by the number of sentences",
        wrong.summed_over_time,
        "You divide the sum by B: long sentences cost more than short ones.",
        "By what must the sum be divided?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "a mean of means",
        wrong.mean_of_sentences,
        "You average within each sentence first: a token of a short sentence weighs more than one of a long.",
        "Should every sentence weigh the same, or every token?",
        (PADDING,),
    ),
    Misconception(
        "0 taken for padding",
        wrong.zero_is_padding,
        "You leave out token 0, whatever `pad` says: source and target may have different padding.",
        "Where do you use `pad`?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "logits zeroed at the padding",
        wrong.logits_zeroed_at_padding,
        "A row of zeros is a uniform guess, not a missing one: each padding place adds log V.",
        "What is the cross-entropy of logits that are all zero?",
        (PADDING,),
    ),
    Misconception(
        "mask inverted",
        wrong.only_padding,
        "You average over the padding and leave the real tokens out.",
        "Is your mask True at a real token?",
        (VALUES, PADDING, SURE, GRADIENTS),
    ),
    Misconception(
        "axes exchanged by reshape",
        wrong.axes_by_view,
        "[B, T, V] reshaped to [B, V, T] mixes tokens with classes; only a transpose moves axes.",
        "Which axis does cross_entropy take for the classes, and how do you move V there?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "shifted a second time",
        wrong.shifted_inside,
        "You compare the logits at t with the target at t + 1; the decoder's input was already shifted.",
        "Which target are the logits at place 0 about?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "no logarithm",
        wrong.probability_of_the_target,
        "This is minus the probability of the target; the cross-entropy is minus its logarithm.",
        "What should it cost to give the right token a probability near 0?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "sign",
        wrong.sign_forgotten,
        "The sign is wrong: training would make the right token less and less likely.",
        "Is the logarithm of a probability positive or negative?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "labels smoothed",
        wrong.smoothed,
        "Label smoothing mixes the other tokens into the target; here the plain cross-entropy is asked for.",
        "What do the extra arguments of your loss do?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "no softmax at all",
        wrong.logits_taken_for_logarithms,
        "F.nll_loss wants log-probabilities; of plain logits it has no lower bound.",
        "What should the exponentials of the numbers that you give to nll_loss sum to?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "softmax over time",
        wrong.softmax_over_time,
        "The places of a sentence compete with each other; it is the tokens of the vocabulary that should.",
        "Along which axis of [B, T, V] should the probabilities sum to 1?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "exponentials overflow",
        wrong.overflowing,
        "exp of a large logit is infinite, and infinity through infinity is NaN.",
        "Which function gives the logarithm of the softmax without computing the softmax first?",
        (SURE,),
    ),
    Misconception(
        "targets overwritten",
        wrong.targets_overwritten,
        "The loss is right, but you wrote into the caller's targets: whoever uses them next finds other tokens.",
        "Which of your lines writes into `targets` itself?",
        (PADDING,),
    ),
    Misconception(
        "one loss for each token",
        wrong.one_for_each_token,
        "The losses of the tokens are still apart: backward() needs a single number.",
        "What is the shape of your result?",
        (VALUES, PADDING, SURE),
    ),
    Misconception(
        "cut from the graph",
        wrong.cut_from_the_graph,
        "The number is right, but it is cut out of autograd: nothing can learn from it.",
        "Which call takes your tensor out of autograd?",
        (GRADIENTS,),
    ),
)
