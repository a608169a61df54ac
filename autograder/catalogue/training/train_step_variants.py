"""Other right ways to take a step: all of them get full marks."""

import torch


def clipped_by_hand(model, batch, loss_fn, optimizer, scheduler, max_norm):
    for parameter in model.parameters():
        parameter.grad = None
    loss, accuracy = loss_fn(model, batch)
    loss.backward()
    with torch.no_grad():
        norm = torch.sqrt(sum(parameter.grad.square().sum() for parameter in model.parameters()))
        for parameter in model.parameters():
            parameter.grad.mul_(torch.clamp(max_norm / norm, max=1.0))
    optimizer.step()
    scheduler.step()
    return loss.item(), float(accuracy)


def zeroed_in_the_middle(net, batch, loss_fn, opt, sched, max_norm=1.0):
    net.train()
    with torch.enable_grad():
        loss, accuracy = loss_fn(net, batch)
    opt.zero_grad(set_to_none=False)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm=max_norm, norm_type=2.0)
    opt.step()
    opt.zero_grad()
    sched.step()
    return loss.detach().clone(), accuracy.detach()


VARIANTS = (clipped_by_hand, zeroed_in_the_middle)
