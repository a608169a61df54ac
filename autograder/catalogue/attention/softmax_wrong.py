"""What goes wrong in `softmax`."""

from autograder.catalogue.edits import wrong

ROWS = "What should sum to 1: the tensor, or each row of it?"
AXIS = "Where does your code use its argument `dim`?"
WINNER = "Which logit should win?"
SHAPES = "What is the shape of your maximum and of your sum, and how do they broadcast against the logits?"
MAX, SUM = ".amax(dim=dim, keepdim=True)", ".sum(dim=dim, keepdim=True)"
SHIFTED = f"logits - logits{MAX}"

MISTAKES = (
    wrong(
        "no shift by the maximum",
        {SHIFTED: "logits"},
        "The formula is right on paper, but exp(10000) is infinite in floating point, and inf / inf is NaN.",
        "What can you subtract from every logit without changing the result?",
    ),
    wrong(
        "one maximum for the whole tensor",
        {MAX: ".max()"},
        "You shift every row by the same maximum; a row far below it underflows to 0 / 0.",
        "Along which axis should the maximum be taken?",
    ),
    *(
        wrong(name, edits, "You divide by the sum of the whole tensor, so only all weights together sum to 1.", ROWS)
        for name, edits in (
            ("normalised over everything", {SUM: ".sum()"}),
            ("one maximum and one sum for the whole tensor", {SUM: ".sum()", MAX: ".max()"}),
        )
    ),
    *(
        wrong(
            name,
            {"dim=dim": f"dim={axis}"},
            f"Your softmax runs along the {which} axis whatever `dim` says.",
            AXIS,
            times=2,
        )
        for name, axis, which in (
            ("dim ignored", -1, "last"),
            ("axis 0, whatever dim says", 0, "first"),
            ("axis 1, whatever dim says", 1, "second"),
        )
    ),
    *(
        wrong(
            name,
            {f"{where}, keepdim=True": where},
            f"{which} lost the axis that it ran over, and so lines up with another axis, or with none.",
            SHAPES,
            times=times,
        )
        for name, where, times, which in (
            ("keepdim forgotten", ".sum(dim=dim", 1, "The sum has"),
            ("keepdim forgotten in the maximum", ".amax(dim=dim", 1, "The maximum has"),
            ("keepdim forgotten twice", "dim=dim", 2, "Each of maximum and sum has"),
        )
    ),
    wrong(
        "not normalised",
        {f" / exponents{SUM}": ""},
        "These are the exponentials; nothing has divided them by their sum yet.",
        "What do your weights add up to?",
    ),
    wrong(
        "no exponential",
        {f"torch.exp({SHIFTED})": "logits"},
        "You divide the logits by their sum; without exp, weights can be negative or explode.",
        "Which function makes any number positive and keeps the order?",
    ),
    wrong(
        "sign of the shift",
        {SHIFTED: f"logits{MAX} - logits"},
        "You compute exp(max − logits): the smallest logit gets the largest weight.",
        WINNER,
    ),
    wrong(
        "dim=0 by default",
        {"dim: int = -1": "dim: int = 0"},
        "Without `dim` your softmax runs along the first axis; the contract says dim=-1.",
        "What does the signature in the contract say?",
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
        "clipped",
        {SHIFTED: "logits.clamp(-50, 50)"},
        "You clip the logits: all that lie beyond the limit get the same weight.",
        "Which of 10000 and 9999 should win, and by how much?",
    ),
    wrong(
        "−inf taken for 0",
        {SHIFTED: "logits.nan_to_num(neginf=0.0) - logits.nan_to_num(neginf=0.0).amax(dim=dim, keepdim=True)"},
        "You put 0 where a logit is −inf, and exp(0) = 1: what was hidden gets weight.",
        "What is exp(−inf)?",
    ),
    wrong(
        "softmin",
        {SHIFTED: "logits.amin(dim=dim, keepdim=True) - logits"},
        "Your weights are those of −logits: the smallest logit gets the largest weight.",
        WINNER,
    ),
    wrong(
        "the logarithm",
        {f"exponents / exponents{SUM}": f"torch.log(exponents / exponents{SUM})"},
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
    wrong(
        "logits overwritten",
        {f"exponents = torch.exp({SHIFTED})": f"logits -= logits{MAX}\n    exponents = torch.exp(logits)"},
        "You subtract in place: the caller's logits are others after the call.",
        "What is the difference between `x -= m` and `x = x - m`?",
        shown_by="the argument logits is another one after the call",
    ),
    wrong(
        "in double precision",
        {SHIFTED: f"(logits - logits{MAX}).double()"},
        "Your weights are float64 for logits of float32: what meets them next may refuse the mixture.",
        "Which dtype have the logits, and which your weights?",
        shown_by="weights is float64 where float32 is due",
    ),
)
