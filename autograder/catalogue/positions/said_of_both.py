"""What a good assistant says of the mistakes that the fixed encoding and the learned positions have in common."""

# name of the mistake → what to say, and what to ask
SAID = {
    "dropout by default": (
        "In training your layer drops something though nobody asked for it: by default it only adds.",
        "Which of your calls differs between train and eval?",
    ),
    "tokens cut from the graph": (
        "The tokens are cut off from the output: nothing that made them can learn.",
        "Along which path does a gradient get from the output to x?",
    ),
    "rows of the first call kept": (
        "Your layer keeps the rows that its first sequence needed; a later one may be longer.",
        "Which of your attributes outlive a call of forward?",
    ),
}
