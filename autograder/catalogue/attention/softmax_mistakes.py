"""What goes wrong in `softmax`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake, with_question

MAX, SUM = ".amax(dim=dim, keepdim=True)", ".sum(dim=dim, keepdim=True)"
SHIFTED = f"logits - logits{MAX}"
CLEARED = "logits.nan_to_num(neginf=0.0)"

MISTAKES = (
    *with_question(
        "Which number may be subtracted from all that share a sum, so that no exponent is above 0?",
        mistake(
            "no shift by the maximum", {SHIFTED: "logits"}, "exp(10000) is infinite for a float, and inf / inf is NaN."
        ),
        mistake(
            "one maximum for the whole tensor", {MAX: ".max()"}, "Far below the maximum of all, a row becomes 0 / 0."
        ),
        mistake("shifted by the mean", {MAX: ".mean(dim=dim, keepdim=True)"}, "A logit far above the mean overflows."),
        mistake(
            "clipped", {SHIFTED: "logits.clamp(-50, 50)"}, "You clip the logits: beyond the limit all weigh the same."
        ),
        mistake("maximum along the last axis", {MAX: ".amax(dim=-1, keepdim=True)"}).because(
            "Your maximum runs along the last axis and your sum along `dim`: what shares a sum must share a shift."
        ),
    ),
    *with_question(
        "What do your weights add up to: all of them, and those of each row?",
        mistake("normalised over everything", {SUM: ".sum()"}, "Only all weights of the tensor together sum to 1."),
        mistake(
            "not normalised", {f" / exponents{SUM}": ""}, "These are exponentials that nothing divides by their sum."
        ),
        mistake("the logarithm", {f"exponents / exponents{SUM}": f"torch.log(exponents / exponents{SUM})"}).because(
            "These are the logarithms of the weights; asked for are these."
        ),
    ),
    *(
        mistake(name, {find: f"{find[:-3]}{axis}"}, times=times).because(
            says, "Where does your code use its argument `dim`?"
        )
        for name, find, axis, times, says in (
            ("dim ignored", "dim=dim", -1, 2, "Your softmax runs along the last axis whatever `dim` says."),
            ("axis 0, whatever dim says", "dim=dim", 0, 2, "Your softmax runs along axis 0 whatever `dim` says."),
            ("axis 1, whatever dim says", "dim=dim", 1, 2, "Your softmax runs along axis 1 whatever `dim` says."),
            ("sum along the last axis", "sum(dim=dim", -1, 1, "Your sum runs along the last axis whatever `dim` says."),
        )
    ),
    *(
        mistake(name, {f"{where}, keepdim=True": where}, times=times).because(
            f"{which} lost the axis that it ran over, and so lines up with another axis, or with none.",
            "What is the shape of your maximum and of your sum, and how do they broadcast against the logits?",
        )
        for name, where, times, which in (
            ("keepdim forgotten", ".sum(dim=dim", 1, "The sum has"),
            ("keepdim forgotten in the maximum", ".amax(dim=dim", 1, "The maximum has"),
            ("keepdim forgotten twice", "dim=dim", 2, "Each of maximum and sum has"),
        )
    ),
    mistake("shifted by the smallest logit", {MAX: ".amin(dim=dim, keepdim=True)"}),
    mistake("powers of 2", {"torch.exp(": "torch.exp2("}),
    *with_question(
        "Which logit should win?",
        mistake(
            "sign of the shift", {SHIFTED: f"logits{MAX} - logits"}, "exp(max − logits) lets the smallest logit win."
        ),
        mistake("softmin", {SHIFTED: "logits.amin(dim=dim, keepdim=True) - logits"}).because(
            "Your weights are those of −logits: the smallest logit gets the largest weight."
        ),
    ),
    mistake("no exponential", {f"torch.exp({SHIFTED})": "logits"}).because(
        "You divide the logits by their sum; without exp, weights can be negative or explode.",
        "Which function makes any number positive and keeps the order?",
    ),
    mistake("dim=0 by default", {"dim: int = -1": "dim: int = 0"}).because(
        "Without `dim` your softmax runs along the first axis; the contract says dim=-1.",
        "What does the signature in the contract say?",
    ),
    mistake("−inf taken for 0", {SHIFTED: f"{CLEARED} - {CLEARED}{MAX}"}).because(
        "You put 0 where a logit is −inf, and exp(0) = 1: what was hidden gets weight.", "What is exp(−inf)?"
    ),
    *with_question(
        "Which call takes your tensor out of autograd, and what does a change of one logit do to all weights?",
        mistake(
            "sum cut from the graph", {SUM: f"{SUM}.detach()"}, "Your sum is cut off: a part of the gradient is lost."
        ),
        mistake("cut from the graph", {"exponents = ": "logits = logits.detach()\n    exponents = "}).because(
            "The numbers are right, but detach (or .data, or NumPy) has cut them off: nothing can learn through them."
        ),
    ),
    overwrites(
        "logits",
        {f"exponents = torch.exp({SHIFTED})": f"logits -= logits{MAX}\n    exponents = torch.exp(logits)"},
        "`-=` subtracts in place.",
    ),
    in_double_precision("weights", {SHIFTED: f"({SHIFTED}).double()"}),
    mistake("the logarithm, stable", {f"exponents / exponents{SUM}": f"{SHIFTED} - exponents{SUM}.log()"}).because(
        "These are the logarithms of the weights; asked for are these.", "What do your numbers add up to?"
    ),
    mistake("no exponential on top", {"return exponents": f"return ({SHIFTED})"}).because(
        "Above the line of the fraction exp is missing.", "What stands above the line in the formula?"
    ),
    mistake("one maximum and one sum for the whole tensor", {SUM: ".sum()", MAX: ".max()"}).because(
        "You take the maximum and the sum of the whole tensor: only all weights together sum to 1.",
        "What do your weights add up to: all of them, and those of each row?",
    ),
    mistake("the maximum added, not subtracted", {SHIFTED: f"logits + logits{MAX}"}),
)
