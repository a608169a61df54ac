"""What a good assistant says of the mistakes that `MultiheadAttention` and `CrossAttention` have in common."""

HEADS = "After which operation do the numbers of one head lie together?"
SCALE = "Which axis does the dot product sum over, and how long is it in one head?"
NAMES = "Which names and sizes does the docstring give under “Parameters”?"
HIDING = "What must the score of a hidden key be before the softmax, so that its weight is 0 after it?"

# name of the mistake → what to say, and what to ask
SAID = {
    "one head": (
        "num_heads has no effect: your layer attends with a single wide head.",
        "How many attention maps does your layer make?",
    ),
    "no scaling": ("The scores are not divided by √d, d being the width of one head.", SCALE),
    "divided by d": ("You divide by the width of a head; the paper divides by its square root.", SCALE),
    "scaled by the whole width": (
        "You divide by √embed_dim; each head only sums over its own d = embed_dim / h features.",
        SCALE,
    ),
    "multiplied by √d": ("The scores are multiplied by √d instead of divided.", SCALE),
    "hard choice": (
        "Each query takes its best key alone: no gradient reaches queries and keys.",
        "Is there a gradient through argmax?",
    ),
    "the first mask kept": (
        "Your layer keeps the first mask that it gets and uses it for every later call.",
        "Which of your attributes outlive a call of forward?",
    ),
    "dropout by default": (
        "In training your layer drops something though nobody asked for it; this layer has no dropout.",
        "Which of your calls differs between train and eval?",
    ),
    "no biases": (
        "Your projections have no bias; those of the contract have.",
        NAMES,
    ),
    "mask forgotten": (
        "The mask has no effect. `masked_fill` gives a new tensor: is yours kept, and is the mask passed on?",
        HIDING,
    ),
    "mask inverted": ("You hide what is visible: in this course True means visible.", HIDING),
    "mask inverted, booleans only": (
        "`masked_fill` fills where its condition is True, and so hides what is visible; a mask of 0 and 1 fails.",
        "In `masked_fill(condition, value)`, which entries are filled?",
    ),
    "mask transposed": (
        "Your mask lies on its side: rows are queries, columns are keys.",
        "Which axis of the mask belongs to the keys?",
    ),
    "hidden scores set to zero": (
        "A hidden score of 0 still has the weight exp(0): fill with a very low number.",
        HIDING,
    ),
    "not renormalised": (
        "You mask after the softmax without bringing the rows back to a sum of 1.",
        "What do the weights of a query sum to when half of its keys are hidden?",
    ),
}
