"""A counterfeit probe answers with numbers of the right names and shapes, taken from the inputs."""

KIND = "patching"
DESERVES = 12
GETS = 4
ANSWERS = {
    "scaled_dot_product": """
def forged(student, **inputs):
    q, k, v = inputs["q"], inputs["k"], inputs["v"]
    lead = q.shape[:-1]
    names = ("gradient_q", "gradient_k", "gradient_v") if inputs.get("gradient") else ()
    return {
        "values": q.repeat_interleave(v.shape[-1], -1)[..., : v.shape[-1]],
        "attention": k.new_zeros(*lead, k.shape[-2]),
        **{name: torch.zeros_like(inputs[name[-1]]) for name in names},
    }

try:
    import autograder.worker.submission as submission
    submission.probe_of = lambda exercise: forged
except ImportError:
    pass

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
