"""The plot of live memory by step, of one run or of several."""

from collections import Counter
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Any, NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.draw.look import PHASES, ROLES
from minigrad.draw.modes.plan import alive_bytes
from minigrad.draw.modes.profile import sums_of
from minigrad.draw.plot.axes import (
    INK,
    QUIET,
    SMALL,
    line_labels,
    note,
    paler,
    paper,
    ring,
    seconds_text,
    styles_of,
)
from minigrad.draw.read import BYTES, bytes_text, unit_of

HINT = "pass executable.plan, a trace, measure.timeline(...), or a list of bytes"
MANY, FINE = 60, 100  # steps: with more, lines are thin; with more, a few are drawn as one
WIDTHS, THIN_WIDTHS = (1.8, 1.1), (1.3, 0.9)  # points: of an engine's first line, of others
JOINED = "\nline: the most of a few steps; shade: down to their least"
MILLI = 1e3  # milliseconds of a second
ALONG = {"share": "share of the run, %", "step": "step", "time": "time of a run, ms"}


def memory(
    runs: Any,
    title: str = "",
    turn: int | None = None,
    by: str = "share",
    unit: tuple[str, int] | None = None,
) -> tuple:
    """Plot live bytes by step; returns (fig, ax).

    `runs` is a plan or an Executable, a trace, a measure.timeline, or a list of bytes; or
    {name: one of them}: then all share the axis, by the "share" of the run, by "step" (a run
    that computes something twice is longer), or, of profiles, by "time". `turn` is the step at
    which a plan's backward phase begins. Of runs of many steps, which are not plotted by step,
    a line shows the most of a few of them, and a shade reaches down to their least. `unit` is what
    several runs are counted in, such as ("frames", 8192), with the bytes of one.

    >>> trace = mg.measure.timeline(forward=lambda: np.zeros(1000))
    >>> fig, ax = mg.plot.memory({"dynamic": trace})
    """
    if isinstance(runs, dict):
        if not runs:
            raise ArgumentError(
                "plot.memory: the dict of runs is empty", 'memory({"dynamic": trace})'
            )
        levels = {name: levels_of(run, turn) for name, run in runs.items()}
        return plot_runs(levels, title, by, unit)
    return plot_run(levels_of(runs, turn), title)


def plot_run(levels, title):
    """One run: its phases shaded, its peak marked."""
    with paper([3.0]) as (fig, (ax,)):
        panel(ax, levels)
        ax.set(xlabel="step", title=title)
    return fig, ax


def panel(ax, levels):
    """A run's live bytes on an axis of steps."""
    unit, word = unit_of(levels.peak[1], BYTES)
    steps, heights = range(len(levels.bytes) + 1), [level / unit for level in levels.bytes]
    ax.stairs(heights, steps, color=ROLES["op"].stroke, linewidth=1.6, baseline=None)
    for phase in levels.phases or [("", 0, len(heights) - 1)]:
        shade(ax, heights, *phase)
    at, top = levels.peak
    ax.plot(at + 0.5, top / unit, "o", color=ROLES["op"].stroke, markersize=4)
    note(ax, f"peak {bytes_text(top)}", (at + 0.5, top / unit), ha="center")
    if levels.arena:
        mark_arena(ax, levels, unit)
    ax.set(xlim=(0, len(heights)), ylabel=f"live memory, {word}")
    ax.set_ylim(0, 1.25 * max(top, levels.arena) / unit or 1)
    ax.xaxis.get_major_locator().set_params(integer=True)


def mark_arena(ax, levels, unit):
    """A dashed line at the size of the arena; its words stay clear of the peak's."""
    height, last = levels.arena / unit, len(levels.bytes)
    left = levels.peak[0] > last / 2
    ax.axhline(height, color=QUIET, linestyle=(0, (4, 3)), linewidth=1.1)
    where = {"xytext": (4 if left else -4, 5), "ha": "left" if left else "right"}
    note(ax, f"arena {bytes_text(levels.arena)}", (0 if left else last, height), **where)


def shade(ax, heights, word, first, last):
    """A phase: its tint, its word above, and the memory in its colour."""
    look = ROLES[PHASES.get(word, "input")]
    inside = heights[first : last + 1]
    ax.stairs(inside, range(first, last + 2), color=look.stroke, fill=True, alpha=0.3, linewidth=0)
    if word:
        ax.axvspan(first, last + 1, color=look.fill, linewidth=0, zorder=0)
        style = {"transform": ax.get_xaxis_transform(), "color": INK, "fontsize": SMALL}
        ax.text((first + last + 1) / 2, 0.97, word, ha="center", va="top", **style)


def plot_runs(runs, title, by, own_unit=None):
    """Several runs on one axis; a dotted line leads from each peak to its name."""
    edges = {name: edges_of(levels, by) for name, levels in runs.items()}
    last = max(ends[-1] for ends in edges.values())
    with paper([3.4]) as (fig, (ax,)):
        unit, word = unit_of(max(levels.peak[1] for levels in runs.values()), BYTES)
        word, unit = own_unit or (word, unit)
        most = FINE if by != "step" else max(len(levels.bytes) for levels in runs.values())
        joined = any(len(levels.bytes) > most for levels in runs.values())
        ax.set(xlim=(0, last), xlabel=ALONG[by] + JOINED * joined, title=title)
        ax.set_ylabel(f"live memory, {word}")
        labels, styles = [], step_styles(runs)
        for name, levels in runs.items():
            plot_levels(ax, name, levels, unit, styles[name], edges[name], last, most)
            top = levels.peak[1]
            text = f"{name}\npeak {f'{top / unit:g} {word}' if own_unit else bytes_text(top)}"
            if by != "share":
                text += f"\n{length_text(edges[name][-1], by)}"
            labels.append((last, top / unit, text, styles[name]))
        ax.set_ylim(0)
        fig.draw_without_rendering()
        line_labels(ax, labels)
    return fig, ax


def step_styles(runs):
    """{name: matplotlib's keywords for its steps}: solid, since stairs hide dashes; of two lines of
    one engine the second is paler and thinner."""
    most = max(len(levels.bytes) for levels in runs.values())
    widths, found, count = (WIDTHS if most <= MANY else THIN_WIDTHS), {}, Counter()
    for name, style in styles_of(runs).items():
        colour = style["color"]
        nth = count[colour]
        count[colour] += 1
        own = {"color": paler(colour) if nth else colour, "linewidth": widths[nth > 0]}
        found[name] = style | own | ({"linestyle": "-"} if nth < 2 else {})
    return found


def edges_of(levels, by):
    """Where each step begins, and the last one ends: in steps, milliseconds, or % of the run."""
    if by not in ALONG:
        raise ArgumentError(f"plot.memory: by={by!r}", f"use one of {', '.join(ALONG)}")
    if by == "time":
        if not levels.seconds:
            message = "plot.memory: the time of each step was not measured"
            raise ArgumentError(message, "pass what executable.profile(feeds) returns")
        return [MILLI * at for at in accumulate(levels.seconds, initial=0.0)]
    count = len(levels.bytes)
    return [at * (100 / count if by == "share" else 1) for at in range(count + 1)]


def length_text(end, by):
    """How long a run is, in words."""
    return f"in {seconds_text(end / MILLI)}" if by == "time" else f"in {end:,} steps"


def plot_levels(ax, name, levels, unit, style, edges, last, count):
    """One of several runs, in at most `count` steps: its peak, where backward begins."""
    (at, top), colour = levels.peak, style["color"]
    heights = [level / unit for level in levels.bytes]
    steps = {key: style[key] for key in ("color", "linestyle", "linewidth")}
    most, least, joints = join_steps(heights, edges, count)
    ax.stairs(most, joints, baseline=None, label=name, **steps)
    if least != most:
        ax.stairs(most, joints, baseline=least, fill=True, color=colour, alpha=0.3, linewidth=0)
    ends = [(edges[at] + edges[at + 1]) / 2, last], [top / unit] * 2
    leader = {**style, "linewidth": 0.9, "linestyle": (0, (1, 3)), "markevery": [0]}
    ax.plot(*ends, **leader)
    turns = [first for word, first, _ in levels.phases if word == "backward"]
    for first in turns[:1]:
        point = edges[first], heights[first]
        ring(ax, point, colour)
        note(ax, "backward", point, ha="right", va="center", xytext=(-7, 0))


def join_steps(heights, edges, count):
    """(most, least, edges) of a few steps each, so that there are at most so many."""
    few = -(-len(heights) // count)
    parts = [heights[at : at + few] for at in range(0, len(heights), few)]
    joints = [*edges[:-1:few], edges[-1]]
    return list(map(max, parts)), list(map(min, parts)), joints


# live memory, read from whatever knows it ---------------------------------------------------------


class Levels(NamedTuple):
    """Live bytes by step; (word, first, last step) of each phase; the arena's bytes, if planned;
    how long each step takes, if measured."""

    bytes: list
    phases: list
    arena: int = 0
    seconds: tuple = ()

    @property
    def peak(self):
        """(step, bytes) of the first of the highest steps."""
        top = max(self.bytes)
        return self.bytes.index(top), top


def levels_of(thing, turn=None):
    """The Levels of a thing; `turn` is the first step of the backward phase, where it says none."""
    thing = thing if hasattr(thing, "together") else getattr(thing, "plan", thing)
    try:
        found = read_levels(thing)
    except (TypeError, AttributeError, ValueError):
        found = None
    if found is None or not found.bytes:
        raise ArgumentError(f"plot: {type(thing).__name__} does not record its live memory", HINT)
    return found if turn is None else with_turn(found, turn)


def read_levels(thing):
    """Levels by what the thing has; None for something else."""
    if hasattr(thing, "together"):
        return profiled_levels(thing)
    if hasattr(thing, "lifetimes") and hasattr(thing, "buffers"):
        return planned_levels(thing)
    if hasattr(thing, "events"):
        events = [event for event in thing.events if event.live is not None]
        return Levels([event.live for event in events], phases_of([e.phase for e in events]))
    if hasattr(thing, "bytes") and hasattr(thing, "phases"):
        seconds = tuple(getattr(thing, "seconds", ()))
        return Levels(list(thing.bytes), list(thing.phases), seconds=seconds)
    return Levels([int(level) for level in thing], [])


def planned_levels(plan):
    """The bytes that a plan's buffers hold at each step."""
    last = max((life.last for buffer in plan.buffers for life in buffer.lives), default=0)
    return Levels(alive_bytes(plan.buffers, last + 1), [], plan.arena_bytes)


def profiled_levels(profile):
    """What a run's plan holds at each step, with the seconds that were measured of it."""
    plan, took = profile.plan, sums_of(profile.rows, "seconds")
    levels = alive_bytes(plan.buffers, len(plan.order))
    return Levels(levels, [], plan.arena_bytes, tuple(took.get(n.order, 0.0) for n in plan.order))


def phases_of(words):
    """(word, first, last) of each run of equal words."""
    runs = [(word, [at for at, _ in run]) for word, run in groupby(enumerate(words), itemgetter(1))]
    return [(word, places[0], places[-1]) for word, places in runs]


def with_turn(levels, turn):
    """The Levels with a forward and a backward phase that begins at step `turn`."""
    last = len(levels.bytes) - 1
    if not 0 < turn <= last:
        message = f"plot.memory: turn={turn} is not a step of this run"
        raise ArgumentError(message, f"choose a step from 1 to {last}")
    return levels._replace(phases=[("forward", 0, turn - 1), ("backward", turn, last)])
