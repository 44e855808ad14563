"""A net in one bytes object: as whole, as checked as a pair of files; saving with cut inputs."""

import numpy as np
import pytest
from machine_made import machine_made

import minigrad as mg


def net():
    """(graph, nodes by name) of two layers with an optimiser."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(None, 3))
        with mg.name_scope("encoder"):
            w = mg.Variable(np.linspace(-1, 1, 12).reshape(3, 4), name="w")
            h = mg.tanh(x @ w)
        with mg.name_scope("decoder"):
            v = mg.Variable(np.linspace(1, -1, 8).reshape(4, 2), name="v")
            y = h @ v
        loss = mg.mean(y * y)
        update = mg.optim.Adam(lr=0.1).minimize(loss)
    return graph, {"x": x, "w": w, "h": h, "v": v, "y": y, "loss": loss, "update": update}


FEED = np.arange(6.0).reshape(2, 3)


def test_a_net_in_bytes_goes_on_training_with_the_same_losses():
    graph, made = net()
    session = mg.Session(graph)
    for _ in range(3):
        session.run(made["update"], {made["x"]: FEED})
    data = mg.to_bytes({"loss": made["loss"], "update": made["update"]}, session)
    loaded = mg.from_bytes(data)
    assert isinstance(data, bytes) and loaded.session.runs == 3
    for _ in range(3):
        expected = session.run([made["loss"], made["update"]], {made["x"]: FEED})[0]
        assert loaded(x=FEED)["loss"] == expected


@pytest.mark.parametrize("start", [0, 30])
def test_machine_made_graphs_survive_as_in_files(start, tmp_path):
    for seed in range(start, start + 30):
        graph, outputs, _ = machine_made(seed)
        mg.save(tmp_path / "net.json", outputs)
        from_file = mg.load(tmp_path / "net.json")
        loaded = mg.from_bytes(mg.to_bytes(outputs))
        assert [*map(repr, loaded.graph.nodes)] == [*map(repr, from_file.graph.nodes)]


@pytest.mark.parametrize("given", ["abc", 3, None])
def test_what_is_not_bytes_is_refused(given):
    with pytest.raises(mg.FileError) as caught:
        mg.from_bytes(given)
    message = f"the bytes of a net: they have the type {type(given).__name__}"
    assert caught.value.message == message and "mg.load" in caught.value.hint


def test_what_is_no_session_is_refused_before_anything_is_written(tmp_path):
    y = net()[1]["y"]
    for call in (
        lambda: mg.save(tmp_path / "net.json", y, session=3),
        lambda: mg.to_bytes(y, session=3),
        lambda: mg.compile(y, session=3),
    ):
        with pytest.raises(mg.ArgumentError) as caught:
            call()
        assert caught.value.message == "session=3 is not a Session"
    assert not list(tmp_path.iterdir())


def test_an_input_may_have_the_name_self():
    with mg.Graph():
        y = 2 * mg.placeholder("self", (2,))
    assert mg.from_bytes(mg.to_bytes(y))(self=[1.0, 2.0]).tolist() == [2, 4]


def test_the_hint_for_a_missing_input_is_the_call_that_was_made():
    with mg.Graph() as graph:
        x = mg.placeholder("x", (2,))
        y = 2 * x
    loaded = mg.from_bytes(mg.to_bytes(y))
    for call, hint in (
        (loaded, "net(x=value)"),
        (lambda: loaded.run(loaded.outputs, {}), 'net.run(…, {"x": value})'),
        (mg.compile(y), "f(x=value)"),
        (lambda: mg.Session(graph).compile(y), "session.compile(…, [x])"),
        (lambda: mg.Session(graph).run(y), "sess.run(…, {x: value})"),
    ):
        with pytest.raises(mg.FeedError) as caught:
            call()
        assert caught.value.hint == f"add it: {hint}"


def test_bytes_that_are_not_whole_are_refused():
    data = mg.to_bytes(net()[1]["loss"])
    for cut in [*range(60), *range(60, len(data), 97)]:
        with pytest.raises(mg.FileError, match="the bytes of a net"):
            mg.from_bytes(data[:cut])
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(data), 200):
        changed = bytearray(data)
        changed[place] ^= 1 << int(rng.integers(8))
        try:
            mg.from_bytes(bytes(changed))
        except mg.FileError:
            continue
        pytest.fail(f"a change of byte {place} went unseen")


def test_inner_nodes_and_variables_are_found_by_name():
    loaded = mg.from_bytes(mg.to_bytes(net()[1]["loss"]))
    assert set(loaded.variables) == {"encoder/w", "decoder/v"}
    assert loaded.nodes["encoder/w"] is loaded.variables["encoder/w"]
    assert loaded.nodes["x"] is loaded.inputs["x"]
    loss = loaded.session.run(loaded.outputs, {loaded.nodes["x"]: FEED})
    hidden = next(node for node in loaded.nodes.values() if str(node.op) == "Tanh")
    value = loaded.session.run(hidden, {loaded.nodes["x"]: FEED})
    assert loaded.session.run(loaded.outputs, {hidden: value}) == loss


@pytest.mark.parametrize("way", ["bytes", "file"])
def test_a_net_is_cut_at_inputs_and_leaves_their_weights_behind(way, tmp_path):
    graph, made = net()
    session = mg.Session(graph)
    session.run(made["update"], {made["x"]: FEED})
    h, y = session.run([made["h"], made["y"]], {made["x"]: FEED})
    if way == "bytes":
        loaded = mg.from_bytes(mg.to_bytes({"y": made["y"]}, session, inputs=[made["h"]]))
    else:
        mg.save(tmp_path / "net.json", {"y": made["y"]}, session, inputs=[made["h"]])
        loaded = mg.load(tmp_path / "net.json")
    assert list(loaded.variables) == ["decoder/v"]
    (name,) = loaded.inputs
    np.testing.assert_array_equal(loaded(**{name: h})["y"], y)


def test_a_cut_is_refused_where_it_is_none(tmp_path):
    graph, made = net()
    with pytest.raises(mg.ArgumentError, match="do not depend on the input"):
        mg.to_bytes(made["h"], inputs=[made["y"]])
    with pytest.raises(mg.ArgumentError, match="do not depend on the input"):
        mg.to_bytes(made["h"], inputs=["x"])
    with pytest.raises(mg.ArgumentError, match="onnx file is not cut"):
        mg.save(tmp_path / "net.onnx", made["y"], inputs=[made["h"]])
    assert not list(tmp_path.iterdir())
