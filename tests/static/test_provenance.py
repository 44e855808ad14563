"""Provenance: each node of a derivative, a recomputation, an update knows what it was made for."""

import pickle

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.stepwise import recorded_adjoints
from minigrad.static.control.fn import Fn
from minigrad.static.provenance import derivatives_of

SHAPES = [(3, 3), (4, 2)]


def origins_of(node):
    """What a node was made for; a node of a program is asked as the one that it comes from."""
    node = node if node.source is None else node.source
    return node.graph.ledger.origins().get(node.order, [])


def kinds(node):
    """{(kind, the name of what it is of)} of a node."""
    return {(o.kind, o.of if isinstance(o.of, int) else o.of.name) for o in origins_of(node)}


def net(shape):
    """(x, w, y) with y = Σ tanh(x w) + Σ w."""
    x = mg.placeholder("x", shape=shape)
    w = mg.Variable(np.full(shape[::-1], 0.5), name="w")
    return x, w, mg.sum(mg.tanh(x @ w)) + mg.sum(w)


def unasked(graph, count):
    """The nodes from number `count` on of which nothing is known."""
    return [node for node in graph.nodes[count:] if not origins_of(node)]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_node_of_a_derivative_can_be_asked(shape):
    with mg.Graph() as graph:
        x, w, y = net(shape)
        count = len(graph.nodes)
        (w_bar,) = mg.gradients(y, [w])
    assert unasked(graph, count) == []
    assert ("adjoint", "w") in kinds(w_bar) and derivatives_of(w) == {1: w_bar}
    assert derivatives_of(x) == {}
    for z in graph.nodes[:count]:
        for z_bar in derivatives_of(z).values():
            assert z_bar.shape == z.shape
            assert any(o.kind == "adjoint" and o.of is z for o in origins_of(z_bar))


def test_an_adjoint_that_is_passed_on_is_that_of_several_values():
    with mg.Graph():
        a, b = mg.placeholder("a"), mg.placeholder("b")
        y = a + b
        y_bar, a_bar, b_bar = mg.gradients(y, [y, a, b])
    assert y_bar is a_bar is b_bar and derivatives_of(a) == {1: a_bar}
    assert {of.name for kind, of, _ in origins_of(a_bar) if kind == "adjoint"} >= {"a", "b"}


def test_contributions_have_their_user_and_add_up():
    with mg.Graph():
        x = mg.placeholder("x")
        s, e = mg.sin(x), mg.exp(x)
        y = s * e
        (x_bar,) = mg.gradients(y, x)
    (adjoint,) = [a for a in recorded_adjoints(y) if a.primal is x]
    assert adjoint.value is x_bar and [id(user) for user, _ in adjoint.partials] == [id(e), id(s)]
    for user, share in adjoint.partials:
        (origin,) = [o for o in origins_of(share) if o.kind == "contribution"]
        assert origin.of is x and origin.by is user
    assert {*map(id, x_bar.inputs)} == {id(share) for _, share in adjoint.partials}


def test_several_sweeps_are_told_apart():
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        y, z = mg.sin(x), mg.exp(x)
        (first,), (second,) = mg.gradients(y, [x]), mg.gradients(z, [x])
        (moved,) = [mg.forward_gradients(y, x, 1.0)[0]]
    assert derivatives_of(x) == {1: first, 2: second}
    assert derivatives_of(y, "tangent") == {3: moved} and graph.ledger.sweeps == 3


def test_a_value_without_a_path_has_a_zero():
    with mg.Graph():
        x, other = mg.placeholder("x"), mg.placeholder("other")
        _, zero = mg.gradients(mg.sin(x), [x, other], unconnected="zero")
        assert mg.gradients(mg.sin(x), [other], unconnected="none") == [None]
    assert derivatives_of(other) == {1: zero} and kinds(zero) == {("adjoint", "other")}


def test_second_order_is_asked_in_terms_of_the_first():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(4, 2))
        y = mg.sum(mg.tanh(x) ** 3)
        (x_bar,) = mg.gradients(y, x)
        count = len(graph.nodes)
        (x_bar_dot,) = mg.forward_gradients(x_bar, x, np.ones((4, 2)))
        (x_bar_bar,) = mg.gradients(mg.sum(x_bar * x_bar), x)
    assert derivatives_of(x_bar, "tangent") == {2: x_bar_dot}
    assert derivatives_of(x) == {1: x_bar, 3: x_bar_bar}
    inner = [n for n in graph.nodes[:count] if any(o.kind == "part" for o in origins_of(n))]
    assert any(derivatives_of(n, "tangent") for n in inner), "parts of the first are differentiated"
    sums = {("adjoint", None), ("contribution", None)}
    assert all(kinds(n) & sums for n in derivatives_of(x_bar).values())


def bodies_of(graph):
    """Every Fn in the params of a graph's nodes."""
    return [p for n in graph.nodes for p in n.params.values() if isinstance(p, Fn)]


def loop(x):
    _, y = mg.while_loop(lambda i, p: i < 3, lambda i, p: (i + 1, mg.sin(p) * x), (0, x))
    return y


def scanned(x):
    last, ys = mg.scan(lambda h, i: (mg.tanh(h * x), h * h), x, np.arange(3.0))
    return last + mg.sum(ys)


def chosen(x):
    return mg.cond(x > 0, lambda a: mg.sin(a) * a, lambda a: a * a * x, x)


@pytest.mark.parametrize("build", [loop, scanned, chosen])
@pytest.mark.parametrize("mode", ["adjoint", "tangent"])
def test_bodies_of_derivatives_know_the_body_they_come_from(build, mode):
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        y = build(x)
        before = bodies_of(graph)
        own = {id(v) for fn in before for v in (*fn.inputs, *fn.nodes)}
        if mode == "adjoint":
            mg.gradients(y, x)
        else:
            mg.forward_gradients(y, x, 1.0)
    made = [fn for fn in bodies_of(graph) if all(fn is not one for one in before)]
    assert made
    for fn in made:
        chains = [list(chain(node)) for node in fn.nodes]
        assert all(chains), "every node was made for something"
        assert any(o.kind == "copy" and id(o.of) in own for found in chains for o in found)
    found = {o.kind for fn in made for v in (*fn.inputs, *fn.nodes) for o in chain(v)}
    assert {"copy", mode} <= found


def chain(node):
    """The NodeOrigins of a node, and of what it is a copy of."""
    for origin in origins_of(node):
        yield origin
        if origin.kind == "copy":
            yield from chain(origin.of)


def test_what_is_computed_again_after_a_checkpoint_is_a_copy():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(4, 2))
        h = x
        for _ in range(6):
            h = mg.sin(h)
        count = len(graph.nodes)
        mg.gradients(mg.sum(h), x, checkpoints="sqrt")
    copies = [n for n in graph.nodes if n.segment is not None]
    assert copies and all(o.kind == "copy" for n in copies for o in origins_of(n)[:1])
    assert {origins_of(n)[0].of.op for n in copies} == {graph.nodes[1].op}
    assert unasked(graph, count + 1) == []


@pytest.mark.parametrize("assign", [mg.assign, mg.assign_add, mg.assign_sub])
def test_an_assigned_value_is_an_update(assign):
    with mg.Graph():
        w = mg.Variable(2.0, name="w")
        step = assign(w, w * 3)
    assert kinds(step) == kinds(step.inputs[1]) == {("update", "w")}


def test_programs_are_asked_through_the_learners_nodes():
    with mg.Graph() as graph:
        x, w, y = net((4, 2))
        (w_bar,) = mg.gradients(y, w)
        step = mg.assign_sub(w, w_bar * 0.1)
    exe = mg.Session(graph).compile([y, step], {x: np.ones((4, 2))})
    ((variable, new),) = exe.program.stores
    assert variable is w and ("update", "w") in kinds(new)
    nodes = exe.program.nodes()
    assert all(node.source.graph is graph for node in nodes)
    assert any(kind == "part" for node in nodes for kind, _ in kinds(node))


def test_a_pickled_graph_knows_what_its_nodes_were_made_for():
    with mg.Graph() as graph:
        x, w, y = net((4, 2))
        x_bar, w_bar = mg.gradients(y + scanned(mg.sum(x)), [x, w])
    copy = pickle.loads(pickle.dumps(graph))
    twin = copy.nodes[w.order]
    assert derivatives_of(twin) == {1: copy.nodes[w_bar.order]}
    for node, again in zip(graph.nodes, copy.nodes):
        pairs = [
            [(o.kind, getattr(o.of, "order", o.of)) for o in origins_of(n)] for n in (node, again)
        ]
        assert pairs[0] == pairs[1]


def test_a_file_leaves_provenance_out(tmp_path):
    with mg.Graph() as graph:
        x, w, y = net((4, 2))
        (w_bar,) = mg.gradients(y, w)
    mg.save(tmp_path / "net.json", [y, w_bar], session=mg.Session(graph))
    loaded = mg.load(tmp_path / "net.json")
    assert all(origins_of(node) == [] for node in loaded.graph.nodes)


# both engines ------------------------------------------------------------------------------------


def toy(x, w):
    return mg.sin(x) * w + x


def as_numbers(trace, number):
    """[(name of the value, its adjoint, [contributions])] of values with a name."""
    return [
        (a.primal.name, number(a.value), [number(share) for _, share in a.partials])
        for a in trace
        if a.primal.name
    ]


def test_both_engines_answer_the_same_question():
    x = mg.tensor(0.5, requires_grad=True, name="x")
    w = mg.tensor(2.0, requires_grad=True, name="w")
    y = toy(x, w)
    y.backward()
    dynamic = as_numbers(recorded_adjoints(y), float)
    with mg.Graph() as graph:
        a, b = mg.placeholder("x"), mg.placeholder("w")
        z = toy(a, b)
        mg.gradients(z, [a, b])
        count = len(graph.nodes)
        trace = recorded_adjoints(z)
    session = mg.Session(graph)
    static = as_numbers(trace, lambda node: float(session.run(node, {a: 0.5, b: 2.0})))
    assert len(graph.nodes) == count, "asking adds nothing"
    assert dynamic == static and [name for name, *_ in dynamic] == ["w", "x"]
    assert dynamic[1][1] == pytest.approx(float(x.grad)) == pytest.approx(sum(dynamic[1][2]))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_tensor_answers_for_values_that_keep_no_gradient(shape):
    x = mg.tensor(np.full(shape, 0.5)[:1, :2], requires_grad=True, name="x")
    h = mg.tanh(x)
    y = mg.sum(h * h)
    y.backward()
    adjoints = {a.primal.order: a for a in recorded_adjoints(y)}
    np.testing.assert_allclose(adjoints[h.order].value.numpy(), 2 * h.numpy())
    assert [user.op.__name__ for user, _ in adjoints[h.order].partials] == ["Mul", "Mul"]
    assert adjoints[x.order].primal is x


def test_gradients_of_tensors_can_be_asked_as_long_as_their_graph_is_there():
    x = mg.tensor(0.5, requires_grad=True, name="x")
    y = mg.sin(x) * x
    (x_bar,) = mg.gradients(y, x)
    (found,) = [a for a in recorded_adjoints(y) if a.primal is x]
    assert found.value.item() == x_bar.item() and len(found.partials) == 2


def test_what_was_not_differentiated_has_no_answer():
    with mg.Graph():
        y = mg.sin(mg.placeholder("x"))
        with pytest.raises(mg.GradientError, match="was not differentiated"):
            recorded_adjoints(y)
    big = mg.sum(mg.sin(mg.tensor(np.ones(1000), requires_grad=True)))
    with pytest.raises(mg.GradientError, match="too large"):
        recorded_adjoints(big)
    big.backward()
    with pytest.raises(mg.GradientError, match="freed"):
        recorded_adjoints(big)
