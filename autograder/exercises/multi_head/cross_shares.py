"""What is looked for in `CrossAttention`, and the questions that lead to it."""


class Share:
    """The names of the properties."""

    PARAMETERS = "parameters of the contract"
    VALUES = "values"
    MASK = "mask is respected"
    MASKS = "masks of any rank and kind"
    CAUSAL = "query i sees the keys 0 to i"
    RECTANGLE = "causal also when L ≠ S"
    COMBINED = "causality and mask combine"
    GRADIENTS = "gradients reach every parameter"


SCALE = "Which axis does the dot product sum over, and how long is it in one head?"


HEADS = "After which operation do the numbers of one head lie together?"


NAMES = "Which names and sizes does the docstring give under “Parameters”?"


WHENCE = "Where do the queries come from, where the keys, where the values?"


HIDING = "What must the score of a hidden key be before the softmax, so that its weight is 0 after it?"


TRIANGLE = "Which is the last key that query 0 may see? And query 1?"


AND = "A key is hidden by one of the two masks and visible in the other. Is it seen?"
