"""The figure in which an input is dragged: what it shows at rest and in its frames, for whom it
moves."""

import re
import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest

import minigrad as mg
from minigrad.core.stepwise import adjoint_trace

FIGURE = runpy.run_path(str(Path(__file__).parents[2] / "figures" / "what_if.py"))
FRAME, REST, LOW, HIGH = (FIGURE[name] for name in ("FRAME", "REST", "LOW", "HIGH"))
SVG = "{http://www.w3.org/2000/svg}"
NUMBERS = [1.0, 2.0, 2.0, 1.0]


def picture(number):
    """The mirror of w², without shares on its edges."""
    w = mg.tensor(number, name="w", requires_grad=True)
    y = w * w
    adjoints = [(value, adjoint) for value, adjoint, *_ in adjoint_trace(y)]
    return mg.draw(y, mode="mirror", names={"y": y}, adjoints=adjoints)


@pytest.fixture(scope="module")
def film():
    """The film's SVG text."""
    return FIGURE["film"](list(map(picture, NUMBERS)), NUMBERS)


def texts(element):
    """The texts below an element."""
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def test_at_rest_it_is_the_picture_of_the_first_number(film):
    root = ElementTree.fromstring(film)
    for shot in [g for g in root.iter() if g.get("visibility") == "hidden"]:
        shot.clear()
    said = texts(root)
    assert said[:3] == ["What if", "w", "1"]
    assert said[3:] == texts(ElementTree.fromstring(picture(1.0).svg))


def test_every_number_is_shown_in_its_frames(film):
    root = ElementTree.fromstring(film)
    (node,) = [g for g in root.iter(f"{SVG}g") if g.get("id") == "n1"]
    shots = {s.get("class"): texts(s) for s in node.findall(f"{SVG}g") if s.get("class") != "badge"}
    assert list(shots.values()) == [[str(y)] for y in (1, 1, 4, 1)]
    names = [name.split()[1] for name in shots if name != "rest"]
    whole = 2 * REST + len(NUMBERS) * FRAME
    spans = []
    for name in names:
        found = re.search(rf"@keyframes {name} {{ 0%, ([\d.]+)% {{ opacity: 0 }} ([\d.]+)%", film)
        end, start = (float(found[at]) * whole / 100 - REST for at in (1, 2))
        spans.append((round(start / FRAME), round(end / FRAME)))
    assert spans == [(0, 1), (1, 3), (3, 4)]  # equal pictures are one


def test_the_first_frame_and_the_last_are_the_rest(film):
    (rest,) = re.findall(r"@keyframes rest { ([^\n]*)", film)
    assert rest.startswith("0%, ") and rest.count("opacity: 1") == 1
    begins = [float(n) for n in re.findall(r"([\d.]+)% { opacity: 1 } }", film)]
    assert min(begins) == pytest.approx(100 * REST / (2 * REST + len(NUMBERS) * FRAME), abs=0.01)


def test_it_moves_only_for_those_who_want_it(film):
    before, _ = film.split("@media (prefers-reduced-motion: no-preference) {")
    assert "animation" not in before and "<script" not in film
    assert "prefers-color-scheme: dark" in before


def test_the_grip_follows_the_numbers(film):
    (moves,) = re.findall(r"@keyframes drag { ([^\n]*)", film)
    places = [float(x) for x in re.findall(r"translateX\(([\d.]+)px\)", moves)]
    long = float(re.search(r'class="rail" d="M\d+ \d+h([\d.]+)"', film)[1])
    expected = [long * (number - LOW) / (HIGH - LOW) for number in (1, *NUMBERS)]
    assert places == [pytest.approx(x, abs=0.051) for x in expected]  # one decimal


def test_ids_are_unique_and_boxes_do_not_move(film):
    root = ElementTree.fromstring(film)
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids)) and {"n0", "n1", "n0_bar", "n1_bar"} <= set(ids)
    (node,) = [g for g in root.iter(f"{SVG}g") if g.get("id") == "n1"]
    assert len(node.findall(f"{SVG}rect")) == 2  # one outline for all its labels, a double one
