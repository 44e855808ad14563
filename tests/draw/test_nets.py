"""What is drawn whole: a net on an input made up for it, a Graph, a Session, what was loaded."""

import numpy as np
import pytest
from saying import raises_saying

import minigrad as mg
from minigrad.core.errors import ArgumentError
from minigrad.draw import draw

nn = mg.nn


class Ends(nn.Module):
    """Two results of an input, by name."""

    def __init__(self):
        self.inner = nn.Linear(2, 3)
        self.more = [nn.Linear(3, 3), nn.LayerNorm(3)]

    def forward(self, rows):
        """A dict of results."""
        h = mg.tanh(self.inner(rows))
        return {"y": self.more[1](self.more[0](h)), "h": [h]}


class Fixed(nn.Module):
    """A net that runs on four rows only."""

    def __init__(self):
        self.inner = nn.Linear(2, 3)

    def forward(self, x):
        """Seven columns for a layer of two."""
        return self.inner(mg.reshape(x, (4, 7)))


class Numbers(Fixed):
    """A net that gives a number."""

    def forward(self, x):
        """No value of a graph."""
        return 3


def deep():
    """A net with layers that change when they are called."""
    layers = nn.Linear(3, 4), nn.BatchNorm(4), nn.ReLU(), nn.Dropout(0.5), nn.Linear(4, 2)
    return nn.Sequential(*layers)


def named(drawing, *words):
    """Whether the drawing, as a text with one space between words, has all of these."""
    text = " ".join(drawing.text.split())
    return all(word in text for word in words)


def test_a_net_alone_is_drawn_for_any_number_of_rows():
    drawing = draw(nn.Linear(3, 2))
    assert named(drawing, "x float64[?,3]", "linear/W float64[3,2]", "linear/b float64[2]")
    assert named(drawing, "5 nodes", "Matmul(n0, n1)", "Add(n3, n2)")
    assert drawing.svg.startswith("<svg")


@pytest.mark.parametrize("mode", ["forward", "mirror", "tangent"])
def test_a_net_of_a_learner_with_several_results(mode):
    drawing = draw(Ends(), mode=mode)
    assert named(drawing, "rows float64[?,2]", "ends/inner/W", "ends/more.0/W", "ends/more.1/gain")
    assert len(drawing.scene.results) == 2


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("training", [False, True])
def test_a_net_stays_as_it_is(static, training):
    with mg.Graph() as graph:
        net = deep() if static else None
    net = (net or deep()).train(training)
    session = mg.Session(graph) if static else None
    state, nodes = net.state_dict(session), len(graph.nodes)
    inside = [{**vars(module)} for module in net.modules()]
    assert named(draw(net), "Relu", "sequential/layers.4/W")
    assert named(draw(net), "Uniform") == training  # of the dropout
    assert [{**vars(module)} for module in net.modules()] == inside and len(graph.nodes) == nodes
    for name, array in net.state_dict(session).items():
        np.testing.assert_array_equal(array, state[name])


def test_the_dtype_is_that_of_the_weights():
    assert named(draw(nn.Linear(3, 2, dtype=np.float32)), "x float32[?,3]")


@pytest.mark.parametrize(
    "net, message, hint",
    [
        (nn.Conv2d(1, 2, 3), "the weights of Conv2d do not tell the shape", "mg.draw(net(x))"),
        (nn.ReLU(), "the weights of ReLU do not tell the shape", "mg.draw(net(x))"),
        (nn.RNNCell(2, 3), "RNNCell takes 2 inputs: x, h", "mg.draw(net(x, h))"),
        (Fixed(), "Fixed does not take [?, 2], as its first weights do: matmul", "mg.draw(net(x))"),
        (Numbers(), "forward of Numbers does not return a value", "without item()"),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_a_net_whose_input_is_not_known_says_what_to_draw(net, message, hint):
    with pytest.raises(ArgumentError) as caught:
        draw(net)
    assert message in caught.value.message and hint in caught.value.hint
    assert "test_nets.py" in str(caught.value)


def test_a_net_with_an_example_has_numbers():
    assert named(
        draw(nn.Linear(2, 2), np.ones((1, 2))), "float64[1,2]", "linear/b float64[2] [0, 0]"
    )


# graphs and sessions -----------------------------------------------------------------------------


@pytest.fixture
def graph():
    """A graph with two results, a statement and a placeholder that nothing reads."""
    with mg.Graph() as made:
        x, w = mg.placeholder("x", (3,)), mg.Variable([1.0, 2.0, 3.0], name="w")
        y = x * w
        mg.sum(y), mg.exp(y), mg.assign_add(w, y)
        mg.placeholder("unread")
    return made


def test_a_graph_and_a_session_are_drawn_whole(graph):
    for whole in (graph, mg.Session(graph)):
        drawing = draw(whole)
        assert len(drawing.scene.nodes) == len(graph.nodes) and len(drawing.scene.results) == 4
        assert named(drawing, "Sum", "Exp", "Assign", "unread")
    assert draw(graph).svg == draw(mg.Session(graph)).svg


def test_a_session_with_fetches_is_compiled_as_before(graph):
    total = next(node for node in graph.nodes if node.op.__name__ == "Sum")
    assert not named(draw(mg.Session(graph), total), "Exp")


def test_what_was_loaded_is_drawn_with_its_outputs(graph, tmp_path):
    mg.save(tmp_path / "net.json", {"total": graph.nodes[3], "more": [graph.nodes[2]]})
    assert named(draw(mg.load(tmp_path / "net.json")), "x float64[3]", "w", "Mul", "Sum")


def test_a_graph_is_played(graph):
    feed = {graph.nodes[0]: np.ones(3)}
    session = mg.Session(graph)
    for text in (mg.player(graph, feed).text, mg.player(session, feed).text):
        assert "Σ " in text and "exp(" in text and "The update replaces" in text
    np.testing.assert_array_equal(session.run(graph.variables[0]), [1, 2, 3])
    with pytest.raises(mg.FeedError, match="x, float64.3., is not fed"):
        mg.player(graph)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda g: draw(mg.Graph()), "the Graph has no nodes"),
        (lambda g: mg.player(mg.Graph()), "the Graph has no nodes"),
        (lambda g: draw([g]), "Graph is not a graph value"),
        (lambda g: draw(g, g), "Graph is not a graph value"),
        (lambda g: draw([mg.Session(g)]), "Session is not a graph value"),
        (lambda g: draw([nn.ReLU(), nn.ReLU()]), "ReLU is not a graph value"),
        (lambda g: draw({"y": g.nodes[2]}), "dict is not a graph value"),
        (lambda g: draw(nn.Linear), "type is not a graph value"),
        (lambda g: mg.player(nn.Linear(2, 2)), "Linear is a net: it computes nothing"),
    ],
)
def test_what_cannot_be_drawn_says_what_can(call, message, graph):
    with raises_saying(ArgumentError, message) as caught:
        call(graph)
    assert caught.value.hint and "test_nets.py" in str(caught.value)
