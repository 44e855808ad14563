"""What students answer in lesson 05, wrong and right; test_lab_banks.py tells the form."""

import numpy as np

import minigrad as mg
from minigrad.course.lessons.l05 import arm

FORWARD = """
columns = []
for x_dot in np.eye(len(x)):
    y, y_dot = mg.jvp(f, (x,), (x_dot,))
    columns.append(y_dot.numpy())
return np.stack(columns, axis=1)
"""
REVERSE = """
y, pullback = mg.vjp(f, x)
rows = []
for y_bar in np.eye(len(y)):
    (x_bar,) = pullback(y_bar)
    rows.append(x_bar.numpy())
return np.stack(rows)
"""
TEST = """
rng = np.random.default_rng()
x_dot = rng.normal(size=n)
y_bar = rng.normal(size=m)
return np.isclose(y_bar @ forward(x_dot), backward(y_bar) @ x_dot)
"""
SIDES = "y_bar @ forward(x_dot), backward(y_bar) @ x_dot"
REACH = """
for step in range(100):
    hand, pullback = mg.vjp(arm, angles)
    (angles_bar,) = pullback(hand - goal)
    angles = angles - 0.1 * angles_bar.numpy()
return angles
"""
NAMES = {"arm": arm}


def changed(body, old, new):
    """A right body with one part replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


WRONG_FUNCTIONS = {
    "jacobian_forward": [
        ("    ...", "Take the rows of np.eye(len(x))"),
        (changed(FORWARD, ", axis=1", ""), "rows_for_columns"),
        ("    return mg.jacobian(f)(x).numpy().T", "rows_for_columns"),
        (changed(FORWARD, "append(y_dot", "append(y"), "results_as_columns"),
        ("    return mg.jvp(f, (x,), (np.ones(len(x)),))[1]", "sum_of_columns"),
        (changed(FORWARD, "columns.append(y_dot.numpy())", "return y_dot"), "first_column"),
        (
            """
            for x_dot in np.eye(len(x)):
                y, y_dot = mg.jvp(f, (x,), (x_dot,))
            return y_dot
            """,
            "last_column",
        ),
        (changed(FORWARD, "np.stack(columns, axis=1)", "np.concatenate(columns)"), "Column j"),
        (changed(FORWARD, "np.eye(len(x))", "2 * np.eye(len(x))"), "Column j"),
        (changed(FORWARD, "columns.append(y_dot.numpy())", "columns.appnd(y)"), "mg.jvp returns"),
        (changed(FORWARD, "y, y_dot = mg", "y_dot = mg"), "mg.jvp returns a pair"),
        (
            "    return np.stack([f(x + 1e-6 * e).numpy() for e in np.eye(len(x))])",
            "mg.jvp returns",
        ),
        (changed(FORWARD, "(x,), (x_dot,)", "x, x_dot"), "Write mg.jvp"),
        (changed(FORWARD, "len(x)", "len(f(x))"), "A tangent has the shape of x"),
        (changed(FORWARD, "return np", "np"), "Does it end with return"),
    ],
    "jacobian_reverse": [
        ("    ...", "Call mg.vjp once"),
        (changed(REVERSE, "np.stack(rows)", "np.stack(rows, axis=1)"), "rows_for_columns"),
        (
            """
            y, pullback = mg.vjp(f, x)
            return np.stack([pullback(y_bar) for y_bar in np.eye(len(y))])
            """,
            "rows_in_tuples",
        ),
        (
            """
            x, rows = mg.tensor(x, requires_grad=True), []
            y = f(x)
            for y_bar in np.eye(len(y)):
                y.backward(y_bar, retain_graph=True)
                rows.append(x.grad.numpy().copy())
            return np.stack(rows)
            """,
            "rows_before_added",
        ),
        ("    y, pullback = mg.vjp(f, x)\n    return pullback(np.ones(len(y)))[0]", "sum_of_rows"),
        (changed(REVERSE, "rows.append(x_bar.numpy())", "return x_bar"), "first_row"),
        (changed(REVERSE, "return np.stack(rows)", "return x_bar"), "last_row"),
        (changed(REVERSE, "np.stack(rows)", "np.concatenate(rows)"), "Row i of J"),
        (changed(REVERSE, "(x_bar,) = ", "x_bar = "), "The pullback returns a tuple"),
        (changed(REVERSE, "mg.vjp(f, x)", "mg.vjp(f, (x,))"), "mg.jvp takes tuples"),
        (changed(REVERSE, "len(y)", "len(x)"), "A cotangent has the shape of y"),
    ],
    "dot_product_test": [
        ("    ...", "Draw x_dot with n numbers"),
        (
            changed(TEST, "np.isclose(", "(")
            .replace(", backward", " == backward")
            .replace("rng()", "rng(1)"),
            "always_false",
        ),
        (
            "    return np.isclose(np.ones(m) @ forward(np.ones(n)), sum(backward(np.ones(m))))",
            "only_ones",
        ),
        (
            """
            x_dot = np.random.default_rng(0).normal(size=n)
            y_bar = np.random.default_rng(0).normal(size=m)
            return np.isclose(y_bar @ forward(x_dot), backward(y_bar) @ x_dot)
            """,
            "same_vector",
        ),
        (
            """
            np.random.seed(3)
            x_dot = np.random.rand(n)
            np.random.seed(3)
            y_bar = np.random.rand(m)
            return abs(y_bar @ forward(x_dot) - backward(y_bar) @ x_dot) < 1e-9
            """,
            "same_vector",
        ),
        (changed(TEST, "return np", "return not np"), "verdict_reversed"),
        (
            changed(TEST, "@ x_dot)", "@ x_dot, atol=0.1)").replace("rng()", "rng(1)"),
            "too_loose",
        ),
        (
            """
            rng = np.random.default_rng(1)
            x_dot, y_bar = rng.random(n), rng.random(m)
            return abs(y_bar @ forward(x_dot) - backward(y_bar) @ x_dot) < 1e-2
            """,
            "too_loose",
        ),
        (changed(TEST, "rng.normal(size=n)", "np.eye(n)[0]"), "Compare y_bar"),
        (
            """
            x_dot, y_bar = np.eye(n)[0], np.eye(m)[0]
            return np.isclose(y_bar @ forward(x_dot), backward(y_bar) @ x_dot)
            """,
            "Compare y_bar",
        ),
        (
            changed(TEST, SIDES, "np.linalg.norm(forward(x_dot)), np.linalg.norm(backward(y_bar))"),
            "always_false",
        ),
        (
            changed(TEST, SIDES, "abs(y_bar @ forward(x_dot)), abs(backward(y_bar) @ x_dot)"),
            "without_sign",
        ),
        (
            """
            rng = np.random.default_rng(1)
            x_dot, y_bar = rng.normal(size=n), rng.normal(size=m)
            return backward(y_bar) @ x_dot - y_bar @ forward(x_dot) < 1e-9
            """,
            "without_abs",
        ),
        ("    return True", "always_true"),
        ("    return False", "always_false"),
        (changed(TEST, "size=n", "size=m"), "Two lengths do not fit"),
        (
            changed(TEST, "np.isclose(", "(").replace(", backward", " - backward"),
            "Compare y_bar",
        ),
        (changed(TEST, "backward(y_bar) @ x_dot", "forward(x_dot)"), "Compare y_bar"),
    ],
    "reach": [
        ("    ...", "Begin the loop with"),
        (changed(REACH, "angles - 0.1", "angles + 0.1"), "away_from_goal"),
        (changed(REACH, "hand - goal", "goal - hand"), "away_from_goal"),
        (changed(REACH, "0.1 * ", ""), "whole_gradient"),
        (changed(REACH, "range(100)", "range(1)"), "one_step"),
        (changed(REACH, "\nreturn angles", "\n    return angles"), "one_step"),
        (changed(REACH, "angles = angles", "new_angles = angles"), "never_moves"),
        (
            """
            hand, pullback = mg.vjp(arm, angles)
            (angles_bar,) = pullback(hand - goal)
            for step in range(100):
                angles = angles - 0.1 * angles_bar.numpy()
            return angles
            """,
            "old_cotangent",
        ),
        (
            changed(REACH, "pullback(hand - goal)", "pullback((hand - goal) ** 2)"),
            "Each of the 100 steps",
        ),
        (changed(REACH, "return angles", "return arm(angles)"), "Each of the 100 steps"),
        (changed(REACH, "return angles", "return hand"), "hand_returned"),
        (changed(REACH, "(angles_bar,)", "angles_bar").replace(".numpy()", ""), "Unpack"),
        (changed(REACH, "(angles_bar,)", "angles_bar"), "Unpack the tuple"),
        (changed(REACH, "hand - goal", "arm(angles).numpy() - goal"), "Unpack the tuple"),
        (changed(REACH, "(arm, angles)", "(arm, (angles,))"), "mg.vjp takes no tuple"),
        (
            """
            hand, pullback = mg.vjp(arm, angles)
            for step in range(100):
                (angles_bar,) = pullback(arm(angles) - goal)
                angles = angles - 0.1 * angles_bar.numpy()
            return angles
            """,
            "old_pullback",
        ),
        (changed(REACH, "hand - goal", "goal"), "Each of the 100 steps"),
        (
            changed(REACH, "hand - goal", "0.5 * mg.sum((hand - goal) ** 2)"),
            "The cotangent of the hand",
        ),
        (changed(REACH, "hand - goal", "angles"), "The cotangent of the hand"),
        (
            """
            for step in range(100):
                hand, moved = mg.jvp(arm, (angles,), (arm(angles) - goal,))
                angles = angles - 0.1 * moved.numpy()
            return angles
            """,
            "The cotangent of the hand",
        ),
        (changed(REACH, "hand - goal", "2 * (hand - goal)"), "Each of the 100 steps"),
        (changed(REACH, "range(100)", "range(10)"), "Each of the 100 steps"),
        (changed(REACH, "angles = angles -", "angles -="), "Work on a copy"),
    ],
}
RIGHT_FUNCTIONS = {
    "jacobian_forward": [
        FORWARD,
        "    return [list(row) for row in mg.jacobian(f, mode='forward')(x).numpy()]",
        """
        J = np.zeros((len(f(x)), len(x)))
        for j in range(len(x)):
            x_dot = np.zeros(len(x))
            x_dot[j] = 1
            J[:, j] = mg.jvp(f, (x,), (x_dot,))[1].numpy()
        return J
        """,
    ],
    "jacobian_reverse": [
        REVERSE,
        """
        y, pullback = mg.vjp(f, x)
        return mg.stack([pullback(y_bar)[0] for y_bar in np.eye(y.size)])
        """,
        "    return mg.jacobian(f)(x)",
    ],
    "dot_product_test": [
        TEST,
        """
        x_dot, y_bar = np.random.rand(n), np.random.rand(m)
        left, right = np.dot(forward(x_dot), y_bar), np.dot(x_dot, backward(y_bar))
        return bool(abs(left - right) < 1e-8 * (1 + abs(left)))
        """,
        """
        x_dot, y_bar = np.random.randint(0, 3, n), np.random.randint(0, 3, m)
        return np.isclose(y_bar @ forward(x_dot), backward(y_bar) @ x_dot)
        """,
        """
        columns, rows = map(forward, np.eye(n)), map(backward, np.eye(m))
        return np.allclose(np.stack(list(columns), axis=1), np.stack(list(rows)))
        """,
    ],
    "reach": [
        REACH,
        """
        angles = mg.tensor(angles, requires_grad=True)
        for step in range(100):
            angles.grad = None
            loss = 0.5 * mg.sum((arm(angles) - goal) ** 2)
            loss.backward()
            with mg.no_grad():
                angles -= 0.1 * angles.grad
        return angles
        """,
        """
        for step in range(100):
            J = mg.jacobian(arm)(angles).numpy()
            angles = angles + 0.1 * J.T @ (goal - arm(angles))
        return angles
        """,
    ],
}
SIGNATURES = {
    "jacobian_forward": "f, x",
    "jacobian_reverse": "f, x",
    "dot_product_test": "forward, backward, n, m",
    "reach": "goal, angles",
}
WRONG_VALUES = {
    "exit": [
        (..., "Answer with three numbers"),
        ((..., 7, 2), "Answer with three numbers"),
        ((9, 7, 3), "x̄ is right"),
        ((9, 7, 6), "x̄ is right"),
        ([9, 7, 1], "x̄ is right"),
        ("9, 7, 3", "x̄ is right"),
        ((5, 6, 2), "You added the rows"),
        ((3, 3, 8), "x̄ is the sum of the rows"),
        (((9, 7), 3), "x̄ is right"),
        ((9, 7), "Answer with three numbers"),
        (2, "Answer with three numbers"),
        ("x", "Answer with three numbers"),
        ((3, 9, 2), "x̄ is the sum of the rows"),
    ],
}
RIGHT_VALUES = {
    "exit": [
        [9, 7, 2],
        (9.0, 7.0, 2),
        np.array([9, 7, 2]),
        ((9, 7), 2),
        "(9, 7, 2)",
        mg.tensor([9.0, 7, 2]),
    ]
}
PREDICTIONS = {
    "backward": ([..., "3", 3, "seven numbers"], "error"),
    "elbow": ([..., "up", 0.02], 0.002),
    "grouping": ([..., "many", 300], 700),
}
