"""What goes wrong in `softmax`."""

from autograder.catalogue.edits import wrong

ROWS = "What should sum to 1: the tensor, or each row of it?"
AXIS = "Where does your code use its argument `dim`?"
WINNER = "Which logit should win?"
MAX, SUM = ".amax(dim=dim, keepdim=True)", ".sum(dim=dim, keepdim=True)"

MISTAKES = (
    wrong(
        "no shift by the maximum",
        {f" - logits{MAX}": ""},
        "The formula is right on paper, but exp(10000) is infinite in floating point, and inf / inf is NaN.",
        "What can you subtract from every logit without changing the result?",
    ),
    wrong(
        "one maximum for the whole tensor",
        {MAX: ".max()"},
        "You shift every row by the same maximum; a row far below it underflows to 0 / 0.",
        "Along which axis should the maximum be taken?",
    ),
    wrong(
        "normalised over everything",
        {SUM: ".sum()"},
        "You divide by the sum of the whole tensor, so only all weights together sum to 1.",
        ROWS,
    ),
    wrong(
        "dim ignored",
        {"dim=dim": "dim=-1"},
        "Your softmax runs along the last axis whatever `dim` says.",
        AXIS,
        times=2,
    ),
    wrong(
        "keepdim forgotten",
        {SUM: ".sum(dim=dim)"},
        "The sum has lost the axis that it ran over, so the division lines up with another axis or fails.",
        "What is the shape of your sum, and how does it broadcast against the logits?",
    ),
    wrong(
        "not normalised",
        {f" / exponents{SUM}": ""},
        "These are the exponentials; nothing has divided them by their sum yet.",
        "What do your weights add up to?",
    ),
    wrong(
        "no exponential",
        {"torch.exp(": "(", f" - logits{MAX}": ""},
        "You divide the logits by their sum; without exp, weights can be negative or explode.",
        "Which function makes any number positive and keeps the order?",
    ),
    wrong(
        "sign of the shift",
        {f"logits - logits{MAX}": f"logits{MAX} - logits"},
        "You compute exp(max − logits): the smallest logit gets the largest weight.",
        WINNER,
    ),
    wrong(
        "axis 0, whatever dim says",
        {"dim=dim": "dim=0"},
        "Your softmax runs along the first axis whatever `dim` says.",
        AXIS,
        times=2,
    ),
    wrong(
        "axis 1, whatever dim says",
        {"dim=dim": "dim=1"},
        "Your softmax runs along axis 1 whatever `dim` says: that is the last one of a matrix only.",
        AXIS,
        times=2,
    ),
    wrong(
        "dim=0 by default",
        {"dim: int = -1": "dim: int = 0"},
        "Without `dim` your softmax runs along the first axis; the contract says dim=-1.",
        "What does the signature in the contract say?",
    ),
    wrong(
        "one maximum and one sum for the whole tensor",
        {MAX: ".max()", SUM: ".sum()"},
        "You take the maximum and the sum of the whole tensor, so only all weights together sum to 1.",
        ROWS,
    ),
    wrong(
        "maximum along the last axis",
        {MAX: ".amax(dim=-1, keepdim=True)"},
        "Your maximum runs along the last axis and your sum along `dim`: what shares a sum must share a shift.",
        "Along which axis may the shift differ without changing the result?",
    ),
    wrong(
        "sum along the last axis",
        {SUM: ".sum(dim=-1, keepdim=True)"},
        "Your sum runs along the last axis whatever `dim` says.",
        AXIS,
    ),
    wrong(
        "shifted by the mean",
        {MAX: ".mean(dim=dim, keepdim=True)"},
        "You subtract the mean: the largest logit may still be far above it, and exp overflows.",
        "Which number must be subtracted so that no exponent is above 0?",
    ),
    wrong(
        "softmin",
        {f"logits - logits{MAX}": "logits.amin(dim=dim, keepdim=True) - logits"},
        "Your weights are those of −logits: the smallest logit gets the largest weight.",
        WINNER,
    ),
    wrong(
        "the logarithm",
        {f"return exponents / exponents{SUM}": f"return torch.log(exponents / exponents{SUM})"},
        "These are the logarithms of the weights; asked for are the weights.",
        "What should your numbers add up to?",
    ),
    wrong(
        "sum cut from the graph",
        {SUM: f"{SUM}.detach()"},
        "Your sum is cut out of autograd: the gradient misses that more weight here is less weight there.",
        "If one logit grows, what happens to the weights of the others?",
    ),
    wrong(
        "cut from the graph",
        {"exponents = ": "logits = logits.detach()\n    exponents = "},
        "The numbers are right, but detach (or .data, or NumPy) has cut them off: nothing can learn through them.",
        "Which call takes your tensor out of autograd?",
    ),
)
