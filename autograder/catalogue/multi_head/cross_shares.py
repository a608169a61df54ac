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


WHENCE = "Where do the queries come from, where the keys, where the values?"


TRIANGLE = "Which is the last key that query 0 may see? And query 1?"


AND = "A key is hidden by one of the two masks and visible in the other. Is it seen?"
