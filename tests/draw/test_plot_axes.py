"""The paper that plots are drawn on, in a notebook."""

import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from minigrad.draw import plot
from minigrad.draw.layout.boxes import text_width
from minigrad.draw.look import FONT
from minigrad.draw.plot.axes import SMALL, figure_svg, paper

SVG = "{http://www.w3.org/2000/svg}"


def texts_of(fig):
    """{words: the element} of the texts in the SVG of a figure."""
    root = ElementTree.fromstring(figure_svg(fig))
    assert root.get("font-family") == FONT
    return {text.text: text for text in root.iter(f"{SVG}text")}


def test_letters_are_those_of_drawings_and_as_wide():
    with paper([2]) as (fig, (ax,)):
        ax.set(title="A title & more", xlabel="steps", xticks=[0, 1], xlim=(0, 1))
    found = texts_of(fig)
    assert float(found["steps"].get("textLength")) == round(text_width("steps", SMALL), 1)
    wide = text_width("A title & more", 10.5, "bold")
    assert float(found["A title & more"].get("textLength")) == round(wide, 1)
    sizes = [float(re.search(r"([\d.]+)px", text.get("style"))[1]) for text in found.values()]
    assert min(sizes) / 0.75 >= 11, "points are 4/3 of a pixel"
    assert not any("DejaVu" in text.get("style") for text in found.values())


def test_powers_of_ten_have_no_small_exponents():
    with paper([2]) as (fig, (ax,)):
        ax.semilogy([1e-6, 1e6])
    fig.canvas.draw()
    words = [label.get_text() for label in ax.get_yticklabels()]
    assert {"1e-5", "0.001", "10", "1e5"} <= {*words}
    figure_svg(fig)


def test_lines_below_one_another_stay_where_they_were():
    with paper([2]) as (fig, (ax,)):
        ax.text(0.5, 0.5, "short\nmuch longer words", ha="center")
        ax.text(0.2, 0.2, "first line\nand the second", ha="left")
        ax.set_ylabel("up the side")
    found = texts_of(fig)

    def middle(words):
        x = float(re.search(r"translate\(([\d.]+)", found[words].get("transform"))[1])
        return x + float(found[words].get("x", 0)) + float(found[words].get("textLength")) / 2

    assert abs(middle("short") - middle("much longer words")) < 0.2
    assert [found[words].get("x") for words in ("first line", "and the second")] == ["0.0"] * 2
    assert float(found["up the side"].get("x")) > 0, "it is narrower, and still in the middle"


def test_a_plot_is_the_same_bytes_each_time():
    assert figure_svg(plot.memory([1, 2])[0]) == figure_svg(plot.memory([1, 2])[0])


def test_a_notebook_shows_the_plots_after_the_first_too():
    pytest.importorskip("IPython", reason="IPython is not installed")
    code = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "InteractiveShell.instance()\n"
        "from minigrad.draw import plot; plot.memory([1, 2])\n"
        "import matplotlib; print(matplotlib.is_interactive())"
    )
    inline = {**os.environ, "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    run = subprocess.run(
        [sys.executable, "-c", code], env=inline, capture_output=True, text=True, check=False
    )
    assert run.stdout == "True\n", run.stderr
