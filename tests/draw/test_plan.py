"""A memory plan drawn: colours and letters of buffers, in-place edges, fused kernels, figures."""

from dataclasses import replace

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.errors import ArgumentError
from minigrad.draw import draw
from minigrad.draw.layout import layout
from minigrad.draw.modes.plan import plan_totals
from minigrad.draw.read.bodies import kernel_formula


@pytest.fixture
def article():
    """(session, d) of c = b a, d = c + 1, with a and b computed inside the graph."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(10,))
        a, b = x + 1.0, x * 2.0
        d = mg.tanh(b * a + 1.0)
        return mg.Session(graph), d


def fused(size=(512, 512)):
    """(session, y, graph) of an elementwise chain that is large enough to be fused."""
    with mg.Graph() as graph:
        x, w = mg.placeholder("x", shape=size), mg.Variable(np.ones(size[1]), name="w")
        y = mg.max(mg.tanh(x * w + 2.0))
        return mg.Session(graph), y, graph


def test_nodes_are_coloured_and_lettered_by_buffer(article):
    scene = draw(*article, mode="plan").scene
    assert [(node.texts()[0], node.fill, node.more) for node in scene.nodes if node.more] == [
        ("+1", "b0", "B0 · 80 B"),
        ("×2", "b1", "B1 · 80 B"),
        ("×", "b1", "B1 · 80 B, in place"),
        ("+1", "b1", "B1 · 80 B, in place"),
        ("tanh", "", "handed out · 80 B"),
    ]
    assert scene.nodes[4].texts()[-2:] == ["B1 · 80 B", "in place"]


def test_the_letters_are_those_of_the_plan(article):
    session, d = article
    exe = session.compile(d, [x for x in session.graph.nodes if x.name == "x"])
    scene = draw(exe, mode="plan").scene
    drawn = {node.more.split(" ")[0] for node in scene.nodes if node.fill}
    assert drawn == {f"B{buffer.number}" for buffer in exe.plan.buffers}
    assert scene.notes[-1] == (
        f"Without reuse the values would take {exe.plan.naive_bytes} B; this plan takes "
        f"{exe.plan.arena_bytes} B, 50 % of it, in {len(exe.plan.buffers)} buffers."
    )


def test_the_sentence_says_where_the_arena_is_larger_than_what_lies_there_at_once(article):
    plan = article[0].compile(article[1], [article[0].graph.nodes[0]]).plan
    said = plan_totals(replace(plan, arena_bytes=240))
    assert said.endswith("takes 240 B, 75 % of it, in 2 buffers. At most 160 B are in use at once.")
    said = plan_totals(replace(plan, arena_bytes=320, peak_bytes=320))
    assert said == "This plan takes 320 B in 2 buffers, no less than without reuse."


def test_a_plan_without_buffers_counts_none():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        exe = mg.Session(graph).compile(mg.exp(x), [x])
    note = draw(exe, mode="plan").scene.notes[-1]
    assert note == "no buffer: nothing lies between two calls."


def test_in_place_is_a_double_line_of_the_graph_and_words(article):
    drawing = draw(*article, mode="plan", show=("op", "name"))
    double = [(e.source, e.target) for e in drawing.scene.edges if e.kind == "inplace"]
    assert double == [("n4", "n5"), ("n5", "n6")]
    assert drawing.svg.count('class="core"') == 2 + 1  # and one in the key
    assert "n4 -> n5 (in place)" in drawing.text


def test_the_legend_lists_what_each_buffer_holds(article):
    drawing = draw(*article, mode="plan")
    assert drawing.scene.legend == (("b0", "B0 · 80 B: n2"), ("b1", "B1 · 80 B: n4, n5, n6"))
    graph = draw(*article, mode="plan", depth=1_000)
    assert ">B1 · 80 B: n4, n5, n6</text>" in graph.svg
    assert "B0 · 80 B: n2\n" in drawing.text


def test_a_fused_kernel_is_a_frame_with_its_formula():
    session, y, _ = fused()
    scene = draw(session, y, mode="plan").scene
    (frame,) = scene.frames
    assert (frame.kind, frame.lines) == ("fused", ("fused into 1 kernel:", "tanh(x·w + 2)"))
    inside = [node for node in scene.nodes if node.scope == frame.path]
    assert [node.texts()[0] for node in inside] == ["×", "+2", "tanh"]
    assert [node.more for node in inside] == ["", "", "B0 · 2 MiB"]
    placed = layout(scene)
    ((_, outer),) = placed.frames
    assert all(outer.left < placed.boxes[node.id].left for node in inside)


def test_a_kernel_stays_closed_in_a_forward_drawing():
    session, y, graph = fused()
    scene = draw(session.compile(y, {graph.nodes[0]: np.ones((512, 512))})).scene
    assert "kernel(·, ·, 2)" in [node.sign for node in scene.nodes]
    assert not scene.frames


def test_a_kernel_with_several_results():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(512, 512))
        h = mg.tanh(x * 2.0)
        y = h * h - 1.0
        session = mg.Session(graph)
    scene = draw(session, largest(graph, h), largest(graph, y), mode="plan").scene
    (frame,) = scene.frames
    assert frame.lines[1].endswith("and 1 more")
    assert sum(node.more.startswith("B") for node in scene.nodes if node.scope == frame.path) == 2


def largest(graph, value):
    """Its largest entry, as a node of the graph."""
    with graph:
        return mg.max(value)


def test_what_is_stored_says_where():
    with mg.Graph() as graph:
        w = mg.Variable(np.ones(3), name="w")
        step = mg.assign_sub(w, 0.1 * w)
    scene = draw(mg.Session(graph), step, mode="plan").scene
    assert scene.nodes[-1].more == "stored in w"
    assert scene.nodes[-1].result


def test_views_lie_in_the_buffer_of_their_base():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(4, 8))
        y = mg.sum(mg.transpose(mg.exp(x)) @ x)
    scene = draw(mg.Session(graph), y, mode="plan").scene
    assert [node.more for node in scene.nodes if node.texts()[0] in ("exp", "ᵀ")] == [
        "B0 · 256 B",
        "B0 · 256 B, view",
    ]


def test_only_what_is_compiled_has_a_plan(article):
    session, d = article
    with pytest.raises(ArgumentError) as caught:
        draw(d, mode="plan")
    assert 'draw(sess, fetches, mode="plan")' in caught.value.hint
    with pytest.raises(ArgumentError, match="only a compiled program has a memory plan"):
        draw(session, mode="plan")


@pytest.mark.parametrize(
    "steps, text",
    [
        ([("Add", [0, 1])], "x + y"),
        ([("Add", [0, 1]), ("Mul", [3, 2])], "(x + y)·z"),
        ([("Mul", [0, 1]), ("Add", [3, 2])], "x·y + z"),
        ([("Sub", [1, 2]), ("Sub", [0, 3])], "x − (y − z)"),
        ([("Sub", [0, 1]), ("Sub", [3, 2])], "x − y − z"),
        ([("Add", [0, 1]), ("Mul", [3, 3])], "(x + y)²"),
        ([("Add", [0, 1]), ("Neg", [3])], "−(x + y)"),
        ([("Mul", [0, 1]), ("Div", [2, 3])], "z/(x·y)"),
        ([("Exp", [0]), ("Maximum", [3, 1])], "maximum(exp(x), y)"),
    ],
)
def test_formulas(steps, text):
    assert kernel_formula(steps, len(steps) + 2, ["x", "y", "z"]) == text


def test_a_formula_does_not_grow_without_end():
    steps = [("Add", [0, 1])] + [("Add", [at + 2, at + 2]) for at in range(200)]
    assert len(kernel_formula(steps, 202, ["x", "y"])) <= 120


def test_a_value_in_an_opened_body_lies_in_no_buffer_of_the_program():
    """Nodes of a body count from 0 as those of the program do: they are not told by their order."""
    with mg.Graph() as graph:
        x, h = mg.placeholder("x", shape=(3, 8)), mg.placeholder("h", shape=(8,))
        last, _ = mg.scan(lambda h, x: (mg.tanh(h * x) + x, None), h * 2.0 + h, x)
        executable = mg.Session(graph).compile(mg.sum(mg.exp(last)), [x, h])
    (loop,) = [n.id for n in draw(executable, mode="plan").scene.nodes if n.opens]
    scene = draw(executable, mode="plan", expand=loop).scene
    inside = [node for node in scene.nodes if node.scope]
    assert len(inside) > 4 and not any(node.fill or node.more for node in inside)
    assert any(node.fill for node in scene.nodes)
