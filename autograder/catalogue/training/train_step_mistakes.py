"""What goes wrong in `train_step`."""

from autograder.catalogue.common_mistakes import in_double_precision, switches
from autograder.catalogue.edits import mistake

EMPTY, BACKWARD = "optimizer.zero_grad()", "loss.backward()"
CLIP = "nn.utils.clip_grad_norm_(model.parameters(), max_norm)"
STEP, SCHEDULE = "optimizer.step()", "scheduler.step()"
RETURN = "return loss.detach(), torch.as_tensor(accuracy).detach()"

MISTAKES = (
    mistake("gradients never emptied", {EMPTY: "pass"}).because(
        "You never empty the gradients, so backward() adds to those of all earlier batches; empty them first.",
        "What is in parameter.grad when your function starts?",
    ),
    mistake("gradients emptied afterwards", {EMPTY: "pass", SCHEDULE: f"{SCHEDULE}\n    {EMPTY}"}).because(
        "You empty the gradients at the end, which relies on the previous caller; empty them first.",
        "What if backward() was called before your function?",
    ),
    mistake("nothing to step along", {CLIP: EMPTY}).because(
        "Your step leaves the weights unchanged: backward() or the step is missing, or you empty the "
        "gradients in between.",
        "What is in parameter.grad when optimizer.step() is called?",
    ),
    mistake("not clipped in time", {f"{BACKWARD}\n    {CLIP}": f"{CLIP}\n    {BACKWARD}"}).because(
        "You step along the whole gradient, because you do not clip it, or clip before backward() or after "
        "the step; clip between them.",
        "Between which two lines is there a gradient that has not been used yet?",
    ),
    mistake("clipped by value", {"clip_grad_norm_": "clip_grad_value_"}).because(
        "You clip each number at max_norm, which changes the gradient's direction; scale all of them together.",
        "Does your clipped gradient still point in the same direction?",
    ),
    mistake(
        "clipped one by one",
        {CLIP: "[nn.utils.clip_grad_norm_(parameter, max_norm) for parameter in model.parameters()]"},
    ).because(
        "You clip each parameter by its own norm; use the norm of all gradients together.",
        "How long is a vector made of four parts, each of length max_norm?",
    ),
    mistake(
        "stretched as well as clipped",
        {
            CLIP: """norm = nn.utils.get_total_norm([parameter.grad for parameter in model.parameters()])
    for parameter in model.parameters():
        parameter.grad.mul_(max_norm / norm)"""
        },
    ).because(
        "You scale every gradient to max_norm; leave a shorter one unchanged.",
        "What happens to a gradient that is shorter than max_norm?",
    ),
    mistake("clipped to 1, whatever is asked", {"parameters(), max_norm": "parameters(), 1.0"}).because(
        "You clip the gradient to a fixed length; use max_norm.", "Where do you use max_norm?"
    ),
    mistake("the loss clipped", {CLIP: "pass", BACKWARD: "loss.clamp(max=max_norm).backward()"}).because(
        "You clip the loss, so its gradient is 0 where the loss is above max_norm. Clip the norm of the gradient.",
        "What does max_norm limit?",
    ),
    mistake(
        "weights clipped",
        {CLIP: "pass", STEP: f"{STEP}\n    [weight.data.clamp_(-max_norm, max_norm) for weight in model.parameters()]"},
    ).because(
        "You clip the weights. Clip the norm of the gradient, before the optimiser's step.", "What does max_norm limit?"
    ),
    mistake("the schedule stepped with the loss", {SCHEDULE: "scheduler.step(loss)"}).because(
        "You pass the loss to scheduler.step(), which reads it as the number of the epoch. Call it without arguments.",
        "What does scheduler.step() expect?",
    ),
    mistake("schedule forgotten", {SCHEDULE: "pass"}).because(
        "You never step the scheduler, so the rate stays the same (0, with a warm-up); step it once per call.",
        "How does the scheduler know that an iteration has passed?",
    ),
    mistake("schedule steps twice", {SCHEDULE: f"{SCHEDULE}\n    {SCHEDULE}"}).because(
        "You step the scheduler twice per iteration, so the run ends half-way; step it once.",
        "How many calls of scheduler.step() does one batch cause?",
    ),
    mistake("schedule before the step", {f"{STEP}\n    {SCHEDULE}": f"{SCHEDULE}\n    {STEP}"}).because(
        "You step the scheduler before the optimiser, which skips the first rate; step the optimiser first.",
        "With which rate should the first step be taken?",
    ),
    mistake("still on the graph", {RETURN: "return loss, accuracy"}).because(
        "You return a loss that is still attached to its graph, so a list of losses fills up memory; detach it.",
        "What does loss.detach() leave behind?",
    ),
    mistake("accuracy not detached", {RETURN: "return loss.detach(), accuracy"}).because(
        "You detach the loss but not the accuracy, which may keep the graph too; detach both.",
        "Which of the two returned tensors may be attached to a graph?",
    ),
    mistake(
        "plain numbers",
        {RETURN: "return loss.item(), float(accuracy)"},
        shown_by="the loss or the accuracy is not a tensor",
    ).because(
        "You return plain numbers; return two tensors without dimensions.",
        "What are the types of loss.item() and loss.detach()?",
    ),
    mistake("accuracy first", {RETURN: "return accuracy.detach(), loss.detach()"}).because(
        "You return (accuracy, loss); return (loss, accuracy).", "In which order does loss_fn return them?"
    ),
    mistake("measured after the step", {SCHEDULE: f"{SCHEDULE}\n    loss, accuracy = loss_fn(model, batch)"}).because(
        "You compute the loss again after the step; return the loss that you called backward() on.",
        "Which loss did you call backward() on?",
    ),
    *(
        mistake(name, edits).because(
            f"You call loss_fn twice {why}. Call it once: a second pass takes as long, and with dropout it "
            "returns different numbers.",
            "How often does your function call loss_fn?",
        )
        for name, edits, why in (
            (
                "accuracy of a second pass",
                {BACKWARD: f"_, accuracy = loss_fn(model, batch)\n    {BACKWARD}"},
                "and return the accuracy of the second pass",
            ),
            (
                "mean of two passes",
                {BACKWARD: f"loss = (loss + loss_fn(model, batch)[0]) / 2\n    {BACKWARD}"},
                "and average the two losses",
            ),
        )
    ),
    mistake("nothing returned", {RETURN: ""}).because(
        "You take the step but return nothing; return the loss and the accuracy.",
        "What is the last line of your function?",
    ),
    mistake("loss alone", {RETURN: "return loss.detach()"}).because(
        "You return only the loss; return the accuracy too.", "What does loss_fn return besides the loss?"
    ),
    mistake("norm of the gradient instead of the loss", {CLIP: f"loss = {CLIP}"}).because(
        "You return the length of the gradient, the result of clip_grad_norm_; return the loss.",
        "Which of your variables is the loss?",
    ),
    switches(
        "mode of model",
        "model switched to eval",
        {EMPTY: f"model.eval()\n    {EMPTY}"},
        "Your step changes the model's mode; leave it unchanged.",
    ),
    switches(
        "random seed",
        "seeded in every step",
        {EMPTY: f"torch.manual_seed(42)\n    {EMPTY}"},
        "You seed in every step, so every batch gets the same dropout and the later random numbers repeat; do "
        "not seed here.",
    ),
    in_double_precision("losses", {"loss.detach(), torch": "loss.detach().double(), torch"}),
    mistake("accuracy lost", {RETURN: "return loss.detach(), torch.tensor(0.0)"}).because(
        "You do not return the accuracy of loss_fn; return it with the loss.",
        "What does loss_fn return besides the loss?",
    ),
    *(
        mistake(name, {"loss, accuracy = ": beginning}).because(
            "You call backward() on something without a graph: the accuracy, or a loss computed under "
            "no_grad. Call it on the loss.",
            "In which order does loss_fn return its two values, and was autograd on?",
        )
        for name, beginning in (
            ("nothing to go backward from", "with torch.no_grad():\n        loss, accuracy = "),
            ("backward from the accuracy", "accuracy, loss = "),
        )
    ),
    mistake("uphill", {BACKWARD: "(-loss).backward()"}).because(
        "Your step increases the loss. Call backward() on the loss itself, not on its negative.",
        "Is the loss smaller after your step?",
    ),
    mistake("two steps for one batch", {SCHEDULE: f"{SCHEDULE}\n    {STEP}"}).because(
        "You step the optimiser twice along the same gradient; step it once.", "How often do you call optimizer.step()?"
    ),
)
