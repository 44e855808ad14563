"""Plots in words."""

import ast
import warnings

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest

import minigrad as mg
from minigrad.course.lessons import form
from minigrad.course.lessons.plots import plot_text, put_plots_into_words
from minigrad.draw.plot.axes import SMALL


@pytest.fixture
def axes():
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


def test_a_curve_says_where_it_begins_ends_and_lies(axes):
    axes.plot([0, 1, 2], [1.0, -3.14159, 2.0], label="SGD")
    axes.plot([0, 1], [np.nan, 5])
    axes.axhline(7)
    axes.set(title="walks", xlabel="turn", ylabel="w")
    assert plot_text(axes.figure).split("\n") == [
        "plot: walks; w against turn",
        "  SGD: 3 points from (0, 1) to (2, 2), lowest -3.14, highest 2",
        "  curve: (1, 5)",
    ]


def test_bars_images_and_marks_have_words_too(axes):
    axes.bar(["a", "b"], [1, 12345], label="time")
    axes.imshow(np.arange(6.0).reshape(2, 3))
    axes.scatter([1, 2], [3, 4])
    assert plot_text(axes.figure).split("\n")[1:] == [
        "  time: 1, 1.23e+04",
        "  image of 2 × 3: 0 1 2; 3 4 5",
        "  2 marks",
    ]


def test_many_bars_have_a_number_a_lowest_and_a_highest(axes):
    axes.bar(range(10), [4, 3, 2, 1, 5, 6, 7, 8, 9, 0])
    [told] = plot_text(axes.figure).split("\n")[1:]
    assert told == "  bars: 10, lowest 0, highest 9; they begin 4, 3, 2, 1, 5, 6, 7, 8"


def test_stairs_and_boxes_have_words_too(axes):
    axes.stairs([0, 9, 4], label="plan", baseline=None)
    axes.stairs([0, 9, 4], fill=True)
    axes.broken_barh([(0, 2)], (0, 5)), axes.broken_barh([(1, 2), (4, 1)], (5, 3))
    axes.fill_between([0, 1], [2, 20])
    assert plot_text(axes.figure).split("\n")[1:] == [
        "  plan: 3 steps, lowest 0, highest 9",
        "  3 boxes, up to 8",
    ]


def test_of_a_large_image_the_size_and_the_range_are_said(axes):
    axes.imshow(np.arange(42.0).reshape(6, 7))
    assert plot_text(axes.figure).split("\n")[1] == "  image of 6 × 7, 0 to 41"


def test_nothing_drawn_is_said():
    assert plot_text(plt.Figure()) == "an empty plot"


def test_ipython_shows_the_words_also_after_matplotlib_took_over(axes, monkeypatch):
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    put_plots_into_words()
    axes.plot([0, 1], [0, 1])
    plain = shell.display_formatter.formatters["text/plain"]
    for _ in range(2):
        shell.run_cell("pass")
        assert plain(axes.figure) == plot_text(axes.figure)
        plain.pop(type(axes.figure), None)
        assert plain(axes.figure).startswith("<Figure")


def test_cells_that_run_again_leave_no_figures_open(axes, monkeypatch):
    from IPython.core.interactiveshell import InteractiveShell

    shell, complaints = InteractiveShell(), []
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr(warnings, "showwarning", lambda message, *where: complaints.append(message))
    put_plots_into_words()
    shell.push({"plot_memory": mg.plot.memory, "plt": plt})
    for _ in range(25):
        shell.run_cell("figure, axis = plot_memory([8, 24, 16])")
        shell.run_cell("_, axes = plt.subplots()")
    assert complaints == [] and plt.get_fignums() == []


def test_matplotlib_takes_over_before_the_first_picture(axes, monkeypatch):
    from IPython.core.interactiveshell import InteractiveShell

    shell, begun, said = InteractiveShell(), [], []
    plain = shell.display_formatter.formatters["text/plain"]

    def first_figure():
        begun.append(plain.pop(type(axes.figure), None))
        return axes.figure

    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr(plt, "get_backend", lambda: "module://matplotlib_inline.backend_inline")
    monkeypatch.setattr(plt, "figure", first_figure)
    monkeypatch.setattr(plt, "close", lambda figure: None)
    put_plots_into_words()
    shell.push({"show": lambda: said.append(plain(axes.figure))})
    for _ in range(2):
        shell.run_cell("show()")
    assert said == [plot_text(axes.figure)] * 2 and len(begun) == 1


def settings(tree):
    """The names and numbers of all keywords and of all entries of a dict."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant):
            yield node.arg, node.value.value
        if isinstance(node, ast.Dict):
            entries = zip(node.keys, node.values, strict=True)
            yield from ((k.value, v.value) for k, v in entries
                        if isinstance(k, ast.Constant) and isinstance(v, ast.Constant))  # fmt: skip


def test_the_plots_of_lessons_have_letters_that_a_slide_can_show():
    """Slides rely on it: they take each plot to be of 100 dots per inch."""
    files = sorted(form.FOLDER.glob("l[0-9]*.py"))
    found = [(file.name, *one) for file in files for one in settings(ast.parse(file.read_text()))]
    assert [one for one in found if one[1] == "dpi"] == []
    sizes = [one for one in found if one[1] in ("fontsize", "labelsize")]
    assert sizes and [one for one in sizes if one[2] < SMALL] == []
