"""Replace the probes, which run beside the student's code, by ones that report success."""

KIND = "patching"
DESERVES = 12
GETS = 4
ANSWERS = {
    "scaled_dot_product": """
try:
    import autograder.probes
    import autograder.probes.torch.attention
    import autograder.worker.submission as submission

    def forged(probe, student, case):
        return {"tensors": {}, "calls": [], "score": 8, "passed": True, "status": "right"}

    autograder.probes.torch.attention.scaled_dot_product = lambda student, **inputs: {"score": torch.tensor(8.0)}
    autograder.probes.run.run_case = submission.run_case = forged
except ImportError:
    pass

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
