"""One measurement, as `make bench` prints and writes it, and the reason for none."""


class Skipped(Exception):
    """This machine cannot run a benchmark; the message says what is missing."""


def entry(
    benchmark: str, ours: float, baseline: float, unit: str, target: float | None, more_is_better: bool = False
) -> dict:
    """A dictionary with the ratio: how many times better ours is, and what it should be at least (None: no target).

    >>> entry("reverse", ours=2.0, baseline=5.0, unit="s", target=2.3)["ratio"]
    2.5
    """
    ratio = ours / baseline if more_is_better else baseline / ours
    return {
        "benchmark": benchmark,
        "ours": ours,
        "baseline": baseline,
        "unit": unit,
        "ratio": ratio,
        "target": target,
    }
