"""A mirrored drawing that plays: what it says, when things appear, and the picture at rest."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.stepwise import adjoint_trace
from minigrad.draw.player.animation import animate_drawing
from minigrad.draw.player.motion import LEAD, OPEN, PAUSE, STEP
from minigrad.draw.trace import make_trace

SVG = "{http://www.w3.org/2000/svg}"


def two_paths():
    """The mirror of y = (x + w)(w + 1) at x = 2, w = 1, and its trace."""
    x, w = mg.tensor(2.0, name="x"), mg.tensor(1.0, requires_grad=True, name="w")
    a, b = x + w, w + 1.0
    y = a * b
    names = {"a": a, "b": b, "y": y}
    picture = mg.draw(y, mode="mirror", names=names, adjoints=adjoint_trace(y))
    return picture, make_trace(y, names=names)


def words(text):
    """The words of the steps, in order."""
    return re.findall(r'class="start words w\d+" visibility="hidden"[^>]*>([^<]*)<', text)


def moment(text, name):
    """From which share of the round something is there, by the name of its movement."""
    frame = re.search(rf"@keyframes {name} {{.*?([\d.]+)%, 100% {{ opacity: 1 }} }}", text)
    return float(frame[1])


def test_every_step_is_said_in_its_turn():
    assert words(animate_drawing(*two_paths())) == [
        "Forward. Given: x = 2, w = 1",
        "Forward. a = x + w = 3",
        "Forward. b = w + 1 = 2",
        "Forward. y = a · b = 6",
        "Backward. ȳ = 1",
        "Backward. ā = ȳ · b = 2",
        "Backward. b̄ = ȳ · a = 3",
        "Backward. w̄ = b̄ · 1 + … = 3",
        "Backward. w̄ = b̄ · 1 + ā · 1 = 5",
    ]


def test_things_appear_in_the_order_of_the_steps():
    text = animate_drawing(*two_paths())
    order = [
        re.search(rf"#{id} {{ animation-name: (n\d+) }}", text)[1]
        for id in ("n0", "n2", "n4", "n5", "n5_bar", "n2_bar", "n4_bar", "n1_bar")
    ]
    times = [moment(text, name) for name in order]
    assert times == sorted(times) and len(set(times)) == len(times)
    edge = re.search(r'\[data-from="n4_bar"\]\[data-to="n1_bar"\] { animation-name: (e\d+)', text)
    assert times[-2] < moment(text, edge[1]) < times[-1]  # the share, then what it adds up to


def test_a_sum_shows_its_parts_until_it_is_complete():
    text = animate_drawing(*two_paths())
    (node,) = [g for g in ElementTree.fromstring(text).iter(f"{SVG}g") if g.get("id") == "n1_bar"]
    name, early, last = node.findall(f"{SVG}text")
    assert name.text == "w" and name.get("visibility") is None
    assert early.text == "3" and early.get("visibility") == "hidden"
    assert last.text == "5" and last.get("visibility") is None
    part = re.search(r"@keyframes m7 {[^\n]*?([\d.]+)%, ([\d.]+)% { opacity: 1 }", text)
    assert float(part[1]) < float(part[2]) <= moment(text, "m8") and "#n1_bar > .s7" in text
    assert "#n1_bar > .value:not(.sum) { animation-name: m8 }" in text


def test_at_rest_it_is_the_mirror_and_what_moves_is_hidden():
    picture, trace = two_paths()
    root = ElementTree.fromstring(animate_drawing(picture, trace))
    hidden = [e for e in root.iter() if e.get("visibility") == "hidden"]
    assert {e.get("class").split()[0 if "bead" in e.get("class") else -2] for e in hidden} <= {
        "bead",
        "words",
        "sum",
    }
    shown = ["".join(t.itertext()) for t in root.iter(f"{SVG}text") if t not in hidden]
    mirror = ["".join(t.itertext()) for t in ElementTree.fromstring(picture.svg).iter(f"{SVG}text")]
    assert [t for t in shown if t.strip()] == [*mirror, "Backward. w̄ = b̄ · 1 + ā · 1 = 5"]


def test_motion_is_only_for_those_who_want_it_and_ends_at_the_end():
    text = animate_drawing(*two_paths())
    before, inside = text.split("@media (prefers-reduced-motion: no-preference) {")
    assert "animation" not in before.split("<style>")[1]
    assert inside.count("infinite") == 1 and "<script" not in text
    shares = [float(share) for share in re.findall(r"([\d.]+)%", text)]
    assert max(shares) == 100 and min(shares) == 0


def test_the_first_frame_is_the_finished_picture():
    text = animate_drawing(*two_paths())
    first = dict(re.findall(r"@keyframes (\w+) { 0%[^{]*{ opacity: ([\d.]+)", text))
    steps = len(words(text))
    assert {first[f"{kind}{at}"] for kind in "en" for at in range(steps)} == {"1"}
    assert [first[f"w{at}"] for at in range(steps)] == ["0"] * (steps - 1) + ["1"]
    assert {first[f"r{at}"] for at in range(steps)} == {"0"}
    assert first["m8"] == "1" and first["m7"] == "0"  # the sum, not its first part
    whole = len(words(text)) * STEP + OPEN + LEAD + PAUSE
    assert f"{whole:g}s linear infinite" in text
    assert moment(text, "n0") > 100 * (OPEN + LEAD) / whole


def test_it_is_the_same_text_every_time():
    assert animate_drawing(*two_paths()) == animate_drawing(*two_paths())


def test_arrays_play_without_numbers():
    x = mg.tensor(np.ones((3, 4)), name="x")
    W = mg.tensor(np.ones((4, 2)), name="W", requires_grad=True)
    y = mg.sum(mg.tanh(x @ W))
    text = animate_drawing(mg.draw(y, mode="mirror"), make_trace(y))
    ElementTree.fromstring(text)
    assert len(words(text)) >= 7 and 'class="sum' not in text


def test_names_are_text_and_no_markup():
    x = mg.tensor(2.0, requires_grad=True, name="<b>&\\1")
    y = x * x
    root = ElementTree.fromstring(animate_drawing(mg.draw(y, mode="mirror"), make_trace(y)))
    assert root.findall(f".//{SVG}b") == []


def test_what_has_no_adjoints_is_refused():
    picture, trace = two_paths()
    x = mg.tensor(2.0)
    with pytest.raises(mg.ArgumentError, match="mode 'forward'.*\n.*\n.*mode=\"split\""):
        animate_drawing(mg.draw(mg.exp(x)), trace)
    with pytest.raises(mg.ArgumentError, match="trace of mode 'forward'"):
        animate_drawing(picture, trace._replace(mode="forward"))
