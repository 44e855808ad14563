"""Composite calls: the nodes of one call of conv2d know it, in programs, files and pickles too."""

import json
import pickle
import threading

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.errors import FileError
from minigrad.core.modes import composite
from minigrad.files.reading import read_call


def build():
    """A graph with two calls of conv2d and one of max_pool2d: (graph, result)."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(2, 1, 8, 8))
        k = mg.Variable(np.ones((1, 1, 3, 3)), "k")
        y = mg.max_pool2d(mg.conv2d(mg.relu(mg.conv2d(x, k)), k), 2)
    return graph, y


def calls(nodes):
    """[(name of the call, ops of its nodes)] in order of their first nodes."""
    found = {}
    for node in nodes:
        if node.made_by is not None:
            found.setdefault(node.made_by, []).append(node.op.__name__)
    return [(call.name, ops) for call, ops in found.items()]


CONV = ("conv2d", ["Windows", "Einsum", "Transpose"])
WANTED = [CONV, CONV, ("max_pool2d", ["Windows", "Max"])]


def test_nodes_know_the_call_that_made_them():
    graph, _ = build()
    assert calls(graph.nodes) == WANTED
    assert [n.op.__name__ for n in graph.nodes if n.made_by is None] == [
        "Placeholder",
        "Variable",
        "Relu",
    ]


def test_a_call_within_a_call_belongs_to_it():
    with mg.Graph() as graph:
        mg.std(mg.placeholder("x", shape=(3,)))
        mg.tanh(graph.nodes[0])
    ((name, ops),) = calls(graph.nodes)
    assert name == "std" and len(ops) == len(graph.nodes) - 2


def test_a_call_that_fails_leaves_nothing_behind():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        with pytest.raises(mg.MinigradError):
            mg.conv2d(x, x)
        assert mg.tanh(x).made_by is None
    assert calls(graph.nodes) == []


def test_threads_have_calls_of_their_own():
    made = []

    def work():
        with mg.Graph():
            made.append(mg.tanh(mg.placeholder("x")).made_by)

    @composite
    def outer():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()

    outer()
    assert made == [None]


@pytest.mark.parametrize("optimize", [False, True])
def test_the_passes_of_a_session_keep_the_calls(optimize):
    graph, y = build()
    session = mg.Session(graph, optimize=optimize)
    nodes = session.compile(y, [graph.nodes[0]]).program.nodes()
    assert [name for name, _ in calls(nodes)] == [name for name, _ in WANTED]
    kept = [node for node in nodes if node.made_by is not None]
    assert all(node.made_by is node.source.made_by for node in kept)


def test_files_keep_the_calls(tmp_path):
    _, y = build()
    mg.save(tmp_path / "net.json", y)
    assert calls(mg.load(tmp_path / "net.json").graph.nodes) == WANTED
    assert calls(mg.from_bytes(mg.to_bytes(y)).graph.nodes) == WANTED


def test_a_file_cut_within_a_call_keeps_the_rest(tmp_path):
    _, y = build()
    cut = y.inputs[0]
    mg.save(tmp_path / "net.json", y, inputs=[cut])
    assert calls(mg.load(tmp_path / "net.json").graph.nodes) == [("max_pool2d", ["Max"])]


def test_bodies_in_files_keep_the_calls(tmp_path):
    with mg.Graph():
        x = mg.placeholder("x", shape=(3,))
        y = mg.while_loop(lambda v: mg.sum(v) < 8.0, lambda v: v + mg.var(v) + 1.0, x)
    (loop,) = [v for v in y.graph.nodes if "body" in v.params]
    mg.save(tmp_path / "net.json", y)
    (loaded,) = [v for v in mg.load(tmp_path / "net.json").graph.nodes if "body" in v.params]
    wanted = calls(loop.params["body"].nodes)
    assert [name for name, _ in wanted] == ["var"]
    assert calls(loaded.params["body"].nodes) == wanted


def test_pickles_keep_the_calls():
    graph, _ = build()
    assert calls(pickle.loads(pickle.dumps(graph)).nodes) == WANTED


@pytest.mark.parametrize(
    "entry", ["conv2d", [], ["conv2d"], ["conv2d", -1], ["conv2d", 99], [7, 2], ["conv2d", 0]]
)
def test_a_file_with_no_such_call_is_refused(entry):
    _, y = build()
    data = mg.to_bytes(y)
    records = json.loads(data[data.index(b"{") : data.rindex(b"]}") + 2])["nodes"]
    (record, *_) = [r for r in records if r["op"] == "Einsum"]
    number = records.index(record)
    assert read_call(y.graph, record, number).name == "conv2d"
    with pytest.raises(FileError):
        read_call(y.graph, {**record, "made_by": entry}, number)
