"""What counts as a clear error, where the contract does not say of which kind."""

from autograder.judging.results import Check, Finding, Results

TORCH_SAYS = "must match the size of tensor"  # broadcasting fails by itself, and says nothing of positions


def clear_error(case: str, length: int, max_len: int) -> Check:
    """The case ends in an exception whose message is somebody's own, and gives one of the two numbers."""

    def check(results: Results) -> Finding | None:
        error = results.found.get(case, {}).get("error")
        if error is None:
            return Finding(f"{length} tokens for {max_len} positions gave no error", case)
        if TORCH_SAYS in error["message"]:
            return Finding("the error comes from broadcasting: it does not say that the sequence is too long", case)
        if str(length) not in error["message"] and str(max_len) not in error["message"]:
            return Finding(f"the error names neither the length ({length}) nor max_len ({max_len})", case)
        return None

    return check


def any_error(case: str, text: str) -> Check:
    """The case ends in an exception of any kind."""

    def check(results: Results) -> Finding | None:
        return None if "error" in results.found.get(case, {}) else Finding(text, case)

    return check
