"""What a good assistant says of the mistakes that the block has with the norms last and with the norms first."""

ZERO = "If both sub-layers gave 0, what should come out of the block?"
WHEN = "When is something dropped, what, and what is added to what after that?"
PARTS = "Which part does this, and what does the contract say of it?"
MASK_ON = "Which part needs the mask, and in which form?"

# name of the mistake → what to say, and what to ask
SAID = {
    "no residual around the feed-forward": (
        "x is not added to the output of the feed-forward.",
        ZERO,
    ),
    "mask forgotten": (
        "The mask never reaches the attention.",
        "Which part needs the mask, and where do you hand it on?",
    ),
    "mask inverted": ("You hand on the opposite of the mask: in this course True means visible.", MASK_ON),
    "dropout in eval too": ("You drop in eval mode too: F.dropout needs training=self.training.", WHEN),
    "dropout once": ("You drop from the attention's output only; the feed-forward's is dropped too.", WHEN),
    "dropout by default": (
        "Your block drops even when no dropout is given: the default is 0.",
        "What does the signature in the contract say?",
    ),
    "no dropout inside": ("The feed-forward is made without the dropout.", "Which arguments does FeedForward take?"),
    "one head": ("num_heads does not reach the attention.", "Which arguments does MultiheadAttention take?"),
    "GELU in the feed-forward": (
        "Your feed-forward has a GELU; the paper's has a ReLU.",
        PARTS,
    ),
}
