"""The plot of a memory plan: time to the right, addresses upwards, a box for each stay."""

from typing import Any

from minigrad.core.errors import ArgumentError
from minigrad.draw.look import BUFFERS
from minigrad.draw.modes.plan import buffer_words
from minigrad.draw.plot.axes import INK, QUIET, SMALL, note, paper, without_number
from minigrad.draw.plot.lifetimes import fit_bar
from minigrad.draw.read import BYTES, bytes_text, unit_of

TALL = 3.2  # inches
WORDS = 1.5 * SMALL  # points: lower boxes bear no words


def arena(plans: Any, title: str = "") -> tuple:
    """Plot where a plan puts values, and when: white is free, and the top is the arena's size.

    `plans` is a memory plan, or an Executable that has one; or {name: one of them}: then they
    stand side by side, with one axis of addresses. Boxes have the colours of the drawings'
    buffers, and of what overwrites each other in place one box holds all. A dashed line is the
    lower bound: the most bytes in use at one step. Returns (fig, ax), or (fig, [axes]).

    >>> with mg.Graph() as graph:
    ...     y = mg.sum(mg.exp(mg.placeholder("x", (9,))) @ np.ones((9, 9)))
    >>> executable = mg.Session(graph).compile(y, graph.nodes[:1])
    >>> fig, ax = mg.plot.arena({"plan": executable.plan})
    """
    several = plans if isinstance(plans, dict) else {"": plans}
    named = {name: require_buffers(getattr(one, "plan", one)) for name, one in several.items()}
    if not named:
        raise ArgumentError(
            "plot.arena: the dict of plans is empty",
            'arena({"memory-aware order": executable.plan})',
        )
    top = max(plan.arena_bytes for plan in named.values())
    unit, word = unit_of(top, BYTES)
    with paper([TALL], columns=len(named)) as (fig, axes):
        for ax, (name, plan) in zip(axes, named.items()):
            ax.set(xlabel="step", xlim=(0, steps_of(plan)), ylim=(0, 1.16 * top / unit))
            ax.set_title("\n".join(filter(None, (title if ax is axes[0] else "", name))))
            ax.xaxis.get_major_locator().set_params(integer=True)
            outline_sizes(ax, plan, unit)
            fill_boxes(ax, plan, unit)
        axes[0].set_ylabel(f"address, {word}")
        fig.draw_without_rendering()  # the layout, so that words know how large their boxes are
        for ax, plan in zip(axes, named.values()):
            name_boxes(ax, plan, unit)
    return fig, list(axes) if isinstance(plans, dict) else axes[0]


def require_buffers(plan):
    """The plan. Raises ArgumentError for what is none, or holds nothing."""
    if not hasattr(plan, "buffers") or not hasattr(plan, "arena_bytes"):
        message = f"plot.arena: {type(plan).__name__} has no buffers"
        raise ArgumentError(message, "pass executable.plan, from session.compile(fetches, feeds)")
    if not plan.buffers:
        message = (
            "plot.arena: the plan has no buffers: all values are fed, fetched or single numbers"
        )
        raise ArgumentError(message, "plan a computation on arrays")
    return plan


def steps_of(plan):
    """The number of steps of a plan."""
    return 1 + max(life.last for buffer in plan.buffers for life in buffer.lives)


def outline_sizes(ax, plan, unit):
    """The arena's end, and the bound below which no plan for this order can get."""
    bound, size = plan.peak_bytes, plan.arena_bytes
    ax.axhline(size / unit, color=INK, linewidth=1.4)
    ax.axhline(bound / unit, color=QUIET, linewidth=1.1, linestyle=(0, (4, 3)))
    tight = " = most at once" if bound == size else f"; most at once {bytes_text(bound)}"
    note(ax, f"arena {bytes_text(size)}{tight}", (0, size / unit), xytext=(2, 4))


def boxes(plan):
    """(buffer, life) of every stay."""
    return [(buffer, life) for buffer in plan.buffers for life in buffer.lives]


def fill_boxes(ax, plan, unit):
    """A box from the first to the last step, over the bytes of its buffer."""
    thin = 0.4 if len(boxes(plan)) > 80 else 1.0
    for buffer, life in boxes(plan):
        stroke, fill = BUFFERS[buffer.number % len(BUFFERS)]
        span, rows = (life.first, life.last + 1 - life.first), (buffer.offset, buffer.bytes)
        rows = tuple(size / unit for size in rows)
        ax.broken_barh([span], rows, facecolor=fill, edgecolor=stroke, linewidth=thin)
    ax.grid(visible=False)


def name_boxes(ax, plan, unit):
    """The buffer and its values in each box, shortened to fit, or left out."""
    scale = ax.transData.transform((1, 1 / unit)) - ax.transData.transform((0, 0))
    wide, tall = scale * 72 / ax.figure.dpi  # points of a step, and of a byte
    for buffer, life in boxes(plan):
        if buffer.bytes * tall >= WORDS:
            text = words_that_fit(buffer, life, (life.last + 1 - life.first) * wide - 4)
            middle = (life.first + life.last + 1) / 2, (buffer.offset + buffer.bytes / 2) / unit
            style = {"color": INK, "fontsize": SMALL, "clip_on": True}
            ax.text(*middle, text, ha="center", va="center", **style)


def words_that_fit(buffer, life, room):
    """The most that can be said of a box in so many points: buffer, size and values, or less."""
    whole = buffer_words(buffer.number, buffer.bytes)
    every = (f"{whole}: {' → '.join(map(without_number, life.values))}", whole, f"B{buffer.number}")
    return next((words for words in every if fit_bar(words, room) == words), "")
