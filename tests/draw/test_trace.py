"""The trace: what happens step by step, checked against the engines and against measured memory."""

import numpy as np
import pytest
from draw.toy import Add, Mul, Value, apply, leaf, worked
from saying import raises_saying

import minigrad as mg
from minigrad import measure
from minigrad.core.errors import ArgumentError, GradientError
from minigrad.draw.trace import make_trace, summary
from minigrad.draw.trace.labels import Labels
from minigrad.draw.trace.tokens import tokens_text


def said(trace, *phases):
    """(sentence, result) of the steps of these phases, or of all."""
    return [(e.sentence, e.result) for e in trace.events if not phases or e.phase in phases]


def shown(trace, *phases):
    """(formula, result) of the same steps."""
    steps = [e for e in trace.events if not phases or e.phase in phases]
    return [(tokens_text(e.formula), e.result) for e in steps]


def numbers(trace):
    """The single numbers that its steps computed."""
    return [e.value.numbers for e in trace.events if e.value and not e.value.shape]


def two_paths():
    """y = (x + w)(w + 1) at x = 2, w = 1."""
    x, w = mg.tensor(2.0, name="x"), mg.tensor(1.0, requires_grad=True, name="w")
    return x, w, (x + w) * (w + 1)


def worked_example(x1, x2):
    """The function of Baydin et al., 2018, tables 2 and 3: y = ln x1 + x1 x2 - sin x2."""
    return mg.log(x1) + x1 * x2 - mg.sin(x2)


POINT = {"x1": 2.0, "x2": 5.0}


def net(x, W1, b1, W2, b2, labels):
    """Two layers and a loss."""
    return mg.cross_entropy(mg.relu(x @ W1 + b1) @ W2 + b2, labels)


def batch(examples=64, inputs=16, hidden=128, classes=5):
    """Arguments of `net`."""
    rng = np.random.default_rng(0)
    return {
        "x": rng.normal(size=(examples, inputs)),
        "W1": rng.normal(size=(inputs, hidden)),
        "b1": np.zeros(hidden),
        "W2": rng.normal(size=(hidden, classes)),
        "b2": np.zeros(classes),
        "labels": np.arange(examples) % classes,
    }


WEIGHTS = ["W1", "b1", "W2", "b2"]


def built(function, arguments):
    """A Graph of the function: its result, its placeholders by name, and what to feed."""
    with mg.Graph():
        nodes = {
            name: mg.placeholder(name, np.shape(x), np.asarray(x).dtype)
            for name, x in arguments.items()
        }
        y = function(**nodes)
    return y, nodes, {nodes[name]: x for name, x in arguments.items()}


# what happens ------------------------------------------------------------------------------------


def test_forward_then_backward():
    x, w, y = two_paths()
    trace = make_trace(y, names={"y": y})
    assert shown(trace) == [
        ("x = 2", "2"),
        ("w = 1", "1"),
        ("v2 = x + w", "3"),
        ("v4 = w + 1", "2"),
        ("y = v2 · v4", "6"),
        ("ȳ = 1", "1"),
        ("v̄2 = ȳ · v4", "2"),
        ("v̄4 = ȳ · v2", "3"),
        ("w̄ = v̄4 · 1 + …", "3"),
        ("w̄ = v̄4 · 1 + v̄2 · 1", "5"),
    ]
    assert [e.phase for e in trace.events] == ["forward"] * 5 + ["backward"] * 5
    assert [e.node for e in trace.events[4:]] == ["n5", "n5", "n2", "n4", "n1", "n1"]
    assert [e.edge for e in trace.events[6:]] == [
        ("n5", "n2"),
        ("n5", "n4"),
        ("n4", "n1"),
        ("n2", "n1"),
    ]


def test_tangents():
    trace = make_trace(worked_example, POINT, wrt="x1", mode="forward")
    assert shown(trace, "tangent") == [
        ("ẋ1 = 1", "1"),
        ("v̇2 = ẋ1 · (1 / x1)", "0.5"),
        ("v̇3 = ẋ1 · x2", "5"),
        ("v̇4 = v̇2 + v̇3", "5.5"),
        ("v̇6 = v̇4", "5.5"),
    ]


def test_what_is_taken_away_has_one_sign():
    trace = make_trace(lambda a, b: a - b * a, {"a": 2.0, "b": 5.0}, {"a": 1, "b": 1}, "forward")
    assert shown(trace, "tangent")[-1][0].endswith("= ȧ − v̇2")


def test_the_two_engines_tell_the_same():
    arguments = batch()
    dynamic = make_trace(net, arguments, wrt=WEIGHTS)
    y, nodes, feed = built(net, arguments)
    static = make_trace(y, feed, wrt=[nodes[name] for name in WEIGHTS])
    for phases in (("forward",), ("backward",)):
        told, again = (sorted(shown(trace, *phases)) for trace in (dynamic, static))
        assert told == again and len(told) >= 6
        told, again = (
            sorted(
                e.sentence
                for e in trace.events
                if e.phase in phases and "=" in tokens_text(e.formula)
            )
            for trace in (dynamic, static)
        )
        assert told == again


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_the_two_engines_tell_the_same_of_single_numbers(mode):
    y, nodes, feed = built(worked_example, POINT)
    wrt = None if mode == "reverse" else "x2"
    static = make_trace(
        y, feed, wrt=[nodes["x1"], nodes["x2"]] if not wrt else nodes["x2"], mode=mode
    )
    dynamic = make_trace(worked_example, POINT, wrt=wrt, mode=mode)
    own = [sorted(shown(trace)) for trace in (static, dynamic)]
    assert own[0] == own[1]


def test_the_last_adjoints_are_the_gradients():
    arguments = batch()
    trace = make_trace(net, arguments, wrt=WEIGHTS)
    slopes = mg.grad(net, argnums=(1, 2, 3, 4))(*arguments.values())
    for name, slope in zip(WEIGHTS, slopes):
        last = [e for e in trace.events if trace.names[int(e.node[1:])] == name][-1]
        expected = summary(slope.numpy())
        assert last.derivative.shape == slope.shape
        assert (last.derivative.low, last.derivative.high) == (expected.low, expected.high)


def test_tangents_of_arrays_agree_with_forward_mode():
    arguments = batch()
    direction = np.ones_like(arguments["W1"])
    tangent = mg.jvp(lambda W: net(**{**arguments, "W1": W}), [arguments["W1"]], [direction])[1]
    y, nodes, feed = built(net, arguments)
    for trace in (
        make_trace(net, arguments, wrt=["W1"], mode="forward"),
        make_trace(y, feed, wrt={nodes["W1"]: direction}, mode="forward"),
    ):
        assert trace.events[-1].derivative.numbers == pytest.approx(tangent.item())


def test_a_function_knows_the_line_of_every_step():
    # fmt: off
    def function(x, w):
        a = helper(x, w)
        return a * (
            w + 1)
    # fmt: on

    def helper(x, w):
        return x + w

    first = function.__code__.co_firstlineno
    trace = make_trace(function, {"x": 2.0, "w": 1.0})
    lines = {tokens_text(e.formula): e.line.number - first for e in trace.events if e.line}
    inside = helper.__code__.co_firstlineno + 1 - first
    assert (lines["a = x + w"], lines["v4 = w + 1"], lines["v5 = a · v4"]) == (inside, 3, 2)
    assert lines["ā = v̄5 · v4"] == 2, "the rule of the product is at work"
    assert lines["w̄ = v̄4 · 1 + …"] == 3 and lines["w̄ = v̄4 · 1 + ā · 1"] == inside


def test_nodes_know_their_lines():
    y, nodes, feed = built(worked_example, POINT)
    line = worked_example.__code__.co_firstlineno + 2
    for options in ({}, {"wrt": nodes["x1"]}):
        trace = make_trace(y, feed, **options)
        computed = [e for e in trace.events if e.node not in ("n0", "n1") or e.phase == "backward"]
        assert {e.line.number for e in computed} == {line}


# formulas ----------------------------------------------------------------------------------------


x, w, m, n = (
    mg.tensor(a, requires_grad=True, name=name)
    for name, a in [("x", 0.5), ("w", 2.0), ("m", np.ones((3, 2))), ("n", np.ones((2, 4)))]
)


@pytest.mark.parametrize(
    "make, forward, backward",
    [
        (lambda: x - w, "v2 = x − w", ["x̄ = v̄2 · 1", "w̄ = −v̄2"]),
        (lambda: x / w, "v2 = x / w", ["x̄ = v̄2 · (1 / w)", "w̄ = v̄2 · (−v2 / w)"]),
        (lambda: x**3, "v1 = x³", ["x̄ = v̄1 · (3 · x²)"]),
        (lambda: x**0.5, "v1 = x^0.5", ["x̄ = v̄1 · (0.5 · x^(−0.5))"]),
        (lambda: -x, "v1 = −x", ["x̄ = −v̄1"]),
        (lambda: mg.tanh(x), "v1 = tanh(x)", ["x̄ = v̄1 · (1 − v1 · v1)"]),
        (lambda: mg.relu(x), "v1 = max(0, x)", ["x̄ = v̄1 where x > 0"]),
        (lambda: mg.abs(x), "v1 = |x|", ["x̄ = v̄1 · sign(x)"]),
        (lambda: mg.maximum(x, 0.0), "v2 = maximum(x, 0)", ["x̄ = v̄2 where x > 0"]),
        (lambda: (m @ n).sum(), "v2 = m n", ["m̄ = v̄2 nᵀ", "n̄ = mᵀ v̄2"]),
        (lambda: m.T.sum(), "v1 = mᵀ", ["m̄ = v̄1ᵀ"]),
        (lambda: m[1:, 0].sum(), "v1 = m[1:, 0]", ["m̄ = scatter(v̄1, [1:, 0])"]),
        (lambda: (m * x).sum(), "v2 = m · x", ["m̄ = v̄2 · x", "x̄ = Σ (v̄2 · m)"]),
        (lambda: m.sum(0).sum(), "v1 = Σ rows m", ["m̄ = v̄1"]),
        (lambda: mg.mean(m), "v1 = mean(m)", ["m̄ = v̄1 / 6"]),
        (
            lambda: mg.where(x > w, x, w),
            "v3 = x where False, else w",
            ["x̄ = v̄3 where False", "w̄ = v̄3 where not (False)"],
        ),
    ],
)
def test_formulas_come_from_the_rules(make, forward, backward):
    trace = make_trace(make())
    texts = [formula for formula, _ in shown(trace)]
    assert forward in texts
    assert [text for text in texts if text[:2] in ("x̄", "w̄", "m̄", "n̄")] == backward
    assert not set(" ".join(texts)) & set("*@-"), "signs are typographic"


def test_a_rule_that_looks_at_numbers_is_named():
    steep = mg.custom_op(
        lambda x: x * 2,
        name="steep",
        vjp=lambda x, z, z_bar: (z_bar * (2.0 if float(x) > 0 else 1.0),),
    )
    trace = make_trace(steep(mg.tensor(1.0, requires_grad=True, name="x")))
    assert shown(trace)[-1] == ("x̄ = v̄1, by steep’s rule", "2")
    assert said(trace)[-1][0] == "The rule that you gave for steep says that x receives 2."


# memory ------------------------------------------------------------------------------------------


def measured_peak(arguments):
    """The bytes that a step really takes, by Python's own count."""
    tensors = {
        name: a if name == "labels" else mg.tensor(a, requires_grad=name in WEIGHTS)
        for name, a in arguments.items()
    }

    def step():
        net(**tensors).backward()
        for name in WEIGHTS:
            tensors[name].zero_grad()

    step()
    return measure.memory(step)


@pytest.mark.parametrize("sizes", [(2000, 16, 128, 5), (64, 256, 512, 40)])
def test_the_peak_of_tensors_is_the_measured_one(sizes):
    arguments = batch(*sizes)
    peak = make_trace(net, arguments, wrt=WEIGHTS).peak
    assert peak <= measured_peak(arguments) < 1.15 * peak  # rules make passing arrays, too


def test_views_and_shared_adjoints_are_counted_once():
    x = mg.tensor(np.ones((50, 20)), requires_grad=True)
    y = mg.flip((x + 1).T, 0)  # one array and two views of it
    trace = make_trace(mg.sum(y))
    forward = [e.live for e in trace.events if e.phase == "forward"]
    assert forward == [0, 8000, 8000, 8000, 8008]
    assert trace.peak == 8000 + 8 + 8, "the adjoint is one number, seen as an array"


def test_backward_frees_what_it_has_used():
    h = mg.tensor(np.ones(1000), requires_grad=True)
    for _ in range(10):
        h = mg.tanh(h)
    trace = make_trace(mg.sum(h))
    backward = [e.live for e in trace.events if e.phase == "backward"]
    assert max(backward) > 10 * 8000 > backward[-1] < 6 * 8000


def graph_of_training():
    """(fetches, feed, session) of one step of gradient descent in a Graph."""
    arguments = batch()
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(64, 16))
        labels = mg.placeholder("labels", shape=(64,), dtype=int)
        weights = [mg.Variable(arguments[name], name=name) for name in WEIGHTS]
        loss = net(x, *weights, labels)
        step = mg.group(
            *[mg.assign_sub(w, 0.1 * g) for w, g in zip(weights, mg.gradients(loss, weights))]
        )
    return [loss, step], {x: arguments["x"], labels: arguments["labels"]}, mg.Session(graph)


@pytest.mark.parametrize("optimize", [True, False])
def test_a_run_has_the_memory_of_its_plan(optimize):
    fetches, feed, session = graph_of_training()
    session = mg.Session(session.graph, optimize=optimize)
    plan = session.compile(fetches, feed).plan
    trace = make_trace(fetches, feed, session=session, lanes=False)
    assert trace.peak == plan.peak_bytes > 0
    assert {e.buffer for e in trace.events if e.buffer[:1] == "B"} == {
        f"B{b.number}" for b in plan.buffers
    }
    assert sum(e.in_place for e in trace.events) == len(plan.in_place) > 0


def test_a_sweep_over_nodes_has_the_memory_of_its_plan():
    fetches, feed, session = graph_of_training()
    weights = session.graph.variables
    trace = make_trace(fetches[0], feed, wrt=weights)
    with session.graph:
        slopes = mg.gradients(fetches[0], weights)
    plan = mg.Session(session.graph, optimize=False).compile([fetches[0], *slopes], feed).plan
    assert trace.peak == plan.peak_bytes


# looking changes nothing -------------------------------------------------------------------------


def test_a_run_stores_and_prints_nothing(capsys):
    fetches, feed, session = graph_of_training()
    with session.graph:
        noisy = mg.print_(fetches[0], "loss ")
    before = len(session.graph.nodes)
    for _ in range(2):
        trace = make_trace([noisy, fetches[1]], feed, session=session)
    make_trace(noisy, feed, wrt=session.graph.variables, session=session)
    assert not capsys.readouterr().out and len(session.graph.nodes) == before
    assert session.runs == 0 and not session.variable_values
    assert trace.events[-1].sentence.startswith("The update replaces b2.")
    loss = session.run(fetches[0], feed)
    assert float(loss) in numbers(trace)


def test_a_run_reads_the_sessions_variables():
    fetches, feed, session = graph_of_training()
    session.run(fetches, feed)
    assert float(session.run(fetches[0], feed)) in numbers(
        make_trace(fetches[0], feed, session=session)
    )


def test_tensors_stay_as_they_are():
    x, w, y = two_paths()
    make_trace(y)
    assert w.grad is None and y.inputs
    told = [event.sentence for event in make_trace(y).events]
    y.backward()
    assert w.grad.item() == 5
    assert [event.sentence for event in make_trace(y, wrt=[w]).events] == told
    assert w.grad.item() == 5


def test_of_a_large_graph_that_backward_gave_back_there_is_no_trace():
    w = mg.tensor(np.ones(100), requires_grad=True)
    y = mg.sum(w * w)
    y.backward()
    with pytest.raises(GradientError, match="was freed by an earlier backward"):
        make_trace(y)


# loops -------------------------------------------------------------------------------------------


def power(turns, wrt=()):
    """The trace of x^turns by a while_loop at x = 3."""
    with mg.Graph():
        x, n = mg.placeholder("x"), mg.placeholder("n", dtype=int)
        _, p = mg.while_loop(lambda i, p: i < n, lambda i, p: (i + 1, p * x), (0, 1.0))
        y = p * 2
    return make_trace(y, {x: 3.0, n: turns}, wrt=[x] * len(wrt) or None)


def line_of_the_loop():
    """Where `power` makes its loop and the body."""
    return power.__code__.co_firstlineno + 4


def test_a_loop_shows_its_iterations():
    trace = power(3)
    steps = [(e.turn, e.result) for e in trace.events if "p · x" in tokens_text(e.formula)]
    assert steps == [(1, "3"), (2, "9"), (3, "27")]
    assert {e.node for e in trace.events if e.turn} == {"n4"}
    assert {e.line.number for e in trace.events if e.turn} == {line_of_the_loop()}
    sentences = [e.sentence for e in trace.events]
    assert "Iteration 2 of 3: t5 is the product of p and x." in sentences


def test_a_loop_asks_before_each_iteration_whether_to_go_on():
    asked = [e for e in power(3).events if "Before iteration" in e.sentence]
    assert [(e.turn, e.result) for e in asked] == [
        (1, "True"),
        (2, "True"),
        (3, "True"),
        (4, "False"),
    ]
    words = "Before iteration 1: q3 says whether i is less than n."
    assert asked[0].sentence == f"{words} It is true, so iteration 1 runs."
    assert asked[3].sentence.endswith("It is false, so the loop ends.")
    assert tokens_text(asked[0].formula) == "q3 = i < n"
    assert len({e.inner for e in asked}) == 1 and asked[0].inner.startswith("n4_")
    names = {
        id: text for id, text, _ in asked[1].also
    }  # what the ports of the body hold when it is asked
    assert [names[f"n4_{at}"] for at in (0, 1)] == ["1", "3"]


def test_on_the_way_back_a_loop_speaks_of_the_names_of_its_body():
    back = [e for e in power(3, wrt="x").events if e.turn and e.phase == "backward"]
    assert [tokens_text(e.formula) for e in back[:3]] == [
        "p̄ = p̄′ · x",
        "t7 = p̄′ · p",
        "x̄ = p̄′ · p + x̄",
    ]
    assert back[2].sentence == "Iteration 3 of 3: p′ = p · x, so x receives p̄′ · p."
    assert tokens_text(back[5].substitution) == " = 6 · 3 + 18 = 36"


def test_a_loop_goes_back_through_its_iterations():
    trace = power(3, wrt="x")
    back = [e.turn for e in trace.events if e.phase == "backward" and e.turn]
    assert back == sorted(back, reverse=True) and set(back) == {1, 2, 3}
    assert {e.line.number for e in trace.events if e.turn} == {line_of_the_loop()}
    words = "The iterations run backwards, and x receives the sum of what they give."
    assert trace.events[-1].sentence == words
    assert tokens_text(trace.events[-1].formula) == "x̄ = v̄4 back through the iterations"
    assert trace.events[-1].result == "54"  # 2 · 3 · 3²


def test_no_iteration_and_many_iterations():
    assert [e.result for e in power(0).events if e.turn] == ["False"]
    with np.errstate(over="ignore"):
        events = power(1000).events
    assert len(events) < 70 and sum(e.turn > 0 for e in events) <= 61
    assert events[-3].result.startswith("(1000, ")
    assert [e.sentence for e in events if "same way" in e.sentence] == [
        "Iterations 21 to 1,000 run in the same way."
    ]


def test_a_scan_and_its_gradient():
    def recur(h, x):
        h = mg.tanh(x * 0.5 + h)
        return h, h

    with mg.Graph():
        xs, start = mg.placeholder("xs", shape=(4,)), mg.placeholder("start")
        h, _ = mg.scan(recur, start, xs)
    feed = {xs: np.arange(4.0), start: 0.1}
    trace = make_trace(h, feed, wrt=start)
    assert {e.turn for e in trace.events if e.phase == "forward"} == {0, 1, 2, 3, 4}
    value, h0 = 1.0, 0.1
    for x in np.arange(4.0):
        h0 = np.tanh(x * 0.5 + h0)
        value *= 1 - h0**2
    assert trace.events[-1].derivative.numbers == pytest.approx(value)


@pytest.mark.parametrize("value, branch, slope", [(3.0, "then", "6"), (-3.0, "otherwise", "-1")])
def test_a_choice_shows_the_branch_that_ran(value, branch, slope):
    with mg.Graph():
        x = mg.placeholder("x")
        y = mg.cond(x > 0, lambda a: a * a, lambda a: -a, x)
    trace = make_trace(y, {x: value}, wrt=x)
    inside = [e for e in trace.events if " branch: " in e.sentence]
    assert inside and all(e.sentence.startswith(f"{branch.capitalize()} branch: ") for e in inside)
    assert not any(e.turn for e in inside)
    last = trace.events[-1]
    assert last.sentence == "Only the branch that ran takes v̄3 back to x."
    assert tokens_text(last.formula) == "x̄ = v̄3 back through the branch that ran"
    assert last.result == slope


def test_a_tangent_of_a_loop_some_of_whose_results_nobody_needs():
    with mg.Graph():
        x, k = mg.placeholder("x", shape=(3,)), mg.placeholder("k")
        y = mg.scan(lambda s, a: (s * k, s), k, x)[0]
        trace = make_trace(y, {x: np.ones(3), k: 0.5}, k, "forward")
    assert trace.events[-1].result == "0.5"  # 4 k³


# a learner's own engine --------------------------------------------------------------------------


def test_objects_tell_values_and_gradients():
    x, w, a, b, y = worked()
    assert said(make_trace(y)) == [
        ("x is an input. Its value is 2.", "2"),
        ("w is an input. Its value is 1.", "1"),
        ("a is what your op Add computes from x and w.", "3"),
        ("b is what your op Add computes from w and 1.", "2"),
        ("y is what your op Mul computes from a and b.", "6"),
    ]
    assert [formula for formula, _ in shown(make_trace(y))][2:] == [
        "a = Add(x, w)",
        "b = Add(w, 1)",
        "y = Mul(a, b)",
    ]
    y.grad, w.grad = 1.0, np.float64(5.0)
    assert said(make_trace(y), "backward") == [
        ("Your engine says that the gradient of y is 1.", "1"),
        ("Your engine says that the gradient of w is 5.", "5"),
    ]
    assert [formula for formula, _ in shown(make_trace(y), "backward")] == ["ȳ = 1", "w̄ = 5"]


def test_objects_tell_their_tangents_in_forward_mode():
    x, w, a, b, y = worked()
    w.tangent, b.tangent, y.tangent = np.float64(1.0), 1.0, np.float64(5.0)
    trace = make_trace(y, mode="forward")
    assert shown(trace, "tangent") == [("ẇ = 1", "1"), ("ḃ = 1", "1"), ("ẏ = 5", "5")]
    assert [event.node for event in trace.events[-3:]] == ["n1", "n4", "n5"]
    assert not said(make_trace(y), "tangent") and not said(trace, "backward")


def test_gradients_that_start_at_zero_are_not_known_yet():
    x = leaf(2.0, "x", grad=0.0)
    assert not said(make_trace(apply(Mul, x, x, data=4.0, grad=0.0)), "backward")


def test_a_value_without_a_number_is_not_zero():
    trace = make_trace(apply(Add, leaf(None, "x"), leaf(1.0, role="constant"), data=None))
    assert [e.result for e in trace.events] == ["", ""]
    assert trace.peak == 0


def test_odd_objects_do_not_break_it():
    class Odd(Value):
        @property
        def data(self):
            raise RuntimeError("no")

        @data.setter
        def data(self, _):
            pass

    assert [e.result for e in make_trace(Odd(1.0, "+", (Odd(2.0),))).events] == ["", ""]


# summaries ---------------------------------------------------------------------------------------


def test_large_arrays_are_not_kept():
    assert summary(np.arange(64)).numbers == list(range(64))
    large = summary(np.arange(65.0))
    assert large.numbers is None and (large.low, large.high, large.mean) == (0, 64, 32)
    assert sum(large.bins) == 65 and len(large.bins) == 16 and large.text == "0 … 64"


def test_histograms_hold_every_finite_number():
    odd = np.array([np.nan, np.inf, -1e308, 1e308, 0.0, -0.0])
    told = summary(odd)
    assert sum(told.bins) == 4 and told.odd == "1 NaN, 1 infinite"
    assert summary(np.full(100, np.nan)).text == "not finite" and summary(np.ones(0)).bins == ()
    assert summary(np.full((9, 9), 0.1)).text == "all 0.1"


# refusals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: make_trace(two_paths()[2], mode="sideways"), "'sideways' is not a mode"),
        (lambda: make_trace(two_paths()[2], mode="forward", wrt=None), None),
        (lambda: make_trace(two_paths()[2], {"x": 1.0}), "only Nodes are fed"),
        (
            lambda: make_trace(worked_example, POINT, mode="forward"),
            "a tangent needs one direction",
        ),
        (lambda: make_trace(worked_example, {3: 2.0}), "are not named"),
        (lambda: make_trace(worked_example), "is a function, and feed has no value for"),
        (lambda: make_trace(worked_example, POINT, wrt="x3"), "wrt names 'x3'"),
        (lambda: make_trace(mg.tensor(2.0)), "has no recorded computation"),
        (lambda: make_trace([]), "nothing to play"),
        (lambda: make_trace(7), "int is not a graph value"),
    ],
)
def test_what_does_not_fit_is_refused(call, words):
    if words is None:
        call()
        return
    with raises_saying(ArgumentError, words):
        call()


def test_a_node_that_is_not_needed_cannot_be_differentiated_for():
    y, nodes, feed = built(worked_example, POINT)
    with y.graph:
        other = mg.placeholder("other")
    with pytest.raises(GradientError, match="is computed without other"):
        make_trace(y, feed, wrt=other)
    with pytest.raises(mg.FeedError, match="is not fed"):
        make_trace(y, {nodes["x1"]: 1.0})


def test_the_table_is_stable():
    text = str(make_trace(worked_example, POINT, wrt="x1", mode="forward"))
    assert text == str(make_trace(worked_example, POINT, wrt="x1", mode="forward"))
    words = "− passes v̇4 on as it is, because its other operand does not move."
    assert f"12    tangent  {words}" in text and "v̇6 = v̇4" in text and " at 0x" not in text


def test_no_unnamed_value_is_called_as_another_is():
    x = mg.tensor(2.0, name="v3", requires_grad=True)
    y = mg.exp(x * x + 1.0)
    labels = Labels([y])
    assert len({*labels.texts}) == len(labels.texts) == 5
    assert labels.texts.count("v3") == 1 and "v3′" in labels.texts
