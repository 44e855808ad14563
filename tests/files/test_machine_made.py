"""Files of machine-made graphs: what save accepts loads, to the same bits; damage is named."""

import json
import random

import numpy as np
import pytest
from machine_made import machine_made
from saying import raises_saying

import minigrad as mg
from minigrad.core.op import bind
from minigrad.core.ops.elementwise import Cast
from minigrad.core.ops.shape import Transpose
from minigrad.files import limits
from minigrad.files.atomic import seal_text
from minigrad.files.registry import OPS, operands_of
from minigrad.files.signatures import CALLS


@pytest.fixture
def path(tmp_path):
    return tmp_path / "net.json"


# machine-made graphs -----------------------------------------------------------------------------


def outcome(run):
    """The bits of what three runs give, in the machine's order of bytes, or the error."""
    with np.errstate(all="ignore"):
        try:
            found = [run() for _ in range(3)]
        except mg.MinigradError as error:
            return type(error)
    arrays = [(k, a.astype(a.dtype.newbyteorder("="))) for one in found for k, a in one.items()]
    return [(k, a.shape, a.dtype, a.tobytes()) for k, a in arrays]


@pytest.mark.no_cover
@pytest.mark.parametrize("start", range(0, 160, 20))
def test_what_save_accepts_loads_and_gives_the_same_bits(start, path):
    computed = 0
    for seed in range(start, start + 20):
        graph, outputs, feeds = machine_made(seed)
        session = mg.Session(graph)
        mg.save(path, outputs, session)
        net, head = mg.load(path), json.loads(path.read_text())
        used = {x.name: a for x, a in feeds.items() if x.name in net.inputs}
        expected = outcome(
            lambda: session.run(outputs, {x: a for x, a in feeds.items() if x.name in net.inputs})
        )
        assert outcome(lambda: net(**used)) == expected, seed
        computed += isinstance(expected, list)
        mg.save(path, mg.load(path).outputs)
        again = json.loads(path.read_text())
        assert {**again, "file": head["file"], "checksum": head["checksum"]} == head, seed
    assert computed > 10


# what load would refuse, save refuses ------------------------------------------------------------


def nested(depth):
    """Choices in choices."""

    def inside(x, left):
        if not left:
            return x * 2
        return mg.cond(mg.sum(x) > 0, lambda: inside(x, left - 1), lambda: x + 1.0)

    return inside(mg.placeholder("x", (2,)), depth)


def scoped():
    with mg.name_scope("s" * 501):
        return mg.placeholder("x") + 1


def renamed(*names):
    """A sum of nodes whose names were changed."""
    nodes = [mg.placeholder(f"x{i}") for i in range(len(names))]
    for node, name in zip(nodes, names):
        node.name = name
    return sum(nodes[1:], nodes[0])


def circle():
    nest = [mg.placeholder("x")]
    nest.append(nest)
    return nest


def outputs_in(depth):
    nest = mg.placeholder("x") + 1
    for _ in range(depth):
        nest = [nest]
    return nest


REFUSED = {  # what is saved, what the message says, a limit that is set lower
    "a long name": (lambda: mg.placeholder("n" * 501) + 1, "name has more than 500", None),
    "a long scope": (scoped, "its scope has more than 500", None),
    "one name twice": (lambda: renamed("a", "a"), "another node has the name 'a'", None),
    "a name of a number": (lambda: renamed(5), "its name is not text but 5", None),
    "a large value": (
        lambda: mg.sum(mg.broadcast_to(mg.placeholder("x", (1,)), (2**28,))),
        "BroadcastTo.* more than 134217728 entries",
        None,
    ),
    "many dimensions": (
        lambda: mg.reshape(mg.placeholder("x"), (1,) * 33),
        "Reshape.* more than 32 dimensions",
        None,
    ),
    "large values": (
        lambda: mg.placeholder("x", (2, 3)) + 1,
        "more than 7 entries together",
        ("ALL_ENTRIES", 7),
    ),
    "large arrays": (
        lambda: mg.placeholder("x") + np.ones(9),
        "Constant.* more than 71 bytes",
        ("MOST_BYTES", 71),
    ),
    "many nodes": (lambda: mg.placeholder("x") + 1, "Add.* more than 2 nodes", ("MOST_NODES", 2)),
    "a long text": (
        lambda: mg.print_(mg.placeholder("x"), "long" * 99),
        "more than 300 bytes",
        ("MOST_TEXT", 300),
    ),
    "deep bodies": (lambda: nested(9), "beyond 8 in one another", None),
    "deep outputs": (lambda: outputs_in(17), "beyond 16 levels", None),
    "outputs without an end": (circle, "beyond 16 levels", None),
    "a long number": (
        lambda: mg.windows(mg.placeholder("x", (4, 4)), 2, 2**1024),
        "Windows.* more than 1024 bits",
        None,
    ),
    "axes of no call": (
        lambda: bind(Transpose, mg.placeholder("x", (2, 2)), axes=(0, 0)),
        r"Transpose takes no such .*axes=\(0, 0\)",
        None,
    ),
    "a dtype of no call": (
        lambda: bind(Cast, mg.placeholder("x"), dtype=np.dtype(int)),
        "Cast takes no such",
        None,
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_load_would_refuse_is_not_saved(kind, path, monkeypatch):
    make, text, limit = REFUSED[kind]
    with mg.Graph():
        outputs = make()
    if limit:
        monkeypatch.setattr(limits, *limit)
    with raises_saying(mg.ArgumentError, text) as caught:
        mg.save(path, outputs)
    assert caught.value.hint and list(path.parent.iterdir()) == []


def test_what_lies_just_within_the_limits_loads(path, monkeypatch):
    with mg.Graph(), mg.name_scope("s" * 249):
        outputs = (
            outputs_in(15),
            mg.placeholder("n" * 250),
            mg.reshape(mg.placeholder(), (1,) * 32),
            nested(8),
            mg.print_(mg.placeholder(), "long" * 9),
        )
    monkeypatch.setattr(limits, "MOST_TEXT", 30_000)
    mg.save(path, outputs)
    monkeypatch.setattr(limits, "MOST_TEXT", path.stat().st_size)
    nodes = json.loads(path.read_text())["nodes"]
    assert len(mg.load(path).graph.nodes) == len(nodes)
    monkeypatch.setattr(limits, "MOST_TEXT", path.stat().st_size - 1)
    with pytest.raises(mg.FileError, match="more than"):
        mg.load(path)
    with pytest.raises(mg.ArgumentError, match="more than"):
        mg.save(path, outputs)


# damage ------------------------------------------------------------------------------------------


def small(path):
    """A saved net with most kinds of entries; its outputs for an input."""
    with mg.Graph():
        x, w = mg.placeholder("x", (2, 2)), mg.Variable([[1.0], [2.0]], name="w")
        with mg.name_scope("a"), mg.control_dependencies([x * 2]):
            y = mg.dropout(mg.sum(x @ w, 0), 0.0, seed=1)[..., 0] ** 2.5
        mg.save(path, {"y": y, "next": mg.assign_add(w, mg.gradients(y, [w])[0])})
    return mg.load(path)(x=[[1.0, 2.0], [3.0, 4.0]])


def loads_equal(path, expected):
    """True when the files give the same, False when they are refused."""
    try:
        found = mg.load(path)(x=[[1.0, 2.0], [3.0, 4.0]])
    except mg.FileError:
        return False
    assert all(found[k].tobytes() == expected[k].tobytes() for k in expected)
    return True


def test_every_changed_bit_and_every_truncation_is_found_or_harmless(path):
    expected = small(path)
    (arrays,) = path.parent.glob("*.npz")
    for file in (path, arrays):
        content = file.read_bytes()
        for place in range(0, len(content), 7):
            changed = bytearray(content)
            changed[place] ^= 1 << place % 8
            for damaged in (bytes(changed), content[:place]):
                file.write_bytes(damaged)
                assert not loads_equal(path, expected)
        file.write_bytes(content)
    assert loads_equal(path, expected)


def test_arrays_of_another_net_or_another_save_are_refused(path):
    expected = small(path)
    (arrays,) = path.parent.glob("*.npz")
    other = path.with_name("other.json")
    with mg.Graph():
        mg.save(other, mg.Variable(np.ones((2, 1))) * np.ones((2, 1)))
    (others,) = other.parent.glob("other-*.npz")
    arrays.rename(path.with_name("kept"))
    others.rename(arrays)
    assert not loads_equal(path, expected)
    path.with_name("kept").rename(arrays)
    assert loads_equal(path, expected)


ODD = (
    None,
    True,
    False,
    -1,
    0,
    1,
    3,
    10**12,
    2**64,
    10**400,
    0.5,
    -0.0,
    1e308,
    "",
    "x",
    "array",
    "slice",
    "int32",
    "float32",
    "bool",
    "Tanh",
    "Group",
    "While",
    [],
    {},
    [0],
    [-1],
    [None],
    [0, 0],
    [1, 0],
    [True],
    [0.0],
    [[0, 0]],
    [2**40],
    [2**27, 2**27],
    {"dtype": "int8"},
    {"dtype": "O"},
    {"float": "nan"},
    {"float": "-inf"},
    {"index": "..."},
    {"bundle": 5},
    {"bundle": None},
    {"bundle": [[[2], "float64"]]},
    {"body": {}},
    {"": 0},
    [["slice", None, None, 0]],
    [["slice", 0, None, True]],
    ["array", "array"],
    [{"index": "..."}, {"index": "..."}],
    "\ud800",
    "x" * 501,
    "\x00",
)


def places_in(value, path=()):
    """The ways to all parts of a JSON value."""
    parts = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in parts:
        yield (*path, key)
        yield from places_in(part, (*path, key))


def with_part(value, path, new):
    """The JSON value with one part replaced."""
    key, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[key] = with_part(value[key], rest, new) if rest else new
    return copy


def kinds_of_nodes():
    """Outputs that need nearly all ops with parameters."""
    x, w = mg.placeholder("x", (4, 4)), mg.Variable(np.ones((4, 4)), name="w")
    n = mg.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a * w), (0, x))[1]
    last, ys = mg.scan(lambda c, e: (c * e, c + e), mg.sum(n, 0), n, reverse=True)
    c = mg.cond(mg.sum(x) > 0, lambda: mg.argmax(x, 1), lambda: mg.argmax(w, 0))
    p = mg.sum(mg.windows(mg.pad(x, ((1, 0), (0, 1))), (2, 3), (1, 2)))
    e = mg.einsum("ij,kj->ik", mg.flip(x, 1), mg.broadcast_to(w[0], (4, 4)))
    e = mg.concatenate([mg.squeeze(mg.expand_dims(e, 1)), mg.transpose(mg.reshape(e, (-1, 4)))], 1)
    i = x[1:, None, ..., -1] + mg.sum(w[np.array([[0], [1]]), np.array([1, 2])])
    d = mg.dropout(x, 0.5, seed=1) + mg.random_normal((4, 4), seed=2)
    r = mg.softmax(d) + mg.log_softmax(d, 0) + mg.logsumexp(d, 0) + mg.max(d) + mg.min(d, 1, True)
    s = mg.clip(mg.cast(mg.cast(r, np.int32), np.float64), 0, 2.5) ** 3 + mg.print_(mg.mean(r), "m")
    o = mg.cumsum(mg.round(x, 2), 0) * mg.prod(x, 1) + mg.where(mg.any(x > 0), 1.0, 2.0)
    o = mg.where(mg.all(x > 0, 1, True), o, mg.argmin(x, 0) * 1.0)
    t = mg.gradients(mg.sum(mg.max(x, 1) ** 1.5), [x])[0]
    a = mg.roll(mg.sort(x, 0), 1, 1) * mg.repeat(mg.placeholder("n", (None, None)), 2, 1)
    a = a + mg.diag(x, 1)[0]
    u = mg.placeholder("u", (None, None))
    j = mg.concatenate([x, mg.ensure_shape(u, (None, 4))]) * mg.sum(mg.einsum("ii->i", u))
    return [
        *mg.gradients(mg.sum(t), [x]),
        a,
        *mg.gradients(mg.sum(a), [x]),
        c,
        ys,
        last,
        p,
        e,
        s,
        o,
        *mg.gradients(mg.sum(o), [x]),
        mg.group(mg.assign(w, w * 2)),
        *mg.gradients(p, [x]),
        *mg.gradients(mg.sum(i), [w]),
        *mg.gradients(mg.mse(j, 1.0), [u]),
    ]


@pytest.mark.no_cover
def test_an_odd_value_in_any_place_is_refused_or_makes_a_net_that_save_accepts(path):
    other = path.with_name("other.json")
    with mg.Graph():
        mg.save(path, kinds_of_nodes())
    head, rng, kinds, loaded = json.loads(path.read_text()), random.Random(0), {}, 0
    for place in places_in(head["nodes"]):
        what = tuple(key for key in place[1:] if isinstance(key, str))
        kinds.setdefault((head["nodes"][place[0]]["op"], what), []).append(("nodes", *place))
    places = [rng.choice(found) for found in kinds.values()] + [
        ("runs",),
        ("outputs",),
        ("outputs", 0),
        ("version",),
        ("file",),
        ("arrays",),
        ("format",),
        ("nodes",),
    ]
    for place in places:
        for new in rng.sample(ODD, 4):
            path.write_bytes(seal_text(json.dumps(with_part(head, place, new)).encode()))
            try:
                net = mg.load(path)
            except mg.FileError:
                continue
            loaded += 1
            if mg.core.pytree.flatten(net.outputs)[0]:
                mg.save(other, net.outputs)
                mg.load(other)
    there = {place for place in map(str, OPS) if f'"op": "{place}"' in json.dumps(head)}
    assert {name for name, op in OPS.items() if operands_of(op)[1]} - there == {"Bessel"}
    assert len(places) > 150 and 0 < loaded < len(places), (len(places), loaded)


def test_every_op_with_parameters_says_what_a_call_can_give():
    assert {op for op in OPS.values() if operands_of(op)[1]} <= set(CALLS) <= set(OPS.values())
