"""The figure: each contender's time as a multiple of PyTorch eager's, one row for a workload."""

import numpy as np

UNIT = "PyTorch eager"
INK = "#1F2933"
LOOKS = {  # colour and marker; the libraries beside minigrad share a quiet colour
    "minigrad dynamic": ("#B0430A", "o"),
    "minigrad static": ("#1B5FA8", "s"),
    "minigrad numba": ("#0B6B57", "D"),
    "minigrad on JAX": ("#A0468C", "p"),
    "NumPy by hand": (INK, "|"),
    "products alone": (INK, "1"),
    UNIT: ("#5F6B76", "d"),
    "torch.compile": ("#5F6B76", "v"),
    "jax.jit": ("#5F6B76", "^"),
    "autograd": ("#5F6B76", "<"),
    "MyGrad": ("#5F6B76", ">"),
    "PyTensor": ("#5F6B76", "x"),
    "micrograd": ("#5F6B76", "+"),
}


def write(outcomes, path):
    """Draws the workloads in which PyTorch eager took part; nothing when matplotlib is missing."""
    rows = [o for o in outcomes if UNIT in o.samples and o.workload.family.unit == "s"]
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    if rows:
        figure = Figure((9, 1.6 + 0.42 * len(rows)), layout="constrained")
        draw(figure.subplots(), rows)
        figure.savefig(path, dpi=150)


def draw(axes, rows):
    """A row of markers for each workload; bars span the quartiles of the rounds' ratios."""
    for place, outcome in enumerate(rows):
        for name in outcome.samples:
            low, middle, high = np.percentile(outcome.ratios(name, UNIT), (25, 50, 75))
            axes.plot([low, high], [place, place], color=LOOKS[name][0], linewidth=1)
            axes.plot(middle, place, **look(name))
    axes.axvline(1, color=INK, linewidth=0.8)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g} ×")
    axes.set_yticks(range(len(rows)), [o.workload.name for o in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(axis="x", color="#E4E7EB")
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0, colors=INK)
    axes.set_xlabel(f"time as a multiple of {UNIT}'s: left of 1 is quicker", color=INK)
    key(axes, {name for o in rows for name in o.samples})


def look(name):
    """How a contender's marker is drawn; small where it would hide another."""
    colour, marker = LOOKS[name]
    return {
        "color": colour,
        "marker": marker,
        "linestyle": "none",
        "markersize": 4 if marker == "D" else 7,
        "fillstyle": "full" if name.startswith("minigrad") else "none",
    }


def key(axes, present):
    """Which marker is which contender, above the rows."""
    for name in LOOKS:
        if name in present:
            axes.plot([], [], label=name, **look(name))
    axes.legend(
        loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=4, frameon=False, labelcolor=INK
    )
