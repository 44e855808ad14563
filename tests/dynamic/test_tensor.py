"""The dynamic engine: leaves, accumulation, lifetime of the graph, modes, hooks, changes."""

import contextlib
import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest
from saying import raises_saying

import minigrad as mg


def two_paths():
    """y = (x + w)(w + 1) at w = 1, x = 2."""
    w = mg.tensor([1.0], requires_grad=True, name="w")
    x = mg.tensor([2.0], requires_grad=True, name="x")
    a, b = x + w, w + 1
    return w, x, a, b, a * b


# what a Tensor is --------------------------------------------------------------------------------


def test_leaves_and_grad_fn():
    w, x, a, b, y = two_paths()
    assert [t.is_leaf for t in (w, x, a, b, y)] == [True, True, False, False, False]
    assert [str(t.grad_fn) for t in (w, x, a, b, y)] == ["None", "None", "Add", "Add", "Mul"]
    assert y.item() == 6


@pytest.mark.parametrize(
    "data, dtype",
    [
        (3, np.int64),
        (3.0, np.float64),
        ([True, False], bool),
        (np.float32(1), np.float32),
        (np.arange(3, dtype=np.int8), np.int8),
    ],
)
def test_dtypes_are_numpys(data, dtype):
    assert mg.tensor(data).dtype == dtype


def test_dtypes_of_mixed_operands_are_numpys():
    single = mg.tensor(np.float32([1, 2]))
    assert (single * 2.0).dtype == (1 - single).dtype == np.float32
    assert (single * np.float64(2)).dtype == np.float64
    assert (mg.tensor([1, 2]) * 2.0).dtype == np.float64
    assert (mg.tensor([1, 2]) + 2).dtype == np.int64


def test_a_tensor_owns_its_numbers():
    source = np.ones(3)
    t = mg.tensor(source)
    source[0] = 9
    t.numpy()[1] = 9
    assert t.data.tolist() == [1, 1, 1]


def test_repr_tells_what_it_is():
    w, *_, y = two_paths()
    assert repr(w) == "tensor([1.], name='w', requires_grad=True)"
    assert repr(y) == "tensor([6.], grad_fn=Mul)"
    assert repr(mg.tensor(np.float32(2.5))) == "tensor(2.5, dtype=float32)"


def test_python_protocols():
    t = mg.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert len(t) == 2 and t.ndim == 2 and t.size == 4 and t.T.data.tolist() == [[1, 3], [2, 4]]
    assert [row.data.tolist() for row in t] == [[1, 2], [3, 4]]
    assert float(t[0, 1]) == 2 and int(t[1, 0]) == 3 and bool(t[0, 0] < t[0, 1])
    assert np.asarray(t).tolist() == t.numpy().tolist()
    assert abs(-t).sum().item() == 10 and (+t) is t
    assert t.max().item() == 4 and t.min(axis=0).data.tolist() == [1, 2]
    assert t.reshape(4).shape == t.reshape((4,)).shape == (4,) and t.transpose(1, 0).shape == (2, 2)
    assert t.astype(np.float32).dtype == np.float32


# backward ----------------------------------------------------------------------------------------


def test_a_gradient_by_two_paths():
    w, x, a, b, y = two_paths()
    a.retain_grad()
    y.backward()
    assert (w.grad.item(), x.grad.item(), a.grad.item(), b.grad) == (5, 2, 2, None)


def test_gradients_accumulate_until_zeroed():
    w = mg.tensor(1.0, requires_grad=True)
    for count in range(1, 5):
        (w * 3).backward()
        assert w.grad.item() == 3 * count
    w.zero_grad()
    assert w.grad is None


@pytest.mark.parametrize(
    "f, at, slope",
    [
        (lambda a: (lambda b: b + b)(a + a), 1.0, 4.0),
        (lambda a: (a + a) * (a + a), 3.0, 24.0),
        (lambda a: (lambda d: d * d)(a * 1 + 1 - 2), 2.0, 2.0),
    ],
)
def test_shared_values_are_counted_once_for_each_use(f, at, slope):
    a = mg.tensor(at, requires_grad=True)
    f(a).backward()
    assert a.grad.item() == slope


def test_a_leaf_used_a_thousand_times():
    w = mg.tensor(1.5, requires_grad=True)
    total = mg.tensor(0.0)
    for i in range(1000):
        total = total + w * i
    total.backward()
    assert w.grad.item() == sum(range(1000))


def test_a_vector_needs_a_seed():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(mg.GradientError, match=r"float64\[2\], not a single number"):
        (x * x).backward()
    (x * x).backward(gradient=[1.0, 2.0])
    assert x.grad.numpy().tolist() == [2, 8]
    with pytest.raises(mg.ShapeError, match=r"gradient for the result of mul is float64\[3\]"):
        (x * x).backward(gradient=np.ones(3))


@pytest.mark.parametrize(
    "given", [mg.tensor([3.0, 3.0]), mg.tensor(3.0), mg.tensor([3, 3]), np.full(2, 3), 3]
)
def test_a_gradient_that_is_assigned_has_the_shape_and_dtype_of_its_tensor(given):
    x = mg.tensor(np.float32([1, 2]), requires_grad=True)
    x.grad = given
    assert (x.grad.shape, x.grad.dtype) == ((2,), np.float32)
    mg.sum(x * x).backward()
    assert x.grad.numpy().tolist() == [5, 7]
    with pytest.raises(mg.ShapeError, match=r"gradient float64\[1,2\] does not fit"):
        x.grad = mg.tensor([[1.0, 2.0]])
    assert x.grad.numpy().tolist() == [5, 7]


@pytest.mark.parametrize("create_graph", [False, True])
def test_gradients_that_are_equal_are_changed_one_by_one(create_graph):
    x, y = (mg.tensor(np.ones(2), requires_grad=True) for _ in range(2))
    (x + y).backward(np.full(2, 3.0), create_graph=create_graph)
    with mg.no_grad():
        x.grad *= 2
    np.testing.assert_array_equal(y.grad.numpy(), [3.0, 3.0])


def test_create_graph_differentiates_twice():
    x = mg.tensor(3.0, requires_grad=True)
    (x**2).backward(create_graph=True)
    first = x.grad
    assert first.item() == 6
    x.zero_grad()
    first.backward()
    assert x.grad.item() == 2


def test_a_second_backward_is_refused_before_anything_changes():
    w, x, a, b, y = two_paths()
    y.backward()
    with pytest.raises(mg.GradientError, match="was freed by an earlier backward") as caught:
        y.backward()
    assert "retain_graph=True" in str(caught.value)
    fresh = mg.tensor(1.0, requires_grad=True)
    with pytest.raises(mg.GradientError, match="freed"):
        (fresh * y).backward()
    assert (w.grad.item(), x.grad.item(), fresh.grad) == (5, 2, None)


def test_retain_graph_allows_a_second_backward():
    w, *_, y = two_paths()
    y.backward(retain_graph=True)
    y.backward()
    assert w.grad.item() == 10


def test_backward_of_what_depends_on_nothing():
    with pytest.raises(mg.GradientError, match="does not depend on anything that requires grad"):
        mg.tensor(1.0).backward()


def test_integers_carry_no_gradient():
    with pytest.raises(mg.DtypeError, match="requires_grad=True is given for int64 numbers"):
        mg.tensor([1, 2], requires_grad=True)
    x = mg.tensor(2.0, requires_grad=True)
    (x * mg.tensor(3)).backward()
    assert x.grad.item() == 3 and x.grad.dtype == np.float64


# what is remembered, and for how long ------------------------------------------------------------


def test_no_grad_and_enable_grad():
    w = mg.tensor(1.0, requires_grad=True)
    with mg.no_grad():
        assert (w * 2).is_leaf
        with mg.enable_grad():
            assert not (w * 2).is_leaf
        assert (w * 2).is_leaf
    assert not (w * 2).is_leaf

    @mg.no_grad()
    def forward(w):
        return w * 2 if w.item() < 0 else forward(w - 2)

    assert forward(w).is_leaf and not (w * 2).is_leaf


def test_detach_cuts():
    w = mg.tensor(3.0, requires_grad=True)
    y = w * (w * 2).detach()
    y.backward()
    assert w.grad.item() == 6


def test_keep_lines_says_where_a_value_was_made():
    assert mg.tensor(1.0).line is None
    with mg.keep_lines():
        w = mg.tensor(1.0, requires_grad=True)
        y = mg.mse(w, 3.0)
    here = y.line.number
    assert str(w.line).endswith("w = mg.tensor(1.0, requires_grad=True)")
    assert str(y.line).endswith("y = mg.mse(w, 3.0)") and w.line.number == here - 1
    assert {v.line.number for v in y.inputs if v.op} == {here}, "ops inside mse have its line"
    assert (w * 2).line is None


def test_what_no_grad_leaves_out_is_not_remembered():
    assert mg.tensor(1.0).op is None and (mg.tensor(1.0) + 1).inputs == ()


def test_memory_goes_without_the_garbage_collector():
    gc.disable()
    try:
        w = mg.tensor(np.ones(3), requires_grad=True)
        h = mg.tanh(w * 2)
        seen, y = weakref.ref(h), mg.sum(h * h)
        del h
        assert seen() is not None
        y.backward()
        assert seen() is None
        y = mg.exp(w)
        seen = weakref.ref(y)
        del y
        assert seen() is None
    finally:
        gc.enable()


def test_a_chain_of_100_000_ops_in_all_three_sweeps():
    x = mg.tensor(0.5, requires_grad=True)
    y = x
    for _ in range(50_000):
        y = y * 1.0 + 0.0
    (tangent,) = mg.forward_gradients(y, [x], [2.0])
    assert tangent.item() == 2
    del tangent
    y.backward()
    assert x.grad.item() == 1


def test_every_rule_is_called_once_for_each_use(monkeypatch):
    calls = []
    counted = [
        lambda *a, rule=rule: calls.append(1) or rule(*a)
        for rule in mg.core.ops.elementwise.Mul.partials
    ]
    monkeypatch.setattr(mg.core.ops.elementwise.Mul, "partials", counted)
    y = x = mg.tensor(1.0, requires_grad=True)
    for _ in range(30):
        y = y * y
    with mg.plain():
        y.backward()
    assert len(calls) == 2 * 30 and x.grad.item() == 2.0**30


# lazy mode ---------------------------------------------------------------------------------------


def test_lazy_values_are_computed_when_looked_at(monkeypatch):
    computed = []
    monkeypatch.setattr(
        mg.core.ops.linalg.Matmul, "compute", lambda x, y: computed.append(1) or np.matmul(x, y)
    )
    x = mg.tensor(np.ones((2, 3)))
    with mg.lazy():
        y = (x @ np.ones((3, 4))) + 1
        assert (y.shape, y.dtype, y.size, y.is_leaf, computed) == ((2, 4), float, 8, True, [])
        assert y.op is mg.core.ops.elementwise.Add
    z = y * 2
    assert computed == [1] and z.data.tolist() == [[8] * 4] * 2
    assert y.data.tolist() == [[4] * 4] * 2 and computed == [1] and y.op is None


def test_lazy_values_have_the_same_derivatives():
    x = mg.tensor([0.5, -1.0, 2.0], requires_grad=True)
    eager = mg.sum(mg.tanh(x) * x)
    with mg.lazy():
        late = mg.sum(mg.tanh(x) * x)
        (slope,) = mg.gradients(late, [x])
    assert slope.pending and not late.is_leaf
    np.testing.assert_array_equal(slope.data, mg.gradients(eager, [x])[0].data)
    late.backward()
    np.testing.assert_array_equal(x.grad.data, slope.data)


def test_a_lazy_chain_of_20_000_ops_is_computed_without_recursion():
    with mg.lazy():
        y = mg.tensor(0.0)
        for _ in range(20_000):
            y = y + 1.0
    assert y.item() == 20_000


def test_drawing_a_lazy_value_computes_nothing():
    with mg.lazy():
        y = mg.exp(mg.tensor(1.0, name="x")) * 2
    assert "Exp" in repr(mg.draw(y)) and "·" in mg.draw(y).svg and y.pending
    assert y.item() == 2 * np.e


def test_lazy_errors_come_at_once_for_shapes_and_name_the_line_for_values():
    with mg.lazy():
        with pytest.raises(mg.ShapeError, match="do not broadcast"):
            mg.tensor([1.0, 2.0]) + mg.tensor([1.0, 2.0, 3.0])
        loss = mg.cross_entropy(mg.tensor([[1.0, 2.0]]), [7])  # the line
    with pytest.raises(mg.ArgumentError, match="range from 7 to 7") as caught:
        loss.item()
    assert "[7])  # the line" in str(caught.value)
    with pytest.raises(AttributeError, match="has no colour"):
        loss.colour


def test_live_tensors_are_counted():
    gc.collect()  # what other tests left must not end while this one counts
    gc.disable()
    try:
        before = mg.measure.live()
        x = mg.tensor(np.ones(1000), requires_grad=True)
        y = mg.exp(x)
        view = y.reshape(10, 100)
        now = mg.measure.live()
        assert (now.tensors - before.tensors, now.bytes - before.bytes) == (3, 16_000)
        del y
        assert mg.measure.live().tensors - before.tensors == 3
        view.backward(gradient=np.ones((10, 100)))
        del view
        assert mg.measure.live().tensors - before.tensors == 2
    finally:
        gc.enable()


# what is let go ----------------------------------------------------------------------------------


def let_go(rows=64):
    """w, and Σ tanh(2w + 1), whose product and sum nobody holds and no rule reads."""
    w = mg.tensor(np.linspace(-1, 1, rows * 64).reshape(rows, 64), requires_grad=True, name="w")
    return w, mg.sum(mg.tanh(w * 2.0 + 1.0))


def inner_sum(y):
    """What stands in the graph for 2w + 1."""
    return y.inputs[0].inputs[0]


@pytest.mark.parametrize("lane", [contextlib.nullcontext, mg.plain])
def test_a_large_value_that_no_rule_reads_is_let_go(lane):
    with lane():
        w, y = let_go()
        shadow = inner_sum(y)
        assert (shadow.shape, shadow.dtype, str(shadow.op)) == (w.shape, w.dtype, "Add")
        assert shadow.array.base.nbytes == 8 and not shadow.is_leaf
        assert "its numbers are not kept" in repr(shadow)
        looks = (
            shadow.numpy,
            shadow.detach,
            lambda: shadow[0],
            lambda: shadow * w,
            lambda: w + shadow,
        )
        for look in looks:
            with pytest.raises(
                mg.GradientError, match="add were freed, because no derivative rule needs them"
            ):
                look()
        y.backward()
    assert np.allclose(w.grad, 2 / np.cosh(2 * w.numpy() + 1) ** 2)


def test_a_value_that_somebody_holds_is_itself_in_the_graph():
    w = mg.tensor(np.ones((64, 64)), requires_grad=True)
    held = w * 2.0
    y, z = mg.sum(mg.tanh(held + 1.0)), mg.sum(held + 3.0)
    assert y.inputs[0].inputs[0].inputs[0] is z.inputs[0].inputs[0] is held.meta
    assert any(v is held for v in mg.core.autodiff.ancestors([y]))
    held.retain_grad()
    y.backward()
    assert np.allclose(held.grad, 1 / np.cosh(3) ** 2)
    with pytest.raises(mg.GradientError, match="mul was freed by an earlier backward"):
        z.backward()


def test_history_given_back_is_gone_for_other_users_too():
    w = mg.tensor(np.ones((64, 64)), requires_grad=True)
    middle = w * 2.0
    y, z = mg.sum(middle + 1.0), mg.sum(middle + 3.0)
    y.backward()
    del middle
    with pytest.raises(mg.GradientError, match="freed by an earlier backward"):
        z.backward()


def test_a_hook_outlives_the_value():
    w = mg.tensor(np.ones((64, 64)), requires_grad=True)
    for early in (True, False):
        middle, seen = w * 2.0, []
        if early:
            handle = middle.register_hook(seen.append)
        y = mg.sum(middle + 1.0)
        if not early:
            handle = middle.register_hook(seen.append)
        del middle
        y.backward(retain_graph=True)
        assert len(seen) == 1 and seen[0].shape == (64, 64)
        handle.remove()
        y.backward()
        assert len(seen) == 1


def test_a_change_in_place_of_what_no_rule_reads_changes_no_derivative():
    w = mg.tensor(np.ones((64, 64)), requires_grad=True)
    middle = w * 2.0
    y = mg.sum(mg.tanh(middle + 1.0))
    with mg.no_grad():
        middle += 100.0
    y.backward()
    assert np.allclose(w.grad, 2 / np.cosh(3) ** 2)


def test_derivatives_of_derivatives_go_through_what_was_let_go():
    w, y = let_go()
    (slope,) = mg.gradients(y, [w])
    (second,) = mg.gradients(slope, [w], grad_ys=[np.ones(w.shape)])
    t = np.tanh(2 * w.numpy() + 1)
    assert np.allclose(second, -8 * t * (1 - t * t))
    (along,) = mg.forward_gradients(y, [w], [np.ones(w.shape)])
    assert np.isclose(along.item(), np.sum(2 * (1 - t * t)))


def test_drawings_say_what_is_not_kept():
    w, y = let_go()
    drawn = repr(mg.draw(y))
    assert drawn.count("not kept") == 2
    assert "not kept" in repr(mg.draw(y, mode="mirror"))


# hooks -------------------------------------------------------------------------------------------


def test_a_hook_sees_replaces_and_is_removed():
    w = mg.tensor(2.0, requires_grad=True)
    seen = []
    h = w * 3
    first = h.register_hook(lambda g: seen.append(g.item()))
    second = h.register_hook(lambda g: g * 10)
    (h + h).backward()
    assert seen == [2.0] and w.grad.item() == 60
    second.remove()
    first.remove()
    first.remove()
    w.zero_grad()
    (w * 3 + 0 * h.detach()).backward()
    assert seen == [2.0] and w.grad.item() == 3


def test_a_hook_that_returns_the_wrong_shape():
    w = mg.tensor([2.0, 1.0], requires_grad=True)
    w.register_hook(lambda g: np.ones(3))
    with pytest.raises(mg.ShapeError, match="what the hook returned"):
        mg.sum(w).backward()
    assert w.grad is None


def test_hooks_and_kept_gradients_need_requires_grad():
    for call in (mg.tensor(1.0).retain_grad, lambda: mg.tensor(1.0).register_hook(print)):
        with pytest.raises(mg.GradientError, match="does not require grad"):
            call()


# changes in place --------------------------------------------------------------------------------


def test_changing_a_leaf_that_requires_grad_is_refused():
    w = mg.tensor([1.0, 2.0], requires_grad=True, name="w")
    with pytest.raises(mg.GradientError, match="w takes part in derivatives"):
        w += 1
    with pytest.raises(mg.GradientError, match="inside no_grad"):
        w[0] = 5.0
    assert w.data.tolist() == [1, 2]


def test_a_change_in_place_keeps_the_object_and_a_new_value_does_not():
    a = mg.tensor([1.0])
    same = a
    a += 1
    assert a is same and a.item() == 2
    a = a + 1
    assert a is not same


def test_a_stale_value_is_named_with_its_line():
    w = mg.tensor([3.0], requires_grad=True, name="w")
    y = mg.sum(w * w)
    with mg.no_grad():
        w *= 2
    with pytest.raises(mg.GradientError) as caught:
        y.backward()
    assert "w was changed in place at test_tensor.py" in str(caught.value)
    assert "w *= 2" in str(caught.value) and w.grad is None


def test_a_change_of_a_value_that_no_rule_reads_is_harmless():
    w = mg.tensor([3.0], requires_grad=True)
    y = mg.sum(w + 1)
    with mg.no_grad():
        w -= 1
    y.backward()
    assert w.grad.item() == 1


def test_a_change_leaves_views_of_the_old_numbers_alone():
    a = mg.tensor([[1.0, 2.0], [3.0, 4.0]])
    view = a.T
    a[0, 1] = 9.0
    a /= 1.0
    assert view.data.tolist() == [[1, 3], [2, 4]] and a.data.tolist() == [[1, 9], [3, 4]]


def test_a_change_must_fit():
    a = mg.tensor([1, 2])
    with pytest.raises(mg.DtypeError, match="float64 numbers do not fit into int64"):
        a += 0.5
    with pytest.raises(mg.ShapeError, match="does not fit"):
        a += np.ones((3, 2), int)
    assert a.data.tolist() == [1, 2]


# bad input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call, kind, text",
    [
        (lambda: mg.tensor("abc"), mg.DtypeError, "is not made of numbers"),
        (lambda: mg.tensor([[1, 2], [3]]), mg.DtypeError, "cannot become an array"),
        (lambda: mg.tensor(None), mg.DtypeError, "not made of numbers"),
        (
            lambda: mg.tensor(np.ones((3, 2)), name="x") @ mg.tensor(np.ones((4, 5)), name="w"),
            mg.ShapeError,
            r"matmul\(x: float64\[3,2\], w: float64\[4,5\]\): x's columns must equal w's",
        ),
        (
            lambda: mg.tensor([1.0, 2]) + mg.tensor([1.0, 2, 3]),
            mg.ShapeError,
            r"add\(x: float64\[2\], y: float64\[3\]\): lengths 2 and 3 do not broadcast",
        ),
        (lambda: mg.tensor([1.0]) + "a", mg.DtypeError, "is not made of numbers"),
        (lambda: mg.sum(mg.tensor([1.0]), axis=1), mg.ArgumentError, "axis 1 does not exist"),
        (lambda: mg.tensor([1.0, 2.0]).item(), mg.ShapeError, r"item\(\) needs one entry, not 2"),
        (lambda: mg.tensor([1.0])[3], mg.ShapeError, "index 3 is out of bounds"),
        (lambda: mg.tensor([1.0]).reshape(2, 3), mg.ShapeError, r"the 1 entries of x do not fill"),
        (lambda: mg.tensor([1]) ** -1, mg.ArgumentError, "an integer to the power -1"),
        (lambda: mg.tensor(np.ones(2, np.uint8)) + 300, mg.DtypeError, "300 does not fit in uint8"),
        (lambda: len(mg.tensor(1.0)), mg.UsageError, "a single number has no length"),
        (
            lambda: np.asarray(mg.tensor(1.0, requires_grad=True)),
            mg.GradientError,
            "NumPy would lose",
        ),
        (lambda: mg.tensor(np.ones((2, 3))) @ mg.tensor(1.0), mg.ShapeError, "write x \\* y"),
        (
            lambda: mg.cross_entropy(np.ones((2, 3)), [0, 3]),
            mg.ArgumentError,
            "labels range from 0 to 3, but x has 3 classes",
        ),
        (
            lambda: mg.cross_entropy(np.ones((2, 3)), [0.5, 1]),
            mg.DtypeError,
            "must be whole numbers",
        ),
    ],
)
def test_bad_input_is_one_clear_message(call, kind, text):
    with raises_saying(kind, text) as caught:
        call()
    assert "\n  at   test_tensor.py" in str(caught.value) and "\n  try  " in str(caught.value)


def test_an_op_with_a_rule_for_one_of_two_operands_passes_nothing_to_the_other():
    class Held(mg.core.op.Elementwise):
        """z = x · y, where y counts as fixed."""

        compute = np.multiply
        partials = (lambda x, y, z: y, None)

    x, y = mg.tensor([2.0, 3.0], requires_grad=True), mg.tensor([5.0, 7.0], requires_grad=True)
    mg.sum(mg.core.op.bind(Held, x, y)).backward()
    assert x.grad.numpy().tolist() == [5.0, 7.0] and y.grad is None


def test_a_partial_of_minus_one_may_stand_first():
    class From(mg.core.op.Elementwise):
        """z = y - x."""

        def compute(x, y):
            return y - x

        partials = (-1, 1)

    x, y = mg.tensor([2.0], requires_grad=True), mg.tensor([5.0], requires_grad=True)
    mg.sum(mg.core.op.bind(From, x, y)).backward()
    assert (x.grad.item(), y.grad.item()) == (-1.0, 1.0)


# what the caller owns ----------------------------------------------------------------------------


def operand(kind):
    """An operand that is the caller's, a loss that uses it, and how it is changed afterwards."""
    w = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    a, i = np.array([2.0, 3.0, 5.0]), np.array([0, 1])
    loss = {
        "factor": lambda: mg.sum(w * a),
        "divisor": lambda: mg.sum(w / a),
        "first factor": lambda: mg.sum(mg.matmul(a.reshape(1, 3), w.reshape(3, 1))),
        "index": lambda: mg.sum(w[i] * 2.0),
        "condition": lambda: mg.sum(mg.where(i > 0, w[:2], 0.0)),
        "scanned": lambda: mg.scan(lambda c, x: (c + w * x, None), np.zeros(3), a)[0].sum(),
        "lazy": lambda: lazily(lambda: mg.sum(w + a * w)),
        "transposed": lambda: mg.sum(w * a[::-1]),
    }[kind]
    return w, loss, (a, i)


def lazily(f):
    with mg.lazy():
        return f()


@pytest.mark.parametrize(
    "kind",
    ["factor", "divisor", "first factor", "index", "condition", "scanned", "lazy", "transposed"],
)
def test_an_operand_changed_afterwards_does_not_change_a_derivative(kind):
    w, loss, _ = operand(kind)
    loss().backward()
    expected = w.grad.data.copy()
    w, loss, (a, i) = operand(kind)
    y = loss()
    a[:], i[:] = 7.0, 2
    value = y.item()
    y.backward()
    np.testing.assert_array_equal(w.grad.data, expected)
    w, loss, _ = operand(kind)
    assert loss().item() == value


def test_an_index_tensor_changed_in_place_is_found():
    x, i = mg.tensor([1.0, 2.0, 3.0], requires_grad=True), mg.tensor([0, 1], name="i")
    y = mg.sum(x[i])
    i[0] = 2
    with pytest.raises(mg.GradientError, match="i was changed in place"):
        y.backward()


def test_a_rule_that_reads_in_a_comprehension_has_its_operand_watched():
    cube = mg.custom_op(
        lambda x: x**3, name="cube", vjp=lambda x, z, z_bar: (sum(z_bar * v for v in [3 * x * x]),)
    )
    x = mg.tensor([1.0], requires_grad=True)
    h = x * 1.0
    y = mg.sum(cube(h))
    with mg.no_grad():
        h += 9.0
    with pytest.raises(mg.GradientError, match="changed in place"):
        y.backward()


def test_seeds_and_gradients_share_memory_with_nothing():
    w, v = (mg.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
    g = np.ones(2)
    (w + v).backward(g)
    g[:] = 7
    assert w.grad.data.tolist() == v.grad.data.tolist() == [1, 1]
    assert not np.shares_memory(w.grad.data, v.grad.data)
    seed = mg.tensor([1.0, 1.0])
    for found in (
        mg.gradients(w + v, [w, v], [seed]),
        mg.vjp(lambda a, b: a + b, w, v)[1](seed),
        mg.grad(lambda a, b: mg.sum(a + b), (0, 1))(np.ones(2), np.ones(2)),
        [mg.jvp(lambda a: (a, a), (w,), (seed,))[1][0], seed],
    ):
        assert not np.shares_memory(found[0].data, found[1].data)
        assert not any(np.shares_memory(f.data, seed.data) for f in found if f is not seed)
        first, second = found
        first *= 2
        assert second.data.tolist() == [1, 1]


@pytest.mark.parametrize(
    "copy",
    [copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copy_is_a_leaf_of_its_own(copy):
    w = mg.tensor([2.0], requires_grad=True, name="w")
    (w * 3).backward()
    v = copy(w)
    assert (v.name, v.grad.item(), v.requires_grad, v.is_leaf) == ("w", 3, True, True)
    v.grad = w.grad = None
    (w * 3 + v * 5).sum().backward()
    assert (w.grad.item(), v.grad.item()) == (3, 5)
    assert not np.shares_memory(w.data, v.data)
    with pytest.raises(mg.GradientError, match="a copy of the result of mul would lose"):
        copy(w * v)
    later = copy((w * v).detach())
    assert later.is_leaf and later.data.tolist() == [4]


def test_copied_layers_have_gradients_of_their_own():
    first = mg.nn.Sequential(mg.nn.Linear(2, 2), mg.nn.Linear(2, 1))
    second = copy.deepcopy(first)
    mg.sum(first(np.ones((1, 2))) + second(np.ones((1, 2))) * 2).backward()
    for p, q in zip(first.parameters(), second.parameters()):
        np.testing.assert_array_equal(2 * p.grad.data, q.grad.data)


def test_requires_grad_is_refused_where_there_is_no_slope():
    t = mg.tensor([1, 2])
    with pytest.raises(mg.DtypeError, match="int64 numbers"):
        t.requires_grad = True
    w = mg.tensor([1.0], requires_grad=True)
    y = w * 2
    with pytest.raises(mg.GradientError, match="computed from values that require grad"):
        y.requires_grad = False
    w.requires_grad = False
    assert not (w * 2).requires_grad


# modes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decorate", [mg.no_grad(), mg.no_grad], ids=["brackets", "none"])
def test_a_mode_decorator_belongs_to_one_call(decorate):
    inside, go_on = threading.Event(), threading.Event()

    @decorate
    def f(wait):
        if wait:
            inside.set()
            go_on.wait(30)
        return mg.tensor([1.0], requires_grad=True) * 2

    seen = []

    def first():
        seen.append(f(True).requires_grad)
        seen.append((mg.tensor([1.0], requires_grad=True) * 2).requires_grad)

    thread = threading.Thread(target=first)
    thread.start()
    inside.wait(30)
    seen.append(f(False).requires_grad)
    seen.append((mg.tensor([1.0], requires_grad=True) * 2).requires_grad)
    go_on.set()
    thread.join()
    assert seen == [False, True, False, True]


def test_one_switch_serves_several_threads():
    switch, barrier, seen = mg.no_grad(), threading.Barrier(2, timeout=30), []

    def work(first):
        if first:
            barrier.wait()
        with switch:
            if not first:
                barrier.wait()
        seen.append((mg.tensor([1.0], requires_grad=True) * 2).requires_grad)

    threads = [threading.Thread(target=work, args=(i,)) for i in (True, False)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert seen == [True, True]


# layout ------------------------------------------------------------------------------------------


def test_numbers_lie_row_by_row_whatever_they_came_from():
    a = np.asfortranarray(np.random.default_rng(0).normal(size=(40, 30)))
    assert mg.tensor(a).data.flags.c_contiguous and mg.constant(a).value.flags.c_contiguous
    t, rows = mg.tensor(a), np.ascontiguousarray(a)
    for f in (
        lambda x: mg.sum(mg.tanh(x.T) * 1.5, 0),
        lambda x: mg.tanh(x.T) @ x,
        lambda x: mg.logsumexp(mg.tanh(x.T), 1),
        lambda x: mg.mean(x.T.detach(), 0),
        lambda x: (mg.tanh(x.T) + 1.0) ** 1.7,
    ):
        with mg.Graph() as graph:
            x = mg.placeholder("x", rows.shape)
            y = f(x)
        plain = mg.Session(graph, optimize=False, backend="numpy").run(y, {x: a})
        np.testing.assert_array_equal(f(t).data, plain)
        np.testing.assert_array_equal(f(mg.tensor(rows)).data, plain)


def test_a_lazy_value_has_the_numbers_of_its_line_whatever_is_changed_before_a_look():
    x = mg.tensor([1.0, 2.0])
    with mg.lazy():
        y = x * 10
        z = y + x
        w = z * y
    x[...] = 7.0
    np.testing.assert_array_equal(y.numpy(), [10.0, 20.0])
    y[0] = 100.0
    np.testing.assert_array_equal(w.numpy(), [110.0, 440.0])
    np.testing.assert_array_equal(z.numpy(), [11.0, 22.0])


@pytest.mark.parametrize(
    "derive",
    [
        lambda y, x, w: mg.gradients(y, [x, w]),
        lambda y, x, w: mg.gradients(y, w, unconnected="zero"),
        lambda y, x, w: mg.forward_gradients(y, w, 1.0),
        lambda y, x, w: mg.stepwise.adjoint_trace(y, [x, w]),
        lambda y, x, w: mg.stepwise.tangent_trace(y, [w], [1.0]),
        lambda y, x, w: mg.player(y, wrt=[x, w]),
    ],
)
def test_no_derivative_by_what_is_not_watched(derive):
    x, w = mg.tensor(2.0, requires_grad=True), mg.tensor(1.0, name="w")
    y = (x + w) * (w + 1)  # w + 1 is not remembered: ∂y/∂w would be 2, not 5
    with pytest.raises(
        mg.GradientError, match="w does not require grad, so its later use"
    ) as caught:
        derive(y, x, w)
    assert caught.value.hint == "create it with requires_grad=True, and compute the result again"


@pytest.mark.parametrize("change", ["+=", "-=", "*=", "/="])
def test_a_change_in_place_by_another_shape_is_refused_in_our_words(change):
    space = {"x": mg.tensor([1.0, 2.0, 3.0]), "np": np}
    with pytest.raises(mg.ShapeError, match="lengths 2 and 3 do not broadcast"):
        exec(f"x {change} np.ones(2)", space)
    assert space["x"].tolist() == [1.0, 2.0, 3.0]
