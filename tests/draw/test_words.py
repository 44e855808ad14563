"""Lines of two values keep apart, and words cover neither lines nor nodes: read from the SVG."""

import re

import numpy as np
import pytest

import minigrad as mg
from minigrad.draw import draw
from minigrad.draw.layout.boxes import text_width
from minigrad.draw.layout.paths import bezier, pieces_of
from minigrad.draw.look import SMALL


def recurrent():
    """A scan whose body reads two matrices from outside."""
    with mg.Graph():
        x, h = mg.placeholder("x", shape=(6, 2)), mg.placeholder("h", shape=(3,))
        w, u = (mg.Variable(np.ones((n, 3)), name=name) for n, name in ((2, "W"), (3, "U")))
        b = mg.Variable(np.zeros(3), name="b")
        last, _ = mg.scan(lambda h, x: (mg.tanh(x @ w + h @ u + b), None), h, x)
        return mg.sum(last * last), [w, u]


def unrolled():
    """The same without a loop, which runs down."""
    with mg.Graph():
        x, h = mg.placeholder("x", shape=(2,)), mg.placeholder("h", shape=(3,))
        w, u = (mg.Variable(np.ones((n, 3)), name=name) for n, name in ((2, "W"), (3, "U")))
        for _ in range(4):
            h = mg.tanh(x @ w + h @ u)
        return mg.sum(h)


def operands():
    """Operators whose operands have numbers, with lines from above, from below and from riders."""
    z = mg.tensor(3.0, requires_grad=True, name="z")
    return (1.0 - z) / (z - 2.0) - z**3.0


def back():
    """A scan and its backward pass, with all bodies opened."""
    y, ws = recurrent()
    return draw(*mg.gradients(y, ws), mode="loop")


SCENES = {
    "scan": lambda: draw(recurrent()[0], mode="loop"),
    "closed": lambda: draw(recurrent()[0]),
    "unrolled": lambda: draw(unrolled()),
    "mirror": lambda: draw(unrolled(), mode="mirror", saved=False),
    "operands": lambda: draw(operands(), mode="mirror", saved=False),
    "back": back,
}


def numbers(text):
    """All numbers of a text."""
    return [float(word) for word in re.findall(r"-?[\d.]+", text)]


UNDER = r'(?:<path class="[\w-]*under"[^>]*>)?'  # what parts a line from those below it


def lines(svg):
    """[(source, kind, points along it)] of all arrows."""
    found = []
    whole = rf'<g data-from="(\w+)" data-to="\w+">{UNDER}<path class="edge (\w+)" d="([^"]*)"'
    for source, kind, way in re.findall(whole, svg):
        flat = numbers(way)
        points = list(zip(flat[::2], flat[1::2]))
        near = (bezier(part, step / 80) for part in pieces_of(points) for step in range(81))
        found.append((source, kind, list(near)))
    return found


def words(svg):
    """[(text, left, top, right, bottom)] of what stands beside lines."""
    found = []
    for classes, x, y, text in re.findall(
        r'<text class="small([^"]*halo)" x="([-\d.]+)" y="([-\d.]+)">([^<]*)<', svg
    ):
        x, y, width = (
            float(x),
            float(y),
            text_width(text, SMALL, "bold" if "bold" in classes else "sans"),
        )
        left = x if "start" in classes else x - width if "end" in classes else x - width / 2
        found.append((text, left, y - 7, left + width, y))
    return found


@pytest.mark.parametrize("name", SCENES)
def test_lines_of_two_values_do_not_run_into_one(name):
    found = [
        line for line in lines(SCENES[name]().svg) if line[1] in ("data", "parameter", "adjoint")
    ]
    targets = re.findall(
        rf'data-to="(\w+)">{UNDER}<path class="edge (?:data|parameter|adjoint)"',
        SCENES[name]().svg,
    )
    for at, (source, _, way) in enumerate(found):
        taken = {(round(x), round(y)) for x, y in way}
        taken = {(x + dx, y + dy) for x, y in taken for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        for other, (second, _, points) in enumerate(found[:at]):
            if second == source or targets[at] == targets[other]:
                continue
            both = {(round(x), round(y)) for x, y in points} & taken
            assert len(both) < 30, f"{source} and {second} share {len(both)} pixels"


@pytest.mark.parametrize("name", SCENES)
def test_words_cover_no_line_and_no_number(name):
    svg = SCENES[name]().svg
    found, ways = words(svg), lines(svg)
    assert len(found) > 3 or name == "closed"
    covered = []
    for at, (text, left, top, right, bottom) in enumerate(found):
        for source, _, points in ways:
            hit = sum(left < x < right and top < y < bottom for x, y in points)
            covered += [(text, source)] * (hit > 0)
        for other, *box in found[:at]:
            if other != text and left < box[2] and box[0] < right:
                covered += [(text, other)] * (top < box[3] and box[1] < bottom)
    # a crowd may leave no room
    few = sum(kind in ("data", "parameter") for _, kind, _ in ways) // 8
    on_lines = 3 * (name == "closed")  # of many arrows: each number on its own line
    assert len(covered) <= few + on_lines, covered
