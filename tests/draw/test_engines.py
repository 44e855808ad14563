"""One colour, dash and marker for each engine, in every plot, figure and lesson."""

import json
import re
from functools import cache
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from draw.plots import check_engines, check_letters

import minigrad as mg
from minigrad.draw.look import ALSO, DARK_BUFFERS, ENGINES, OTHERS, engine_of, line_looks
from minigrad.draw.plot.axes import dark_colours, line_style, style_of
from minigrad.measure.comparison import Comparison

matplotlib.use("agg")
from matplotlib import pyplot as plt
from matplotlib.offsetbox import AnnotationBbox

ROOT = Path(__file__).parents[2]
NAMES = ("dynamic", "static", "NumPy by hand", "torch, compiled", "jax", "tensorflow")
CONTENDERS = Comparison("dynamic", (1, 10), {name: [[1.0, 2.0]] * 2 for name in NAMES}, 0.1)
PLOTS = {
    "speed": lambda: mg.plot.speed(CONTENDERS),
    "rows": lambda: mg.plot.speed(
        CONTENDERS._replace(sizes=(), seconds={name: [[1.0, 2.0]] for name in NAMES})
    ),
    "memory": lambda: mg.plot.memory({name: [8, 16] for name in (*NAMES, "static, planned")}),
    "passes": lambda: mg.plot.passes({"fold": 1.0}, 2.0, 1.0),
}


@cache
def axes_of(name):
    """All axes of one of PLOTS."""
    fig, axes = PLOTS[name]()
    plt.close(fig)
    return list(np.ravel(axes))


@pytest.mark.parametrize("name", PLOTS)
def test_a_line_that_is_called_by_an_engine_looks_like_it(name):
    for ax in axes_of(name):
        check_engines(ax)


@pytest.mark.parametrize("name", PLOTS)
def test_no_letter_is_smaller_than_11_pixels(name):
    for ax in axes_of(name):
        check_letters(ax)


def test_the_words_beside_lines_bear_their_markers():
    (ax,) = axes_of("memory")
    boxes = [one.offsetbox for one in ax.artists if isinstance(one, AnnotationBbox)]
    samples = [line for box in boxes for line in box.get_children()]
    signs = [line.get_marker() for line in samples]
    assert signs[:3] == [ENGINES[name].marker for name in ("dynamic", "static", "by hand")]
    assert len(set(signs)) == len(signs) == 7


def test_engines_are_told_apart_without_colour():
    looks = list(ENGINES.values())
    assert len({look.marker for look in looks}) == len(looks)
    assert len({look.dash for look in looks[:6]}) == 6
    assert len({look.colour for look in looks[:6]}) == 6
    assert {look.colour.lower() for look in looks} <= dark_colours().keys()
    assert ENGINES["dynamic"].colour not in OTHERS and ENGINES["static"].colour not in OTHERS


@pytest.mark.parametrize(
    "name, engine",
    [
        ("dynamic, measured", "dynamic"),
        ("static, on jax", "static"),
        ("jax, compiled", "jax"),
        ("NumPy by hand", "by hand"),
        ("checkpointed", "static"),
        ("PyTorch", "torch"),
        ("two workers", None),
        ("forward", "forward"),
        ("reverse mode", "reverse"),
        ("forward only", None),
        ("", None),
    ],
)
def test_the_first_word_that_is_known_says_which_engine_it_is(name, engine):
    assert engine_of(name) == engine


def test_lines_of_one_engine_share_its_colour_and_nothing_else():
    looks = line_looks(["static", "planned", "static, checkpoints", "x", "y"])
    assert len({looks[name].colour for name in ("static", "planned", "static, checkpoints")}) == 1
    assert len({(look.dash, look.marker) for look in looks.values()}) == 5
    assert {looks["x"].colour, looks["y"].colour} <= set(OTHERS)
    many = line_looks([f"way {at}" for at in range(6)])
    assert len({(look.dash, look.marker) for look in many.values()}) == 6


def test_what_is_no_engine_leaves_the_colours_of_those_beside_it():
    looks = line_looks(["torch", "as written"])
    assert looks["as written"].colour != looks["torch"].colour


def test_a_learner_asks_for_the_style_by_name():
    assert style_of("static, planned") == line_style(ENGINES["static"])
    assert style_of("dynamic")["linestyle"] == "-"
    with pytest.raises(mg.ArgumentError, match="no engine is called 'mine'") as caught:
        style_of("mine")
    assert "dynamic, static, by hand" in caught.value.hint


def test_lessons_take_the_colours_of_engines_from_there():
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            for line in cell["source"] if cell["cell_type"] == "code" else ():
                words = re.findall(r'label="(\w+)', line)
                if any(map(engine_of, words)) and "color=" in line:
                    raise AssertionError(f"{path.name}: use mg.plot.style_of: {line}")


def test_every_word_belongs_to_one_engine():
    words = [word for line in ALSO.values() for word in line.split()]
    assert len(words) == len(set(words)) and not set(words) & ENGINES.keys()
    assert len(DARK_BUFFERS) == 6
