"""Files: what is saved comes back; what is damaged is refused and harms nothing."""

import hashlib
import io
import json
import random
import sys
import zipfile

import numpy as np
import pytest
from ops_table import CASES, IDS, inputs_of

import minigrad as mg
from minigrad.files import limits
from minigrad.files.atomic import seal_text
from minigrad.files.registry import NAMES, OPS


def training(layer=lambda: mg.nn.Linear(3, 4)):
    """A classifier with a training step that keeps momentum; {name: node} and a batch."""
    mg.nn.manual_seed(0)
    rng = np.random.default_rng(0)
    with mg.Graph():
        x, t = mg.placeholder("x", (None, 3)), mg.placeholder("t", (None,), int)
        with mg.name_scope("net"):
            scores = mg.nn.Sequential(layer(), mg.nn.ReLU(), mg.nn.Linear(4, 2))(x)
        loss = mg.cross_entropy(scores, t)
        step = mg.optim.SGD(lr=0.1, momentum=0.9).minimize(loss)
    batch = {"x": rng.normal(size=(5, 3)), "t": np.array([0, 1, 1, 0, 1])}
    return {"scores": scores, "loss": loss, "step": step}, {x: batch["x"], t: batch["t"]}, batch


@pytest.fixture
def path(tmp_path):
    return tmp_path / "net.json"


# what is saved comes back ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row, shapes",
    [c for c in CASES if c[0].name != "custom op"],
    ids=[i for i, c in zip(IDS, CASES) if c[0].name != "custom op"],
)
def test_every_op_and_its_derivatives_come_back(row, shapes, path):
    arrays = inputs_of(row, shapes)
    with mg.Graph() as graph:
        xs = [mg.placeholder(f"x{i}", a.shape) for i, a in enumerate(arrays)]
        y = row.f(*xs)
        outputs = {"y": y, "bars": mg.gradients(y, xs, np.ones(y.shape), unconnected="zero")}
    mg.save(path, outputs)
    net = mg.load(path)
    expected = mg.Session(graph).run(outputs, dict(zip(xs, arrays)))
    found = net(**{f"x{i}": a for i, a in enumerate(arrays)})
    for a, b in zip([expected["y"], *expected["bars"]], [found["y"], *found["bars"]]):
        np.testing.assert_array_equal(a, b)


def test_a_net_is_trained_on_where_it_was_left(path):
    outputs, feeds, batch = training()
    session = mg.Session(outputs["loss"].graph)
    for _ in range(3):
        session.run(outputs["step"], feeds)
    mg.save(path, outputs, session)
    net = mg.load(path)
    for _ in range(3):
        session.run(outputs["step"], feeds)
        net.run(net.outputs["step"], batch)
    np.testing.assert_array_equal(
        net.run(net.outputs["scores"], batch), session.run(outputs["scores"], feeds)
    )
    with net.graph:
        (slope,) = mg.gradients(net.outputs["loss"], [net.variables["net/b"]])
    assert net.run(slope, batch).shape == (4,)


def test_without_a_session_variables_have_their_initial_values(path):
    outputs, feeds, batch = training()
    mg.Session(outputs["loss"].graph).run(outputs["step"], feeds)
    mg.save(path, outputs)
    fresh = mg.Session(outputs["loss"].graph).run(outputs["scores"], feeds)
    np.testing.assert_array_equal(mg.load(path)(**batch)["scores"], fresh)


def test_names_scopes_nests_and_inputs_are_kept(path):
    outputs, _, batch = training()
    mg.save(path, [outputs["loss"], {"deep": (outputs["scores"],)}])
    net = mg.load(path)
    assert list(net.inputs) == ["x", "t"] and "net/W" in net.variables
    assert {n.scope for n in net.graph.nodes} >= {"net", ""}
    loss, rest = net(**batch)
    assert loss.shape == () and rest["deep"][0].shape == (5, 2)
    assert net.inputs["x"].shape == (None, 3) and net.outputs[0].graph is net.graph
    mg.save(path, outputs["loss"])
    assert mg.load(path)(**batch) == loss
    with pytest.raises(mg.FeedError, match="'y' is not an input"):
        net(y=1)


def test_no_input_hides_another(path):
    with mg.Graph():
        y = mg.placeholder() - mg.placeholder("%0") * mg.Variable(3.0) * mg.Variable(1.0, "%2")
    mg.save(path, y)
    net = mg.load(path)
    assert net(**{"%%0": 1.0, "%0": 2.0}) == -5 and list(net.variables) == ["%%2", "%2"]


def test_what_waits_for_something_in_a_body_comes_back(path):
    def step(a):
        b = a * 2.0
        with mg.control_dependencies([b]):
            return a + 1.0

    with mg.Graph():
        y = mg.while_loop(lambda a: mg.sum(a) < 5, step, mg.placeholder("x", (2,)))
    mg.save(path, y)
    assert mg.load(path)(x=[0.0, 1.0]).tolist() == [2, 3]


def test_special_values_and_all_dtypes_are_kept_bit_for_bit(path):
    odd = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324])
    with mg.Graph():
        kept = [mg.constant(odd), mg.constant(odd.astype(">f8")), mg.constant(np.zeros((0, 3)))]
        kept += [mg.constant(np.ones((2, 1), d)) for d in ("bool", "int8", "uint64", "float16")]
        kept += [
            mg.Variable(np.asfortranarray(np.arange(6.0).reshape(2, 3))),
            mg.clip(mg.constant(odd), -np.inf, 0.1) ** 0.1,
        ]
    mg.save(path, kept)
    for a, b in zip(mg.Session(kept[0].graph).run(kept), mg.load(path)()):
        assert a.dtype.name == b.dtype.name and a.astype(b.dtype).tobytes() == b.tobytes()


def test_controls_prints_and_draws_come_back(path, capsys):
    with mg.Graph() as graph:
        x = mg.placeholder("x", (3,))
        with mg.control_dependencies([mg.print_(x, "seen ")]):
            y = mg.dropout(x, 0.5, seed=1) + mg.random_normal((3,), seed=2)
    mg.save(path, y)
    net, session = mg.load(path), mg.Session(graph)
    for _ in range(3):
        np.testing.assert_array_equal(net(x=np.ones(3)), session.run(y, {x: np.ones(3)}))
    assert capsys.readouterr().out.count("seen [1. 1. 1.]") == 6


def loops():
    """Outputs that need a while in whose body a cond lies, and a scan; and their gradients."""
    with mg.Graph():
        x, n, w = mg.placeholder("x", (3,)), mg.placeholder("n"), mg.Variable(1.5, name="w")
        _, y = mg.while_loop(
            lambda i, a: i < n,
            lambda i, a: (i + 1, mg.cond(mg.sum(a) > 3, lambda: a * w, lambda: a + np.arange(3.0))),
            (0.0, x),
        )
        last, ys = mg.scan(lambda c, e: (c * e * w, c + e), mg.sum(y), x)
        slope = mg.gradients(mg.sum(ys) + last, [x, w])
        return {"ys": ys, "slope": slope, "bend": mg.gradients(mg.sum(slope[0] ** 2), x)}


def test_loops_and_choices_come_back_with_their_derivatives(path):
    outputs = loops()
    mg.save(path, outputs)
    net, graph = mg.load(path), outputs["ys"].graph
    x, n = (node for node in graph.nodes if node.name in ("x", "n"))
    for trips in (0, 1, 4):
        expected = mg.Session(graph).run(outputs, {x: [0.3, 0.5, 0.2], n: trips})
        found = net(x=[0.3, 0.5, 0.2], n=trips)
        for a, b in zip(mg.core.pytree.flatten(expected)[0], mg.core.pytree.flatten(found)[0]):
            np.testing.assert_array_equal(a, b)
    with net.graph:  # a derivative that was not saved
        (again,) = mg.gradients(mg.sum(net.outputs["slope"][0] ** 2), net.inputs["x"])
    both = net.run([again, net.outputs["bend"][0]], {"x": [0.3, 0.5, 0.2], "n": 4})
    np.testing.assert_array_equal(*both)


def test_the_file_is_read_by_people(path):
    with mg.Graph():
        y = mg.sum(mg.placeholder("x", (None, 2)) * mg.Variable([1.0, 2.0], name="w"), axis=0)
    mg.save(path, y)
    lines = path.read_text().splitlines()
    assert lines[0] == '{"format": "minigrad graph",' and ' "outputs": 3,' in lines
    assert lines[8:11] == [
        '{"op": "Placeholder", "name": "x", "shape": [null, 2], "dtype": "float64"},',
        '{"op": "Variable", "name": "w", "shape": [2], "dtype": "float64", "array": 0, '
        '"trainable": true},',
        '{"op": "Mul", "inputs": [0, 1], "shape": [null, 2], "dtype": "float64"},',
    ]


def test_the_allow_list_names_each_op_once():
    assert len(NAMES) == len(OPS) + 4 and {op.__name__ for op in OPS.values()} == set(OPS)


# what cannot be saved ----------------------------------------------------------------------------


def unsaved(path, outputs, session=None):
    """The message for what cannot be saved; nothing is written."""
    with pytest.raises(mg.ArgumentError) as caught:
        mg.save(path, outputs, session)
    assert list(path.parent.iterdir()) == []
    return str(caught.value)


def test_what_cannot_be_saved_is_refused_before_anything_is_written(path):
    odd = mg.custom_op(lambda x: x * 2, name="odd")
    with mg.Graph() as graph:
        x = mg.placeholder("x", (2,))
        y = odd(x)
        wide = mg.constant(np.ones(2, np.longdouble))
    with mg.Graph():
        far = mg.placeholder("far")
    message = unsaved(path, y)
    assert "cannot be saved: odd is not an op of minigrad" in message and "y = odd(x)" in message
    assert "is not the same on all machines" in unsaved(path, wide)
    assert "Tensor is not a Node, and only Nodes are saved" in unsaved(path, mg.tensor(1.0))
    message = unsaved(path, graph)
    assert "Graph is not a Node" in message and "nodes that the graph computes" in message
    assert "other outputs to" in unsaved(path, [x, far])
    assert "the session to" in unsaved(path, x, mg.Session(far.graph))
    assert "there is nothing to save" in unsaved(path, [])
    assert "has no name" in unsaved(path, {1: x})
    assert 'ends in ".json"' in unsaved(path.with_suffix(".txt"), x)
    assert mg.Session(graph).run(y, {x: [1.0, 2.0]}).tolist() == [2, 4]


# damaged files -----------------------------------------------------------------------------------


@pytest.fixture
def saved(path):
    """A small saved net: (path, its JSON as a value)."""
    with mg.Graph():
        x, w = mg.placeholder("x", (None, 2)), mg.Variable([[1.0], [2.0]], name="w")
        y = mg.tanh(x @ w)[0] ** 2.5
        mg.save(path, {"y": y, "next": mg.assign_add(w, mg.gradients(mg.sum(y), [w])[0])})
    return path, json.loads(path.read_text())


def refusal(path, head=None):
    """The message for a file; `head` is written to it first, with the checksum that fits."""
    if head is not None:
        path.write_bytes(seal_text(json.dumps(head).encode()))
    with pytest.raises(mg.FileError) as caught:
        mg.load(path)
    assert str(caught.value).startswith(path.name) and caught.value.hint
    return str(caught.value)


def edited(head, number, **entries):
    """The JSON with a node changed."""
    nodes = [dict(node) for node in head["nodes"]]
    nodes[number] |= entries
    return {**head, "nodes": nodes}


def place(head, op):
    """The number of the first node of an op."""
    return [node["op"] for node in head["nodes"]].index(op)


def test_a_file_of_another_kind_is_refused(saved, tmp_path):
    path, head = saved
    assert "this is not a saved graph" in refusal(path, [1])
    for version in (0, 3, True, 1.0, 2.0, "2", None, [2]):
        assert f"version {version} is not known" in refusal(path, {**head, "version": version})
    assert "it has the entry 'more', which is not known" in refusal(path, {**head, "more": 1})
    assert "it has no entry 'runs'" in refusal(path, {k: v for k, v in head.items() if k != "runs"})
    path.write_bytes(b"\xff\xfe")
    assert "it is not JSON" in refusal(path)
    path.write_text("[" * 100_000)
    assert "it is not JSON" in refusal(path)
    path.write_text('{"format": 1, "format": 2}')
    assert "a key appears twice" in refusal(path)
    path.write_text('{"format": NaN}')
    assert "NaN is not a number" in refusal(path)


def test_nodes_must_be_of_known_ops_and_earlier_inputs(saved):
    path, head = saved
    tanh = place(head, "Tanh")
    assert "has the op 'system'" in refusal(path, edited(head, tanh, op="system"))
    assert "has the op 'Custom'" in refusal(path, edited(head, tanh, op="Custom"))
    assert "are not all earlier nodes" in refusal(path, edited(head, tanh, inputs=[tanh]))
    assert "are not all earlier nodes" in refusal(path, edited(head, tanh, inputs=[-1]))
    assert "are not all earlier nodes" in refusal(path, edited(head, tanh, controls=[True]))
    assert "(Tanh) has the entry 'code', which is not" in refusal(
        path, edited(head, tanh, code="x")
    )
    assert "Tanh takes 1 operands, not 2" in refusal(path, edited(head, tanh, inputs=[0, 0]))
    assert "Add takes 2 operands, not 3" in refusal(
        path, edited(head, place(head, "Add"), inputs=[0, 0, 0])
    )
    assert "Tanh takes the parameters []" in refusal(
        path, edited(head, tanh, params={"where": False})
    )
    assert "Assign takes no such operands" in refusal(
        path, edited(head, place(head, "Assign"), inputs=[0, 0])
    )


def test_shapes_are_inferred_again_and_compared(saved):
    path, head = saved
    tanh, power = place(head, "Tanh"), place(head, "ScalarPower")
    assert "says it is float64[3,1], but gives float64[?,1]" in refusal(
        path, edited(head, tanh, shape=[3, 1])
    )
    assert "but gives float64" in refusal(path, edited(head, tanh, dtype="float32"))
    assert "'object' is not a dtype" in refusal(path, edited(head, tanh, dtype="object"))
    assert "is not a shape" in refusal(path, edited(head, tanh, shape=[None, -1]))
    assert "is not a parameter" in refusal(
        path, edited(head, power, params={"exponent": {"call": "os.system"}})
    )
    assert "takes no such operands and parameters: exponent=((1,),)" in refusal(
        path, edited(head, power, params={"exponent": [[1]]})
    )
    assert "is not a parameter" in refusal(path, edited(head, power, params={"exponent": 10**400}))
    assert "columns must equal" in refusal(path, edited(head, place(head, "Matmul"), inputs=[1, 1]))
    assert "has the name 'x' of another node" in refusal(path, edited(head, tanh, name="x"))
    assert "is not an output" in refusal(path, {**head, "outputs": 99})
    deep = json.loads("[" * 20 + "]" * 20)
    assert "nested too deeply" in refusal(path, {**head, "outputs": deep})


def test_bodies_hold_what_bodies_can(path):
    mg.save(path, loops()["ys"])
    head = json.loads(path.read_text())
    number = place(head, "While")
    params = head["nodes"][number]["params"]

    def refused_with(**changed):
        new = {**params, "body": {"body": {**params["body"]["body"], **changed}}}
        return refusal(path, edited(head, number, params=new))

    inner = params["body"]["body"]["nodes"]
    spec = {"shape": [], "dtype": "int64"}
    assert "an op that is not allowed in a body" in refused_with(
        nodes=[*inner, {"op": "RunIndex", **spec}]
    )
    printed = {"op": "Print", "inputs": [0], "params": {"message": ""}, **spec}
    assert "an op that is not allowed in a body" in refused_with(nodes=[*inner, printed])
    assert "an op that is not allowed in a body" in refused_with(inputs=1)
    assert "has no number of inputs" in refused_with(inputs=None)
    assert "are not all earlier nodes" in refused_with(outputs=[99, 0])
    assert "no proper body" in refused_with(more=1)
    assert "While" in refused_with(outputs=[0])
    deep = {"op": "Tanh", "params": {"body": {"body": {}}}, **spec}
    for _ in range(20):
        deep = {
            "op": "Tanh",
            "params": {"body": {"body": {"name": "", "inputs": 0, "nodes": [deep], "outputs": []}}},
            **spec,
        }
    assert "nested too deeply" in refusal(path, {**head, "nodes": [deep]})
    assert "is not a part of a bundle" in refusal(
        path, edited(head, number, dtype={"bundle": [[[], {"bundle": []}]]})
    )
    assert "more than 134217728 entries" in refusal(
        path, edited(head, number, dtype={"bundle": [[[2**40], "int64"]]})
    )


def arrays_of(path):
    """The .npz file of a saved net, of which there is one."""
    (found,) = path.parent.glob("*.npz")
    return found


def repacked(path, head, members):
    """Writes another .npz file with the digest that makes it fit."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    arrays_of(path).write_bytes(packed.getvalue())
    return {**head, "arrays": hashlib.sha256(packed.getvalue()).hexdigest()}


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def test_the_arrays_must_be_those_that_the_nodes_say(saved):
    path, head = saved
    with np.load(arrays_of(path)) as file:
        good = [(f"a{i}.npy", npy(file[f"a{i}"])) for i in range(len(file))]

    def refused_with(first, *rest):
        return refusal(path, repacked(path, head, [first, *good[1:], *rest]))

    assert "but its node" in refused_with(("a0.npy", npy(np.float32([[1], [2], [3], [4]]))))
    assert "but its node" in refused_with(("a0.npy", npy(np.array([[1, 2]]))))
    assert "but its node" in refused_with(("a0.npy", npy(np.zeros((10_000, 1_000)))))
    assert "declares" in refused_with(("a0.npy", npy(np.ones((2, 1)))[:-1]))
    assert "is damaged" in refused_with(("a0.npy", b"x" * 100))
    pickled = npy(np.array([[print], [2]], object))
    assert "a0.npy" in refused_with(("a0.npy", pickled))
    assert "does not hold" in refused_with(good[0], ("a9.npy", npy(np.ones(1))))
    assert "does not hold" in refused_with(("../a0.npy", good[0][1]))
    arrays_of(path).write_bytes(b"PK")
    digest = hashlib.sha256(b"PK").hexdigest()
    assert "the .npz file: it is damaged" in refusal(path, {**head, "arrays": digest})
    assert "not the one that was saved" in refusal(path, head)
    name = arrays_of(path).name
    arrays_of(path).unlink()
    assert f"{name} cannot be read" in refusal(path, head)


def test_sizes_are_looked_at_before_anything_is_made(saved, monkeypatch):
    path, head = saved
    assert "more than 134217728 entries" in refusal(path, edited(head, 0, shape=[10**6, 10**6]))
    many = {**head, "nodes": [edited(head, 0, shape=[2**27])["nodes"][0]] * 100}
    assert "the values are too large" in refusal(path, many)
    wide = edited(head, 1, shape=[2**27, 1])
    monkeypatch.setattr(limits, "MOST_BYTES", 2**20)
    assert "the arrays have more than" in refusal(path, wide)
    monkeypatch.setattr(limits, "MOST_NODES", 3)
    assert "there are more than 3 nodes" in refusal(path, head)
    monkeypatch.setattr(limits, "MOST_TEXT", 100)
    assert "more than 100 bytes" in refusal(path, head)


# mutations ---------------------------------------------------------------------------------------

FORBIDDEN = (
    "exec",
    "os.system",
    "os.exec",
    "os.spawn",
    "subprocess.Popen",
    "pickle.find_class",
    "socket.connect",
    "shutil.rmtree",
    "os.remove",
    "os.rename",
)
heard = []
listening = [False]


def listen(event, arguments):
    """An audit hook: what loading must never do."""
    if listening[0] and (event in FORBIDDEN or event == "open" and arguments[1] not in ("r", "rb")):
        heard.append((event, arguments))


def mutated_bytes(rng, content):
    """A file with bytes changed, taken out, doubled or cut off."""
    content = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5])):
        i = rng.randrange(len(content) or 1)
        if i >= len(content):
            break
        kind = rng.randrange(5)
        if kind == 0:
            content[i] = rng.randrange(256)
        elif kind == 1:
            content[i] ^= 1 << rng.randrange(8)
        elif kind == 2:
            del content[i : i + rng.randrange(1, 20)]
        elif kind == 3:
            content[i:i] = content[i : i + rng.randrange(1, 20)]
        else:
            content = content[: i + 1]
    return bytes(content)


STRANGE = (
    None,
    True,
    -1,
    0,
    1,
    7,
    10**9,
    10**400,
    1.5,
    1e308,
    "",
    "x",
    "float32",
    "Reshape",
    [],
    {},
    [0],
    [None],
    [[0]],
    {"dtype": "float32"},
    {"dtype": "object"},
    {"float": "nan"},
    {"body": []},
    "__import__('os')",
    [2**31],
    [-1],
    ["slice", None, None, 0],
)


def mutated_value(rng, value):
    """A JSON value with one part replaced, moved, doubled or taken out."""
    value = json.loads(json.dumps(value))
    part, inside = value, [value]
    while inside:
        part = rng.choice(inside)
        places = list(part) if isinstance(part, dict) else list(range(len(part)))
        inside = [part[p] for p in places if isinstance(part[p], (dict, list)) and part[p]]
        if rng.random() < 0.3:
            break
    key = rng.choice(places)
    kind = rng.randrange(4)
    if kind == 0 and isinstance(part, dict):
        part[rng.choice(["op", "inputs", "params", "array", "shape", "odd"])] = part[key]
    elif kind == 1:
        del part[key]
    elif kind == 2:
        part[key] = part[rng.choice(places)]
    else:
        part[key] = rng.choice(STRANGE)
    return value


def small_loop():
    """The smallest net with bodies."""
    with mg.Graph():
        x = mg.placeholder("x", (2,))
        return mg.while_loop(lambda a: mg.sum(a) < 9, lambda a: a * 2.0, x)


@pytest.mark.parametrize("kind", ["plain", "loop"])
def test_two_thousand_mutations_are_refused_or_make_a_graph(saved, kind):
    sys.addaudithook(listen)
    path, head = saved
    if kind == "loop":
        mg.save(path, small_loop())
        head = json.loads(path.read_text())
    arrays = arrays_of(path)
    text, packed = path.read_bytes(), arrays.read_bytes()
    rng, loaded, texts = random.Random(0), [], set()
    mg.load(path)
    for number in range(2_000):
        new_text, new_packed = text, packed
        if number % 3 == 0:
            new_text = mutated_bytes(rng, text)
        elif number % 3 == 1:
            new_text = json.dumps(mutated_value(rng, head)).encode()
        else:  # with the digest that fits, so that the damage is met further in
            new_packed = mutated_bytes(rng, packed)
            digest = hashlib.sha256(new_packed).hexdigest()
            new_text = text.replace(head["arrays"].encode(), digest.encode())
        path.write_bytes(seal_text(new_text))
        if number % 3 != 1:  # else the sound arrays of the time before lie there
            arrays.write_bytes(new_packed)
        listening[0] = True
        try:
            net = mg.load(path)
            assert len(net.graph.nodes) <= len(head["nodes"])
            loaded.append(net.outputs)
        except mg.FileError as error:
            texts.add(error.message[:25])
        finally:
            listening[0] = False
    assert heard == [] and mg.open_graph() is None
    assert 0 < len(loaded) < 600 and len(texts) > 30
    for outputs in loaded[::8]:  # what loads is what save accepts
        if mg.core.pytree.flatten(outputs)[0]:
            mg.save(path, outputs)
            mg.load(path)
