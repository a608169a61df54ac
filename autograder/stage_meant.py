"""Which stage a person means: by a number, a name, a topic, or how one of them begins."""

import difflib

from autograder.stages import STAGES, TRACKS, Stage, UnknownStage


def stage_meant(text: str, among: tuple[Stage, ...] | None = None) -> Stage:
    """The stage that a person means by a number, a name, a topic, or the beginning of one.

    Raises:
        UnknownStage: it is none of them, or may be several.

    >>> stage_meant("2").name, stage_meant("08").name, stage_meant("Multi").name
    ('02_multi_head', '08_anomaly', '02_multi_head')
    """
    among = STAGES if among is None else among
    wanted = text.strip().lower().replace("-", "_").replace(" ", "_")
    begins = wanted and not wanted.isdecimal()  # 1 is not the beginning of 10
    ways = (
        lambda stage: wanted == stage.name,
        lambda stage: wanted.isdecimal() and int(wanted) == stage.number,
        lambda stage: wanted == stage.topic,
        lambda stage: wanted == _without_track(stage),
        lambda stage: begins and (stage.topic.startswith(wanted) or stage.name.startswith(wanted)),
        lambda stage: begins and _without_track(stage).startswith(wanted),
    )
    for way in ways:
        found = [stage for stage in among if way(stage)]
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownStage(f"“{text}” may be {' or '.join(stage.name for stage in found)}; say which.")
    if not among:
        raise UnknownStage("There are no stages here.")
    words = {word: stage.name for stage in reversed(among) for word in (_without_track(stage), stage.topic, stage.name)}
    near = difflib.get_close_matches(wanted, words, n=1)
    offer = f" Did you mean {words[near[0]]}?" if near else ""
    there = ", ".join(stage.name for stage in among)
    raise UnknownStage(f"There is no stage “{text}” here; there are {there}.{offer}")


def _without_track(stage: Stage) -> str:
    """The topic as a course of one track calls it: `attention` for `jax_attention`."""
    return stage.topic.removeprefix(TRACKS[stage.track].prefix)
