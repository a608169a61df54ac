"""torch's own state, noted at a test cell and brought back for its probe: a later cell takes nothing from an answer."""

import inspect
from operator import is_

import torch
from torch import nn
from torch.nn import functional as F

OWNERS = (torch, nn, F, torch.Tensor, nn.Module)  # of what an experiment may replace
get_device, set_device = torch.get_default_device, torch.set_default_device
get_dtype, set_dtype = torch.get_default_dtype, torch.set_default_dtype


def note_state() -> dict:
    """The default dtype and device, and what the names of torch, nn and F mean now."""
    return {"dtype": get_dtype(), "device": get_device(), "names": [vars(owner).copy() for owner in OWNERS]}


def bring_back(state: dict) -> None:
    """Everything that `note_state` noted is so again."""
    for owner, names in zip(OWNERS, state["names"], strict=True):
        now = vars(owner).copy()
        if now.keys() == names.keys() and all(map(is_, now.values(), names.values())):
            continue
        for name in (name for name, value in names.items() if now.get(name) is not value):
            setattr(owner, name, names[name])
        if inspect.isclass(owner):  # what a module has more was imported meanwhile
            for name in now.keys() - names.keys():
                delattr(owner, name)
    set_dtype(state["dtype"])
    if get_device() != state["device"]:
        set_device(None if state["device"].type == "cpu" else state["device"])
