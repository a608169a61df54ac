"""Names of built-in functions that would make an exercise empty: by family, whatever a library calls its members."""

from functools import cache
from types import ModuleType

import torch

TORCH_SPACES = (
    torch,
    torch.nn,
    torch.nn.functional,
    torch.distributions,
    torch.Tensor,
    torch.special,
    torch.optim.lr_scheduler,
    torch._C._nn,
    torch._C._VariableFunctions,
)


@cache
def ready_made(families: tuple[str, ...]) -> frozenset[str]:
    """The families, and every name of torch that contains one of them, whatever its case and underscores.

    >>> sorted(ready_made(("softmin",)))
    ['Softmin', 'softmin']
    >>> {"_safe_softmax", "Softmax2d", "gumbel_softmax"} <= ready_made(("softmax",))
    True
    """
    bare = [family.replace("_", "").lower() for family in families]
    return frozenset(
        name
        for name in {*families, *_offered_by_torch()}
        if any(family in name.replace("_", "").lower() for family in bare)
    )


@cache
def _offered_by_torch() -> frozenset[str]:
    """Functions, methods and classes of torch, and its operators without their overloads; no modules."""
    named = {
        name for space in TORCH_SPACES for name in dir(space) if not isinstance(getattr(space, name, None), ModuleType)
    }
    operators = (name.split("::")[1].split(".")[0] for name in torch._C._dispatch_get_all_op_names())
    return frozenset(named.union(operators))


def is_offered(name: str) -> bool:
    """Does a library offer something of exactly this name? `attention` is only a part of such names.

    >>> [is_offered(name) for name in ("softmax", "equivariance", "attention", "transformer")]
    [True, True, False, False]
    """
    return name in _offered_by_torch() or ready_made((name,)) == {name}
