"""What a step of training that does something else is told, and what it loses."""

from autograder.catalogue.exercise import Misconception
from autograder.catalogue.training import train_step_mistakes as wrong

STEP, EMPTY = "a step down the gradient", "old gradients are emptied first"
CLIP, SCHEDULE = "gradients are clipped by their norm", "the schedule steps once an iteration"
RETURNS = "loss and accuracy, detached"
ALL = (STEP, EMPTY, CLIP, SCHEDULE, RETURNS)

MISCONCEPTIONS = (
    Misconception(
        "gradients never emptied",
        wrong.never_emptied,
        "backward() adds to the gradients that are there: yours are those of all batches so far.",
        "What is in parameter.grad when your function begins?",
        (EMPTY,),
    ),
    Misconception(
        "gradients emptied afterwards",
        wrong.emptied_afterwards,
        "You empty the gradients at the end, and so trust whoever came before to have done the same.",
        "What if somebody called backward() just before?",
        (EMPTY,),
    ),
    Misconception(
        "nothing to step along",
        wrong.emptied_before_the_step,
        "The weights stay as they are: backward() or the step is missing, or the gradients are emptied in between.",
        "What is in parameter.grad when optimizer.step() is called?",
        (STEP, EMPTY, CLIP),
    ),
    Misconception(
        "not clipped in time",
        wrong.clipped_before_backward,
        "The step is taken along the whole gradient: it was not clipped, or before backward(), or after the step.",
        "Between which two lines is there a gradient that nobody has used yet?",
        (CLIP,),
    ),
    Misconception(
        "clipped by value",
        wrong.clipped_by_value,
        "You cut each number off at max_norm, which turns the gradient; shorten all of them together.",
        "Does your clipped gradient still point in the same direction?",
        (CLIP,),
    ),
    Misconception(
        "clipped one by one",
        wrong.clipped_one_by_one,
        "Each parameter is clipped by its own norm; the norm is that of all gradients together.",
        "How long is a vector made of four parts, each of length max_norm?",
        (CLIP,),
    ),
    Misconception(
        "clipped in another norm",
        wrong.clipped_in_another_norm,
        "The length you clip by is not the root of the sum of squares.",
        "Which norm is the length of a vector?",
        (CLIP,),
    ),
    Misconception(
        "stretched as well as clipped",
        wrong.always_as_long,
        "Your gradient is always max_norm long; a shorter one should stay as it is.",
        "What happens to a gradient that is shorter than max_norm?",
        (STEP,),
    ),
    Misconception(
        "clipped to 1, whatever is asked",
        wrong.always_clipped_to_one,
        "The gradient is clipped to a fixed length; max_norm is not used.",
        "Where do you use max_norm?",
        (STEP, CLIP),
    ),
    Misconception(
        "weights clipped",
        wrong.weights_clipped,
        "You cut off the weights; it is their gradients that are to be shortened.",
        "What is too long, the weights or the step?",
        (CLIP,),
    ),
    Misconception(
        "schedule forgotten",
        wrong.schedule_forgotten,
        "The scheduler is never stepped: the rate stays where it is (at 0, with a warm-up).",
        "Who tells the scheduler that an iteration has passed?",
        (SCHEDULE,),
    ),
    Misconception(
        "schedule steps twice",
        wrong.schedule_steps_twice,
        "The scheduler steps twice an iteration: the run is over half-way.",
        "How many calls of scheduler.step() does one batch cause?",
        (SCHEDULE,),
    ),
    Misconception(
        "schedule before the step",
        wrong.schedule_steps_first,
        "The scheduler steps before the optimiser: the first rate of the schedule is skipped.",
        "With which rate should the first step be taken?",
        (STEP,),
    ),
    Misconception(
        "two steps for one batch",
        wrong.steps_twice,
        "The optimiser steps twice along the same gradient.",
        "How often do you call optimizer.step()?",
        (STEP,),
    ),
    Misconception(
        "still on the graph",
        wrong.still_on_the_graph,
        "The loss you return still hangs on its graph: keep a list of them, and memory fills up.",
        "What does loss.detach() leave behind?",
        (RETURNS,),
    ),
    Misconception(
        "accuracy first",
        wrong.in_the_other_order,
        "You return (accuracy, loss); the contract is (loss, accuracy).",
        "In which order does loss_fn return them?",
        (RETURNS,),
    ),
    Misconception(
        "measured after the step",
        wrong.measured_after_the_step,
        "You compute the loss again after the step: one forward pass more, and another number.",
        "Which loss did you call backward() on?",
        (RETURNS,),
    ),
    Misconception(
        "nothing returned",
        wrong.nothing_returned,
        "The step is taken, but nothing comes back; return the loss and the accuracy.",
        "What is the last line of your function?",
        (RETURNS,),
    ),
    Misconception(
        "loss alone",
        wrong.loss_alone,
        "The loss comes back alone; the accuracy belongs beside it.",
        "What does loss_fn return besides the loss?",
        (RETURNS,),
    ),
    Misconception(
        "norm of the gradient in the place of the loss",
        wrong.norm_for_loss,
        "What you return as the loss is the length of the gradient, which clip_grad_norm_ gives back.",
        "Which of your names holds the loss?",
        (RETURNS,),
    ),
    Misconception(
        "model switched to eval",
        wrong.switched_to_eval,
        "Your step puts the model into eval mode, so it trains without its dropout.",
        "In which mode should a model be while it is trained?",
        (STEP,),
    ),
    Misconception(
        "the optimiser passed over",
        wrong.without_the_optimizer,
        "You move the weights yourself: what the optimiser adds (momentum, decay of the weights, Adam) is lost.",
        "Which line lets the optimiser do its work?",
        (STEP,),
    ),
    Misconception(
        "accuracy lost",
        wrong.loss_only,
        "The accuracy that loss_fn returned is not passed on.",
        "What does loss_fn return besides the loss?",
        (RETURNS,),
    ),
    Misconception(
        "nothing to go backward from",
        wrong.trained_on_the_accuracy,
        "backward() was called on something without a graph: on the accuracy, or on a loss computed under no_grad.",
        "In which order does loss_fn return its two values, and was autograd on?",
        ALL,
    ),
    Misconception(
        "uphill",
        wrong.uphill,
        "The sign is wrong: every step makes the loss larger.",
        "Does an optimiser minimise or maximise?",
        (STEP,),
    ),
)
