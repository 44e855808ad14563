"""Graphs, sessions and traced functions travel through pickle, and compute the same there."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from machine_made import machine_made

import minigrad as mg


def cubic(x):
    return x**3


def cubic_vjp(x, z, z_bar):
    return (3 * x * x * z_bar,)


cube = mg.custom_op(cubic, vjp=cubic_vjp, name="cube")


@mg.function
def traced(x):
    return mg.sin(x) * 2


def sent(*things):
    """The same things after a journey."""
    return pickle.loads(pickle.dumps(things))


def outcome(session, outputs, feeds):
    """The bits of three runs, in the machine's order of bytes, or the kind of error."""
    with np.errstate(all="ignore"):
        try:
            found = [session.run(outputs, feeds) for _ in range(3)]
        except mg.MinigradError as error:
            return type(error)
    arrays = [(k, a.astype(a.dtype.newbyteorder("="))) for one in found for k, a in one.items()]
    return [(k, a.shape, a.dtype, a.tobytes()) for k, a in arrays]


@pytest.mark.parametrize("start", [0, 30, 60])
def test_machine_made_sessions_give_the_same_bits(start):
    for seed in range(start, start + 30):
        graph, outputs, feeds = machine_made(seed)
        session = mg.Session(graph)
        there, outs, fed = sent(session, outputs, [*feeds])
        assert there.graph is not graph
        assert [*map(repr, there.graph.nodes)] == [*map(repr, graph.nodes)]
        again = dict(zip(fed, feeds.values()))
        assert outcome(there, outs, again) == outcome(session, outputs, feeds), seed


def training():
    """(session, loss, update, feeds) of a net with draws, a loop and Adam."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(None, 3))
        w = mg.Variable(np.linspace(-1, 1, 12).reshape(3, 4), name="w")
        h = mg.dropout(mg.tanh(x @ w), 0.3, seed=4)
        y = mg.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * 0.5 + h), (0, h))[1]
        loss = mg.mean(y * y)
        update = mg.optim.Adam(lr=0.1).minimize(loss)
    return mg.Session(graph, rules="fast", keep=5), loss, update, {x: np.arange(6.0).reshape(2, 3)}


def test_a_session_goes_on_where_it_was():
    session, loss, update, feeds = training()
    for _ in range(3):
        session.run(update, feeds)
    there, loss_there, update_there, fed = sent(session, loss, update, [*feeds])
    assert (there.runs, there.options, there.keep) == (3, session.options, 5)
    for _ in range(3):
        expected = session.run([loss, update], feeds)[0]
        found = there.run([loss_there, update_there], dict(zip(fed, feeds.values())))[0]
        assert found == expected


def test_nodes_keep_their_lines_and_new_names_stay_unique():
    session, loss, _, _ = training()
    graph, there = sent(session.graph, loss)
    assert there.line == loss.line and there.graph is graph
    with graph:
        assert mg.Variable(0.0, name="w").name == "w_1"
    assert not next(
        n for n in graph.nodes if isinstance(n, mg.static.graph.Constant)
    ).value.flags.writeable


def test_one_number_that_fills_a_variable_travels_as_one_number():
    with mg.Graph() as graph:
        mg.Variable(np.broadcast_to(0.0, (1000, 1000)), name="m")
    data = pickle.dumps(graph)
    assert len(data) < 2000
    (variable,) = pickle.loads(data).variables
    assert variable.initial.shape == (1000, 1000) and not any(variable.initial.strides)


def test_a_compiled_program_travels():
    session, loss, _, feeds = training()
    (w,) = [v for v in session.graph.variables if v.trainable]
    program = session.compile({"loss": loss, "grads": mg.gradients(loss, [w])}, feeds)
    (there,) = sent(program)
    expected, found = program(*feeds.values()), there(*feeds.values())
    assert found["loss"] == expected["loss"]
    np.testing.assert_array_equal(found["grads"][0], expected["grads"][0])


def test_a_long_chain_needs_no_deep_stack():
    with mg.Graph():
        x = mg.Variable(1.0)
        for _ in range(20_000):
            x = x * 1.0
    (there,) = sent(x)
    assert len(there.graph.nodes) == len(x.graph.nodes)


def test_an_op_from_outside_travels_by_its_rules():
    with mg.Graph():
        x = mg.placeholder("x", (3,))
        slope = mg.gradients(mg.sum(cube(x) + cube(2 * x)), [x])[0]
    there, fed = sent(slope, x)
    values = np.array([1.0, 2.0, 3.0])
    found = mg.Session(there.graph).run(there, {fed: values})
    np.testing.assert_allclose(found, 27 * values**2)
    ops = {node.op for node in there.graph.nodes if str(node.op) == "cube"}
    assert len(ops) == 1, "one op is one op there, too"


def test_a_copied_session_is_of_its_own():
    session, _, update, feeds = training()
    copied = copy.deepcopy(session)
    session.run(update, feeds)
    assert copied.graph is not session.graph and (copied.runs, session.runs) == (0, 1)


def test_nothing_is_sent_in_the_middle_of_a_run():
    with mg.Graph() as graph:
        tell = mg.custom_op(
            lambda x: len(pickle.dumps(session)) + x, infer=lambda x: x, name="tell"
        )
        y = tell(mg.constant(1.0))
    session = mg.Session(graph, optimize=False, backend="numpy")
    with pytest.raises(mg.GraphError, match="the session is running"):
        session.run(y)


def test_a_traced_function_goes_by_its_name():
    (there,) = sent(traced)
    assert there is traced


SCRIPT = """
import pickle, sys, numpy as np
import minigrad as mg
session, loss = pickle.load(open(sys.argv[1], "rb"))
x = next(n for n in loss.graph.nodes if n.name == "x")
print(repr(session.run(loss, {x: np.arange(6.0).reshape(2, 3)}).item()))
"""


def test_another_process_gets_the_same_number(tmp_path):
    session, loss, update, feeds = training()
    session.run(update, feeds)
    (tmp_path / "sent").write_bytes(pickle.dumps((session, loss)))
    root = str(Path(mg.__file__).parents[1])
    found = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "sent")],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": root},
    )  # fmt: skip
    assert float(found.stdout) == session.run(loss, feeds).item()


def test_state_is_restored_whole_or_not_at_all():
    session, loss, update, feeds = training()
    before, runs = session.state()
    session.run(update, feeds)
    odd = {**before, next(iter(before)): np.zeros(7)}
    now, _ = session.state()
    with pytest.raises(mg.MinigradError):
        session.restore(odd, runs)
    for order, value in session.state()[0].items():
        np.testing.assert_array_equal(value, now[order])
    for foreign, count in (({-1: 9.0}, runs), ({10**6: 9.0}, runs), ({}, "x"), ({}, -1)):
        with pytest.raises(mg.GraphError, match="not a state of this graph"):
            session.restore(foreign, count)
    session.restore(before, runs)
    assert session.runs == 0
    for order, value in session.state()[0].items():
        np.testing.assert_array_equal(value, before[order])
