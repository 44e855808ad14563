"""A plot in words: what a notebook keeps beside the picture, for readers and tests of text."""

import sys
from functools import partial

import numpy as np

ENTRIES = 8  # numbers of a bar chart, curves of a plot
FIELDS = 40  # entries of an image that is told number by number


def put_plots_into_words():
    """Lets IPython, where it runs, describe each figure of matplotlib that it shows.

    Said anew before and after each cell: when matplotlib starts to draw into a notebook, it
    takes all that was said of figures away. So that it starts before the first picture is shown,
    an empty one is made and closed.
    """
    if "IPython" not in sys.modules:
        return
    from IPython import get_ipython

    if shell := get_ipython():
        plain = shell.display_formatter.formatters["text/plain"]
        describe = partial(plain.for_type_by_name, "matplotlib.figure", "Figure", print_plot)
        shell.events.register("pre_execute", start_drawing)
        for moment in ("pre_execute", "post_execute"):
            shell.events.register(moment, lambda: describe())
        shell.events.register("post_execute", close_unseen)


def start_drawing():
    """Lets matplotlib begin to draw into the notebook, once and before the first picture."""
    from IPython import get_ipython

    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot and "inline" in pyplot.get_backend():
        get_ipython().events.unregister("pre_execute", start_drawing)
        pyplot.close(pyplot.figure())


def close_unseen():
    """Closes the figures of a cell where nothing shows them, as a notebook does after showing them:
    matplotlib would keep those of every run, and complain of more than twenty."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot and pyplot.get_backend().lower() == "agg":
        pyplot.close("all")


def print_plot(figure, printer, cycle):
    """Writes the words of a figure as IPython wants them."""
    for number, line in enumerate(plot_text(figure).split("\n")):
        if number:
            printer.break_()
        printer.text(line)


def plot_text(figure):
    """The words of a figure: for each of its axes a title, the axes' names, every curve."""
    return "\n".join(line for axes in figure.axes for line in axes_lines(axes)) or "an empty plot"


def axes_lines(axes):
    """One plot: its heads, and a line for each thing that is drawn from numbers."""
    titles = filter(None, map(axes.get_title, ("left", "center", "right")))
    names = " against ".join(filter(None, (axes.get_ylabel(), axes.get_xlabel())))
    heads = "; ".join([*titles, *filter(None, [names])]).replace("\n", " ")
    yield f"plot: {heads}" if heads else "plot"
    if rows := getattr(axes, "text_rows", None):  # a map says itself what its fields mean
        yield from (f"  {line}" for line in rows)
        return
    parts = [*map(curve_text, curves(axes)), *map(bars_text, axes.containers)]
    parts += [stairs_text(patch) for patch in axes.patches if hasattr(patch, "get_data")]
    parts += [boxes_text([each for each in axes.collections if is_box(each)])]
    parts += [image_text(image.get_array()) for image in axes.images]
    parts += [f"{len(marks.get_offsets())} marks" for marks in axes.collections if is_cloud(marks)]
    parts = [*filter(None, parts)]
    for part in parts[:ENTRIES]:
        yield f"  {part}"
    if len(parts) > ENTRIES:
        yield f"  … and {len(parts) - ENTRIES} more"


def curves(axes):
    """The lines that join or mark measured points; not those that run across the whole plot."""
    return [line for line in axes.lines if line.get_transform() == axes.transData]


def curve_text(line):
    """Where a curve begins, ends, and lies: `SGD: 30 points from (-4, 1) to (0, 0), y -1 to 1`."""
    x, y = (np.ravel(np.asarray(values, float)) for values in line.get_data())
    kept = np.isfinite(x) & np.isfinite(y)
    x, y = x[kept], y[kept]
    label = str(line.get_label())
    name = "curve" if label.startswith("_") else label
    if not x.size:
        return f"{name}: no points"
    if x.size == 1:
        return f"{name}: ({number(x[0])}, {number(y[0])})"
    ends = f"from ({number(x[0])}, {number(y[0])}) to ({number(x[-1])}, {number(y[-1])})"
    return f"{name}: {x.size} points {ends}, lowest {number(y.min())}, highest {number(y.max())}"


def bars_text(bars):
    """The heights of a bar chart; None for a container of another kind."""
    if not hasattr(bars, "patches") or not hasattr(bars, "datavalues"):
        return None
    heights, label = bars.datavalues, str(bars.get_label())
    name = "bars" if label.startswith("_") else label
    first = ", ".join(map(number, heights[:ENTRIES]))
    if len(heights) <= ENTRIES:
        return f"{name}: {first}"
    ends = f"lowest {number(min(heights))}, highest {number(max(heights))}"
    return f"{name}: {len(heights)}, {ends}; they begin {first}"


def stairs_text(patch):
    """Between which heights the steps of `stairs` lie; None for the area below other stairs."""
    if patch.get_fill():
        return None
    heights, label = patch.get_data().values, str(patch.get_label())
    name = label or "stairs"
    ends = f"lowest {number(heights.min())}, highest {number(heights.max())}"
    return f"{name}: {len(heights)} steps, {ends}"


def boxes_text(boxes):
    """How many boxes `broken_barh` drew, and how high they reach; None where there is none."""
    tops = [path.vertices[:, 1].max() for each in boxes for path in each.get_paths()]
    return f"{len(tops)} boxes, up to {number(max(tops))}" if tops else None


def image_text(image):
    """The size of an image, and its rows, or between which numbers its entries lie."""
    rows, columns = image.shape[:2]
    if image.ndim == 2 and image.size <= FIELDS:
        told = "; ".join(" ".join(map(number, row)) for row in image)
        return f"image of {rows} × {columns}: {told}"
    return f"image of {rows} × {columns}, {number(np.min(image))} to {number(np.max(image))}"


def is_box(collection):
    """Whether a collection is boxes, as `broken_barh` makes them."""
    return type(collection).__name__ == "PolyCollection"


def is_cloud(collection):
    """Whether a collection is marks at points, as `scatter` makes them."""
    return type(collection).__name__ == "PathCollection"


def number(value):
    """A number with three digits, the same on every machine."""
    return f"{float(value) + 0.0:.3g}"
