"""Steps of training in which something is missing, doubled, or in the wrong place."""

from torch import nn


def step(
    model,
    batch,
    loss_fn,
    optimizer,
    scheduler,
    *,
    clip,
    empty=lambda optimizer: optimizer.zero_grad(),
    after=lambda loss, accuracy: (loss.detach(), accuracy.detach()),
):
    """The right step, with `empty` before, `clip` in the middle, and `after` for what is returned."""
    empty(optimizer)
    loss, accuracy = loss_fn(model, batch)
    loss.backward()
    clip(model.parameters())
    optimizer.step()
    scheduler.step()
    return after(loss, accuracy)


def by_norm(max_norm):
    return lambda parameters: nn.utils.clip_grad_norm_(parameters, max_norm)


def nothing(*arguments):
    return None


def never_emptied(model, batch, loss_fn, optimizer, scheduler, max_norm):
    return step(model, batch, loss_fn, optimizer, scheduler, clip=by_norm(max_norm), empty=nothing)


def emptied_afterwards(model, batch, loss_fn, optimizer, scheduler, max_norm):
    result = never_emptied(model, batch, loss_fn, optimizer, scheduler, max_norm)
    optimizer.zero_grad()
    return result


def emptied_before_the_step(model, batch, loss_fn, optimizer, scheduler, max_norm):
    return step(model, batch, loss_fn, optimizer, scheduler, clip=lambda parameters: optimizer.zero_grad())


def not_clipped(model, batch, loss_fn, optimizer, scheduler, max_norm):
    return step(model, batch, loss_fn, optimizer, scheduler, clip=nothing)


def clipped_by_value(model, batch, loss_fn, optimizer, scheduler, max_norm):
    return step(
        model,
        batch,
        loss_fn,
        optimizer,
        scheduler,
        clip=lambda parameters: nn.utils.clip_grad_value_(parameters, max_norm),
    )


def clipped_one_by_one(model, batch, loss_fn, optimizer, scheduler, max_norm):
    def clip(parameters):
        for parameter in parameters:
            nn.utils.clip_grad_norm_(parameter, max_norm)

    return step(model, batch, loss_fn, optimizer, scheduler, clip=clip)


def clipped_in_another_norm(model, batch, loss_fn, optimizer, scheduler, max_norm):
    return step(
        model,
        batch,
        loss_fn,
        optimizer,
        scheduler,
        clip=lambda parameters: nn.utils.clip_grad_norm_(parameters, max_norm, norm_type=1),
    )


def always_as_long(model, batch, loss_fn, optimizer, scheduler, max_norm):
    def clip(parameters):
        parameters = list(parameters)
        norm = nn.utils.get_total_norm([parameter.grad for parameter in parameters])
        for parameter in parameters:
            parameter.grad.mul_(max_norm / norm)

    return step(model, batch, loss_fn, optimizer, scheduler, clip=clip)


def always_clipped_to_one(model, batch, loss_fn, optimizer, scheduler, max_norm):
    return step(model, batch, loss_fn, optimizer, scheduler, clip=by_norm(1.0))


def clipped_before_backward(model, batch, loss_fn, optimizer, scheduler, max_norm):
    optimizer.zero_grad()
    loss, accuracy = loss_fn(model, batch)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    loss.backward()
    optimizer.step()
    scheduler.step()
    return loss.detach(), accuracy.detach()


def weights_clipped(model, batch, loss_fn, optimizer, scheduler, max_norm):
    result = not_clipped(model, batch, loss_fn, optimizer, scheduler, max_norm)
    for parameter in model.parameters():
        parameter.data.clamp_(-max_norm, max_norm)
    return result


def schedule_forgotten(model, batch, loss_fn, optimizer, scheduler, max_norm):
    optimizer.zero_grad()
    loss, accuracy = loss_fn(model, batch)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.detach(), accuracy.detach()


def schedule_steps_twice(model, batch, loss_fn, optimizer, scheduler, max_norm):
    result = step(model, batch, loss_fn, optimizer, scheduler, clip=by_norm(max_norm))
    scheduler.step()
    return result


def schedule_steps_first(model, batch, loss_fn, optimizer, scheduler, max_norm):
    optimizer.zero_grad()
    loss, accuracy = loss_fn(model, batch)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scheduler.step()
    optimizer.step()
    return loss.detach(), accuracy.detach()


def steps_twice(model, batch, loss_fn, optimizer, scheduler, max_norm):
    result = step(model, batch, loss_fn, optimizer, scheduler, clip=by_norm(max_norm))
    optimizer.step()
    return result


def still_on_the_graph(model, batch, loss_fn, optimizer, scheduler, max_norm):
    return step(model, batch, loss_fn, optimizer, scheduler, clip=by_norm(max_norm), after=lambda *both: both)


def in_the_other_order(model, batch, loss_fn, optimizer, scheduler, max_norm):
    return step(model, batch, loss_fn, optimizer, scheduler, clip=by_norm(max_norm))[::-1]


def measured_after_the_step(model, batch, loss_fn, optimizer, scheduler, max_norm):
    step(model, batch, loss_fn, optimizer, scheduler, clip=by_norm(max_norm))
    return tuple(value.detach() for value in loss_fn(model, batch))


def nothing_returned(model, batch, loss_fn, optimizer, scheduler, max_norm):
    step(model, batch, loss_fn, optimizer, scheduler, clip=by_norm(max_norm))


def loss_alone(model, batch, loss_fn, optimizer, scheduler, max_norm):
    return step(model, batch, loss_fn, optimizer, scheduler, clip=by_norm(max_norm))[0]


def norm_for_loss(model, batch, loss_fn, optimizer, scheduler, max_norm):
    norms = []
    _, accuracy = step(
        model, batch, loss_fn, optimizer, scheduler, clip=lambda p: norms.append(nn.utils.clip_grad_norm_(p, max_norm))
    )
    return norms[0], accuracy


def switched_to_eval(model, batch, loss_fn, optimizer, scheduler, max_norm):
    model.eval()
    return step(model, batch, loss_fn, optimizer, scheduler, clip=by_norm(max_norm))


def without_the_optimizer(model, batch, loss_fn, optimizer, scheduler, max_norm):
    model.zero_grad()
    loss, accuracy = loss_fn(model, batch)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.data -= group["lr"] * parameter.grad
    scheduler.step()
    return loss.detach(), accuracy.detach()


def loss_only(model, batch, loss_fn, optimizer, scheduler, max_norm):
    loss, _ = step(model, batch, loss_fn, optimizer, scheduler, clip=by_norm(max_norm))
    return loss, loss * 0


def trained_on_the_accuracy(model, batch, loss_fn, optimizer, scheduler, max_norm):
    def backwards(model, batch):
        return loss_fn(model, batch)[::-1]

    return step(model, batch, backwards, optimizer, scheduler, clip=by_norm(max_norm))[::-1]


def uphill(model, batch, loss_fn, optimizer, scheduler, max_norm):
    def negative(model, batch):
        loss, accuracy = loss_fn(model, batch)
        return -loss, accuracy

    loss, accuracy = step(model, batch, negative, optimizer, scheduler, clip=by_norm(max_norm))
    return -loss, accuracy
