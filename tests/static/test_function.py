"""@function: tracing, retracing, derivatives through a call, what is refused."""

import collections
import copy
import dataclasses
import gc
import itertools
import warnings
import weakref

import numpy as np
import pytest

import minigrad as mg

RNG = np.random.default_rng(0)
X, W, B = RNG.normal(size=(4, 3)), RNG.normal(size=(3, 2)), RNG.normal(size=2)


def layer(x, w, b):
    """A vector function with a constant, broadcasting and a reduction."""
    h = mg.tanh(x @ w + b) * np.arange(1.0, 3.0)
    return mg.sum(h * h, axis=0)


def leaves(*arrays):
    return [mg.tensor(a, requires_grad=True) for a in arrays]


def numbers(values):
    return [v.numpy() for v in values]


# values ------------------------------------------------------------------------------------------


def test_a_call_gives_what_the_function_gives():
    f = mg.function(layer)
    assert f.__name__ == "layer" and f.__doc__ == layer.__doc__
    expected = layer(X, W, B)
    assert isinstance(f(X, W, B), np.ndarray)
    np.testing.assert_array_equal(f(X, W, B), expected)
    result = f(*map(mg.tensor, (X, W, B)))
    assert isinstance(result, mg.Tensor) and not result.requires_grad
    np.testing.assert_array_equal(result.data, expected)
    assert isinstance(f(X, mg.tensor(W), B), mg.Tensor)


def test_results_come_back_in_their_nest_and_python_values_as_they_are():
    Pair = collections.namedtuple("Pair", "first second")

    @mg.function
    def f(parts, scale=2.0, *, note=None):
        y = parts["a"] * scale
        return {
            "y": y,
            "pair": Pair(y, parts["rest"][0]),
            "note": note,
            "n": [len(parts), "two"],
            "table": np.arange(2),
        }

    x = mg.tensor([1.0, 2.0], requires_grad=True)
    out = f({"a": x, "rest": (x + 1, 5)}, note="seen")
    assert out["note"] == "seen" and out["n"] == [2, "two"] and type(out["pair"]) is Pair
    assert out["y"].data.tolist() == [2, 4] and out["pair"].second.data.tolist() == [2, 3]
    assert out["pair"].first is out["y"] and out["table"].tolist() == [0, 1]
    out["table"][0] = 9
    assert f({"a": x, "rest": (x + 1, 5)}, note="seen")["table"].tolist() == [0, 1]


def test_one_number_type_may_stand_beside_another():
    @mg.function
    def f(x, y):
        return mg.argmax(x), x * 2, y * 3, x > 0

    x, y = (
        mg.tensor([1.0, 5.0], requires_grad=True),
        mg.tensor(np.float32([2.0]), requires_grad=True),
    )
    place, double, triple, positive = f(x, y)
    assert [v.dtype for v in (place, double, triple, positive)] == [
        np.intp,
        np.float64,
        np.float32,
        bool,
    ]
    assert place.item() == 1 and positive.data.all()
    assert [v.requires_grad for v in (place, double, triple, positive)] == [
        False,
        True,
        True,
        False,
    ]
    (double.sum() + triple.sum()).backward()
    assert x.grad.data.tolist() == [2, 2] and y.grad.data.tolist() == [3]
    assert y.grad.dtype == np.float32


def test_results_that_no_derivative_reaches_do_not_require_grad():
    f = mg.function(lambda x, y: (x * 2, y * 3, mg.exp(x).detach()))
    first, second, third = f(mg.tensor([1.0], requires_grad=True), mg.tensor([1.0]))
    assert [first.requires_grad, second.requires_grad, third.requires_grad] == [True, False, False]


def test_methods_are_traced_for_their_object():
    class Scaled:
        def __init__(self, factor):
            self.factor = mg.tensor(factor, requires_grad=True)

        @mg.function
        def times(self, x):
            return x * self.factor

    two, three = Scaled(2.0), Scaled(3.0)
    x = mg.tensor([1.0, 2.0])
    assert two.times(x).data.tolist() == [2, 4] and three.times(x).data.tolist() == [3, 6]
    two.times(x).sum().backward()
    assert two.factor.grad.item() == 3 and three.factor.grad is None
    assert len(Scaled.times.traces) == 2


def test_on_nodes_the_function_is_put_into_the_graph():
    f = mg.function(layer)
    with mg.Graph() as graph:
        x, w = mg.placeholder("x", (4, 3)), mg.Variable(W, name="w")
        y = f(x, w, B)
    assert mg.Session(graph).run(y, {x: X}) == pytest.approx(layer(X, W, B))
    assert f.traces == [] and mg.core.ops.linalg.Matmul in [n.op for n in graph.nodes]


def test_a_function_in_a_function_is_put_into_its_graph():
    inner = mg.function(lambda x: x * w)
    outer = mg.function(lambda x: inner(x) + inner(w))
    w = mg.tensor([2.0], requires_grad=True)
    y = outer(mg.tensor([3.0]))
    assert y.data == [10.0] and y.op is outer.traces[0].op and inner.traces == []
    assert mg.gradients(y, w)[0].data == [7.0]


def test_lazy_tensors_may_be_arguments():
    f = mg.function(lambda x: x * 2)
    with mg.lazy():
        assert f(mg.tensor([1.0]) + 1).data == [4.0]


# derivatives -------------------------------------------------------------------------------------


def test_the_dynamic_engine_sees_one_node():
    f = mg.function(layer)
    xs = leaves(X, W, B)
    y = f(*xs)
    assert y.inputs == tuple(xs) and repr(y.op) == "layer" and y.grad_fn is y.op


@pytest.mark.parametrize("create_graph", [False, True])
def test_backward_goes_through_a_call(create_graph):
    plain, called = leaves(X, W, B), leaves(X, W, B)
    seed = np.array([1.0, -2.0])
    layer(*plain).backward(seed)
    mg.function(layer)(*called).backward(seed, create_graph=create_graph)
    for a, b in zip(plain, called):
        np.testing.assert_allclose(b.grad.data, a.grad.data, rtol=1e-14)


def test_both_modes_and_second_order_agree_with_differences():
    assert mg.gradcheck(mg.function(layer), X, W, B, order=2)


def test_several_results_are_differentiated_together():
    def f(x, w, b):
        h = mg.tanh(x @ w)
        return h, mg.sum(h) * b, b

    plain, called = leaves(X, W, B), leaves(X, W, B)
    for xs, g in ((plain, f), (called, mg.function(f))):
        h, s, b = g(*xs)
        (mg.sum(h * h) + mg.sum(s * s * b)).backward()
    for a, b in zip(plain, called):
        np.testing.assert_allclose(b.grad.data, a.grad.data, rtol=1e-13)


def test_the_fifth_derivative_of_a_call():
    g = mg.function(lambda x: x**6)
    for _ in range(5):
        g = mg.grad(g)
    assert g(np.array(2.0)).item() == 720 * 2
    two = mg.function(lambda x, y: (x * y, x + y))
    x, y = leaves(np.array(2.0), np.array(5.0))
    p, s = two(x, y)
    dx, dy = mg.gradients([p * s], [x, y])
    assert (dx.item(), dy.item()) == (2 * 10 + 25, 2 * 10 + 4)
    assert [v.item() for v in mg.gradients(dx, [x, y])] == [10, 14]


def test_transforms_go_through_a_call_and_into_one():
    f = mg.function(lambda x: mg.sum(x**3))
    v = np.array([1.0, -1.0])
    assert mg.hessian(f)(np.array([1.0, 2.0])).data.tolist() == [[6, 0], [0, 12]]
    assert mg.hvp(f, np.array([1.0, 2.0]), v).data.tolist() == [6, -12]
    inside = mg.function(lambda x: mg.grad(lambda z: mg.sum(z**3))(x) * 2)
    assert inside(np.array([1.0, 2.0])).tolist() == [6, 24]
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    assert mg.gradients(inside(x), x, v)[0].data.tolist() == [12, -24]


def test_integer_arguments_and_unreached_arguments_have_no_derivative():
    f = mg.function(lambda table, index, unused: mg.sum(table[index]))
    table, unused = leaves(X, B)
    loss = f(table, mg.tensor(np.array([1, 1, 3])), unused)
    loss.backward()
    assert table.grad.data.tolist() == [[0] * 3, [2] * 3, [0] * 3, [1] * 3] and unused.grad is None
    with pytest.raises(mg.GradientError, match="no differentiable path"):
        mg.gradients(f(table, np.array([1]), unused), unused)


def test_no_grad_inside_and_outside():
    def f(x):
        with mg.no_grad():
            c = mg.exp(x) + x
        return c * x

    x = mg.tensor([0.5], requires_grad=True)
    traced = mg.function(f)
    assert mg.gradients(traced(x), x)[0].data == mg.gradients(f(x), x)[0].data
    with mg.no_grad():
        assert not traced(x).requires_grad
    assert traced.traces[1].cause == "gradients: recorded → not recorded"


def test_a_call_is_freed_without_the_garbage_collector():
    f = mg.function(layer)
    xs = leaves(X, W, B)
    gc.disable()
    try:
        y = f(*xs)
        total = y.sum()
        seen = [weakref.ref(y), weakref.ref(total)]
        del y
        total.backward()
        del total
        assert [ref() for ref in seen] == [None, None]
    finally:
        gc.enable()


# what comes from outside -------------------------------------------------------------------------


def test_tensors_from_outside_are_read_at_each_call_and_get_gradients():
    w, scale = mg.tensor([1.0, 2.0], requires_grad=True, name="w"), mg.tensor(3.0)
    f = mg.function(lambda x: mg.sum((w * scale) * x))
    x = mg.tensor([1.0, 1.0])
    assert f(x).item() == 9
    with mg.no_grad():
        w += 1
    assert f(x).item() == 15 and len(f.traces) == 1
    f(x).backward()
    assert w.grad.data.tolist() == [3, 3] and f(x).inputs[1:] == (w, scale)


def test_loops_and_choices_inside_read_tensors_from_outside():
    w = mg.tensor([1.0, 2.0], requires_grad=True)

    @mg.function
    def f(x):
        doubled = mg.cond(mg.sum(x) > 0, lambda: x * w, lambda: x - w)
        return mg.sum(mg.while_loop(lambda a: mg.sum(a) < 20, lambda a: a * w * 2.0, doubled))

    def plain(x):
        y = x * w if x.data.sum() > 0 else x - w
        while y.data.sum() < 20:
            y = y * w * 2.0
        return mg.sum(y)

    for start in ([1.0, 1.0], [-1.0, 9.0], [-9.0, 6.0], [30.0, 1.0]):
        x = mg.tensor(start, requires_grad=True)
        np.testing.assert_allclose(f(x).data, plain(x).data)
        for a, b in zip(mg.gradients(f(x), [x, w]), mg.gradients(plain(x), [x, w])):
            np.testing.assert_allclose(a.data, b.data)
    with mg.no_grad():
        w += 1
    np.testing.assert_allclose(f(x).data, plain(x).data)


def test_arrays_in_give_tensors_out_when_a_tensor_is_taken_from_outside():
    w = mg.tensor([2.0])
    assert mg.function(lambda x: x * w)(np.array([3.0])).data == [6.0]


def test_gradients_for_a_tensor_from_outside_can_be_taken_inside():
    w = mg.tensor([1.0, 2.0], requires_grad=True)
    data = mg.tensor([3.0, 4.0])

    @mg.function
    def step(x):
        inner = mg.grad(lambda d: mg.sum(d * d * x))(data)
        return [*mg.gradients(mg.sum(w * w * x), [w]), inner]

    grad, inner = step(mg.tensor([1.0, 10.0]))
    assert grad.data.tolist() == [2, 40] and inner.data.tolist() == [6, 80]
    with mg.no_grad():
        w += 1
        data += 1
    grad, inner = step(mg.tensor([1.0, 10.0]))
    assert grad.data.tolist() == [4, 60] and inner.data.tolist() == [8, 100]


def test_python_values_from_outside_are_fixed_when_traced():
    factor = 2
    f = mg.function(lambda x: x * factor)
    assert f(np.ones(1)) == 2
    factor = 3
    assert f(np.ones(1)) == 2 and f(np.ones(2)).tolist() == [3, 3]


def test_a_name_given_to_another_tensor_is_noticed():
    w = mg.tensor(2.0, requires_grad=True)
    f = mg.function(lambda x: x * w)
    assert f(np.ones(1)).data == 2
    w = mg.tensor(5.0, requires_grad=True)
    assert f(np.ones(1)).data == 5
    assert f.traces[-1].cause == "w: the name stands for another Tensor"
    w.requires_grad = False
    assert not f(np.ones(1)).requires_grad
    assert "requires_grad True → False" in f.traces[-1].cause


def test_random_values_are_drawn_anew_at_each_call_and_kept_for_its_derivative():
    f = mg.function(lambda x: mg.dropout(x, 0.5, seed=1))
    x = mg.tensor(np.ones(50), requires_grad=True)
    first, second = f(x), f(x)
    assert (first.data != second.data).any()
    for y in (first, second):
        np.testing.assert_array_equal(mg.gradients(y, x, np.ones(50))[0].data, y.data)


def test_what_is_printed_by_a_node_is_printed_at_each_call(capsys):
    @mg.function
    def f(x):
        mg.print_(x, "x is ")
        return x * 2

    f(np.array(1.0))
    f(np.array(2.0))
    assert capsys.readouterr().out == "x is 1.0\nx is 2.0\n"


# retracing ---------------------------------------------------------------------------------------

CALLS = {
    "x: shape (2, 3) → (4, 3)": (lambda a: (a[:2], 1), lambda a: (a, 1)),
    "x: dtype float64 → float32": (lambda a: (a, 1), lambda a: (np.float32(a), 1)),
    "n: 1 → 2": (lambda a: (a, 1), lambda a: (a, 2)),
    "n: int 1 → float 1.0": (lambda a: (a, 1), lambda a: (a, 1.0)),
    "n: int 1 → bool True": (lambda a: (a, 1), lambda a: (a, True)),
    "n: 0.0 → -0.0": (lambda a: (a, 0.0), lambda a: (a, -0.0)),
    "n: a Python value → an array": (lambda a: (a, 1), lambda a: (a, np.array(1))),
    "n: keys (0, 1) → (0, 1, 2)": (lambda a: (a, [1, 2]), lambda a: (a, [1, 2, 3])),
    "n: keys ('k', 'l') → ('l', 'k')": (
        lambda a: (a, {"k": 1, "l": 2}),
        lambda a: (a, {"l": 2, "k": 1}),
    ),
    "x: requires_grad False → True": (
        lambda a: (mg.tensor(a), 1),
        lambda a: (mg.tensor(a, requires_grad=True), 1),
    ),
}


@pytest.mark.parametrize("cause", CALLS)
def test_a_retrace_says_which_part_of_the_key_differs(cause):
    f = mg.function(lambda x, n=1: x * 2)
    for arguments in CALLS[cause]:
        f(*arguments(X))
        f(*arguments(X))
    assert [t.cause for t in f.traces] == ["the first call", cause]
    assert [t.calls for t in f.traces] == [2, 2]


def test_a_warning_names_the_argument_that_makes_the_traces_whatever_its_text_holds():
    f = mg.function(lambda x, label: x * 2)
    with pytest.warns(UserWarning, match="traced 10 times, 9 of them because of label "):
        for i in range(10):
            f(X, f"k; n: {i}")


def test_calls_that_agree_share_a_trace():
    f = mg.function(lambda x, n=1, nan=None: x * n)
    f(X)
    f(X + 1, 1)
    f(n=1, x=X)
    assert len(f.traces) == 1
    f(X, nan=float("nan"))
    f(X, nan=np.float64("nan").item())
    assert len(f.traces) == 2


def test_a_cause_is_found_by_the_most_similar_trace():
    f = mg.function(lambda x, n: x * n)
    f(X, 1)
    f(np.float32(X[:2]), 7)
    f(X, 2)
    assert f.traces[-1].cause == "n: 1 → 2"


def test_explain_lists_the_traces():
    f = mg.function(layer)
    f(X, W, B)
    f(X[:2], W, B)
    text = f.explain()
    assert text.startswith("layer: 2 traces, 2 calls\n  1. ")
    assert "1 calls; x: shape (4, 3) → (2, 3)\n       x: float64[2,3]" in text


def test_many_traces_warn_and_name_what_varies():
    f = mg.function(lambda x, n: x * n)
    with pytest.warns(
        UserWarning,
        match=r"traced 10 times, 9 of them because of n \(n: 8 → 9\): "
        r"pass a number",
    ) as caught:
        for n in range(12):
            f(X, n)
    assert len(caught) == 1 and caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f(X, 12)


# what is refused ---------------------------------------------------------------------------------


def refused(body, error=mg.GraphError, arguments=(X,), **options):
    """The message for a function that cannot be traced."""
    with pytest.raises(error) as caught:
        mg.function(body, **options)(*arguments)
    return str(caught.value)


LOOKS = {
    "mg.cond": [lambda x: x if x.sum() > 0 else -x, lambda x: x and x, lambda x: not x],
    "mg.scan": [lambda x: [row for row in x], lambda x: [*x]],  # noqa: C416  a loop
    "read the number from the value that the function returns": [
        lambda x: float(x[0, 0]),
        lambda x: int(x[0, 0]),
        lambda x: x.numpy(),
        lambda x: x[0, 0].item(),
        lambda x: np.asarray(x),
        lambda x: range(x[0, 0]),
    ],
}


@pytest.mark.parametrize("hint, body", [(c, b) for c, bodies in LOOKS.items() for b in bodies])
def test_looking_at_a_value_is_refused_with_the_line_and_the_cure(hint, body):
    message = refused(body)
    assert "has no value while <lambda> is traced" in message and hint in message
    assert "test_function.py" in message


def test_a_value_without_a_name_is_called_by_its_op():
    assert refused(lambda x: x if mg.sum(x) > 0 else -x).startswith("the result of greater has no")


@pytest.mark.parametrize("look", [mg.Tensor.numpy, mg.Tensor.item, float, np.asarray])
def test_looking_at_a_tensor_from_outside_is_refused(look):
    w = mg.tensor(2.0, name="w")
    message = refused(lambda x: x * look(w))
    assert "w is read while <lambda> is traced" in message and "pass it" in message


def test_changing_a_tensor_from_outside_is_refused():
    w = mg.tensor(2.0, name="w")

    def f(x):
        y = x * w
        w[...] = 3.0
        return y

    assert "w is changed in place in f, which would happen while it is traced" in refused(f)


def test_what_would_be_made_at_each_trace_is_refused():
    assert "f makes Variable v at each trace" in refused(
        named("f", lambda x: x * mg.Variable(2.0, name="v"))
    )
    assert "makes Placeholder p" in refused(lambda x: x * mg.placeholder("p"))
    with mg.Graph():
        foreign = mg.placeholder("far")
    assert "belongs to" in refused(lambda x: x * foreign)


def named(name, f):
    f.__name__ = name
    return f


def test_a_trace_that_fails_leaves_nothing_behind():
    f = mg.function(lambda x: mg.exp(x) if x.ndim == 1 else float(x))
    with pytest.raises(mg.GraphError):
        f(X)
    assert f.traces == [] and mg.open_graph() is None
    assert f(np.zeros(2)).tolist() == [1, 1] and mg.tensor(1.0).item() == 1


def test_errors_of_a_call_name_the_line_inside():
    f = mg.function(lambda x, labels: mg.cross_entropy(x, labels))
    f(X, np.array([0, 1, 2, 0]))
    with pytest.raises(mg.ArgumentError, match="labels range from 0 to 9") as caught:
        f(X, np.array([0, 1, 9, 0]))
    assert "mg.cross_entropy(x, labels)" in str(caught.value)


def test_only_functions_are_decorated():
    with pytest.raises(mg.ArgumentError, match="3 is not a function"):
        mg.function(3)


# check=True --------------------------------------------------------------------------------------


def test_check_finds_a_hidden_counter_and_a_hidden_generator():
    count, rng = itertools.count(1), np.random.default_rng(0)
    message = refused(lambda x: x * next(count), check=True)
    assert "two traces of <lambda> differ: first the constant 1.0, then the constant 2.0" in message
    assert "test_function.py" in message and "a clock, a random number or a counter" in message
    assert "differ" in refused(lambda x: x + rng.normal(size=3), check=True)
    assert "a tensor is made in it" in refused(lambda x: x * mg.tensor(rng.normal()), check=True)


def test_check_finds_hidden_branches_parameters_and_results():
    count = itertools.count()
    assert "nodes, then" in refused(lambda x: x + x if next(count) % 2 else x, check=True)
    assert "differ: first %2" in refused(lambda x: mg.sum(x, axis=next(count) % 2), check=True)
    assert "it returned first 4, then 5" in refused(lambda x: next(count), check=True)
    assert "it returned first" in refused(
        lambda x: [x, x + 1] if next(count) % 2 else [x + 1, x], check=True
    )


def test_check_accepts_a_function_of_its_arguments():
    w = mg.tensor(B, requires_grad=True)
    f = mg.function(check=True)(lambda x: (mg.sum(x @ W * w), {"table": np.arange(3)}, "text"))
    assert f(X)[0].item() == pytest.approx((X @ W * B).sum()) and len(f.traces) == 1


def test_loops_and_choices_of_tensors_from_outside_alone_are_traced():
    v, yes = mg.tensor(np.ones(3), requires_grad=True), mg.tensor(True)

    @mg.function
    def f(x):
        _, h = mg.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, h * 2.0), (0, v))
        _, ys = mg.scan(lambda c, a: (c + a, c), v[0] * 0.0, v)
        return mg.sum(h) + mg.sum(ys) + mg.cond(yes, lambda: x, lambda: x * 2.0)

    y = f(mg.tensor(1.0))
    y.backward()
    assert y.item() == 28 and v.grad.data.tolist() == [10, 9, 8]


@dataclasses.dataclass
class Holder:
    """An object with a weight and a number."""

    w: mg.Tensor
    k: float = 2.0


def new_weight(value):
    return mg.tensor([value], requires_grad=True)


def test_a_tensor_replaced_where_the_function_reaches_it_is_noticed():
    held = {
        "dict": {"w": new_weight(1.0)},
        "list": [[new_weight(1.0)]],
        "object": Holder(new_weight(1.0)),
    }
    reach = {"dict": lambda h: h["w"], "list": lambda h: h[0][0], "object": lambda h: h.w}

    def replace(kind, h, w):
        if kind == "dict":
            h["w"] = w
        elif kind == "list":
            h[0][0] = w
        else:
            h.w = w

    for kind, h in held.items():
        f = mg.function(lambda x, h=None: x * reach[kind](store))
        store = h
        assert f(np.ones(1)).item() == 1
        replace(kind, store, new_weight(5.0))
        assert f(np.ones(1)).item() == 5 and len(f.traces) == 2
        assert "another Tensor" in f.traces[1].cause
        f(np.ones(1))
        assert len(f.traces) == 2


def test_objects_and_sets_that_change_as_arguments_are_traced_anew():
    f = mg.function(lambda x, h: x * h.w * h.k)
    h = Holder(new_weight(3.0))
    assert f(np.ones(1), h).item() == 6
    h.k = 4.0
    assert f(np.ones(1), h).item() == 12 and f.traces[1].cause == "h.k: 2.0 → 4.0"
    h.w = new_weight(1.0)
    assert f(np.ones(1), h).item() == 4 and len(f.traces) == 3
    g = mg.function(lambda x, names: x + float(len(names)))
    names = {"a"}
    assert g(np.zeros(1), names) == 1
    names.add("b")
    assert g(np.zeros(1), names) == 2


def test_a_method_sees_what_its_object_holds_now():
    class Scale:
        def __init__(self):
            self.k, self.layers = 2.0, [mg.nn.Linear(1, 1)]

        @mg.function
        def __call__(self, x):
            return self.layers[0](x) * self.k

    scale, x = Scale(), np.ones((1, 1))
    first = scale(x).item()
    scale.k = 6.0
    assert scale(x).item() == pytest.approx(3 * first)
    scale.layers[0].W = mg.tensor([[0.0]], requires_grad=True)
    assert scale(x).item() == 0


def test_a_detached_tensor_from_outside_is_read_at_each_call():
    w = mg.tensor(2.0, requires_grad=True)
    f = mg.function(lambda x: x * w.detach())
    x = mg.tensor(3.0, requires_grad=True)
    assert f(x).item() == 6
    with mg.no_grad():
        w -= 1.0
    f(x).backward()
    assert f(x).item() == 3 and (x.grad.item(), w.grad) == (1, None)
    with pytest.raises(mg.GraphError, match="is read while"):
        mg.function(lambda x: x * copy.copy(w))(x)


NORM = mg.nn.BatchNorm(3)


@pytest.mark.parametrize(
    "f, what, hint",
    [
        (lambda x: x.__setitem__(0, 5.0), "entries of x cannot be set", "mg.where"),
        (lambda x: mg.sum(x).backward(), "has no backward", "mg.gradients"),
        (lambda x: x.grad, "has no grad", "mg.gradients"),
        (lambda x: x.data * 2, "has no data", "sess.run"),
        (lambda x: NORM(x), "running averages", "eval()"),
    ],
)
def test_what_only_tensors_have_says_so_in_words(f, what, hint):
    with pytest.raises(mg.MinigradError) as caught:
        mg.function(f)(np.ones((3, 3)))
    assert what in caught.value.message and hint in caught.value.hint and caught.value.line


def test_few_traces_are_held():
    f = mg.function(lambda x: mg.sum(x))
    f.keep = 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in (1, 2, 3, 1, 4, 1, 5):
            assert f(np.ones(n)) == n
    assert (
        sorted(t.formals[0].shape[0] for t in f.traces) == [1, 4, 5] and len(f.traces_by_key) == 3
    )
    count = [t.calls for t in f.traces if t.formals[0].shape == (1,)]
    assert count == [3]


@pytest.mark.parametrize("steady", [True, False])
def test_check_looks_into_the_body_of_a_loop(steady):
    draws = iter(range(10))

    def f(x):
        amount = 2.0 if steady else float(next(draws))
        step = lambda i, h: (i + 1, h * amount)
        return mg.while_loop(lambda i, h: i < 2, step, (0, x))[1]

    checked = mg.function(f, check=True)
    if steady:
        assert checked(mg.tensor(1.0)).item() == 4
    else:
        with pytest.raises(mg.GraphError, match=r"first the constant 0.0, then the constant 1.0"):
            checked(mg.tensor(1.0))


def test_prints_do_not_change_how_contributions_add_up():
    def f(x):
        return mg.print_(x, "a ") + mg.sum(mg.print_(mg.tanh(x), "b ")) + mg.print_(x, "c ")

    x = mg.tensor(np.linspace(-0.9, 0.7, 3), requires_grad=True)
    for seed in range(20):
        weights = np.random.default_rng(seed).normal(size=3)
        plain, traced = (mg.gradients(g(x), [x], weights)[0] for g in (f, mg.function(f)))
        assert plain.numpy().tolist() == traced.numpy().tolist()
