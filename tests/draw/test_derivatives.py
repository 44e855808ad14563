"""Tangents, and adjoints drawn alone: their nodes, edges and numbers, and where they stand."""

import numpy as np
import pytest
from draw.toy import Add, Exp, Mul, apply, chain, edges, leaf, worked

import minigrad as mg
from minigrad.core.stepwise import adjoint_trace, tangent_trace
from minigrad.draw import draw
from minigrad.draw.layout import layout


@pytest.fixture
def article():
    """x1, x2 and y = ln x1 + x1 x2 − sin x2 at (2, 5)."""
    x1 = mg.tensor(2.0, name="x1", requires_grad=True)
    x2 = mg.tensor(5.0, name="x2", requires_grad=True)
    return x1, x2, mg.log(x1) + x1 * x2 - mg.sin(x2)


def test_tangents_of_the_trace(article):
    x1, x2, y = article
    scene = draw(y, mode="tangent", tangents=tangent_trace(y, [x1], [1.0])).scene
    tangents = [node for node in scene.nodes if node.of]
    assert [node.id for node in tangents] == ["n0_dot", "n2_dot", "n3_dot", "n4_dot", "n6_dot"]
    assert [node.value for node in tangents] == ["1", "0.5", "5", "5.5", "5.5"]
    assert [node.texts()[0] for node in tangents][:2] == ["ẋ1 = 1", "v̇2 = 0.5"]
    assert {node.role for node in tangents} == {"tangent"}


def test_tangent_edges_run_on(article):
    x1, x2, y = article
    scene = draw(y, mode="tangent", wrt=[x1]).scene
    assert edges(scene, "tangent") == [
        ("n0_dot", "n2_dot"),
        ("n0_dot", "n3_dot"),
        ("n2_dot", "n4_dot"),
        ("n3_dot", "n4_dot"),
        ("n4_dot", "n6_dot"),
    ]
    placed = layout(scene).boxes
    for source, target in edges(scene, "tangent"):
        assert placed[source].right < placed[target].left
    whole = layout(scene)
    for node in scene.nodes:
        if node.of:
            assert placed[node.id].left == whole.body(node.of).left
            assert placed[node.id].top == placed[node.of].bottom


def test_a_tangent_not_computed_is_a_dot():
    scene = draw(worked()[-1], mode="tangent").scene
    assert {node.value for node in scene.nodes if node.of} == {"·"}


def test_a_long_name_has_its_dot_behind_it():
    y = apply(Exp, leaf(1.0, "x", requires_grad=True), name="loss", data=2.0)
    assert draw(y, mode="tangent").scene.nodes[-1].texts()[0] == "loss˙ = ·"


def test_tangents_have_dashed_rims_and_edges_and_a_dot(article):
    svg = draw(article[-1], mode="tangent").svg
    assert svg.count('<path class="rim tangent tangent-rim"') >= 5
    assert ".tangent-rim { stroke-dasharray: 2 3 }" in svg
    assert svg.count('<circle class="tangent-ink"') >= 5
    assert svg.count('<path class="edge tangent"') >= 5 + 1  # and one in the key


def test_adjoints_alone(article):
    x1, x2, y = article
    scene = draw(y, mode="backward", adjoints=adjoint_trace(y)).scene
    assert {node.role for node in scene.nodes} == {"adjoint"}
    assert {node.of: node.value for node in scene.nodes} == {
        "n0": "5.5",
        "n1": "1.716",
        "n2": "1",
        "n3": "1",
        "n4": "1",
        "n5": "-1",
        "n6": "1",
    }
    assert {edge.kind for edge in scene.edges} == {"adjoint"}
    assert scene.results == ("n6_bar",)
    assert sorted(edge.label for edge in scene.edges if edge.target == "n0_bar") == ["0.5", "5"]


def test_adjoints_alone_stand_as_in_the_mirror(article):
    alone, both = (draw(article[-1], mode=mode).scene for mode in ("backward", "mirror"))
    placed, mirrored = layout(alone).boxes, layout(both).boxes
    assert {node.id: placed[node.id] for node in alone.nodes} == {
        node.id: mirrored[node.id] for node in both.nodes if node.of
    }
    drawn = draw(article[-1], mode="backward").svg
    assert drawn.count('class="node"') == 7
    assert drawn.count("data-from") == 8


def test_tangents_stand_in_the_order_of_their_primals(article):
    scene = draw(article[-1], mode="tangent", wrt=[article[0]]).scene
    boxes = layout(scene).boxes
    down = {boxes[node.id].y - boxes[node.of].y for node in scene.nodes if node.of}
    assert set(down) == {30}


def test_adjoints_with_what_their_rules_read():
    x = leaf(1.0, "x", requires_grad=True)
    y = apply(Exp, apply(Mul, x, leaf(3.0, "k")))
    scene = draw(apply(Add, y, x), mode="backward", saved=True).scene
    assert [node.id for node in scene.nodes if not node.of] == ["n0", "n1", "n3"]
    assert {edge.source for edge in scene.edges if edge.kind == "saved"} == {
        node.id for node in scene.nodes if not node.of
    }


@pytest.mark.parametrize("mode", ["tangent", "backward", "mirror"])
def test_x_times_x_has_two_edges_each_way(mode):
    x = leaf(3.0, "x", requires_grad=True)
    scene = draw(apply(Mul, x, x), mode=mode).scene
    kind = "tangent" if mode == "tangent" else "adjoint"
    assert len(edges(scene, kind)) == 2
    assert draw(apply(Mul, x, x), mode=mode).svg.count(f'<path class="edge {kind}"') >= 2


def test_the_listing_of_tangents(article):
    text = draw(article[-1], mode="tangent", wrt=[article[0]]).text
    assert "n0_dot  tangent of x1" in text
    assert "n0_dot -> n2_dot, n3_dot" in text
    assert "ẋ1 = ·" in draw(article[-1], mode="tangent", wrt=[article[0]]).alt


@pytest.fixture
def graph_of_gradient():
    """(y, dy/dw) of y = tanh(x w) w, as nodes."""
    with mg.Graph():
        x, w = mg.placeholder("x"), mg.Variable(2.0, name="w")
        y = mg.tanh(x * w) * w
        return y, mg.gradients(y, [w])[0]


def test_in_the_mirror_inputs_and_variables_read_nothing(graph_of_gradient):
    y, _ = graph_of_gradient
    scene = draw(y, mode="mirror", saved=True).scene
    saved = edges(scene, "saved")
    assert ("n3", "n3_bar") in saved
    assert not {("n0", "n0_bar"), ("n1", "n1_bar")} & {*saved}
    assert {node.id for node in scene.nodes if node.saved} == {source for source, _ in saved}


@pytest.mark.parametrize("mode", ["forward", "split", "mirror", "backward", "tangent"])
def test_a_small_graph_that_backward_gave_back_is_drawn_as_it_was(mode):
    x, w = mg.tensor(2.0, name="x"), mg.tensor(1.0, requires_grad=True, name="w")
    a = x + w
    y = a * (w + 1)
    before = draw(y, mode=mode, names=locals(), wrt=[w], adjoints=adjoint_trace(y)).text
    y.backward()
    after = draw(y, mode=mode, names=locals(), wrt=[w]).text
    assert after == before
    assert draw([y], mode=mode, names={"a": a}, around=a).text.count("a ")


def test_names_of_a_graph_that_backward_gave_back_may_hold_anything():
    w = mg.tensor(1.0, requires_grad=True)
    y = w * w
    y.backward()
    kind, around = dict, [w]  # a class with .items, and a list that holds itself
    around.append(around)
    assert "n0      variable      w" in draw(y, names={**locals(), ("a", "tuple"): w}).text


@pytest.mark.parametrize("mode", ["forward", "mirror", "backward", "tangent"])
def test_a_large_graph_that_backward_gave_back_is_not_drawn_as_if_it_were_two_nodes(mode):
    w = mg.tensor(np.ones(100), requires_grad=True, name="w")
    y = mg.sum(mg.tanh(w) * w)
    y.backward(retain_graph=True)
    assert mg.draw(y, mode=mode).svg
    y.backward()
    with pytest.raises(mg.GradientError, match="freed") as caught:
        mg.draw(y, mode=mode)
    assert "retain_graph=True" in str(caught.value)


@pytest.mark.parametrize("both", [False, True])
def test_saved_is_what_the_rules_of_wanted_adjoints_read(both):
    """As the dynamic engine keeps it: w alone is wanted of w x, and its rule reads x alone."""
    w = mg.tensor(2.0, requires_grad=True, name="w")
    x = mg.tensor(3.0, requires_grad=both, name="x")
    saved = edges(draw(w * x, mode="mirror", saved=True).scene, "saved")
    assert {*saved} == {("n1", "n2_bar"), *[("n0", "n2_bar")] * both}


@pytest.mark.parametrize("mode", ["mirror", "backward"])
def test_adjoints_that_backward_did_not_keep_are_told_with_the_call_that_shows_them(mode):
    x, w = mg.tensor(2.0, name="x"), mg.tensor(1.0, requires_grad=True, name="w")
    y = (x + w) * (w + 1)
    assert draw(y, mode=mode).scene.notes == (), "nothing was computed yet"
    w.grad = 1.0  # of another pass: what backward() adds to it is not all of it
    y.backward(retain_graph=True)
    drawing = draw(y, mode=mode)
    (note,) = drawing.scene.notes
    assert note.startswith("backward() keeps the adjoints of leaves alone") and note in drawing.text
    full = eval(note[note.index("draw(") :], {"draw": draw, "mg": mg, "y": y})
    numbers = {node.id: node.value for node in full.scene.nodes if node.id.endswith("_bar")}
    assert numbers == {"n1_bar": "5", "n2_bar": "2", "n4_bar": "3", "n5_bar": "1"}
    assert full.scene.notes == ()


@pytest.mark.parametrize("mode", ["mirror", "backward", "tangent"])
def test_wrt_may_be_one_value(mode):
    x, w = mg.tensor(2.0, requires_grad=True, name="x"), mg.tensor(3.0, name="w")
    y = x * w
    assert draw(y, mode=mode, wrt=x).text == draw(y, mode=mode, wrt=[x]).text


def test_after_backward_each_card_holds_a_value_and_its_adjoint():
    x, w = mg.tensor(2.0, name="x"), mg.tensor(1.0, requires_grad=True, name="w")
    a, b = x + w, w + 1
    y = a * b
    assert draw(y).scene.mode == "forward", "nothing was computed yet"
    y.backward()
    scene = draw(y, names={"a": a, "b": b, "y": y}).scene
    assert scene.mode == "split" and scene.halves
    numbers = {node.of: node.number for node in scene.nodes if node.of}
    assert numbers == {"n1": "5", "n2": "2", "n4": "3", "n5": "1"}
    assert {(e.source, e.target): e.label for e in scene.edges if e.kind == "adjoint"} == {
        ("n2_bar", "n1_bar"): "2",
        ("n4_bar", "n1_bar"): "3",
        ("n5_bar", "n2_bar"): "2",
        ("n5_bar", "n4_bar"): "3",
    }
    placed = layout(scene)
    for node in scene.nodes:
        if node.of:
            half, body = placed.boxes[node.id], placed.body(node.of)
            assert (half.left, half.right, half.top) == (body.left, body.right, body.bottom)


@pytest.mark.parametrize("seed", [None, 3.0])
def test_the_seed_of_a_backward_pass_is_known_with_and_without_its_graph(seed):
    for retain in (False, True):
        w = mg.tensor(2.0, requires_grad=True)
        y = w * 3.0
        y.backward(seed, retain_graph=retain)
        scene = draw(y).scene
        if retain and seed:  # a seed that is not kept anywhere
            assert scene.mode == "forward"
        else:
            assert [n.number for n in scene.nodes if n.of] == [
                str(int(3 * (seed or 1))),
                str(int(seed or 1)),
            ]


def test_gradients_of_another_result_are_not_shown_as_adjoints():
    w = mg.tensor(2.0, requires_grad=True)
    (w * 5.0).backward()
    assert draw(w * w).scene.mode == "forward"


def test_a_long_graph_has_its_derivatives_beside_its_values():
    scene = draw(chain(12), mode="split").scene
    placed = layout(scene)
    assert not placed.across
    for node in scene.nodes:
        if node.of:
            half, body = placed.boxes[node.id], placed.body(node.of)
            assert (half.top, half.bottom, half.left) == (body.top, body.bottom, body.right)


def test_an_error_in_a_rule_of_the_learners_is_shown_and_the_graph_is_drawn_without_it():
    op = mg.custom_op(np.exp, vjp=lambda x, z, z_bar: {}["no rule"])
    x = mg.tensor(2.0, requires_grad=True, name="x")
    mg.sin(x).backward()
    with pytest.raises(KeyError, match="no rule"):
        draw(op(x))
    assert len(draw(op(x), mode="forward").scene.nodes) == 2


@pytest.mark.parametrize(
    "exponent, sign",
    [(2.0, "x²"), (-12, "x⁻¹²"), (1 / 3, "x^0.3333"), (-2.5, "x^−2.5"), (123456.0, "x^123456")],
)
def test_a_power_has_the_digits_of_every_other_number(exponent, sign):
    x = mg.tensor(1.0, name="x", requires_grad=True)
    assert draw(x**exponent).scene.nodes[-1].sign == sign
