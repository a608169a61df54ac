"""What goes wrong in `train_step` with the length of the gradient, and with steps that are taken only sometimes."""

from autograder.catalogue.edits import mistake
from autograder.catalogue.training.train_step_mistakes import CLIP, SCHEDULE, STEP

LENGTH = "How long is the vector of all gradients, (3, 4) and (12)?"
NORMS = "[parameter.grad.norm() for parameter in model.parameters()]"


def clipped_by(norm: str) -> dict[str, str]:
    """An edit: all gradients are scaled so that this is max_norm at most."""
    return {
        CLIP: f"""norm = {norm}
    for parameter in model.parameters():
        parameter.grad.mul_((max_norm / norm).clamp(max=1))"""
    }


OF_CLIPPING = (
    *(
        mistake(name, {"parameters(), max_norm": f"parameters(), {length}"}).because(
            f"You clip the gradient to {said}; clip it to max_norm.", "Which length may the gradient have at most?"
        )
        for name, length, said in (
            ("clipped to the square", "max_norm**2", "max_norm²"),
            ("clipped to the root", "max_norm**0.5", "√max_norm"),
        )
    ),
    *(
        mistake(name, {"parameters(), max_norm": f"parameters(), max_norm, norm_type={kind}"}).because(
            f"You clip by {said}; clip by the Euclidean norm of all gradients together, the default.", LENGTH
        )
        for name, kind, said in (
            ("clipped by the largest component", 'float("inf")', "the largest component"),
            ("clipped by the sum of the components", "1", "the sum of the absolute components"),
        )
    ),
    *(
        mistake(name, clipped_by(norm)).because(
            f"You take {said} as the length of the gradient; take the root of the sum of the squares.", LENGTH
        )
        for name, norm, said in (
            ("clipped by the sum of the norms", f"sum({NORMS})", "the sum of the parameters' norms"),
            ("clipped by the largest norm", f"max({NORMS})", "the largest norm of a parameter"),
            ("clipped by the mean of the norms", f"torch.stack({NORMS}).mean()", "the mean of the parameters' norms"),
            ("clipped by the sum of the squares", f"sum(norm**2 for norm in {NORMS})", "the sum of the squares"),
        )
    ),
)

SOMETIMES = {
    "below full accuracy": "if accuracy < 1",
    "above an accuracy of 0": "if accuracy > 0",
}

OF_CONDITIONS = (
    mistake("no schedule step for a loss of NaN", {SCHEDULE: f"if loss.isfinite():\n        {SCHEDULE}"}).because(
        "You step the scheduler only if the loss is finite; step it in every call.",
        "How many iterations has the schedule counted after 10 calls?",
    ),
    *(
        mistake(f"schedule only {when}", {SCHEDULE: f"{condition}:\n        {SCHEDULE}"}).because(
            f"You step the scheduler only {when}; step it in every call.",
            "How many iterations has the schedule counted after 10 calls?",
        )
        for when, condition in SOMETIMES.items()
    ),
    *(
        mistake(
            f"no step at all but {when}",
            {STEP: f"{condition}:\n        {STEP}", SCHEDULE: f"{condition}:\n        {SCHEDULE}"},
        ).because(
            f"You step the optimiser and the scheduler only {when}; step them in every call.",
            "Is the loss 0 when every answer is right?",
        )
        for when, condition in SOMETIMES.items()
    ),
    *(
        mistake(f"the optimiser only {when}", {STEP: f"{condition}:\n        {STEP}"}).because(
            f"You step the optimiser only {when}; step it in every call.", "Is the loss 0 when every answer is right?"
        )
        for when, condition in SOMETIMES.items()
    ),
    *(
        mistake(
            f"schedule only if the gradient is {long}",
            {CLIP: f"length = {CLIP}", SCHEDULE: f"if length {sign} max_norm:\n        {SCHEDULE}"},
        ).because(
            f"You step the scheduler only if the gradient is {long} than max_norm; step it in every call.",
            "How many iterations has the schedule counted after 10 calls?",
        )
        for long, sign in (("shorter", "<"), ("longer", ">"))
    ),
    *(
        mistake(name, {CLIP: f"length = {norm}", STEP: f"if length <= max_norm:\n        {STEP}"}).because(
            "You leave out the optimiser's step if the gradient is longer than max_norm. Shorten the gradient, and "
            "take the step.",
            "What happens to a batch whose gradient is too long?",
        )
        for name, norm in (
            ("no step along a long gradient", "nn.utils.get_total_norm([each.grad for each in model.parameters()])"),
            ("no step along a clipped gradient", CLIP),
        )
    ),
)
