"""The plot of who is first: array size from left to right, number of runs upwards."""

from typing import Any

from minigrad.core.errors import ArgumentError
from minigrad.draw.plot.axes import CARD, GRID, INK, QUIET, SMALL, paper, styles_of

HATCHES = ("", "////", "\\\\\\\\", "....", "xxxx", "||||", "----", "oooo")  # survive print in grey


def winners(found: Any, title: str = "") -> tuple:
    """Plot the map that `comparison.winners()` found: a field per size and number of runs.

    A field has the colour and the hatching of who is first there; a white field says that nothing
    differs. Returns (fig, ax).

    >>> work = {"one": lambda n: lambda: sum(range(n)), "two": lambda n: lambda: sum(range(n))}
    >>> found = mg.measure.compare(work, rounds=3, sizes=[1, 10])
    >>> fig, ax = mg.plot.winners(found.winners())
    """
    if not hasattr(found, "rows") or not hasattr(found, "names"):
        message = f"plot.winners: {type(found).__name__} is not a map of winners"
        raise ArgumentError(message, "pass measure.compare({...}, sizes=[...]).winners()")
    with paper([0.9 + 0.27 * len(found.runs)]) as (fig, (ax,)):
        colours, hatches = styles_of(found.names), dict(zip(found.names, HATCHES * 9))
        for y, row in enumerate(found.rows):
            for x, name in enumerate(row):
                fill_field(ax, (x, y), name in colours and (colours[name]["color"], hatches[name]))
        for name in dict.fromkeys(name for row in found.rows for name in row):
            for area in areas_of(found.rows, name):
                name_area(ax, name, area)
        count, turns = len(found.sizes), len(found.runs)
        ax.set_xticks(range(count), [f"{size:,}" for size in found.sizes])
        ax.set_yticks(range(turns), [f"{runs:,}" for runs in found.runs])
        ax.set(xlim=(-0.5, count - 0.5), ylim=(-0.5, turns - 0.5), xlabel="size of the array")
        ax.set_ylabel("runs")
        ax.set_title(title or "Who is first, compiling counted")
        ax.tick_params(length=0)
        ax.grid(visible=False)
        ax.text_rows = rows_in_words(found)
    return fig, ax


def rows_in_words(found):
    """The map as text: the sizes, then for each number of runs who is first at each of them."""
    rows = (f"runs {runs:,}: {', '.join(row)}" for runs, row in zip(found.runs, found.rows))
    return [f"sizes: {'; '.join(f'{size:,}' for size in found.sizes)}", *rows]


def fill_field(ax, corner, look):
    """One field, by its middle; without a look it stays white."""
    colour, hatch = look or ("none", "")
    x, y = corner
    place = {"x": x, "height": 1, "width": 1, "bottom": y - 0.5}
    ax.bar(**place, color=colour, alpha=0.22 if look else 1, linewidth=0.6, edgecolor=GRID)
    if hatch:
        ax.bar(**place, color="none", hatch=hatch, edgecolor=colour, alpha=0.45, linewidth=0)


def areas_of(rows, name):
    """The sets of fields of a name that hang together, each of (x, y)."""
    left = {(x, y) for y, row in enumerate(rows) for x, found in enumerate(row) if found == name}
    while left:
        area, edge = set(), [min(left)]
        while edge:
            x, y = edge.pop()
            if (x, y) in left:
                left.remove((x, y))
                area.add((x, y))
                edge += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        yield area


def name_area(ax, name, area):
    """A name in the field of an area that is nearest to its middle; in one line where it is low."""
    x, y = (sum(place) / len(area) for place in zip(*area))
    at = min(area, key=lambda field: ((field[0] - x) ** 2 + (field[1] - y) ** 2, field))
    words = name if len({y for _, y in area}) == 1 else name.replace(" ", "\n")
    style = {"ha": "center", "va": "center", "fontsize": SMALL + 1}
    back = {"boxstyle": "round,pad=0.25", "facecolor": CARD, "edgecolor": QUIET, "linewidth": 0.6}
    ax.text(*at, words, color=INK, bbox=back, **style)
