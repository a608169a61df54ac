"""Put known weights into a decoder, whether its self-attention has one fused projection or three separate ones."""

from autograder.probes.torch.modules import ParameterMismatch, fit, hold, shapes


def with_weights(module, arguments, weights, strict):
    """`fit`, for one fused projection in the self-attention or three separate ones; else `hold`."""
    try:
        return fit(module, weights, buffers=True)
    except ParameterMismatch as mismatch:
        separate = _unfused(weights, arguments["num_heads"])
        if shapes(separate) == mismatch.found:
            return fit(module, separate, buffers=True)
        if strict:
            raise
    return hold(module, weights)


def _unfused(weights, num_heads):
    """The same weights, with those of `self_attn` under the names of a cross-attention."""
    found = {}
    for name, value in weights.items():
        if "self_attn.qkv_proj" in name:
            parts = value.unflatten(0, (num_heads, 3, -1)).unbind(1)
            for letter, part in zip("qkv", parts, strict=True):
                found[name.replace("qkv_proj", f"{letter}_proj")] = part.flatten(0, 1)
        else:
            found[name.replace("self_attn.o_proj", "self_attn.out_proj")] = value
    return found
