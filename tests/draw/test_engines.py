"""One colour, dash and marker for each engine, in every plot, figure and lesson."""

import json
import re
import runpy
from functools import cache
from itertools import combinations
from pathlib import Path

import matplotlib
import numpy as np
import pytest

import minigrad as mg
from minigrad.draw.figures import scripts
from minigrad.draw.look import ALSO, DARK_BUFFERS, ENGINES, OTHERS, engine_of, line_looks
from minigrad.draw.plot.axes import SAMPLES, dark_colours, line_style, style_of
from minigrad.measure.comparison import Comparison

matplotlib.use("agg")
from matplotlib import colors
from matplotlib import pyplot as plt

ROOT = Path(__file__).parents[2]
NAMES = ("dynamic", "static", "NumPy by hand", "torch, compiled", "jax", "tensorflow")
PIXEL = 0.75  # points
CONTENDERS = Comparison("dynamic", (1, 10), {name: [[1.0, 2.0]] * 2 for name in NAMES}, 0.1)
PLOTS = {
    "speed": lambda: mg.plot.speed(CONTENDERS),
    "rows": lambda: mg.plot.speed(
        CONTENDERS._replace(sizes=(), seconds={name: [[1.0, 2.0]] for name in NAMES})
    ),
    "memory": lambda: mg.plot.memory({name: [8, 16] for name in (*NAMES, "static, planned")}),
    "passes": lambda: mg.plot.passes({"fold": 1.0}, 2.0, 1.0),
}


def drawn_figures():
    """The scripts of figures that are plots."""
    return [path for path in scripts(ROOT / "figures") if ".plot" in path.read_text("utf-8")]


@cache
def axes_of(thing):
    """All axes of a plot: of a figure's script, or of one of PLOTS."""
    fig, axes = runpy.run_path(str(thing))["make"]() if isinstance(thing, Path) else PLOTS[thing]()
    plt.close(fig)
    return list(np.ravel(axes))


ALL = [*PLOTS, *drawn_figures()]
name_case = {"ids": lambda thing: getattr(thing, "stem", thing)}


@pytest.mark.parametrize("thing", ALL, **name_case)
def test_a_line_that_is_called_by_an_engine_looks_like_it(thing):
    for ax in axes_of(thing):
        for line in ax.lines:
            engine = engine_of(str(line.get_label()))
            if engine:
                assert colors.to_hex(line.get_color()).upper() == ENGINES[engine].colour
                assert line.get_marker() in SAMPLES
        own = [
            (line.get_linestyle(), line._unscaled_dash_pattern, line.get_marker())
            for line in ax.lines
            if not str(line.get_label()).startswith("_") and line.get_linestyle() != "None"
        ]
        assert all(one != other for one, other in combinations(own, 2))


@pytest.mark.parametrize("thing", ALL, **name_case)
def test_no_letter_is_smaller_than_11_pixels(thing):
    for ax in axes_of(thing):
        legend = ax.get_legend()
        said = [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label]
        said += [ax.yaxis.label, *(legend.get_texts() if legend else ())]
        assert min(text.get_fontsize() for text in said) >= 11 * PIXEL


def test_the_words_beside_lines_bear_their_markers():
    (ax,) = axes_of("memory")
    signs = [text.get_text() for text in ax.texts if text.get_text() in SAMPLES.values()]
    assert signs[:3] == [SAMPLES[ENGINES[name].marker] for name in ("dynamic", "static", "by hand")]
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
    assert "dynamic, static, by hand" in caught.value.mend


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
