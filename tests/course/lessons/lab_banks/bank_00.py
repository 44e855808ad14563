"""What students answer in lesson 00, wrong and right; test_lab_banks.py tells the form."""

import numpy as np

import minigrad as mg
from minigrad.course.lessons.l00 import b0, loss_of, trained_weights

GIVEN = {"W0": np.zeros((64, 10)), "b0": b0, "loss_of": loss_of}  # by cells above
TRAINED = {"W": mg.tensor(trained_weights(), requires_grad=True)}
NAMES = GIVEN | TRAINED | {"loss_per_array": lambda W: loss_of(W, b0)}
QUOTIENT = """
nudged = W0.copy()
nudged[i, j] += h
return (loss_of(nudged, b0) - loss_of(W0, b0)) / h
"""
PASSES = """
a = x + w
b = w * x
y = a * b
y_bar = 1.0
b_bar = y_bar * a
a_bar = y_bar * b
w_bar = a_bar + b_bar * x
x_bar = a_bar + b_bar * w
return x_bar, w_bar
"""


def changed(body, old, new):
    """A right body with one part replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


WRONG_FUNCTIONS = {
    "numerical_derivative": [
        ("    ...", "Copy W0, add h to one entry"),
        (changed(QUOTIENT, "loss_of(W0, b0)) / h", "loss_of(W0, b0))"), "loss_change"),
        (
            changed(
                QUOTIENT,
                "loss_of(nudged, b0) - loss_of(W0, b0)",
                "loss_of(W0, b0) - loss_of(nudged, b0)",
            ),
            "old_minus_new",
        ),
        ("    nudged = np.copy(W0)\n    return 0 * (loss_of(nudged, b0)) / h", "losses_equal"),
        (
            """
            W = W0.copy()
            nudged = W
            nudged[i, j] += h
            return (loss_of(nudged, b0) - loss_of(W, b0)) / h
            """,
            "losses_equal",
        ),
        ("    return (loss_of(W0 + h, b0) - loss_of(W0, b0)) / h", "losses_equal"),
        (changed(QUOTIENT, "nudged[i, j]", "nudged[i]"), "losses_equal"),
        (changed(QUOTIENT, "nudged[i, j]", "nudged[:, j]"), "whole_column"),
        (changed(QUOTIENT, "nudged[i, j]", "nudged[j, i]"), "i is a pixel"),
        (
            """
            nudged = b0.copy()
            nudged[j] += h
            return (loss_of(W0, nudged) - loss_of(W0, b0)) / h
            """,
            "nudged_bias",
        ),
        ("    return (loss_of(W0[i, j] + h) - loss_of(W0[i, j])) / h", "loss_of takes two arrays"),
        (changed(QUOTIENT, "/ h", "/ 2 * h"), "Check three things"),
        (changed(QUOTIENT, "/ h", "/ (2 * h)"), "Check three things"),
        (changed(QUOTIENT, "loss_of(W0, b0)) / h", "loss_of(W0, b0) / h)"), "Check three things"),
        (changed(QUOTIENT, "- loss_of(W0, b0)", "- loss_of(W0, b0).numpy()"), "Given arrays"),
        (changed(QUOTIENT, "return", "quotient ="), "Does it end with"),
        ("    return (loss_of(W0 + nudge, b0) - loss_of(W0, b0)) / h", "Check three things"),
        (
            """
            before = loss_of(W0, b0)
            W0[i, j] += h
            return (loss_of(W0, b0) - before) / h
            """,
            "The check has set W0",
        ),
        (changed(QUOTIENT, "W0.copy()", "W0"), "The check has set W0"),
        (
            """
            up, down = W0.copy(), W0.copy()
            up[i, j] += h
            down[i, j] -= h
            return (loss_of(up, b0) - loss_of(down, b0)) / h
            """,
            "two_steps",
        ),
        (QUOTIENT.replace("W0", "W.numpy()"), "trained"),
        (QUOTIENT.replace("W0", "W"), "W is a tensor"),
        (changed(QUOTIENT, "W0.copy()", "W.numpy().copy()"), "Check three things"),
        ("h = 1e-14" + QUOTIENT, "Check three things"),
        ("h = 1e-16" + QUOTIENT, "losses_equal"),
    ],
    "gradient_by_hand": [
        ("    ...", "Begin with the three lines"),
        (changed(changed(PASSES, " + b_bar * w", ""), "b_bar * x", "b_bar"), "as_in_the_player"),
        ("    return w * x, w * x + x + w", "as_in_the_player"),
        (
            changed(changed(PASSES, "b_bar * w", "w"), "b_bar * x", "x"),
            "factor_alone",
        ),
        (changed(changed(PASSES, "b_bar * w", "b_bar"), "b_bar * x", "b_bar"), "added_to_both"),
        (changed(changed(PASSES, " + b_bar * w", ""), " + b_bar * x", ""), "through_a_only"),
        (
            changed(
                changed(PASSES, "a_bar + b_bar * w", "b_bar * w"), "a_bar + b_bar * x", "b_bar * x"
            ),
            "through_b_only",
        ),
        (changed(PASSES, "return x_bar, w_bar", "return w_bar, x_bar"), "w_bar_first"),
        (
            changed(
                changed(PASSES, "y_bar * a\n", "y_bar * b\n"),
                "a_bar = y_bar * b",
                "a_bar = y_bar * a",
            ),
            "own_factor",
        ),
        (changed(PASSES, "y_bar = 1.0", "y_bar = y"), "times_y"),
        (
            """
            def f(x, w):
                return (x + w) * w * x
            h = 1e-5
            return (f(x + h, w) - f(x, w)) / h, (f(x, w + h) - f(x, w)) / h
            """,
            "quotients",
        ),
        ("    return 5.0, 8.0", "Take the lines of the forward"),
        ("    return w + 1, (w + 1) + (x + w)", "players_formula"),
        (
            changed(PASSES, "a_bar + b_bar * x", "a_bar * b_bar * x"),
            "Take the lines of the forward",
        ),
        (changed(PASSES, "a_bar + b_bar * x", "a_bar"), "Take the lines of the forward"),
        (changed(PASSES, "return x_bar, w_bar", "return y"), "Take the lines of the forward"),
        (changed(PASSES, "return x_bar, w_bar", "return w_bar"), "Take the lines of the forward"),
        (changed(PASSES, "a_bar = y_bar * b\n", ""), "Each name must be assigned"),
        ("    w_bar = a_bar + x\n    a_bar = w * x\n    return a_bar, w_bar", "Each name must be"),
        (changed(PASSES, "return x_bar, w_bar", "x_bar, w_bar"), "Does it end with return"),
    ],
}
RIGHT_FUNCTIONS = {
    "numerical_derivative": [
        QUOTIENT,
        """
        up, down = W0.copy(), W0.copy()
        up[i, j], down[i, j] = h, -h
        return (loss_per_array(up) - loss_per_array(down)).item() / (2 * h)
        """,
        """
        step = np.zeros_like(W0)
        step[i, j] = h
        return (loss_of(W0 + step, b0) - loss_of(W0, b0)) / h
        """,
        """
        before = loss_of(W0, b0)
        W0[i, j] += h
        after = loss_of(W0, b0)
        W0[i, j] -= h
        return (after - before) / h
        """,
        """
        W = mg.tensor(W0, requires_grad=True)
        loss_of(W, b0).backward()
        return W.grad[i, j]
        """,
    ],
    "gradient_by_hand": [
        PASSES,
        "    return [w * (2 * x + w), x * (x + 2 * w)]",
        """
        x, w = mg.tensor(float(x), requires_grad=True), mg.tensor(float(w), requires_grad=True)
        ((x + w) * (w * x)).backward()
        return x.grad, w.grad
        """,
        """
        a, b = x + w, w * x
        x_bar, w_bar = b, b
        x_bar += a * w
        w_bar += a * x
        return np.float64(x_bar), w_bar
        """,
    ],
}
SIGNATURES = {"numerical_derivative": "i, j, h=1e-5", "gradient_by_hand": "x, w"}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with two numbers"),
        ((5, ...), "Answer with two numbers"),
        ((3, 2), "3 is what x receives"),
        ((2, 2), "2 is what x receives"),
        ([2, 5], "Both numbers are right"),
        ((5, 3), "w is used only in a"),
        ((5, 1), "1 is the derivative"),
        (5, "Answer with two numbers"),
        ("5", "Answer with two numbers"),
        ("2, 5", "Both numbers are right"),
        ((3, 6), "Go backward from z"),
        ("five and two", "Answer with two numbers"),
    ],
}
RIGHT_VALUES = {
    "exit": [(5, 2), [5.0, 2.0], np.array([5, 2]), "5, 2", {"x": 5, "w": 2}, {"w": 2, "x": 5}]
}
PREDICTIONS = {
    "accuracy": ([..., "all", 0.96], "nearly all"),
    "direction": ([..., "left"], "down"),
    "cost": ([..., "a few", 640], 3),
    "square": ([..., "nothing", 3], "error"),
}
