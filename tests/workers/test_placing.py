"""Pieces of a graph: what each is fed, receives, keeps and fetches; computed here, one by one."""

import contextlib
import itertools

import numpy as np
import pytest
from machine_made import machine_made
from saying import raises_saying
from workers.nets import THERE_AND_BACK, batches, there_and_back, two_scopes

import minigrad as mg
from minigrad import workers
from minigrad.static.graph import RunIndex
from minigrad.static.program import find_needed

PLACES = {"encoder": 0, "decoder": 1}


def run_here(parts, sessions, step, feeds):
    """{node: value} of all that pieces fetch, by a session for each worker, as workers would."""
    values, kept = dict(feeds), {}
    for piece in parts.pieces:
        fed = {n: np.asarray(step) for n in piece.fed if n.op is RunIndex}
        fed |= {n: values[n] for n in (*piece.fed, *piece.received) if n in values}
        fed |= {n: kept[piece.worker, n] for n in piece.kept}
        found = sessions[piece.worker].run(list(piece.fetched), fed)
        values |= dict(zip(piece.fetched, found))
        kept |= {(piece.worker, n): values[n] for n in (*piece.fetched, *piece.received)}
    return values


def test_a_training_in_pieces_is_the_same_bits():
    graph, one = two_scopes()
    session = mg.Session(graph)
    other, two = two_scopes()
    parts = workers.partition([two["loss"], two["update"]], PLACES)
    sessions = [mg.Session(other), mg.Session(other)]
    for step, (a, t, _) in enumerate(batches(6)):
        expected = session.run([one["loss"], one["update"]], {one["x"]: a, one["t"]: t})[0]
        found = run_here(parts, sessions, step, {two["x"]: a, two["t"]: t})
        assert found[two["loss"]] == expected


def test_forward_and_backward_need_three_pieces():
    _, net = two_scopes()
    grads = mg.gradients(net["loss"], [net["w"], net["v"]])
    parts = workers.partition([net["loss"], *grads], PLACES)
    assert [(p.stage, p.worker) for p in parts.pieces] == [(0, 0), (1, 1), (2, 0)]
    first, second, third = parts.pieces
    assert second.received == first.sent and third.received == second.sent
    assert set(map(id, first.fed)) >= {id(net["x"])} and net["t"] is second.fed[0]
    variables = [[n.name for n in p.nodes if isinstance(n, mg.Variable)] for p in parts.pieces]
    assert variables == [["encoder/w"], ["decoder/v"], []]
    assert "stage 1 on worker 1" in repr(parts)


def test_no_value_travels_to_a_worker_twice():
    _, h, outputs = there_and_back()
    pieces = workers.partition(outputs, THERE_AND_BACK).pieces
    assert [len(piece.received) for piece in pieces] == [0, 1, 1, 1]
    assert pieces[1].received == [h] and pieces[3].kept == [h]


def test_every_node_is_computed_once_and_after_what_it_needs():
    _, net = two_scopes()
    parts = workers.partition([net["loss"], net["update"]], PLACES)
    done = set()
    for piece in parts.pieces:
        for node in piece.nodes:
            assert node.order not in done
            done.add(node.order)
            for x in node.inputs:
                outside = str(x.op) in ("Placeholder", "Constant", "RunIndex")
                assert outside or x.order in done


def assert_near(found, expected, where):
    """Equal but for last bits: a view that has travelled lies in rows, and is summed so."""
    assert found.dtype.newbyteorder("=") == expected.dtype.newbyteorder("="), where
    eps = 8 * np.finfo(expected.dtype).eps if expected.dtype.kind == "f" else 0
    np.testing.assert_allclose(found, expected, rtol=eps, atol=eps, err_msg=str(where))


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_machine_made_graphs_in_pieces_give_the_same_numbers(start):
    computed = 0
    for seed in range(start, start + 50):
        graph, outputs, feeds = machine_made(seed)
        scopes = {n.scope for n in find_needed(outputs.values(), ()) if n.scope}
        places = {scope: i % 3 for i, scope in enumerate(sorted(scopes))}
        with contextlib.suppress(mg.MinigradError), np.errstate(all="ignore"):
            parts = workers.partition(outputs, places)  # or it says why it cannot be cut
            expected = mg.Session(graph).run(outputs, feeds)
            found = run_here(parts, [mg.Session(graph) for _ in range(3)], 0, feeds)
            for key, node in outputs.items():
                assert_near(found[node], expected[key], (seed, key))
            computed += len(parts.pieces) > 1
    assert computed > 15


def test_the_drawing_says_who_has_what_and_what_crosses():
    _, net = two_scopes()
    text = workers.partition(net["loss"], PLACES).draw().text
    assert "worker 0" in text and "worker 1" in text
    assert "32 B a row" in text and "1 message between workers, 32 B a row" in text


def test_what_is_fed_comes_from_no_worker():
    _, net = two_scopes()
    drawing = workers.partition(net["loss"], PLACES).draw()
    inputs = [node.more for node in drawing.scene.nodes if node.role == "input"]
    assert inputs == ["worker 0, fed by the caller", "worker 1, fed by the caller"]
    assert ">fed by the caller</text>" in drawing.svg
    placed = dict.fromkeys(net["loss"].graph.nodes, 0)
    whole = mg.draw(net["loss"], mode="workers", placed=placed)
    assert {node.more.partition(" · ")[0] for node in whole.scene.nodes} == {"worker 0"}
    assert "fed by the caller" not in whole.text + whole.svg


def test_stage_after_stage_is_computed():
    _, net = two_scopes()
    parts = workers.partition(
        [net["loss"], *mg.gradients(net["loss"], [net["w"], net["v"]])], PLACES
    )
    slider = parts.draw_stages()
    stages = sorted({piece.stage for piece in parts.pieces})
    assert len(slider) == len(stages) > 2
    computed = [
        {node.id for node in drawing.scene.nodes if not node.mark} for drawing in slider.drawings
    ]
    assert all(before < after for before, after in itertools.pairwise(computed))
    assert slider[len(slider) - 1].scene.nodes == parts.draw().scene.nodes
    sizes = {drawing.svg[: drawing.svg.index("viewBox")] for drawing in slider.drawings}
    assert len(sizes) == 1, "nothing moves from stage to stage"
    assert slider[0].scene.title == "stage 0, on worker 0"


def test_what_is_fed_to_two_workers_travels_from_neither():
    with mg.Graph():
        x = mg.placeholder("x", shape=(None, 4))
        with mg.name_scope("left"):
            left = mg.exp(x)
        with mg.name_scope("right"):
            loss = mg.sum(left + mg.tanh(x))
    text = workers.partition(loss, {"left": 0, "right": 1}).draw().text
    assert "1 message between workers, 32 B a row in all." in text
    assert text.count("(32 B a row)") == 1


@pytest.mark.parametrize(
    ("places", "message"),
    [
        ({"encodr": 0}, "no node lies in the scope 'encodr'"),
        ({}, "is not a dict of places"),
        ("encoder", "is not a dict of places"),
        ({"encoder": "tcp://a"}, "is placed on 'tcp://a'"),
        ({"encoder": True}, "is placed on True"),
    ],
)
def test_odd_places_are_refused(places, message):
    _, net = two_scopes()
    with raises_saying(mg.ArgumentError, message):
        workers.partition(net["loss"], places)


def test_the_cure_names_the_scope_that_was_meant():
    _, net = two_scopes()
    with pytest.raises(mg.ArgumentError, match="did you mean 'encoder'"):
        workers.partition(net["loss"], {"encodr": 0})


def test_odd_outputs_are_refused():
    _, net = two_scopes()
    for outputs in ([], [3.0], [net["loss"], "x"]):
        with pytest.raises(mg.MinigradError):
            workers.partition(outputs, PLACES)


def test_what_reads_an_assigned_variable_elsewhere_is_refused():
    with mg.Graph():
        with mg.name_scope("a"):
            w = mg.Variable(1.0, name="w")
            step = mg.assign_add(w, 1.0)
        with mg.name_scope("b"):
            v = mg.Variable(2.0, name="v")
            y = v * w
    with pytest.raises(mg.GraphError, match="another worker assigns before"):
        workers.partition([step, y], {"a": 0, "b": 1})
    parts = workers.partition([step, y], {"a": 0, "b": 0})
    assert len(parts.pieces) == 1


def test_what_waits_for_another_worker_is_refused():
    with mg.Graph():
        with mg.name_scope("a"):
            shown = mg.print_(mg.constant(1.0) * 2)
        with mg.name_scope("b"), mg.control_dependencies([shown]):
            y = mg.constant(2.0) * 3
    with pytest.raises(mg.GraphError, match="waits for"):
        workers.partition([shown, y], {"a": 0, "b": 1})
