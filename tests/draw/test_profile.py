"""A profile as colours on the program that ran: how dark, what it says, whose it must be."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from draw.test_look import contrast

import minigrad as mg
from minigrad.core.errors import ArgumentError
from minigrad.draw import draw
from minigrad.draw.look import DARK, HEAT, LIGHT
from minigrad.draw.modes.profile import heat_of


@pytest.fixture(scope="module")
def program():
    """(executable, its Profile) of a product, and of a loop over its rows."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(4, 4))
        h = mg.tanh(x @ np.ones((4, 4)))
        last, _ = mg.scan(lambda c, row: (mg.tanh(c * 0.5 + row), c), np.zeros(4), h)
    executable = mg.Session(graph).compile(last, [x])
    return executable, executable.profile({x: np.ones((4, 4))}, rounds=1)


def spend(profile, seconds):
    """The Profile with other times: {order of a node: seconds}, nothing for others."""
    rows = [row._replace(seconds=seconds.get(row.order, 0.0)) for row in profile.rows]
    together = sum(row.seconds for row in rows)
    lines = {"lesson.py:3   h = mg.tanh(x @ w)": 0.6 * together}
    return SimpleNamespace(rows=rows, together=together, plan=profile.plan, by_line=lambda: lines)


def orders(executable):
    """{name of an op: order} of a program's nodes."""
    return {repr(node.op): node.order for node in executable.program.nodes()}


def test_a_node_is_as_dark_as_its_share_and_says_it(program):
    executable, profile = program
    at = orders(executable)
    found = spend(profile, {at["Matmul"]: 0.006, at["Tanh"]: 0.00002})
    scene = draw(executable, profile=found).scene
    shown = {node.texts()[0]: node for node in scene.nodes}
    assert shown["@"].fill == "h4" and shown["@"].texts()[-1] == "6 ms · 100%"
    assert shown["tanh"].fill == "h0" and shown["tanh"].texts()[-1] == "20 µs · < 1%"
    assert shown["↻"].fill == "" and "ms" not in shown["↻"].texts()[-1]
    assert shown["@"].more.startswith("6 ms · 100%, ") and "B" in shown["@"].more
    assert scene.legend == (("h4", "from 50 % of the time"), ("h0", "less than 1 %"))
    assert scene.notes[-2:] == ("6.02 ms in all.", "60% of it: lesson.py:3   h = mg.tanh(x @ w)")


def test_the_shades_stand_in_the_row_of_the_key(program):
    executable, profile = program
    found = spend(profile, {orders(executable)["Matmul"]: 0.006})
    picture = draw(executable, profile=found).svg
    assert re.search(r'<g transform="translate\([\d.]+ 0\)"><rect class="h4".*?>from 50 %', picture)


def test_what_a_loop_computes_is_the_loops(program):
    executable, profile = program
    at = orders(executable)
    of_loop = [row for row in profile.rows if row.order == at["Scan"]]
    assert {row.calls for row in of_loop} >= {4} and len(of_loop) >= 3
    found = spend(profile, {at["Scan"]: 0.001})
    scene = draw(executable, profile=found).scene
    (loop,) = [node for node in scene.nodes if node.fill]
    assert loop.sign == "↻" and loop.texts()[-1] == f"{len(of_loop)} ms · 100%"


def test_every_row_belongs_to_a_node_of_the_program(program):
    executable, profile = program
    known = {node.order for node in executable.plan.order}
    assert {row.order for row in profile.rows} <= known | {-1}
    assert [row.node for row in profile.rows if row.order == -1] == [
        "feeds, results, new values of variables"
    ]


def test_only_the_program_that_ran_is_drawn_with_its_profile(program):
    executable, profile = program
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        other = mg.Session(graph).compile(mg.exp(x), [x])
    for thing in (other, executable.feeds[0]):
        with pytest.raises(ArgumentError, match="another program") as caught:
            draw(thing, profile=profile)
    assert "executable.profile(feeds)" in caught.value.hint
    for wrong in (3, None):
        with pytest.raises(ArgumentError, match="is not a profile"):
            draw(executable, mode="profile", profile=wrong)


@pytest.mark.parametrize("share, level", [(0, 0), (0.01, 1), (0.049, 1), (0.2, 3), (1, 4)])
def test_levels(share, level):
    assert heat_of(share) is HEAT[level]


def test_text_is_legible_on_every_heat_and_each_is_darker():
    light = [contrast(heat.fill, LIGHT["ink"]) for heat in HEAT]
    dark = [contrast(heat.dark_fill, DARK["ink"]) for heat in HEAT]
    assert min(light + dark) >= 7
    assert light == sorted(light, reverse=True) and dark == sorted(dark, reverse=True)


def test_dot_has_the_colours_too(program):
    executable, profile = program
    found = spend(profile, {orders(executable)["Matmul"]: 1.0})
    assert f'fillcolor="{HEAT[4].fill}"' in draw(executable, profile=found).dot
