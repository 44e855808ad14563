"""Live memory by step, read from whatever knows it: a plan, a trace, a measured run."""

from typing import NamedTuple

from minigrad.errors import ArgumentError

CURE = "pass executable.plan, a trace, measure.timeline(...), or a list of bytes"


class Levels(NamedTuple):
    """Live bytes by step; (word, first, last step) of each phase; the arena's bytes, if planned."""

    bytes: list
    phases: list
    arena: int = 0

    @property
    def peak(self):
        """(step, bytes) of the first of the highest steps."""
        top = max(self.bytes)
        return self.bytes.index(top), top


def levels_of(thing, turn=None):
    """The Levels of a thing; `turn` is the first step of the backward phase, where it says none."""
    thing = getattr(thing, "plan", thing)
    try:
        found = read(thing)
    except (TypeError, AttributeError, ValueError):
        found = None
    if found is None or not found.bytes:
        raise ArgumentError(f"plot: {type(thing).__name__} does not say its live memory", CURE)
    return found if turn is None else turned(found, turn)


def read(thing):
    """Levels by what the thing has; None for something else."""
    if hasattr(thing, "lifetimes") and hasattr(thing, "buffers"):
        return planned(thing)
    if hasattr(thing, "events"):
        events = [event for event in thing.events if event.live is not None]
        return Levels([event.live for event in events], runs([e.phase for e in events]))
    if hasattr(thing, "bytes") and hasattr(thing, "phases"):
        return Levels(list(thing.bytes), list(thing.phases))
    return Levels([int(level) for level in thing], [])


def planned(plan):
    """The bytes that a plan's buffers hold at each step."""
    levels = [0] * (max((life.last for b in plan.buffers for life in b.lives), default=0) + 1)
    for buffer in plan.buffers:
        for life in buffer.lives:
            for step in range(life.first, life.last + 1):
                levels[step] += buffer.bytes
    return Levels(levels, [], plan.arena_bytes)


def runs(words):
    """(word, first, last) of each run of equal words."""
    found = []
    for at, word in enumerate(words):
        if found and found[-1][0] == word:
            found[-1] = (word, found[-1][1], at)
        else:
            found.append((word, at, at))
    return found


def turned(levels, turn):
    """The Levels with a forward and a backward phase that begins at step `turn`."""
    last = len(levels.bytes) - 1
    if not 0 < turn <= last:
        raise ArgumentError(f"plot: turn={turn}", f"choose a step from 1 to {last}")
    return levels._replace(phases=[("forward", 0, turn - 1), ("backward", turn, last)])
