"""What goes wrong in `CosineWarmupScheduler`."""

from autograder.catalogue.edits import mistake

START, END = "What is the factor at t = 0?", "What is the factor at t = max_iters?"
COSINE, CLIMB = "0.5 * (1 + math.cos(math.pi * t / self.max_iters))", "factor *= t / self.warmup"
RATES = "[base_lr * factor for base_lr in self.base_lrs]"
BASE_LRS = "What does self.base_lrs hold?"
PAPERS = (
    ("the paper's own schedule", {COSINE: "math.sqrt(self.warmup / max(t, self.warmup))"}),
    ("the paper's formula", {COSINE: "min(max(t, 1) ** -0.5, max(t, 1) * self.warmup**-1.5)", CLIMB: "pass"}),
    ("the paper's formula, from 1", {COSINE: "min((t + 1) ** -0.5, (t + 1) * self.warmup**-1.5)", CLIMB: "pass"}),
)
WITHOUT_AN_END = (
    ("a rate that never ends", {"base_lr * factor": "base_lr * (0.1 + 0.9 * factor)"}),
    ("a lowest rate", {"return [": "factor = factor if t < self.warmup else max(factor, 0.05)\n        return ["}),
)

MISTAKES = (
    mistake("no warm-up", {CLIMB: "pass"}).because("Your rate begins at its largest: the climb is missing.", START),
    mistake("the climb never ends", {"if t < self.warmup:": "if self.warmup:"}).because(
        "t / warmup goes on growing after the warm-up, beyond 1.", "For which t does the climb multiply?"
    ),
    mistake("one step ahead", {"t = self.last_epoch": "t = self.last_epoch + 1"}).because(
        "Your table is one iteration early: the first rate is that of t = 1.",
        "What is the factor before the first step?",
    ),
    mistake("one step behind", {"t = self.last_epoch": "t = self.last_epoch - 1"}).because(
        "Your table is one iteration late.", "What is self.last_epoch after one call of step()?"
    ),
    *(
        mistake(name, edits | {CLIMB: "factor *= (t + 1) / self.warmup"}).because(
            "Your climb counts t from 1; here it counts from 0, and nothing moves at t = 0.", START
        )
        for name, edits in (
            ("the climb begins at 1 / warmup", {}),
            ("the climb from 1 / warmup to beyond 1", {"t < self.warmup": "t <= self.warmup"}),
        )
    ),
    mistake("the climb in whole numbers", {CLIMB: "factor *= t // self.warmup"}).because(
        "`//` divides whole numbers: the climb stays at 0 and jumps to 1 at its end.", "What are 3 / 7 and 3 // 7?"
    ),
    *(
        mistake(name, {"t < self.warmup": "t <= self.warmup", "*= t": f"*= {number}"}).because(
            "Where warmup is 0 you divide by zero; there is no climb then.",
            "What does your code compute at t = 0 when warmup is 0?",
        )
        for name, number in (("divided by a warm-up of 0", "t"), ("a float divided by a warm-up of 0", "float(t)"))
    ),
    mistake(
        "the climb is divided by the whole run",
        {"t < self.warmup": "t <= self.warmup", CLIMB: "factor *= t / self.max_iters"},
        "You divide by max_iters in the climb: it ends far below 1, then jumps.",
        "At which t should the climb reach 1?",
    ),
    mistake(
        "the cosine begins after the warm-up",
        {"t / self.max_iters": "(t - self.warmup) / (self.max_iters - self.warmup)", "factor *= t": "factor = t"},
        "Your cosine begins when the warm-up is over; in the formula it runs from t = 0, and the climb multiplies it.",
        "How far has the cosine come at t = warmup?",
    ),
    *(
        mistake(name, {"factor *= t": "factor = t", "t < self.warmup": climbs}).because(
            "In the warm-up your factor is t / warmup alone; the cosine multiplies it there as well.",
            "What are the two factors at t = warmup / 2?",
        )
        for name, climbs in (
            ("no cosine in the climb", "t < self.warmup"),
            ("no cosine up to the end of the climb", "t <= self.warmup"),
        )
    ),
    mistake("not halved", {"0.5 * ": ""}).because(
        "1 + cos begins at 2: the rate is twice what was asked for.", "What is 1 + cos(0)?"
    ),
    mistake("π forgotten", {"math.pi * ": ""}).because(
        "Without π the cosine only comes as far as cos(1): the rate never gets near 0.",
        "What should the angle be at the end of the run?",
    ),
    mistake("a whole wave", {"math.pi": "2 * math.pi"}).because(
        "Your cosine goes down and comes up again within one run.",
        "What should the angle be at the end of the run: π or 2π?",
    ),
    mistake("the bare cosine", {COSINE: "math.cos(math.pi * t / self.max_iters)"}).because(
        "cos alone becomes negative in the second half: the model would climb its loss.",
        "Which numbers turn −1…1 into 0…1?",
    ),
    mistake("sine for cosine", {"math.cos": "math.sin"}),
    mistake("the cosine upside down", {"1 + math.cos": "1 - math.cos"}).because(
        "1 − cos begins at 0 and grows: the rate is largest at the end of the run.",
        "Which of 1 + cos and 1 − cos begins at 2?",
    ),
    *(
        mistake(name, edits).because(
            "Your factor has a lowest value of its own; the cosine of this course comes down to 0.", END
        )
        for name, edits in WITHOUT_AN_END
    ),
    *(
        mistake(name, edits).because("This is the 1/√t of section 5.3 of the paper; asked for here is the cosine.", END)
        for name, edits in PAPERS
    ),
    mistake("base rate ignored", {"base_lr * factor": "factor"}).because(
        "You return the factor itself, whatever rate the optimiser was given.",
        "What is the factor to be multiplied by?",
    ),
    mistake("a list of one rate", {RATES: "[self.base_lrs[0] * factor]"}).because(
        "get_lr returns one rate, but there are several parameter groups: a list with one rate for each is due.",
        "How long is self.base_lrs?",
    ),
    *(
        mistake(name, {RATES: number}).because(
            "get_lr returns a single number, where a list with one rate for each parameter group is due.", BASE_LRS
        )
        for name, number in (
            ("one number", "self.base_lrs[0] * factor"),
            ("one number of numpy's", "np.float64(self.base_lrs[0] * factor)"),
        )
    ),
    mistake("nothing returned", {f"return {RATES}": RATES}).because(
        "get_lr computes the rates and returns nothing.", "What is the last line of your get_lr?"
    ),
    mistake("one rate for all groups", {"base_lr * factor": "self.base_lrs[0] * factor"}).because(
        "All parameter groups get the rate of the first.", BASE_LRS
    ),
    mistake(
        "multiplied into the last rate", {RATES: '[group["lr"] * factor for group in self.optimizer.param_groups]'}
    ).because(
        "You multiply the current rate, which holds all the factors before; after the 0 at the start it stays 0.",
        "Which rate does the factor belong to: the last one, or the base?",
    ),
    mistake("no schedule at all", {"base_lr * factor": "base_lr"}),
    mistake(
        "steps the optimiser as well",
        {"t = self.last_epoch": "self.optimizer.step()\n        t = self.last_epoch"},
        "Your schedule takes the optimiser's step as well, so every batch moves the weights twice.",
        "Who calls optimizer.step(), and who sets the rate for it?",
        shown_by="the argument optimizer is changed by the call",
    ),
    mistake(
        "rates that are tensors",
        {"base_lr * factor": "torch.tensor(base_lr * factor)"},
        shown_by="a rate is a tensor where a number is due",
    ).because(
        "Your rates are tensors; the optimiser expects plain numbers.", "What is the type of what your cosine gives?"
    ),
    mistake("steps by epochs", {"t = self.last_epoch": "t = 5 * (self.last_epoch // 5)"}).because(
        "Your rate stays the same for several iterations: it counts epochs, where iterations are asked for.",
        "How many different rates does a run of 29 iterations have?",
    ),
)
