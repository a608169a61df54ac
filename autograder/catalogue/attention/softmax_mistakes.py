"""What goes wrong in `softmax`."""

from autograder.catalogue.common_mistakes import in_double_precision, in_single_precision, overwrites
from autograder.catalogue.edits import mistake, with_question

MAX, SUM = ".amax(dim=dim, keepdim=True)", ".sum(dim=dim, keepdim=True)"
SHIFTED = f"logits - logits{MAX}"
CLEARED = "logits.nan_to_num(neginf=0.0)"

MISTAKES = (
    *with_question(
        "Which number can you subtract from all logits that share a sum, so that no exponent is above 0?",
        mistake("no shift by the maximum", {SHIFTED: "logits"}).because(
            "You take exp of large logits: exp(10000) is inf, and inf / inf is NaN. Subtract the maximum first."
        ),
        mistake("one maximum for the whole tensor", {MAX: ".max()"}).because(
            "You subtract one maximum from all rows, so a row far below it becomes 0 / 0; use each row's own."
        ),
        mistake("shifted by the mean", {MAX: ".mean(dim=dim, keepdim=True)"}).because(
            "You subtract the mean, and a logit far above it overflows; subtract the maximum."
        ),
        mistake("clipped", {SHIFTED: "logits.clamp(-50, 50)"}).because(
            "You clip the logits, so beyond the limit all weights are equal; subtract the maximum."
        ),
        mistake("maximum along the last axis", {MAX: ".amax(dim=-1, keepdim=True)"}).because(
            "Your maximum runs along the last axis and your sum along `dim`; both must run along `dim`."
        ),
    ),
    *with_question(
        "What do all your weights add up to, and the weights of each row?",
        mistake("normalised over everything", {SUM: ".sum()"}).because(
            "Your weights sum to 1 over the whole tensor; they must sum to 1 in each row."
        ),
        mistake("not normalised", {f" / exponents{SUM}": ""}).because(
            "You return exponentials; divide them by their sum."
        ),
        mistake("the logarithm", {f"exponents / exponents{SUM}": f"torch.log(exponents / exponents{SUM})"}).because(
            "You return the logarithms of the weights; return the weights."
        ),
    ),
    *(
        mistake(name, {find: f"{find[:-3]}{axis}"}, times=times).because(
            says, "Where does your code use its argument `dim`?"
        )
        for name, find, axis, times, says in (
            ("dim ignored", "dim=dim", -1, 2, "Your softmax runs along the last axis regardless of `dim`."),
            ("axis 0, whatever dim says", "dim=dim", 0, 2, "Your softmax runs along axis 0 regardless of `dim`."),
            ("axis 1, whatever dim says", "dim=dim", 1, 2, "Your softmax runs along axis 1 regardless of `dim`."),
            ("sum along the last axis", "sum(dim=dim", -1, 1, "Your sum runs along the last axis regardless of `dim`."),
        )
    ),
    *(
        mistake(name, {f"{where}, keepdim=True": where}, times=times).because(
            f"{which} lost its axis, so it lines up with another axis or with none; keep the axis with `keepdim=True`.",
            "What is the shape of your maximum and of your sum, and how do they broadcast against the logits?",
        )
        for name, where, times, which in (
            ("keepdim forgotten", ".sum(dim=dim", 1, "The sum has"),
            ("keepdim forgotten in the maximum", ".amax(dim=dim", 1, "The maximum has"),
            ("keepdim forgotten twice", "dim=dim", 2, "Each of your maximum and sum has"),
        )
    ),
    mistake("shifted by the largest absolute value", {MAX: f".abs(){MAX}"}).because(
        "You subtract the largest absolute value, so a row far below 0 becomes 0 / 0; subtract the largest logit.",
        "What do you subtract from the logits −1000 and −1001?",
    ),
    mistake("shifted by the smallest logit", {MAX: ".amin(dim=dim, keepdim=True)"}).because(
        "You subtract the smallest logit, so exp overflows for the largest. Subtract the largest.",
        "What is exp(1000) in float32?",
    ),
    mistake("powers of 2", {"torch.exp(": "torch.exp2("}).because(
        "You take powers of 2. Take powers of e: torch.exp.", "Which base does the exponential function have?"
    ),
    *with_question(
        "Which logit should win?",
        mistake("sign of the shift", {SHIFTED: f"logits{MAX} - logits"}).because(
            "You take exp(max − logits), so the smallest logit wins; take exp(logits − max)."
        ),
        mistake("softmin", {SHIFTED: "logits.amin(dim=dim, keepdim=True) - logits"}).because(
            "Your weights are those of −logits, so the smallest logit gets the largest weight; the largest must."
        ),
    ),
    mistake(
        "divided by the root of the size",
        {"exponents = ": "logits = logits / logits.shape[dim] ** 0.5\n    exponents = "},
    ).because(
        "You divide the logits by the root of their number. Take the exponentials of the logits themselves; "
        "attention scales its scores before it calls softmax.",
        "Is there a division inside the exponential of the formula?",
    ),
    mistake("no exponential", {f"torch.exp({SHIFTED})": "logits"}).because(
        "You divide the logits by their sum, so weights can be negative or huge; apply exp first.",
        "Which function makes any number positive and preserves the order?",
    ),
    mistake("dim=0 by default", {"dim: int = -1": "dim: int = 0"}).because(
        "Without `dim` your softmax runs along the first axis; the default must be dim=-1.",
        "What does the signature in the contract say?",
    ),
    mistake("−inf taken for 0", {SHIFTED: f"{CLEARED} - {CLEARED}{MAX}"}).because(
        "You replace −inf by 0, and exp(0) = 1, so a hidden entry gets weight; its weight must be 0.",
        "What is exp(−inf)?",
    ),
    *with_question(
        "Which call takes your tensor out of autograd, and how do all weights change when one logit changes?",
        mistake("sum cut from the graph", {SUM: f"{SUM}.detach()"}).because(
            "Your sum is detached from the graph, so part of the gradient is missing; keep it in the graph."
        ),
        mistake("maximum and sum cut from the graph", {MAX: f"{MAX}.detach()", SUM: f"{SUM}.detach()"}).because(
            "Your maximum and your sum are detached from the graph, so part of the gradient is missing. Only "
            "the maximum may be a constant: keep the sum in the graph."
        ),
        mistake("exponentials cut from the graph", {"return exponents /": "return exponents.detach() /"}).because(
            "Your numerator is detached from the graph, so part of the gradient is missing. Keep it in the graph."
        ),
        mistake("cut from the graph", {"exponents = ": "logits = logits.detach()\n    exponents = "}).because(
            "The numbers are right, but they are detached from the graph (by `torch.no_grad`, `.detach()`, `.data` or "
            "NumPy), so nothing can learn through them."
        ),
    ),
    overwrites(
        "logits",
        {f"exponents = torch.exp({SHIFTED})": f"logits -= logits{MAX}\n    exponents = torch.exp(logits)"},
        "`-=` subtracts in place.",
    ),
    in_double_precision("weights", {SHIFTED: f"({SHIFTED}).double()"}),
    in_single_precision("weights", {SHIFTED: f"({SHIFTED}).float()"}),
    mistake("a vector refused", {"    exponents = ": "    *_, rows, columns = logits.shape\n    exponents = "}).because(
        "Your code needs at least two axes; accept a vector too.",
        "Which shapes may `logits` have? What does your code do with a single row of them?",
    ),
    mistake(
        "every negative dim the last axis",
        {"    exponents = ": "    dim = max(dim, -1) % logits.dim()\n    exponents = "},
    ).because(
        "You treat every negative `dim` as the last axis; −2 is the axis before it, −3 the one before that.",
        "Which axis of a tensor with three axes is dim=-3?",
    ),
    mistake("one added to the sum", {f"/ exponents{SUM}": f"/ (1 + exponents{SUM})"}).because(
        "You add 1 to the sum of the exponentials, so your weights sum to less than 1. Divide by the sum itself.",
        "What do the weights of each row add up to?",
    ),
    mistake(
        "divided first, exp afterwards",
        {f"torch.exp({SHIFTED})": "logits", f"exponents / exponents{SUM}": f"torch.exp(exponents / exponents{SUM})"},
    ).because(
        "You divide the logits by their sum and apply exp afterwards. Apply exp first, then divide.",
        "What do the weights of each row add up to?",
    ),
    mistake("divided by the length", {SUM: ".norm(dim=dim, keepdim=True)"}).because(
        "You divide the exponentials by the root of the sum of their squares; divide them by their sum.",
        "What do the weights of each row add up to?",
    ),
    mistake("the logarithm, stable", {f"exponents / exponents{SUM}": f"{SHIFTED} - exponents{SUM}.log()"}).because(
        "You return the logarithms of the weights; return the weights.", "What do your numbers add up to?"
    ),
    mistake("no exponential on top", {"return exponents": f"return ({SHIFTED})"}).because(
        "The numerator of your fraction is missing its exp.", "What is the numerator in the formula?"
    ),
    mistake("one maximum and one sum for the whole tensor", {SUM: ".sum()", MAX: ".max()"}).because(
        "You take the maximum and the sum of the whole tensor; take those of each row.",
        "What do all your weights add up to, and the weights of each row?",
    ),
    mistake("the maximum added, not subtracted", {SHIFTED: f"logits + logits{MAX}"}).because(
        "You add the largest logit, so exp overflows. Subtract it.", "What is exp(1000) in float32?"
    ),
    mistake("divided by the mean", {SUM: ".mean(dim=dim, keepdim=True)"}).because(
        "You divide the exponentials by their mean. Divide by their sum.",
        "What do your weights add up to?",
    ),
    mistake("hot by a factor of 2", {SHIFTED: f"({SHIFTED}) / 2"}).because(
        "You halve the logits, which is a softmax at temperature 2. Don't rescale them.",
        "Which weights does softmax return for the logits 0 and 1?",
    ),
    mistake("cold by a factor of 2", {SHIFTED: f"({SHIFTED}) * 2"}).because(
        "You double the logits, which is a softmax at temperature ½. Don't rescale them.",
        "Which weights does softmax return for the logits 0 and 1?",
    ),
    mistake(
        "NaN replaced afterwards",
        {SHIFTED: "logits", f"exponents / exponents{SUM}": f"(exponents / exponents{SUM}).nan_to_num(nan=0.0)"},
    ).because(
        "Where exp overflows, your weights are 0 instead of summing to 1. Subtract the maximum first.",
        "What is exp(10000) in float32, and what do your weights sum to there?",
    ),
    mistake("squares instead of exponentials", {f"torch.exp({SHIFTED})": f"({SHIFTED}).square()"}).because(
        "You square the logits, so the smallest of a row gets the largest weight; take their exponentials.",
        "Which function makes any number positive and preserves the order?",
    ),
)
