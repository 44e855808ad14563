"""The plot of a memory plan: live memory by step above the lives of every buffer."""

from minigrad.draw.look import BUFFERS
from minigrad.draw.plot.axes import INK, SMALL, paper
from minigrad.draw.plot.levels import levels_of
from minigrad.draw.plot.memory import panel
from minigrad.draw.plot.units import bytes_text
from minigrad.draw.widths import text_width
from minigrad.errors import ArgumentError

ROW = 0.28  # inches per buffer
NAMED = 40  # buffers: above it rows are thin and bear no names


def lifetimes(plan, title="", turn=None):
    """Plot a plan's live bytes by step, and below it which values each buffer holds when.

    `plan` is a memory plan, or an Executable that has one; `turn` as in `memory`. A bar is one
    life: the values in it overwrite each other in place. Returns (fig, [ax, ax]).
    """
    plan = getattr(plan, "plan", plan)
    if not hasattr(plan, "buffers") or not hasattr(plan, "lifetimes"):
        raise ArgumentError(f"plot.lifetimes: {type(plan).__name__} has no buffers",
                            "pass executable.plan, from session.compile(fetches, feeds)")
    if not plan.buffers:
        raise ArgumentError("plot.lifetimes: this plan owns no buffer: every value is fed, "
                            "fetched, or a single number", "plan a computation on arrays")
    levels, count = levels_of(plan, turn), len(plan.buffers)
    with paper([1.9, 0.7 + min(ROW * count, 5.5)]) as (fig, axes):
        panel(axes[0], levels)
        axes[0].set_title(title)
        rows(axes[1], plan.buffers, small=count > NAMED)
        fig.draw_without_rendering()  # the layout, so that names know how wide their bars are
        if count <= NAMED:
            name_bars(axes[1], plan.buffers)
    return fig, axes


def rows(ax, buffers, small):
    """A row per buffer with a bar per life, in the colours of the drawings."""
    for row, buffer in enumerate(buffers):
        stroke, fill = BUFFERS[buffer.number % len(BUFFERS)]
        spans = [(life.first, life.last + 1 - life.first) for life in buffer.lives]
        ax.broken_barh(spans, (row - 0.38, 0.76), facecolor=fill, edgecolor=stroke,
                       linewidth=0.4 if small else 1.2)
    ax.set(ylim=(len(buffers) - 0.4, -0.6), xlabel="step")
    ax.grid(visible=False)
    if small:
        ax.set_ylabel(f"{len(buffers):,} buffers")
        ax.set_yticks([])
    else:
        ax.set_yticks(range(len(buffers)),
                      [f"B{b.number} · {bytes_text(b.bytes)}" for b in buffers])
        ax.tick_params(axis="y", length=0)


def name_bars(ax, buffers):
    """The names of the values in each bar, shortened to fit, or left out."""
    per_step = abs(ax.transData.transform((1, 0)) - ax.transData.transform((0, 0)))[0]
    points = per_step * 72 / ax.figure.dpi
    for row, buffer in enumerate(buffers):
        for life in buffer.lives:
            room = (life.last + 1 - life.first) * points - 6
            text = fitting(" → ".join(life.values), room)
            ax.text((life.first + life.last + 1) / 2, row, text, ha="center", va="center",
                    color=INK, fontsize=SMALL, clip_on=True)


def fitting(text, room):
    """The text, cut with an ellipsis to `room` points; nothing where not even two letters fit."""
    wide = 1.15 * SMALL  # matplotlib's letters are wider than the drawings'
    while text and text_width(text, wide) > room:
        text = text[:-2] + "…" if len(text) > 3 else ""
    return text
