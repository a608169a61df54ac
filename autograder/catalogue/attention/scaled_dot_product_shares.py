"""What several mistakes in scaled dot-product attention lose."""

LEADING = "any leading dimensions"


EVERYTHING_BUT_THE_MASK = ("values", "each query shares out a weight of 1")


EVERYTHING = EVERYTHING_BUT_THE_MASK + (
    "mask is respected",
    "a mask may be boolean or 0/1",
    "a query that sees nothing gives no NaN",
    LEADING,
    "gradients reach q, k and v",
)
