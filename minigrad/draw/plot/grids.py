"""The plot of matrices as grids: each entry a field, blue above zero, orange below, 0 pale."""

from collections.abc import Mapping
from numbers import Real
from typing import Any

from minigrad.core.errors import ArgumentError
from minigrad.draw.plot.axes import CARD, GRID, INK, SMALL, paper

NUMBERED = 64  # entries of a grid that says its numbers
COLOURS = ("#B0430A", CARD, "#1B5FA8")  # from the lowest entry over 0 to the highest
FIELD, WIDEST, TALLEST = 0.45, 9.0, 3.6  # inches: of a field at most, of all fields


def grids(matrices: Mapping[str, Any], title: str = "") -> tuple:
    """Plot matrices beside one another, under their names, with the zeros pale.

    `matrices` is {name: matrix}, of arrays or Tensors; a vector is a row. Small ones show their
    numbers. All have one scale of colours. Returns (fig, list of axes).

    >>> fig, axes = mg.plot.grids({"J": np.eye(2)})
    """
    found = {name: matrix_of(name, value) for name, value in check_matrices(matrices).items()}
    width = [max(len(matrix[0]) + 0.6, len(name) / 5) for name, matrix in found.items()]
    height = max(map(len, found.values()))
    field = min(FIELD, WIDEST / sum(width), TALLEST / height)
    with paper([height], share=False, columns=len(found)) as (fig, axes):
        fig.set_size_inches(field * sum(width), field * height + 0.35 + 0.3 * bool(title))
        axes[0].get_gridspec().set_width_ratios(width)
        most = max(abs(entry) for rows in found.values() for row in rows for entry in row) or 1
        for ax, (name, matrix) in zip(axes, found.items(), strict=True):
            plot_grid(ax, matrix, most)
            ax.set_title(name)
        fig.suptitle(title or None)
    return fig, list(axes)


def check_matrices(matrices):
    """Refuse what has no names."""
    if not hasattr(matrices, "items") or not matrices:
        message = f"plot.grids: {type(matrices).__name__} names no matrices"
        raise ArgumentError(message, 'pass {"J": matrix}')
    return matrices


def matrix_of(name, value):
    """The rows of a matrix, of numbers; a vector is one."""
    array = value.numpy() if hasattr(value, "numpy") else value
    rows = array.tolist() if hasattr(array, "tolist") else array
    rows = [rows] if isinstance(rows, list) and rows and not isinstance(rows[0], list) else rows
    entries = [entry for row in rows for entry in row] if isinstance(rows, list) else []
    if not entries or not all(isinstance(entry, Real) for entry in entries):
        shape = list(getattr(array, "shape", ()))
        message = f"plot.grids: {name} is {type(array).__name__}{shape}, no matrix of numbers"
        raise ArgumentError(message, "reshape it to rows and columns")
    return [[float(entry) for entry in row] for row in rows]


def plot_grid(ax, matrix, most):
    """One matrix as fields, and as numbers where there are few."""
    from matplotlib.colors import LinearSegmentedColormap

    scale = LinearSegmentedColormap.from_list("slopes", COLOURS, N=255)  # one in the middle
    ax.imshow(matrix, cmap=scale, vmin=-most, vmax=most, aspect="equal")
    ax.set(xticks=[], yticks=[])
    ax.grid(visible=False)
    rows, columns = len(matrix), len(matrix[0])
    ax.spines[:].set(visible=True, color=GRID)
    if rows * columns > NUMBERED:
        return
    for at in range(1, rows):
        ax.axhline(at - 0.5, color=GRID, linewidth=0.8)
    for at in range(1, columns):
        ax.axvline(at - 0.5, color=GRID, linewidth=0.8)
    for y, row in enumerate(matrix):
        for x, entry in enumerate(row):
            style = {"color": CARD if abs(entry) > 0.55 * most else INK, "fontsize": SMALL}
            ax.text(x, y, entry_text(entry), ha="center", va="center", **style)


def entry_text(entry):
    """A number as short as a field asks; 0 as a dot."""
    if not entry:
        return "·"
    return f"{round(entry, 2):g}" if 0.005 <= abs(entry) < 1000 else f"{entry:.0e}"
