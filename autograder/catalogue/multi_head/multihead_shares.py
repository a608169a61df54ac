"""What is looked for in `MultiheadAttention`, and the questions that lead to it."""


class Share:
    """The names of the properties."""

    PARAMETERS = "parameters of the contract"
    VALUES = "values"
    LAYOUT = "q, k and v of a head lie next to each other"
    WIDTH = "input_dim may differ from embed_dim"
    MASK = "mask is respected"
    MASKS = "masks of any rank and kind"
    RETURNED = "the attention, when asked for"
    SAMPLES = "nothing but a sample and its mask decides"
    GRADIENTS = "gradients reach every parameter"
    REFUSAL = "heads that do not divide embed_dim are refused"


RETURN = "What does forward return with return_attention=True, and what without?"
