"""What modules say of a graph of Tensors: frames around what each computed, names of weights."""

import gc
import weakref
from dataclasses import dataclass

import numpy as np
from draw.toy import edges

import minigrad as mg
from minigrad.draw import draw


class Block(mg.nn.Module):
    """x + W2 tanh(W1 x)."""

    def __init__(self):
        self.first, self.second = mg.nn.Linear(3, 3), mg.nn.Linear(3, 3)

    def forward(self, x):
        return x + self.second(mg.tanh(self.first(x)))


def run(blocks):
    """(the loss, names) of a net of so many blocks."""
    net = mg.nn.Sequential(*[Block() for _ in range(blocks)], mg.nn.Linear(3, 1))
    x = mg.tensor(np.ones((2, 3)), name="x")
    loss = mg.sum(net(x))
    return loss, {"net": net, "x": x, "loss": loss}


def test_weights_carry_their_modules_name():
    loss, names = run(1)
    known = {node.name for node in draw(loss, names=names).scene.nodes}
    assert {"net/layers.0/first/W", "net/layers.0/second/b", "net/layers.1/W", "x"} <= known


def test_what_a_module_computed_is_in_its_frame():
    loss, names = run(1)
    scene = draw(loss, names=names).scene
    scopes = {node.call.split("(")[0]: node.scope for node in scene.nodes}
    assert scopes["Tanh"] == "net/layers.0" and scopes["Sum"] == ""
    inner = [node.scope for node in scene.nodes if node.call.startswith("Matmul")]
    assert inner == ["net/layers.0/first", "net/layers.0/second", "net/layers.1"]


def test_a_deep_net_is_so_many_blocks():
    loss, names = run(12)
    scene = draw(loss, names=names).scene
    drawn = [node.texts()[0] for node in scene.nodes]
    assert drawn == ["12 × net/layers", "net/layers.12", "x", "Σ"]
    assert len(edges(scene)) == 3


def test_every_call_of_a_sequence_is_framed():
    cell, h = mg.nn.RNNCell(2, 2), mg.tensor(np.zeros((1, 2)), name="h0")
    x = mg.tensor(np.ones((1, 2)), name="x")
    for _ in range(200):
        h = cell(x, h)
    whole = draw(h, names={"cell": cell}, budget=2000).scene
    assert {node.scope for node in whole.nodes if node.role == "op"} == {"cell"}
    assert len(draw(h, names={"cell": cell}, budget=20).scene.nodes) <= 20


def test_calls_before_the_last_thousand_are_forgotten():
    net, x = mg.nn.Linear(3, 1), mg.tensor(np.ones((2, 3)))
    first, *_, last = [net(x) for _ in range(1_001)]
    scopes = [
        {node.scope for node in draw(y, names={"net": net}).scene.nodes if node.role == "op"}
        for y in (first, last)
    ]
    assert scopes == [{""}, {"net"}]


def test_what_is_known_of_calls_is_no_attribute_and_holds_neither_module_nor_graph():
    @dataclass
    class Scale(mg.nn.Module):
        computed: int

        def forward(self, x):
            return x * self.computed

    with mg.Graph() as graph:
        scale = Scale(5)
        y = scale(mg.placeholder("x", shape=()))
    assert vars(scale) == {"computed": 5}
    gone = weakref.ref(scale), weakref.ref(graph)
    del graph, y
    gc.collect()
    assert gone[1]() is None
    del scale
    gc.collect()
    assert gone[0]() is None


def test_nodes_of_a_graph_are_framed_too():
    with mg.Graph():
        net = mg.nn.Sequential(mg.nn.Linear(3, 3), mg.nn.ReLU())
        y = net(mg.placeholder("x", shape=(2, 3)))
        scene = draw(y, names={"net": net}).scene
    assert [n.scope for n in scene.nodes if n.role == "op"][-1] == "net/layers.1"


def test_modules_are_framed_without_being_named():
    loss, _ = run(1)
    drawn = draw(loss).scene
    assert {node.scope for node in drawn.nodes if node.role == "op"} == {
        "sequential/layers.0",
        "sequential/layers.0/first",
        "sequential/layers.0/second",
        "sequential/layers.1",
        "",
    }
    names = {node.name for node in drawn.nodes if node.role == "variable"}
    assert "sequential/layers.0/first/W" in names


def test_two_modules_of_a_class_have_numbers_and_what_took_no_part_has_none():
    first, second, third = (mg.nn.Linear(2, 2) for _ in range(3))
    x = mg.tensor(np.ones((1, 2)), name="x")
    y, _ = mg.sum(second(first(x))), third(x)
    scopes = [node.scope for node in draw(y).scene.nodes if node.call.startswith("Matmul")]
    assert scopes == ["linear0", "linear1"]
    named = draw(y, names={"second": second}).scene.nodes
    assert [n.scope for n in named if n.call.startswith("Matmul")] == ["linear", "second"]


def test_modules_that_compare_their_parts_compute_and_are_framed_each():
    @dataclass
    class Scale(mg.nn.Module):
        factor: float

        def forward(self, x):
            return mg.exp(x * self.factor)

    x = mg.tensor(np.ones(2), requires_grad=True, name="x")
    first, second = Scale(2.0), Scale(2.0)
    scopes = {node.scope for node in draw(mg.sum(second(first(x)))).scene.nodes}
    assert {"scale0", "scale1"} <= scopes


def test_equal_modules_with_ops_between_them_fold_in_turns():
    parts, h = [mg.nn.Linear(2, 2) for _ in range(20)], mg.tensor(np.ones((1, 2)), name="x")
    for part in parts:
        h = mg.exp(mg.tanh(part(h)))
    drawn = {node.texts()[0] for node in draw(mg.sum(h), names={"x": h}).scene.nodes}
    assert any(text.startswith(("20 × linear", "19 × ")) for text in drawn) and len(drawn) <= 5
