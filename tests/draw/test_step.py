"""A training step in lanes: when it is drawn so, what its cards say, which graphs it suits."""

import importlib
import re
import xml.etree.ElementTree as xml

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.errors import ArgumentError
from minigrad.draw import draw


@pytest.fixture
def step():
    """(loss, its updates, names) of one step of a small net."""
    with mg.Graph():
        X = mg.placeholder("X", shape=(8, 4))
        t = mg.placeholder("t", shape=(8,), dtype=int)
        W, b = mg.Variable(np.ones((4, 3)), "W"), mg.Variable(np.zeros(3), "b")
        s = X @ W + b
        loss = mg.cross_entropy(s, t)
        updates = [mg.assign_sub(v, 0.1 * d) for v, d in zip((W, b), mg.gradients(loss, [W, b]))]
    return loss, updates, {"s": s, "loss": loss}


def texts(drawing, id):
    """The texts of a card in the picture, in a row."""
    node = next(g for g in xml.fromstring(drawing.svg).iter() if g.get("id") == id)
    return "".join(part.text for part in node.iter() if part.tag.endswith("}text"))


def test_a_training_step_is_drawn_in_lanes(step):
    loss, updates, names = step
    drawing = draw(loss, *updates, names=names, title="one step")
    assert drawing.scene.mode == "step"
    lanes = re.findall(r'<g class="lane">.*?>([a-z ]+)</text>', drawing.svg)
    assert lanes == ["parameters and data", "forward", "backward", "gradients", "update"]
    assert f"{drawing.scene.total} nodes in {len(drawing.scene.nodes)} shapes." in drawing.text
    assert len(drawing.scene.owners) == drawing.scene.total


def test_its_cards_say_what_the_graph_computes(step):
    loss, updates, names = step
    drawing = draw(loss, *updates, names=names)
    ids = {node.call: node.id for node in drawing.scene.nodes}
    assert texts(drawing, ids["gradient of W"]).startswith("W=Xᵀs")
    assert texts(drawing, ids["update of W"]) == "W−=0.1W"
    assert "update of W" in drawing.text and "W −= 0.1 W̄" in drawing.text
    assert "gradient of b" in drawing.text and "Σ rows" in drawing.text


def test_what_is_asked_for_is_drawn_so(step):
    loss, updates, _ = step
    assert draw(loss, *updates, mode="forward").scene.mode == "forward"
    assert draw(loss, *updates, mode="step").scene.mode == "step"
    assert draw(loss, *updates, show="op").scene.mode == "forward"
    assert draw(loss, *updates, around=loss).scene.mode == "forward"
    assert draw(loss).scene.mode == "forward", "nothing in it was made by a derivative"


def test_where_lanes_do_not_fit_a_line_says_why():
    with mg.Graph():
        x = mg.Variable(1.0, "x")
        (slope,) = mg.gradients(mg.sin(x) * x, [x])
        (other,) = mg.gradients(mg.sin(x) + x, [x])
        (curve,) = mg.gradients(slope, [x])
        update = mg.assign_sub(x, slope / other)
        newton = mg.assign_sub(x, slope / curve)
    drawing = draw(update)
    assert drawing.scene.mode == "forward"
    assert any(note.startswith("Drawn without lanes: ") for note in drawing.scene.notes)
    assert draw(curve).scene.notes == (), "no training step"
    assert "it was differentiated again" in " ".join(draw(newton).scene.notes)
    plain = draw(x, mode="step")
    assert plain.scene.notes[-1] == "Drawn without lanes: nothing here was differentiated"


def test_a_gradient_alone_is_drawn_as_a_graph():
    with mg.Graph():
        x, w = mg.placeholder("x"), mg.Variable(1.0, name="w")
        (slope,) = mg.gradients((x + w) * (w + 1), [w])
    assert draw(slope).scene.mode == "forward", "what was differentiated is not part of it"


def test_a_picture_in_lanes_is_saved_in_every_form(step, tmp_path):
    loss, updates, names = step
    drawing = draw(loss, *updates, names=names)
    for suffix in ("svg", "png", "pdf", "html", "dot"):
        assert drawing.save(tmp_path / f"step.{suffix}").stat().st_size > 500


def test_a_picture_in_lanes_needs_no_layout_engine(step, monkeypatch):
    def none(*_):
        raise AssertionError("a layout engine was asked")

    loss, updates, _ = step
    monkeypatch.setattr(importlib.import_module("minigrad.draw.layout"), "centres", none)
    assert draw(loss, *updates).svg.startswith("<svg")


def test_there_is_no_other_mode(step):
    with pytest.raises(ArgumentError, match="'lanes' is not a mode"):
        draw(step[0], mode="lanes")


def test_a_narrow_page_has_it_upright(step):
    loss, updates, names = step
    drawing = draw(loss, *updates, names=names)
    width = float(re.search(r'width="(\d+)', drawing.portrait)[1])
    assert width <= 390 < float(re.search(r'width="(\d+)', drawing.svg)[1])
    assert drawing.plain.startswith('<picture><source media="(max-width: 600px)"')
    narrow = draw(loss).portrait  # of a small graph without lanes, too
    assert float(re.search(r'width="(\d+)', narrow)[1]) <= 390


def test_no_row_of_a_formula_is_lost(step):
    loss, updates, names = step
    drawing = draw(loss, *updates, names=names)
    (id,) = [node.id for node in drawing.scene.nodes if node.call == "adjoint of s"]
    for picture in (drawing.svg, drawing.portrait):
        node = next(g for g in xml.fromstring(picture).iter() if g.get("id") == id)
        said = "".join(part.text for part in node.iter() if part.tag.endswith("}text"))
        assert said.replace(" ", "").startswith("s=(softmax(s)−onehot(t))/8")


def test_a_composite_function_of_ones_own_is_one_card():
    @mg.composite
    def attention(q, k, v):
        return mg.softmax(q @ mg.transpose(k), axis=1) @ v

    with mg.Graph():
        x = mg.placeholder("X", shape=(8, 4))
        q, k, v = (mg.Variable(np.eye(4) * at, name) for at, name in enumerate("QKV", 1))
        loss = mg.sum(attention(x @ q, x @ k, x @ v))
        gradients = mg.gradients(loss, [q, k, v])
        updates = [mg.assign_sub(w, g) for w, g in zip((q, k, v), gradients)]
    scene = draw(loss, *updates).scene
    (card,) = [node for node in scene.nodes if node.sign == "attention"]
    assert card.inside == 4 and scene.mode == "step"
    assert not [node for node in scene.nodes if node.sign in ("softmax", "T")]


def test_layers_are_composites_and_their_weights_have_short_names():
    with mg.Graph():
        x, labels = mg.placeholder("X", shape=(8, 4)), mg.placeholder("t", (8,), dtype=int)
        net = mg.nn.Sequential(mg.nn.Linear(4, 6), mg.nn.LayerNorm(6), mg.tanh, mg.nn.Linear(6, 3))
        loss = mg.cross_entropy(net(x), labels)
        parameters = list(net.parameters())
        gradients = mg.gradients(loss, parameters)
        updates = [mg.assign_sub(w, g) for w, g in zip(parameters, gradients)]
    scene = draw(loss, *updates, names={"net": net}).scene
    signs = [node.sign for node in scene.nodes if node.sign]
    assert signs == ["linear", "layer norm", "tanh", "linear", "cross-entropy"]
    names = {node.name for node in scene.nodes if node.role == "variable"}
    assert {"W0", "b0", "gain", "bias", "W3", "b3"} <= names
    told = {node.name: " ".join(node.lines) for node in scene.nodes if node.role == "adjoint"}
    assert "back through layer norm" in " ".join(told.values())
