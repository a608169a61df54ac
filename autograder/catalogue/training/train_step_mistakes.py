"""What goes wrong in `train_step`."""

from autograder.catalogue.common_mistakes import in_double_precision, switches
from autograder.catalogue.edits import mistake

EMPTY, BACKWARD = "optimizer.zero_grad()", "loss.backward()"
CLIP = "nn.utils.clip_grad_norm_(model.parameters(), max_norm)"
STEP, SCHEDULE = "optimizer.step()", "scheduler.step()"
RETURN = "return loss.detach(), torch.as_tensor(accuracy).detach()"

MISTAKES = (
    mistake("gradients never emptied", {EMPTY: "pass"}).because(
        "backward() adds to the gradients that are there: yours are those of all batches so far.",
        "What is in parameter.grad when your function begins?",
    ),
    mistake("gradients emptied afterwards", {EMPTY: "pass", SCHEDULE: f"{SCHEDULE}\n    {EMPTY}"}).because(
        "You empty the gradients at the end, and so trust whoever came before to have done the same.",
        "What if somebody called backward() just before?",
    ),
    mistake("nothing to step along", {CLIP: EMPTY}).because(
        "The weights stay as they are: backward() or the step is missing, or the gradients are emptied in between.",
        "What is in parameter.grad when optimizer.step() is called?",
    ),
    mistake("not clipped in time", {f"{BACKWARD}\n    {CLIP}": f"{CLIP}\n    {BACKWARD}"}).because(
        "The step is taken along the whole gradient: it was not clipped, or before backward(), or after the step.",
        "Between which two lines is there a gradient that nobody has used yet?",
    ),
    mistake("clipped by value", {"clip_grad_norm_": "clip_grad_value_"}).because(
        "You cut each number off at max_norm, which turns the gradient; shorten all of them together.",
        "Does your clipped gradient still point in the same direction?",
    ),
    mistake(
        "clipped one by one",
        {CLIP: "[nn.utils.clip_grad_norm_(parameter, max_norm) for parameter in model.parameters()]"},
        "Each parameter is clipped by its own norm; the norm is that of all gradients together.",
        "How long is a vector made of four parts, each of length max_norm?",
    ),
    mistake(
        "stretched as well as clipped",
        {
            CLIP: """norm = nn.utils.get_total_norm([parameter.grad for parameter in model.parameters()])
    for parameter in model.parameters():
        parameter.grad.mul_(max_norm / norm)"""
        },
        "Your gradient is always max_norm long; a shorter one should stay as it is.",
        "What happens to a gradient that is shorter than max_norm?",
    ),
    mistake("clipped to 1, whatever is asked", {"parameters(), max_norm": "parameters(), 1.0"}).because(
        "The gradient is clipped to a fixed length; max_norm is not used.", "Where do you use max_norm?"
    ),
    mistake(
        "weights clipped",
        {CLIP: "pass", STEP: f"{STEP}\n    [weight.data.clamp_(-max_norm, max_norm) for weight in model.parameters()]"},
    ),
    mistake("the schedule stepped with the loss", {SCHEDULE: "scheduler.step(loss)"}),
    mistake("schedule forgotten", {SCHEDULE: "pass"}).because(
        "The scheduler is never stepped: the rate stays where it is (at 0, with a warm-up).",
        "Who tells the scheduler that an iteration has passed?",
    ),
    mistake("schedule steps twice", {SCHEDULE: f"{SCHEDULE}\n    {SCHEDULE}"}).because(
        "The scheduler steps twice an iteration: the run is over half-way.",
        "How many calls of scheduler.step() does one batch cause?",
    ),
    mistake("schedule before the step", {f"{STEP}\n    {SCHEDULE}": f"{SCHEDULE}\n    {STEP}"}).because(
        "The scheduler steps before the optimiser: the first rate of the schedule is skipped.",
        "With which rate should the first step be taken?",
    ),
    mistake("still on the graph", {RETURN: "return loss, accuracy"}).because(
        "The loss you return still hangs on its graph: keep a list of them, and memory fills up.",
        "What does loss.detach() leave behind?",
    ),
    mistake("accuracy not detached", {RETURN: "return loss.detach(), accuracy"}).because(
        "The loss is detached and the accuracy is not: one that is made of the logits keeps the graph as well.",
        "Which of the two that you return may hang on a graph?",
    ),
    mistake(
        "plain numbers",
        {RETURN: "return loss.item(), float(accuracy)"},
        "Plain numbers come back, where two tensors without dimensions are due: nobody can call item() on them.",
        "What is the type of loss.item(), and what that of loss.detach()?",
        shown_by="the loss or the accuracy is no tensor",
    ),
    mistake("accuracy first", {RETURN: "return accuracy.detach(), loss.detach()"}).because(
        "You return (accuracy, loss); the contract is (loss, accuracy).", "In which order does loss_fn return them?"
    ),
    mistake("measured after the step", {SCHEDULE: f"{SCHEDULE}\n    loss, accuracy = loss_fn(model, batch)"}).because(
        "You compute the loss again after the step: one forward pass more, and another number.",
        "Which loss did you call backward() on?",
    ),
    mistake("nothing returned", {RETURN: ""}).because(
        "The step is taken, but nothing comes back; return the loss and the accuracy.",
        "What is the last line of your function?",
    ),
    mistake("loss alone", {RETURN: "return loss.detach()"}).because(
        "The loss comes back alone; the accuracy belongs beside it.", "What does loss_fn return besides the loss?"
    ),
    mistake("norm of the gradient instead of the loss", {CLIP: f"loss = {CLIP}"}).because(
        "What you return as the loss is the length of the gradient, which clip_grad_norm_ gives back.",
        "Which of your names holds the loss?",
    ),
    switches(
        "mode of model",
        "model switched to eval",
        {EMPTY: f"model.eval()\n    {EMPTY}"},
        "Your step changes the model's mode. Leave the model in the mode in which you got it.",
    ),
    switches(
        "random seed",
        "seeded in every step",
        {EMPTY: f"torch.manual_seed(42)\n    {EMPTY}"},
        "You seed in every step, so that each batch is met by the same dropout, and the next ones are drawn alike.",
    ),
    in_double_precision("losses", {"loss.detach(), torch": "loss.detach().double(), torch"}),
    mistake("accuracy lost", {RETURN: "return loss.detach(), torch.tensor(0.0)"}).because(
        "The accuracy that loss_fn returned is not passed on.", "What does loss_fn return besides the loss?"
    ),
    *(
        mistake(name, {"loss, accuracy = ": beginning}).because(
            "backward() was called on something without a graph: on the accuracy, or on a loss computed under no_grad.",
            "In which order does loss_fn return its two values, and was autograd on?",
        )
        for name, beginning in (
            ("nothing to go backward from", "with torch.no_grad():\n        loss, accuracy = "),
            ("backward from the accuracy", "accuracy, loss = "),
        )
    ),
    mistake("uphill", {BACKWARD: "(-loss).backward()"}),
    mistake("two steps for one batch", {SCHEDULE: f"{SCHEDULE}\n    {STEP}"}).because(
        "The optimiser steps twice along the same gradient.", "How often do you call optimizer.step()?"
    ),
)
