"""The passes: each rule on every special value, each pass on what it is for, all on programs."""

import importlib
import itertools
import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from saying import raises_saying

import minigrad as mg
from minigrad.compiler.simplify import FAST, SAFE

fuse = importlib.import_module("minigrad.compiler.fuse")  # the name in the package is the pass

SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    0.5,
    -3.7,
    1e-310,
    -1e-310,
    1e308,
    -1e308,
    math.inf,
    -math.inf,
    math.nan,
    1e16,
    0.1,
]


def same_bits(a, b):
    """True when all entries are equal, zeros in sign too; one NaN is as good as another."""
    a, b = np.asarray(a), np.asarray(b)
    equal = (a == b) & (np.signbit(a) == np.signbit(b)) if a.dtype.kind == "f" else a == b
    return (
        a.shape == b.shape
        and a.dtype == b.dtype
        and bool(np.all(equal | (np.isnan(a) & np.isnan(b)) if a.dtype.kind == "f" else equal))
    )


def sides(rule, values):
    """Both sides of a rule, computed on arrays."""
    with np.errstate(all="ignore"):
        return [np.asarray(side) for side in rule.function(*values)]


@pytest.mark.parametrize("rule", SAFE, ids=lambda r: r.name)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_safe_rule_is_exact_on_all_special_values(rule, dtype):
    with np.errstate(over="ignore"):
        columns = np.array(list(itertools.product(SPECIAL, repeat=len(rule.holes)))).astype(dtype)
    before, after = sides(rule, list(columns.T))
    assert same_bits(before, after)


@pytest.mark.parametrize("rule", FAST, ids=lambda r: r.name)
def test_a_fast_rule_has_a_witness_that_it_is_not_exact(rule):
    before, after = sides(rule, [np.array([w]) for w in rule.witness])
    assert not same_bits(before, after)


@pytest.mark.parametrize("rule", FAST, ids=lambda r: r.name)
def test_a_fast_rule_is_near_on_ordinary_values(rule):
    values = np.random.default_rng(0).uniform(0.5, 2, (len(rule.holes), 50))
    np.testing.assert_allclose(*sides(rule, list(values)), rtol=1e-12, atol=1e-12)


# each pass ---------------------------------------------------------------------------------------


def compiled(build, shape=(3,), **options):
    """(the Executable of build(x), x's node)."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=shape)
        y = build(x)
    return mg.Session(graph, **options).compile(y, [x])


def ops_left(exe):
    """The names of the ops that are computed."""
    return [str(n.op) for n in exe.program.nodes() if n.inputs]


@pytest.mark.parametrize(
    "build, left",
    [
        (lambda x: x * 1 + 0 * mg.constant([1.0, 2, 3]), ["Add"]),
        (lambda x: -(-x) - 0.0, []),
        (lambda x: x / 4, ["Mul"]),
        (lambda x: x / 3, ["Div"]),
        (lambda x: x + 0, ["Add"]),
        (lambda x: x * 0, ["Mul"]),
        (lambda x: x - x, ["Sub"]),
        (lambda x: x**2, ["Mul"]),
        (lambda x: x**3, ["ScalarPower"]),
        (lambda x: mg.exp(x) * mg.exp(x), ["Exp", "Mul"]),
        (lambda x: x * 2.0 + 2.0 * x, ["Mul", "Add"]),
        (lambda x: mg.transpose(mg.transpose(mg.reshape(x, (3, 1)))), ["Reshape"]),
        (lambda x: mg.reshape(mg.reshape(x, (1, 3)), (3,)), []),
        (lambda x: mg.broadcast_to(mg.broadcast_to(x, (1, 3)), (2, 3)), ["BroadcastTo"]),
        (lambda x: mg.broadcast_to(mg.constant(2.0), (3,)) * x, ["Mul"]),
        (lambda x: mg.sum(x, axis=()) + (-x), ["Sum", "Sub"]),
        (lambda x: x.detach() * 1, []),
        (lambda x: mg.relu(mg.relu(x)), ["Relu"]),
        (lambda x: x * -1, ["Neg"]),
    ],
)
def test_what_is_left_of_a_formula(build, left):
    assert ops_left(compiled(build)) == left


def test_a_rule_needs_equal_shape_and_dtype():
    assert ops_left(compiled(lambda x: x * np.ones((2, 1)))) == ["Mul"]
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,), dtype=np.float32)
        y = x * np.float64(1)
    assert ops_left(mg.Session(graph).compile(y, [x])) == ["Mul"]


def test_fast_rules_come_on_request():
    assert ops_left(compiled(lambda x: x + 0, rules="fast")) == []
    assert ops_left(compiled(lambda x: mg.log(mg.exp(x)), rules="fast")) == []
    assert ops_left(compiled(lambda x: mg.sum(x, axis=()), rules="fast")) == []
    assert ops_left(compiled(lambda x: x + mg.exp(x) * 0, rules="fast")) == []
    assert ops_left(compiled(lambda x: mg.log(mg.exp(x)), optimize=False)) == ["Exp", "Log"]


def test_folding_stops_at_what_fails_is_large_or_is_random():
    with mg.Graph() as graph:
        bad = mg.cross_entropy(mg.constant([[1.0, 2.0]]), mg.constant([5]))
    with pytest.raises(mg.ArgumentError, match="range from 5 to 5"):
        mg.Session(graph).run(bad)
    large = compiled(lambda x: x[0] + mg.sum(mg.exp(mg.broadcast_to(mg.constant(0.0), (10**5,)))))
    assert "BroadcastTo" in ops_left(large), "its 800,000 bytes are made when it runs"
    noise = compiled(lambda x: x * mg.random_normal((3,), 1) * mg.random_normal((3,), 1))
    assert ops_left(noise).count("Normal") == 2


def test_constants_are_merged_by_their_bytes():
    exe = compiled(lambda x: mg.minimum(x, 0.0) + mg.minimum(x, -0.0))
    assert ops_left(exe).count("Minimum") == 2
    twice = compiled(lambda x: mg.minimum(x, math.nan) * mg.minimum(x, math.nan))
    assert ops_left(twice).count("Minimum") == 1


def test_a_fed_constant_is_not_folded():
    with mg.Graph() as graph:
        c = mg.constant(2.0)
        y = c * 3.0
    session = mg.Session(graph)
    assert session.run(y) == 6 and session.run(y, {c: 5.0}) == 15


def test_merged_fetches_are_arrays_of_their_own():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(2,))
        a, b = mg.exp(x), mg.exp(x)
    first, second = mg.Session(graph).run([a, b], {x: [0.0, 0.0]})
    first += 1
    assert second.tolist() == [1, 1]


def test_reports_say_what_was_done_and_where():
    exe = compiled(lambda x: mg.exp(x) * 1 + mg.exp(x))
    text = exe.explain()
    assert "simplify: " in text and "x · 1 = x" in text and "the same as Exp" in text
    note = next(n for r in exe.report for n in r.notes if n.what == "x · 1 = x")
    assert "mg.exp(x) * 1" in str(note.line)
    before, after = exe.report[0].before, len(exe.program.nodes())
    assert before == 6 and after == 3


def test_notes_carry_their_node_their_kind_and_what_stays():
    exe = compiled(lambda x: mg.exp(x) * 1 + mg.exp(x))
    programs = [exe.report[0].program, *(step.program for step in exe.report)]
    for before, step in zip(programs, exe.report):
        assert {id(note.node) for note in step.notes} <= {*map(id, before.graph.nodes)}
    (merged,) = (n for step in exe.report for n in step.notes if n.kind == "merged")
    step = next(step for step in exe.report if any(n is merged for n in step.notes))
    assert merged.node.op is merged.other.op and id(merged.other) in map(id, step.program.nodes())
    assert str(merged).startswith("Exp float64[") and ": the same as Exp" in str(merged)


def test_a_print_that_will_not_run_is_explained(capsys):
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        shown = mg.print_(x, "x is ")
        lost = mg.print_(x, "lost ")
        with mg.control_dependencies([shown]):
            y = x + 1
    session = mg.Session(graph)
    assert session.run(y, {x: 2.0}) == 3 and capsys.readouterr().out == "x is 2.0\n"
    assert session.run(lost, {x: 3.0}) == 3 and capsys.readouterr().out == "lost 3.0\n"
    explained = session.compile(y, [x]).explain()
    assert "lost = mg.print_" in explained and "shown = " not in explained


def test_prints_run_in_order_of_creation(capsys):
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(2,))
        first = mg.print_(mg.exp(x), "first ")
        second = mg.print_(x, "second ")
        third = mg.print_(first + second, "third ")
    mg.Session(graph).run([third, second], {x: [0.0, 0.0]})
    words = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert words == ["first", "second", "third"]
    assert mg.gradients(mg.sum(third), [x])[0].shape == (2,)
    with pytest.raises(mg.GraphError, match="nothing can depend on it"):
        mg.control_dependencies([3.0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, int])
@pytest.mark.parametrize("label", [np.int8, np.uint16, int])
def test_a_loss_and_its_gradient_exponentiate_once(dtype, label):
    scores = np.random.default_rng(0).normal(size=(33, 9)) * 5
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(None, 9), dtype=dtype)
        labels = mg.placeholder("labels", shape=(None,), dtype=label)
        fetches = [mg.cross_entropy(x, labels), mg.softmax(x)]
        if dtype is not int:
            fetches += mg.gradients(fetches[0], [x])
    feeds = {x: scores.astype(dtype), labels: (np.arange(33) % 9).astype(label)}
    exe = mg.Session(graph).compile(fetches, feeds)
    left = [n.op.verb for n in exe.program.nodes()]
    assert left.count("exp") == left.count("loss_of_exponentials") == 1 and "softmax" not in left
    assert exe.explain().count("shares its exponentials") == 2
    plain = mg.Session(graph, optimize=False, backend="numpy").run(fetches, feeds)
    for value, expected in zip(mg.Session(graph).run(fetches, feeds), plain):
        assert same_bits(value, expected)
    for wrong in (9, 100, *([-1] if label is not np.uint16 else [])):
        feeds[labels] = np.full(33, wrong, label)
        with pytest.raises(mg.ArgumentError, match=f"labels range from {wrong} to {wrong}"):
            mg.Session(graph).run(fetches, feeds)


def test_a_loss_alone_stays_whole():
    with mg.Graph() as graph:
        x, other = mg.placeholder("x", shape=(2, 3)), mg.placeholder("y", shape=(2, 3))
        fetches = [mg.cross_entropy(x, [0, 1]), mg.softmax(other), mg.softmax(x, 0)]
    left = [n.op.verb for n in mg.Session(graph).compile(fetches, [x, other]).program.nodes()]
    assert "cross_entropy" in left and left.count("softmax") == 2 and "exp" not in left


@pytest.mark.parametrize(
    "loop",
    [
        lambda x: mg.while_loop(lambda i, v: i < 5, lambda i, v: (i + 1, mg.tanh(v * x)), (0, x))[
            1
        ],
        lambda x: mg.scan(lambda c, s: (mg.sin(c * x + s), c), x, np.linspace(0, 1, 4))[0],
    ],
    ids=["while", "scan"],
)
def test_a_value_and_its_gradient_run_their_loop_once(loop):
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        y = loop(x)
        fetches = [y, *mg.gradients(y, [x]), mg.gradients(mg.gradients(y, [x])[0], [x])[0]]
    exe = mg.Session(graph).compile(fetches, [x])
    plain = mg.Session(graph, optimize=False, backend="numpy").compile(fetches, [x])

    def forward(e):
        return [
            n
            for n in e.program.nodes()
            if str(n.op) in ("While", "Scan")
            and not n.params.get("reverse")
            and not n.inputs[0].inputs
        ]

    np.testing.assert_allclose(exe(0.7), plain(0.7), rtol=1e-12)
    assert len(forward(exe)) < len(forward(plain))
    assert "the same loop runs already" in exe.explain()


# whole programs ----------------------------------------------------------------------------------


UNARY = [
    lambda a: -a,
    lambda a: a * 1,
    lambda a: a - 0.0,
    lambda a: a / 4,
    lambda a: a / 3,
    lambda a: a**2,
    lambda a: mg.exp(a),
    lambda a: mg.tanh(a),
    lambda a: a + 0.0,
    lambda a: a * 0,
    lambda a: mg.abs(a),
    lambda a: mg.relu(a),
    lambda a: -1 * a,
    lambda a: mg.reshape(mg.reshape(a, (2, 8)), (16,)),
    lambda a: a[::-1],
    lambda a: mg.sum(mg.reshape(a, (4, 4)), axis=0)[[0, 1, 2, 3] * 4],
    lambda a: mg.broadcast_to(mg.sum(a), (16,)),
]
BINARY = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    lambda a, b: mg.maximum(a, b),
    lambda a, b: mg.where(a > b, a, b),
]
program_steps = st.lists(
    st.one_of(
        st.tuples(st.integers(0, len(UNARY) - 1), st.integers(0, 99)),
        st.tuples(st.integers(0, len(BINARY) - 1), st.integers(0, 99), st.integers(0, 99)),
    ),
    min_size=1,
    max_size=20,
)


@pytest.mark.parametrize("smallest", [fuse.SMALLEST, 1], ids=["whole arrays", "tiles"])
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(program_steps, st.integers(0, 99), st.permutations(SPECIAL))
def test_optimized_and_generated_programs_give_the_bits_of_plain_ones(
    monkeypatch, smallest, steps, fetched, numbers
):
    monkeypatch.setattr(fuse, "SMALLEST", smallest)
    monkeypatch.setattr(fuse, "TILE", 5)
    with mg.Graph() as graph:
        values = [mg.placeholder("x", shape=(16,)), mg.Variable(np.linspace(-2, 2, 16))]
        for which, *places in steps:
            table = UNARY if len(places) == 1 else BINARY
            values.append(table[which](*(values[p % len(values)] for p in places)))
        stored = mg.assign(values[1], values[-1])
    fetches = [values[-1], values[fetched % len(values)], stored, values[1]]
    feeds = {values[0]: np.array(numbers)}
    plain = mg.Session(graph, optimize=False, backend="numpy")
    others = [
        mg.Session(graph),
        mg.Session(graph, optimize=False),
        mg.Session(graph, debug=True),
        mg.Session(graph, backend="numpy"),
    ]
    with np.errstate(all="ignore"):
        for _ in range(2):
            expected = plain.run(fetches, feeds)
            for session in others:
                for a, b in zip(session.run(fetches, feeds), expected, strict=True):
                    assert same_bits(a, b)


# bits --------------------------------------------------------------------------------------------


def bits_of_plain(build, feeds, dtype=None):
    """build(*nodes) under the default options and under fewer, compared bit for bit with plain."""
    with mg.Graph() as graph:
        xs = [mg.placeholder(shape=a.shape, dtype=a.dtype) for a in feeds]
        y = build(*xs)
    fed = dict(zip(xs, feeds))
    plain = mg.Session(graph, optimize=False, backend="numpy").run(y, fed)
    for optimize, debug in itertools.product((True, False), (True, False)):
        found = mg.Session(graph, optimize, debug=debug).run(y, fed)
        assert found.dtype == plain.dtype
        np.testing.assert_array_equal(found, plain)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(plain))
        assert found.flags.c_contiguous and plain.flags.c_contiguous
    return plain


BYTES = np.array([1, 2, 0, 200], np.uint8)
MIXED = {
    "|-x|": (lambda x: mg.abs(-x), [255, 254, 0, 56]),
    "(-x)(-y), y float": (lambda x: (-x) * -mg.constant([1.0, 1, 1, 1]), [-255, -254, 0, -56]),
    "x + (-y)": (lambda x: x.astype(np.int16) + (-x), [256, 256, 0, 256]),
    "(x > 0) · -1": (lambda x: (x > 0) * -1, [-1, -1, 0, -1]),
    "x · -1": (lambda x: x.astype(np.int64) * -1, [-1, -2, 0, -200]),
}


@pytest.mark.parametrize("name", MIXED)
def test_equations_of_algebra_are_not_used_on_unsigned_and_mixed_numbers(name):
    build, expected = MIXED[name]
    assert bits_of_plain(build, [BYTES]).tolist() == expected


@pytest.mark.parametrize(
    "f",
    [
        lambda x: 1 - mg.relu(x),
        lambda x: -mg.relu(-x),
        lambda x: 1 - mg.maximum(x, 0.0),
        lambda x: 1 - mg.clip(x, 0.0, 1.0),
        lambda x: -mg.where(x > 0, x, 0.0),
    ],
)
def test_derivatives_of_a_choice_times_minus_one(f):
    expected = mg.grad(f)(0.5).item()
    assert bits_of_plain(lambda x: mg.gradients(f(x), [x])[0], [np.array(0.5)]) == expected


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_parameters_are_equal_when_their_bits_are():
    found = bits_of_plain(
        lambda x: mg.stack([1 / mg.clip(x, -0.0, 1.0), 1 / mg.clip(x, 0.0, 1.0)]),
        [np.array([-2.0, -1.0])],
    )
    assert found[0].tolist() == [-math.inf] * 2 and found[1].tolist() == [math.inf] * 2


A = np.random.default_rng(0).normal(size=(203, 160))
VIEWS = {
    "times one": lambda x: mg.logsumexp(mg.transpose(mg.tanh(x)) * 1.0, axis=1),
    "detached": lambda x: mg.sum(mg.transpose(mg.tanh(x)).detach(), 0),
    "flipped": lambda x: mg.softmax(-(-mg.transpose(x)), 0),
    "concatenated": lambda x: mg.mean(mg.concatenate([x.T, x.T], 1) * 1.0, 0),
    "reshaped twice": lambda x: mg.sum(mg.reshape(mg.reshape(x.T, (-1,)), (160, 203)), 0),
    "reshaped in a body": lambda x: mg.cond(
        x[0, 0] < 9,
        lambda v: mg.sum(v, 1),
        lambda v: v[:, 0],
        mg.reshape(mg.transpose(mg.reshape(x, (1, 7, 29, 160)), (0, 3, 1, 2)), (160, 203)),
    ),
    "powers": lambda x: (mg.tanh(x).T * 1.0 + 2.0) ** 1.7,
    "product": lambda x: (mg.tanh(x).T * 1.0) @ x,
    "einsum": lambda x: mg.sum(mg.einsum("ij,jk->ki", x.T, x) * 1.0, 0),
    "picked": lambda x: mg.sum(x[:, [3, 1, 2]] * 1.0, 1),
    "where": lambda x: mg.mean(mg.where(x.T > 0, x.T, 0.5), 1),
    "one by one": lambda x: mg.matmul(mg.reshape(x[0, 0], (1, 1)), np.zeros((1, 1))),
    "a sum of -0.0": lambda x: mg.sum(mg.sum(x * 0.0 * -1.0, 0)[3:4]),
    "gram": lambda x: (x * 2.0) @ (2.0 * x).T + mg.tanh(x) @ mg.transpose(mg.tanh(x)),
    "gram by einsum": lambda x: mg.einsum("ij,kj->ik", x * 2.0, 2.0 * x),
    "softmax": lambda x: mg.softmax(mg.transpose(x), 0) * 1.5,
    "loss": lambda x: mg.stack(
        [
            mg.cross_entropy(x.T, np.arange(160)),
            mg.sum(mg.gradients(mg.cross_entropy(x.T, np.arange(160)), [x])[0]),
        ]
    ),
    "fetched": lambda x: mg.tanh(x.T),
    "a fetched sum": lambda x: mg.sum(mg.stack([x.T, x.T]), 0),
    "cast": lambda x: mg.sum(x.T.astype(np.float32), 1),
}


@pytest.mark.parametrize("name", VIEWS)
def test_bits_do_not_depend_on_how_a_view_lies(name):
    bits_of_plain(VIEWS[name], [A])


def test_a_view_stands_for_a_copy_where_no_reader_minds():
    assert ops_left(compiled(lambda x: x[::2] * 1 + 2.0)) == ["GetItem", "Add"]
    assert ops_left(compiled(lambda x: mg.sum(x[::2] * 1))) == ["GetItem", "Mul", "Sum"]


@pytest.mark.parametrize(
    "slip, what",
    [
        (lambda after: None, None),
        (lambda after: setattr(after.graph.nodes[-1], "shape", (7,)), "infer says"),
        (
            lambda after: setattr(after.graph.nodes[-1], "inputs", (after.graph.nodes[-1],) * 2),
            "is computed after its reader",
        ),
        (lambda after: setattr(after.graph.nodes[-1], "order", 0), "another's place"),
    ],
)
def test_debug_looks_after_every_pass(slip, what, monkeypatch):
    from minigrad.compiler import pipeline

    fold, simplify, cse = pipeline.REPEATED

    def broken(program, options=None):
        after, notes = cse.run(program, options)
        slip(after)
        return after, notes

    monkeypatch.setattr(pipeline, "REPEATED", [fold, simplify, cse._replace(run=broken)])
    with mg.Graph() as graph:
        x = mg.placeholder("x", (3,))
        y = mg.exp(x) * x
    if what is None:
        assert mg.Session(graph, debug=True).run(y, {x: np.zeros(3)}).tolist() == [0, 0, 0]
        return
    with raises_saying(AssertionError, what):
        mg.Session(graph, debug=True).run(y, {x: np.zeros(3)})


def test_a_softmax_of_columns_beside_a_loss_stays_one():
    labels, scores = np.array([2, 1, 2]), np.random.default_rng(0).normal(size=(3, 3))
    bits_of_plain(
        lambda x: mg.stack(
            [
                mg.softmax(x, 0),
                mg.gradients(mg.cross_entropy(x, labels), [x])[0],
                mg.softmax(x, 1) * mg.cross_entropy(x, labels),
            ]
        ),
        [scores],
    )


def test_values_of_no_entries_share_no_bytes():
    bits_of_plain(lambda x: x[np.array([False])] + mg.tanh(x[:0]) * 2.0, [np.ones(1)])


def test_a_view_of_unknown_length_is_left_alone():
    with mg.Graph() as graph:
        x, n = mg.placeholder("x", (2, 3)), mg.placeholder("n", (None,))
        _, ys = mg.scan(lambda c, t: (c + t, c), x, n)
        z = mg.sum(mg.transpose(ys)[:, :, 0] * 1.0, 0)
    feeds = {x: A[:2, :3], n: np.ones(4)}
    plain = mg.Session(graph, optimize=False, backend="numpy").run(z, feeds)
    np.testing.assert_array_equal(mg.Session(graph).run(z, feeds), plain)
