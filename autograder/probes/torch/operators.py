"""Which of torch's own operators ran, asked of its dispatcher: every call comes through there.

That includes TorchScript, threads, functions that map over a batch, the built-ins behind `torch`, and calls with all
overrides switched off. A kernel of ours runs before those of the devices, only for the few operators that an exercise
may forbid, so no other operator becomes slower.
"""

import re
from collections.abc import Callable

import torch

from autograder.probes.torch.track import _Recorder as Recorder

FAMILIES = re.compile(
    "softmax|attention|multi_head|transformer|(?:layer|batch|group|instance|rms)_norm|gru|lstm", re.IGNORECASE
)
KEY = "BackendSelect"  # after autograd and whatever maps over a batch, before every device
NO_ANSWER = re.compile("backward|stats|_(?:elemt|impl)$")  # what only comes with another operator, or is a part

_libraries: list = []  # torch takes back what a library that is gone has registered


def note_operators() -> list[str]:
    """From now on the operators that run are noted beside torch's functions; → those that are followed."""
    return follow_operators(lambda name: Recorder.names.add(name))


def follow_operators(note: Callable[[str], None]) -> list[str]:
    """From now on `note(name)` is called whenever one of the operators runs; → their names, none where torch refuses.

    Where torch does not offer this, what ran is known from its functions, and from the source, alone.
    """
    if _libraries or not hasattr(torch._C, "_dispatch_keyset_full_after"):
        return []
    library = torch.library.Library("aten", "IMPL")
    after = torch._C._dispatch_keyset_full_after(getattr(torch._C.DispatchKey, KEY))
    followed = []
    for full in filter(_is_followed, torch._C._dispatch_get_all_op_names()):
        name, _, overload = full.removeprefix("aten::").partition(".")
        operator = getattr(getattr(torch.ops.aten, name), overload or "default")
        try:
            library.impl(
                operator.name().removeprefix("aten::"), _noting(operator, name, after, note), KEY, with_keyset=True
            )
        except TypeError:  # a torch that hands no key set to a kernel
            return []
        followed.append(name)
    _libraries.append(library)
    return sorted(set(followed))


def _is_followed(full: str) -> bool:
    """Could it be an answer, is it not composed of other operators, and does it have no kernel where ours goes?"""
    if not full.startswith("aten::") or not FAMILIES.search(full) or NO_ANSWER.search(full.partition(".")[0]):
        return False
    taken = ("CompositeImplicitAutograd", KEY)
    return not any(torch._C._dispatch_has_kernel_for_dispatch_key(full, key) for key in taken)


def _noting(operator, name: str, after, note: Callable[[str], None]) -> Callable:
    def kernel(keys, *args, **kwargs):
        note(name)
        return operator.redispatch(keys & after, *args, **kwargs)

    return kernel
