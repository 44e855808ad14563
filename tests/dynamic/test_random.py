"""Random values: repeatable by seed and key, anew in every run; custom ops."""

import numpy as np
import pytest
from saying import raises_saying

import minigrad as mg
from minigrad.core.ops import random


def test_a_seed_and_a_key_give_the_same_numbers():
    for draw in (mg.random_normal, mg.random_uniform):
        a, b, other, later = draw((4,), 1), draw((4,), 1), draw((4,), 2), draw((4,), 1, key=1)
        assert a.data.tolist() == b.data.tolist()
        assert len({tuple(t.data.tolist()) for t in (a, other, later)}) == 3
    assert mg.random_normal((2,), 0, dtype=np.float32).dtype == np.float32


def test_a_draw_by_a_key_in_an_open_graph_is_a_node_with_the_numbers_of_a_tensor():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        noise = mg.random_uniform((3,), seed=1, key=2)
        grown = mg.while_loop(lambda s: mg.sum(s) < 5, lambda s: s + x, noise)
    found = mg.Session(graph).run([noise, grown], {x: np.ones(3)})
    expected = mg.random_uniform((3,), seed=1, key=2).data
    np.testing.assert_array_equal(found[0], expected)
    assert found[1].sum() >= 5


def test_draws_have_the_moments_they_say():
    normal, uniform = mg.random_normal((100_000,), 0).data, mg.random_uniform((100_000,), 0).data
    assert abs(normal.mean()) < 0.02 and abs(normal.var() - 1) < 0.02
    assert abs(uniform.mean() - 0.5) < 0.01 and 0 <= uniform.min() < uniform.max() < 1


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_uniform_draws_lie_below_1_in_every_dtype(dtype):
    wide = mg.random_uniform((100_000,), 5).numpy()
    with mg.Graph() as graph:
        node = mg.random_uniform((100_000,), 5, key=0, dtype=dtype)
    for found in (
        mg.random_uniform((100_000,), 5, dtype=dtype).numpy(),
        mg.Session(graph).run(node),
    ):
        assert found.dtype == dtype and found.min() >= 0 and found.max() < 1
        rounded = wide.astype(dtype)  # a draw keeps its number unless that would be 1
        np.testing.assert_array_equal(found[rounded < 1], rounded[rounded < 1])


def test_the_draw_nearest_to_1_is_rounded_down():
    class Highest:
        def random(self, lengths):
            return np.full(lengths, np.nextafter(1.0, 0.0))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(random, "generator", lambda seed, key: Highest())
        for dtype in (np.float16, np.float32, np.float64):
            drawn = mg.random_uniform((2,), 0, dtype=dtype).numpy()
            assert (drawn == np.nextafter(dtype(1), dtype(0))).all()


def test_dropout_of_half_precision_drops_at_the_rate_and_not_at_its_rounding():
    x = np.ones(100_000, np.float16)
    kept = mg.dropout(x, 0.9999, seed=0)  # float16 rounds this rate to 1
    assert kept.dtype == np.float16 and 0 < (kept > 0).sum() < 40
    assert kept.max() == pytest.approx(10_000, rel=1e-3)


def test_a_node_is_drawn_anew_in_every_run_and_a_session_repeats_itself():
    with mg.Graph() as graph:
        noise = mg.random_normal((3,), seed=1)
        twin = mg.random_normal((3,), seed=1)
        x = mg.placeholder("x", shape=(None, 50))
        kept = mg.dropout(x, 0.5, seed=2)
        slope = mg.gradients(mg.sum(kept), [x])[0]
    first, second = mg.Session(graph), mg.Session(graph)
    feeds = {x: np.ones((2, 50))}
    one = [first.run([noise, twin, kept, slope], feeds) for _ in range(3)]
    two = [second.run([noise, twin, kept, slope], feeds) for _ in range(3)]
    for a, b in zip(one, two):
        for u, v in zip(a, b, strict=True):
            np.testing.assert_array_equal(u, v)
    assert not np.array_equal(one[0][0], one[1][0])
    for noise_, twin_, kept_, slope_ in one:
        np.testing.assert_array_equal(noise_, twin_)
        np.testing.assert_array_equal(kept_, slope_)


def test_dropout_keeps_the_mean_and_rate_0_keeps_all():
    x = np.ones((200, 500))
    dropped = mg.dropout(x, 0.25, seed=0)
    assert set(np.unique(dropped)) == {0, 1 / 0.75} and abs(dropped.mean() - 1) < 0.01
    np.testing.assert_array_equal(mg.dropout(x, 0.0, seed=0), x)


@pytest.mark.parametrize("engine", ["dynamic", "static"])
def test_a_key_is_not_rounded_to_the_numbers_it_is_drawn_for(engine):
    def masks(x):
        return [mg.dropout(x, 0.5, seed=1, key=key) for key in (2048, 2049, 70_000)]

    ones = np.ones(50, np.float16)
    if engine == "dynamic":
        found = [mask.numpy() for mask in masks(mg.tensor(ones))]
    else:
        with mg.Graph() as graph:
            found = mg.Session(graph).run(masks(mg.constant(ones)))
    for key, mask in zip((2048, 2049, 70_000), found):
        np.testing.assert_array_equal(mask, mg.dropout(ones, 0.5, seed=1, key=np.int64(key)))
    assert (found[0] != found[1]).any()


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: mg.dropout(np.ones(2), 1.0, 0), "the dropout rate 1.0 is not in the range"),
        (lambda: mg.dropout(np.ones(2, int), 0.5, 0), "dropout needs floats, not int64"),
        (lambda: mg.random_normal((2,), -1), "the seed -1 is not"),
        (lambda: mg.random_normal((2,), 2**64), "the seed 18446744073709551616 is not"),
        (lambda: mg.random_uniform((2, -3), 0), "a length is negative"),
        (lambda: mg.random_normal((2,), 0, key=0.5), "the key is float64"),
        (lambda: mg.random_uniform((2,), 0, dtype=int), "random int64 numbers"),
        (lambda: mg.random_uniform((2.5,), 0), "2.5 is not a whole number"),
        (lambda: mg.custom_op(lambda *xs: xs[0]), "does not name its operands"),
        (
            lambda: mg.custom_op(lambda x: x, name="same")(1, 2),
            "same takes 1 operands, not 2",
        ),
    ],
)
def test_bad_input_is_one_clear_message(call, text):
    with raises_saying(mg.ArgumentError, text) as caught:
        call()
    assert "\n  at   test_random.py" in str(caught.value) and "\n  try  " in str(caught.value)


# custom ops --------------------------------------------------------------------------------------


def scaled_sum(x, y, *, by):
    """z = by·(Σ x + y)."""
    return np.asarray(by * (np.sum(x) + y))


def test_a_custom_op_has_parameters_shapes_and_both_modes():
    op = mg.custom_op(
        scaled_sum,
        infer=lambda x, y, *, by: (y.shape, y.dtype),
        vjp=lambda x, y, z, z_bar, *, by: (mg.broadcast_to(by * z_bar, x.shape), by * z_bar),
        jvp=lambda x, y, z, x_dot, y_dot, *, by: by * (mg.sum(x_dot) + y_dot),
    )
    assert op(np.ones(3), 1.0, by=2) == 8 and op.__doc__ == scaled_sum.__doc__
    assert mg.gradcheck(lambda x, y: op(x, y, by=3) ** 2, np.ones(3), np.array(2.0), order=2)
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(None,))
        assert repr(op(x, 1.0, by=2)) == "%2 = scaled_sum(x, %1): float64[]"
    assert mg.Session(graph).run(graph.nodes[-1], {x: [1.0, 2.0]}) == 8


def test_a_custom_op_says_what_it_lacks():
    bare = mg.custom_op(lambda x: x * x, name="bare")
    x = mg.tensor(2.0, requires_grad=True)
    with pytest.raises(mg.GradientError, match="bare has no vjp, which reverse mode needs"):
        bare(x).backward()
    with pytest.raises(mg.GradientError, match="bare has no jvp, which forward mode needs"):
        mg.jvp(bare, (2.0,), (1.0,))
    wrong = mg.custom_op(lambda x, y: x * y, vjp=lambda x, y, z, z_bar: z_bar, name="wrong")
    with pytest.raises(mg.GradientError, match="returned 1 cotangents for 2 operands"):
        wrong(x, x).backward()
    silent = mg.custom_op(lambda x, y: x * y, vjp=lambda x, y, z, z_bar: None, name="silent")
    with pytest.raises(mg.GradientError, match=r"returned nothing for 2 operands\n.*\n.*return"):
        silent(x, x).backward()
    with mg.Graph(), pytest.raises(mg.ArgumentError, match="unknown lengths"):
        bare(mg.placeholder("x", shape=(None,)))


@pytest.mark.parametrize("shape", [(3, 2), (2, 5), (3,), (5, 3, 2)])
def test_a_custom_rule_that_returns_another_shape_is_refused(shape):
    """Summed or repeated until it fits, it would be a wrong number without a word."""
    rules = {
        "vjp": lambda x, z, z_bar: (np.ones(shape),),
        "jvp": lambda x, z, x_dot: np.ones(shape),
    }
    op, x = mg.custom_op(lambda x: x * 2, **rules, name="twice"), np.ones((2, 3))
    if shape != (3,):  # a row stands for all rows of the result, as in z = x * row
        with pytest.raises(mg.GradientError, match=r"twice's jvp returned shape \("):
            mg.jvp(op, (x,), (x,))
        with pytest.raises(mg.GradientError, match=r"twice's vjp returned shape \(.* for x, \(2"):
            op(mg.tensor(x, requires_grad=True)).backward(x)
    total = mg.custom_op(lambda x: np.sum(x), **rules, name="total")
    with pytest.raises(mg.GradientError, match=r"total's vjp returned shape \("):
        mg.grad(total)(mg.tensor(x))
    with pytest.raises(mg.GradientError, match=r"total's jvp returned shape \("):
        mg.jvp(total, (x,), (x,))
    with mg.Graph(), pytest.raises(mg.GradientError, match="total's vjp returned shape"):
        v = mg.placeholder("v", (2, 3))
        mg.gradients(total(v), [v])


def test_a_custom_rule_may_leave_what_broadcasting_did_to_the_engine():
    product = mg.custom_op(
        lambda x, y: x * y,
        vjp=lambda x, y, z, z_bar: (z_bar * y, z_bar * x),
        jvp=lambda x, y, z, x_dot, y_dot: x_dot * y + x * y_dot,
    )
    total = mg.custom_op(lambda x: np.sum(x), vjp=lambda x, z, z_bar: (z_bar,), name="total")
    x, row = np.arange(6.0).reshape(2, 3), np.array([2.0, 3.0, 5.0])
    assert mg.gradcheck(product, x, row) and mg.gradcheck(product, row, x)
    assert mg.gradcheck(product, x, np.array(3.0)) and mg.gradcheck(total, x, modes=["reverse"])
