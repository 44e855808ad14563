"""A simulation of a training step with 10 s of work on 1 to 1,000 workers, based on measured costs.
The one link of a parameter server soon becomes the bottleneck. In a ring, messages become smaller,
but there are more of them. Lines are formulas; dots simulate workers of unequal speed."""

from pathlib import Path

import numpy as np

from minigrad.draw.figures import read_measurement
from minigrad.draw.plot.axes import (
    QUIET,
    line_labels,
    log_ticks,
    note,
    paper,
    ring,
    seconds_text,
    styles_of,
)
from minigrad.workers.costs import Costs, ring_seconds, server_seconds, simulate

ALT = (
    "Time of a step against the number of workers, on logarithmic axes, for two ways to add up "
    "gradients. With a parameter server, the time falls until there are some tens of workers, and "
    "then rises in proportion to their number. With a ring, the time falls further and rises "
    "later. A dotted line shows the work alone. Dots above the lines are simulated steps in which "
    "some workers are slow."
)
WORK, SIZE, JITTER = 10.0, 4e6, 0.1
COUNTS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000)
FORMULAS = {
    "server": ("W/n + a + n·(t + B·(b + c))", server_seconds),
    "ring": ("W/n + a + 2(n − 1)·(t + B/n·c)", ring_seconds),
}


def make():
    """Both schemes over the number of workers."""
    costs = Costs(**read_measurement(Path(__file__).with_name("workers_pay.py"))["costs"])
    n = np.arange(1, 1001)
    with paper([3.4]) as (fig, (ax,)):
        ax.set(xscale="log", yscale="log", ylabel="time of a step")
        named = zip("atbc", costs, strict=True)
        words = ", ".join(f"{letter} {seconds_text(seconds)}" for letter, seconds in named)
        said = " · ".join(f"{scheme}: {formula}" for scheme, (formula, _) in FORMULAS.items())
        ax.set_xlabel(f"workers n · measured: {words}\n{said}")
        ax.set_title(f"A step of W = {WORK:.0f} s with B = {SIZE / 1e6:.0f} MB of gradients")
        dotted = {"color": QUIET, "linewidth": 1.1, "linestyle": (0, (1, 3))}
        ax.plot(n, WORK / n, **dotted)
        ends = [(1000, WORK / 1000, "work alone, W/n", dotted)]
        styles = styles_of(FORMULAS)
        for scheme, (_, formula) in FORMULAS.items():
            style = styles[scheme]
            seconds = np.array([formula(costs, WORK, SIZE, int(k)) for k in n])
            ax.plot(n, seconds, linewidth=1.2, **style | {"marker": ""})
            events = [simulate(scheme, costs, WORK, SIZE, k, JITTER, seed=k) for k in COUNTS]
            ax.plot(COUNTS, events, **style | {"linestyle": ""})
            best = int(np.argmin(seconds))
            ring(ax, (n[best], seconds[best]), style["color"])
            words = f"best: {n[best]}, {WORK / seconds[best]:.0f} × as fast"
            note(
                ax,
                words,
                (n[best], seconds[best]),
                xytext=(-20, 30) if scheme == "server" else (26, -10),
            )
            ends.append((1000, seconds[-1], scheme, style))
        fig.draw_without_rendering()
        line_labels(ax, ends)
        log_ticks(ax.xaxis, "{:,.0f}".format, 3)
        log_ticks(ax.yaxis, seconds_text, 4)
    return fig, [ax]
