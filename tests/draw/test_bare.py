"""What is left of a picture where a viewer takes scripts and styles away: all that one sees."""

import re
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg
from minigrad.draw import draw
from minigrad.draw.figures import make_figure, scripts
from minigrad.draw.paint.bare import spell_out
from minigrad.draw.paint.png import png_bytes, render

FIGURES = Path(__file__).parents[2] / "figures"
pytest.importorskip("resvg_py", reason="resvg-py is not installed")
pytest.importorskip("matplotlib", reason="matplotlib is not installed")
TAKEN = re.compile(r"<(script|style|foreignObject)\b.*?</\1>", re.DOTALL)


def strip(text):
    """The text without scripts, style sheets, foreign objects, styles and event attributes."""
    return re.sub(r'\s(on\w+|style)="[^"]*"', "", TAKEN.sub("", text))


def pixels(text):
    """The picture of an SVG text."""
    return render(text)


def toy():
    """(x + w)(w + 1) with Tensors."""
    x = mg.tensor(2.0, requires_grad=True, name="x")
    w = mg.tensor(1.0, requires_grad=True, name="w")
    return (x + w) * (w + 1), x


def executable():
    """A program with a kernel, and with buffers."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(512, 512))
        with mg.name_scope("layer"):
            y = mg.max(mg.exp(x) * 1.0 + mg.exp(x) @ mg.transpose(x))
        return mg.Session(graph).compile(y, [x])


def loop():
    """A loop with a condition."""
    with mg.Graph():
        a = mg.placeholder("a")
        return mg.while_loop(lambda x: x * x > a, lambda x: (x + a / x) / 2.0, a)


def long_program():
    """More than is drawn without folding."""
    x = mg.tensor(np.ones(3), name="x")
    for _ in range(80):
        x = mg.tanh(x) * 0.5
    return x


KINDS = {
    "forward": lambda: draw(toy()[0], title="y < x & z"),
    "mirror": lambda: draw(toy()[0], mode="mirror"),
    "backward": lambda: draw(toy()[0], mode="backward", saved=True),
    "tangent": lambda: draw(toy()[0], mode="tangent", wrt=toy()[1]),
    "plan": lambda: draw(executable(), mode="plan"),
    "loop": lambda: draw(loop(), mode="loop"),
    "workers": lambda: draw(toy()[0], mode="workers", placed={}),
    "folded": lambda: draw(long_program()),
    "passes": lambda: draw.passes(executable())[2],
    "what runs": lambda: draw.passes(executable())[-1],
    "rows": lambda: draw.passes(executable()),
    "a step": lambda: mg.player(toy()[0]).drawing(7),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_saved_picture_is_the_same_without_its_style_sheet(kind, tmp_path):
    drawing = KINDS[kind]()
    saved = drawing.save(tmp_path / "one.svg").read_text(encoding="utf-8")
    assert "<style>" in saved, "the dark theme is there"
    assert pixels(strip(saved)) == pixels(saved)
    assert pixels(strip(drawing.svg)) != pixels(drawing.svg), "a look at the sheet is needed"


@pytest.mark.parametrize(
    "name", ["what_if", "backward_pass", "passes", "while_loop", "memory_plan"]
)
def test_a_figure_is_the_same_without_its_style_sheet(name):
    (script,) = [one for one in scripts(FIGURES) if one.stem == name]
    text = make_figure(script).svg
    assert pixels(strip(text)) == pixels(text)


def test_a_program_keeps_its_indents_in_a_png(tmp_path):
    drawing = KINDS["what runs"]()
    assert drawing.scene.code[1].startswith("    ")
    found = drawing.save(tmp_path / "one.png").read_bytes()
    flat = drawing.svg.replace(">    ", ">")
    assert found != png_bytes(flat, 2)


def test_text_keeps_its_words_without_the_sheet():
    saved = strip(spell_out(draw(toy()[0], mode="mirror").svg))
    words = re.findall(r"<text[^>]*>(.*?)</text>", saved)
    assert {"x", "2", "×"} <= {*words}
    assert 'text-anchor="middle"' in saved.partition(">")[0]


def test_what_an_element_says_itself_stays():
    text = '<svg><style>.a { fill: red; stroke: blue }</style><rect class="a" fill="green"/></svg>'
    assert '<rect class="a" fill="green" stroke="blue"/>' in spell_out(text)


def test_of_two_rules_the_one_of_more_classes_counts():
    text = (
        "<svg><style>.edge.gone { stroke-width: 1.1 } .gone { stroke-width: 9; fill: red }</style>"
        '<path class="edge gone" d="M0 0"/></svg>'
    )
    assert 'stroke-width="1.1" fill="red"' in spell_out(text)


def test_a_rule_for_some_readers_is_not_for_all():
    text = (
        "<svg><style>.a { fill: red }@media (prefers-color-scheme: dark) { .a { fill: blue } }"
        '@keyframes k { 0% { fill: green } }</style><rect class="a"/></svg>'
    )
    assert '<rect class="a" fill="red"/>' in spell_out(text)


# what a notebook shows where its outputs are cleaned ----------------------------------------------


SHOWN = {
    "drawing": lambda: draw(toy()[0]),
    "slider": lambda: draw.passes(executable(), rows=False),
    "rows of passes": lambda: draw.passes(executable()),
    "player": lambda: mg.player(toy()[0]),
}
KEPT = {"img", "details", "summary", "pre", "table", "tr", "th", "td", "p", "tbody", "thead"}


@pytest.mark.parametrize("kind", SHOWN)
def test_an_output_without_scripts_and_styles_shows_a_picture_and_its_text(kind):
    """Elements of our own go, what is in them stays, as in notebooks that nobody trusts."""
    left = strip(SHOWN[kind]()._repr_html_())
    left = re.sub(r"</?(minigrad-|picture|source)[^>]*>", "", left)
    assert set(re.findall(r"<([a-z][\w-]*)", left)) <= KEPT
    images = re.findall(r'<img src="data:image/svg\+xml;base64,[^"]+" alt="([^"]+)"', left)
    assert images and all(len(alt) > 20 for alt in images)
    assert re.search(r"<(pre|table)>.{40,}</\1>", left, re.DOTALL), "the text is there"
