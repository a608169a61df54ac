"""What goes wrong in `CosineWarmupScheduler`."""

from autograder.catalogue.edits import mistake

START, END = "What is the factor at t = 0?", "What is the factor at t = max_iters?"
COSINE, CLIMB = "0.5 * (1 + math.cos(math.pi * t / self.max_iters))", "factor *= t / self.warmup"
RATES = "[base_lr * factor for base_lr in self.base_lrs]"
DIGITS, ROUNDED = (2, 3, 4), "the rates are rounded to {} decimals"
BASE_LRS = "What does self.base_lrs contain?"
PAPERS = (
    ("the paper's own schedule", {COSINE: "math.sqrt(self.warmup / max(t, self.warmup))"}),
    ("the paper's formula", {COSINE: "min(max(t, 1) ** -0.5, max(t, 1) * self.warmup**-1.5)", CLIMB: "pass"}),
    ("the paper's formula, from 1", {COSINE: "min((t + 1) ** -0.5, (t + 1) * self.warmup**-1.5)", CLIMB: "pass"}),
)
WITHOUT_AN_END = (
    ("a rate that never ends", {"base_lr * factor": "base_lr * (0.1 + 0.9 * factor)"}),
    ("a cosine that ends at a tenth", {COSINE: "(0.55 + 0.45 * math.cos(math.pi * t / self.max_iters))"}),
    ("a cosine that ends at a hundredth", {COSINE: "(0.505 + 0.495 * math.cos(math.pi * t / self.max_iters))"}),
    ("a lowest rate", {"return [": "factor = factor if t < self.warmup else max(factor, 0.05)\n        return ["}),
)

OTHER_RATES = (
    ("the largest base rate for all groups", "max(self.base_lrs)", "You give all groups the largest base rate"),
    ("the smallest base rate for all groups", "min(self.base_lrs)", "You give all groups the smallest base rate"),
    ("the mean base rate for all groups", "sum(self.base_lrs) / len(self.base_lrs)", "You average the base rates"),
)

MISTAKES = (
    mistake("no warm-up", {CLIMB: "pass"}).because(
        "Your rate starts at its largest; multiply by the climb during the warm-up.", START
    ),
    mistake("the climb never ends", {"if t < self.warmup:": "if self.warmup:"}).because(
        "Your factor t / warmup keeps growing past 1 after the warm-up; stop it at 1.",
        "For which t does the climb multiply?",
    ),
    mistake("one step ahead", {"t = self.last_epoch": "t = self.last_epoch + 1"}).because(
        "Your rates are one iteration early; the first must be that of t = 0.",
        "What is the factor before the first step?",
    ),
    *(
        mistake(name, {"t = self.last_epoch": behind}).because(
            "Your rates are one iteration late; the first must be that of t = 0.",
            "What is self.last_epoch after one call of step()?",
        )
        for name, behind in (
            ("one step behind", "t = self.last_epoch - 1"),
            ("one step behind, but never below 0", "t = max(0, self.last_epoch - 1)"),
        )
    ),
    *(
        mistake(name, edits | {CLIMB: "factor *= (t + 1) / self.warmup"}).because(
            "Your climb counts t from 1; count from 0, where the rate is 0.", START
        )
        for name, edits in (
            ("the climb begins at 1 / warmup", {}),
            ("the climb from 1 / warmup to beyond 1", {"t < self.warmup": "t <= self.warmup"}),
        )
    ),
    mistake("the climb in whole numbers", {CLIMB: "factor *= t // self.warmup"}).because(
        "You divide with `//`, so the climb stays at 0 and jumps to 1 at its end; use `/`.",
        "What are 3 / 7 and 3 // 7?",
    ),
    *(
        mistake(name, {"t < self.warmup": "t <= self.warmup", "*= t": f"*= {number}"}).because(
            "You divide by zero if warmup is 0; skip the climb in that case.",
            "What does your code compute at t = 0 if warmup is 0?",
        )
        for name, number in (("divided by a warm-up of 0", "t"), ("a float divided by a warm-up of 0", "float(t)"))
    ),
    mistake("climbs without a warm-up", {"self.warmup = warmup": "self.warmup = warmup or 5"}).because(
        "You replace a warm-up of 0 by a longer one, so the rate climbs. Without a warm-up it must not climb.",
        "What are `0 or 5` and `1 or 5`?",
    ),
    mistake("starts again at max_iters", {"math.pi * t /": "math.pi * (t % self.max_iters) /"}).because(
        "Your cosine starts again at t = max_iters, where the rate must be 0; leave out the remainder.",
        END,
    ),
    mistake(
        "the climb is divided by the whole run",
        {"t < self.warmup": "t <= self.warmup", CLIMB: "factor *= t / self.max_iters"},
    ).because(
        "You divide by max_iters in the climb, so it ends far below 1 and then jumps; divide by warmup.",
        "At which t should the climb reach 1?",
    ),
    mistake(
        "the cosine begins after the warm-up",
        {"t / self.max_iters": "(t - self.warmup) / (self.max_iters - self.warmup)", "factor *= t": "factor = t"},
    ).because(
        "Your cosine starts after the warm-up; start it at t = 0 and multiply it by the climb.",
        "What is the value of the cosine at t = warmup?",
    ),
    *(
        mistake(name, {"factor *= t": "factor = t", "t < self.warmup": climbs}).because(
            "During the warm-up your factor is only t / warmup; multiply it by the cosine there too.",
            "What are the two factors at t = warmup / 2?",
        )
        for name, climbs in (
            ("no cosine in the climb", "t < self.warmup"),
            ("no cosine up to the end of the climb", "t <= self.warmup"),
        )
    ),
    mistake("not halved", {"0.5 * ": ""}).because(
        "You leave out the half: 1 + cos starts at 2, so the rate is twice the base rate; multiply by 1/2.",
        "What is 1 + cos(0)?",
    ),
    mistake("π forgotten", {"math.pi * ": ""}).because(
        "You leave out π, so the cosine only gets to cos(1) and the rate never gets near 0; multiply the angle by π.",
        "What should the angle be at the end of the run?",
    ),
    mistake("a whole wave", {"math.pi": "2 * math.pi"}).because(
        "Your cosine falls and rises again within one run; it must only fall.",
        "What should the angle be at the end of the run: π or 2π?",
    ),
    mistake("the bare cosine", {COSINE: "math.cos(math.pi * t / self.max_iters)"}).because(
        "You use cos alone, which is negative in the second half; use (1 + cos) / 2.",
        "Which numbers turn −1…1 into 0…1?",
    ),
    mistake("a quarter of a cosine", {COSINE: "math.cos(0.5 * math.pi * t / self.max_iters)"}).because(
        "You use cos(½ · π · t / max_iters), a quarter of a wave; use half a wave, ½ · (1 + cos(π · t / max_iters)).",
        "What is the factor at t = max_iters / 2?",
    ),
    mistake("the cosine squared", {COSINE: f"({COSINE}) ** 2"}).because(
        "Your factor is the square of ½ · (1 + cos(π · t / max_iters)); leave out the square.",
        "What is the factor at t = max_iters / 2?",
    ),
    mistake("sine for cosine", {"math.cos": "math.sin"}).because(
        "You use the sine. Use the cosine: ½(1 + cos).", START
    ),
    mistake("the cosine upside down", {"1 + math.cos": "1 - math.cos"}).because(
        "You use 1 − cos, which starts at 0 and grows; use 1 + cos.",
        "Which of 1 + cos and 1 − cos begins at 2?",
    ),
    *(
        mistake(name, edits).because("Your factor has a minimum above 0; let the cosine fall to 0.", END)
        for name, edits in WITHOUT_AN_END
    ),
    mistake(
        "a lowest rate of 0.000001",
        {"base_lr * factor": "max(1e-6, base_lr * factor)"},
        shown_by="the rate at t = max_iters is not 0",
    ).because("Your rate never falls below a small number; let the cosine fall to 0.", END),
    *(
        mistake(name, edits).because("You return the 1/√t of section 5.3 of the paper; return the cosine.", END)
        for name, edits in PAPERS
    ),
    mistake("base rate ignored", {"base_lr * factor": "factor"}).because(
        "You return only the factor; multiply it by the optimiser's base rate.",
        "What must the factor be multiplied by?",
    ),
    mistake("a list of one rate", {RATES: "[self.base_lrs[0] * factor]"}).because(
        "Your get_lr returns one rate; return a list with one rate per parameter group.",
        "How long is self.base_lrs?",
    ),
    *(
        mistake(name, {RATES: number}).because(
            "Your get_lr returns a single number; return a list with one rate per parameter group.", BASE_LRS
        )
        for name, number in (
            ("one number", "self.base_lrs[0] * factor"),
            ("one number of numpy's", "np.float64(self.base_lrs[0] * factor)"),
        )
    ),
    mistake("nothing returned", {f"return {RATES}": RATES}).because(
        "Your get_lr computes the rates but returns nothing; return them.", "What is the last line of your get_lr?"
    ),
    mistake("one rate for all groups", {"base_lr * factor": "self.base_lrs[0] * factor"}).because(
        "You give all parameter groups the rate of the first; give each its own.", BASE_LRS
    ),
    *(
        mistake(name, {"base_lr * factor": f"{rate} * factor"}).because(f"{says}; give each group its own.", BASE_LRS)
        for name, rate, says in OTHER_RATES
    ),
    *(
        mistake(
            f"rates rounded to {digits} digits",
            {"base_lr * factor": f"round(base_lr * factor, {digits})"},
            shown_by=ROUNDED.format(digits),
        ).because(
            f"You round the rates to {digits} decimals, so small ones become 0; return them unrounded.",
            "What is the rate 0.00003, rounded like yours?",
        )
        for digits in DIGITS
    ),
    *(
        mistake(
            f"factors rounded to {digits} digits", {"base_lr * factor": f"base_lr * round(factor, {digits})"}
        ).because(f"You round the factor to {digits} decimals; leave it unrounded.", "What is the factor at t = 1?")
        for digits in (2, 3)
    ),
    *(
        mistake(f"a cosine over max_iters {sign} 1", {"self.max_iters))": f"(self.max_iters {sign} 1)))"}).because(
            f"You divide by max_iters {sign} 1, so the cosine gets to 0 one iteration too {when}; divide by max_iters.",
            END,
        )
        for sign, when in (("-", "early"), ("+", "late"))
    ),
    *(
        mistake(f"a climb by {says}", {CLIMB: f"factor *= {climb}"}).because(
            f"Your climb is {says}; multiply by t / warmup.", START
        )
        for says, climb in (
            ("(t + 1) / (warmup + 1)", "(t + 1) / (self.warmup + 1)"),
            ("t / (warmup + 1)", "t / (self.warmup + 1)"),
            ("t / (warmup − 1)", "t / max(1, self.warmup - 1)"),
        )
    ),
    mistake(
        "multiplied into the last rate", {RATES: '[group["lr"] * factor for group in self.optimizer.param_groups]'}
    ).because(
        "Your rates are 0 throughout. If you multiply the current rate, it contains all earlier factors and stays 0 "
        "after the start: multiply the base rate.",
        "Which rate does the factor apply to: the last one, or the base?",
    ),
    mistake("no schedule at all", {"base_lr * factor": "base_lr"}).because(
        "You return the base rates unchanged. Multiply them by the factor of the step.", END
    ),
    mistake(
        "steps the optimiser as well",
        {"t = self.last_epoch": "self.optimizer.step()\n        t = self.last_epoch"},
        shown_by="the argument optimizer is changed by the call",
    ).because(
        "Your schedule also calls the optimiser's step, so every batch moves the weights twice; leave that to "
        "the training loop.",
        "Who calls optimizer.step(), and who sets the rate for it?",
    ),
    mistake(
        "rates that are tensors",
        {"base_lr * factor": "torch.tensor(base_lr * factor)"},
        shown_by="a rate is a tensor, expected a number",
    ).because("Your rates are tensors; return plain numbers.", "What is the type of your cosine's result?"),
    mistake("steps by epochs", {"t = self.last_epoch": "t = 5 * (self.last_epoch // 5)"}).because(
        "Your rate stays the same for several iterations, because it counts epochs; count iterations.",
        "How many different rates does a run of 29 iterations have?",
    ),
)
