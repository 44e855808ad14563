"""What students answer in lesson 05b, wrong and right; test_lab_banks.py tells the form."""

import numpy as np

BACKWARD = """
h = X @ W1 + b1
r = np.maximum(h, 0)
scores = r @ W2 + b2
p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
s_bar = (p - np.eye(len(b2))[labels]) / len(labels)
W2_bar, b2_bar = r.T @ s_bar, s_bar.sum(axis=0)
h_bar = s_bar @ W2.T * (h > 0)
W1_bar, b1_bar = X.T @ h_bar, h_bar.sum(axis=0)
return W1_bar, b1_bar, W2_bar, b2_bar
"""


def changed_backward(old, new):
    """A body of backward with one part of the right one replaced."""
    assert BACKWARD.count(old) == 1
    return BACKWARD.replace(old, new)


WRONG_FUNCTIONS = {
    "matmul_vjp": [
        ("    ...", "Follow the four steps"),
        ("    return x.T @ z_bar, z_bar @ y.T", "swapped_pair"),
        ("    return z_bar @ y.T", "only_x"),
        ("    return (z_bar @ y.T,)", "Write the sum with indices"),
        ("    return x @ y", "forward_product"),
        (
            """
            pairs = [(z_bar, y), (z_bar, y.T), (z_bar.T, y), (z_bar.T, y.T)]
            found = [a @ b for a, b in pairs if a.shape[1] == b.shape[0]]
            x_bar = [p for p in found if p.shape == x.shape][0]
            pairs = [(x, z_bar), (x, z_bar.T), (x.T, z_bar), (x.T, z_bar.T)]
            found = [a @ b for a, b in pairs if a.shape[1] == b.shape[0]]
            return x_bar, [p for p in found if p.shape == y.shape][0]
            """,
            "first_that_fits",
        ),
        (
            "    return 0 * z_bar @ y.T + y.sum(1), 0 * x.T @ z_bar + x.sum(0)[:, None]",
            "cotangent_ignored",
        ),
        ("    return z_bar @ y, x @ z_bar", "The shapes do not fit"),
        ("    return z_bar * y.T, x.T * z_bar", "The shapes do not fit"),
        ("    return y @ z_bar.T, z_bar.T @ x", "Write the sum with indices"),
        ("    return z_bar @ y.T, z_bar.T @ x", "Write the sum with indices"),
        ("    return 2 * z_bar @ y.T, x.T @ z_bar", "Write the sum with indices"),
        ("    return z_bar @ y.T, x.T @ w", "Write the sum with indices"),
        ("    z_bar @ y.T, x.T @ z_bar", "Does it end with return"),
        ("    z_bar *= 1.5\n    return z_bar @ y.T, x.T @ z_bar", "Work on a copy"),
    ],
    "unbroadcast": [
        ("    ...", "First sum over the axes"),
        ("    return z_bar", "same_cotangent"),
        ("    return z_bar.sum(axis=tuple(range(z_bar.ndim - len(shape))))", "added_only"),
        (
            """
            while z_bar.ndim > len(shape):
                z_bar = z_bar.sum(axis=0)
            return z_bar
            """,
            "added_only",
        ),
        (
            """
            if z_bar.ndim > len(shape):
                return z_bar
            ones = tuple(k for k, n in enumerate(shape) if n == 1)
            return z_bar.sum(axis=ones, keepdims=True)
            """,
            "stretched_only",
        ),
        (
            """
            z_bar = z_bar.sum(axis=tuple(range(z_bar.ndim - len(shape))))
            return z_bar.sum(axis=tuple(k for k, n in enumerate(shape) if n == 1))
            """,
            "loses_axes",
        ),
        (
            """
            z_bar = z_bar.sum(axis=tuple(range(z_bar.ndim - len(shape))))
            for axis, length in enumerate(shape):
                if length == 1:
                    z_bar = z_bar.sum(axis=axis)
            return z_bar
            """,
            "loses_axes_in_a_loop",
        ),
        (
            """
            z_bar = z_bar.mean(axis=tuple(range(z_bar.ndim - len(shape))))
            ones = tuple(k for k, n in enumerate(shape) if n == 1)
            return z_bar.mean(axis=ones, keepdims=True)
            """,
            "mean_of_uses",
        ),
        (
            """
            while z_bar.ndim > len(shape):
                z_bar = z_bar[0]
            for axis, length in enumerate(shape):
                if length == 1:
                    z_bar = z_bar.take([0], axis=axis)
            return z_bar
            """,
            "first_use",
        ),
        ("    return np.reshape(z_bar, shape)", "A reshape or a broadcast does not fit"),
        ("    return np.broadcast_to(z_bar, shape)", "A reshape or a broadcast does not fit"),
        ("    return z_bar.sum(axis=z_bar.ndim)", "This axis does not exist"),
        (
            "    return z_bar.sum(axis=list(range(z_bar.ndim - len(shape))))",
            "If you pass several axes",
        ),
        (
            """
            ones = tuple(k for k in range(z_bar.ndim) if shape[k] == 1)
            return z_bar.sum(axis=ones, keepdims=True)
            """,
            "`shape` is shorter",
        ),
        ("    return z_bar.sum()", "Compare the two shapes from the right"),
    ],
    "backward": [
        ("    ...", "Go through forward from its last line"),
        (changed_backward("* (h > 0)", ""), "relu_forgotten"),
        (changed_backward("* (h > 0)", "* r"), "relu_by_value"),
        (changed_backward("(h > 0)", "(s_bar @ W2.T > 0)"), "relu_by_cotangent"),
        (
            changed_backward("return W1_bar, b1_bar, W2_bar", "return W1_bar, W2_bar, b1_bar"),
            "weights_first",
        ),
        (changed_backward("W2_bar, b2_bar\n", "W2_bar, s_bar\n"), "last_bias_per_image"),
        (
            changed_backward("h_bar.sum(axis=0)", "(s_bar @ W2.T).sum(axis=0)"),
            "first_bias_behind_relu",
        ),
        (changed_backward("r.T @ s_bar", "h.T @ s_bar"), "weights_before_relu"),
        (
            changed_backward(
                "return W1_bar, b1_bar, W2_bar, b2_bar", "return W1_bar, h_bar, W2_bar, s_bar"
            ),
            "biases_per_image",
        ),
        (
            changed_backward("W1_bar, b1_bar, W2_bar, b2_bar", "W2_bar, b2_bar, W1_bar, b1_bar"),
            "last_layer_first",
        ),
        (changed_backward("b1_bar, W2_bar, b2_bar", "W2_bar"), "Compare with the forward pass"),
        (changed_backward("h_bar.sum(", "h_bar.mean("), "Compare with the forward pass"),
        (
            changed_backward("h_bar.sum(", "h_bar.mean(").replace("s_bar.sum(", "s_bar.mean("),
            "averaged_biases",
        ),
        (
            changed_backward(
                "return W1_bar, b1_bar, W2_bar, b2_bar",
                "return [bar / len(X) for bar in (W1_bar, b1_bar, W2_bar, b2_bar)]",
            ),
            "divided_again",
        ),
        (changed_backward("X.T @ h_bar", "2 * X.T @ h_bar"), "Compare with the forward pass"),
        (changed_backward("r.T @ s_bar", "r @ s_bar"), "Two shapes do not fit"),
        (changed_backward("h = X @ W1 + b1", "h, r = None"), "If a function that you call"),
        (changed_backward("W2_bar, b2_bar =", "W_bar, b2_bar ="), "Each name must be assigned"),
    ],
}
RIGHT_FUNCTIONS = {
    "matmul_vjp": [
        "    return [np.matmul(z_bar, np.transpose(y)), np.matmul(x.T, z_bar)]",
        """
        x_bar = np.einsum("ik,jk->ij", z_bar, y)
        return x_bar, np.einsum("ij,ik->jk", x, z_bar)
        """,
    ],
    "unbroadcast": [
        """
        while z_bar.ndim > len(shape):
            z_bar = z_bar.sum(axis=0)
        for axis, length in enumerate(shape):
            if length == 1:
                z_bar = z_bar.sum(axis=axis, keepdims=True)
        return z_bar
        """,
        """
        padded = (1,) * (z_bar.ndim - len(shape)) + tuple(shape)
        axes = tuple(k for k, n in enumerate(padded) if n == 1 and z_bar.shape[k] != 1)
        return np.add.reduce(z_bar, axis=axes, keepdims=True).reshape(shape)
        """,
    ],
    "backward": [
        BACKWARD,
        """
        r = np.where(X @ W1 + b1 > 0, X @ W1 + b1, 0)
        s_bar = np.exp(r @ W2 + b2)
        s_bar = s_bar / s_bar.sum(1)[:, None] / len(X)
        s_bar[range(len(X)), labels] -= 1 / len(X)
        h_bar = np.where(r > 0, np.einsum("nk,mk->nm", s_bar, W2), 0)
        return [X.T @ h_bar, np.ones(len(X)) @ h_bar, r.T @ s_bar, np.ones(len(X)) @ s_bar]
        """,
    ],
}
SIGNATURES = {
    "matmul_vjp": "x, y, z_bar",
    "unbroadcast": "z_bar, shape",
    "backward": "X, labels, W1, b1, W2, b2",
}
WRONG_VALUES = {
    "my_tests": [
        (..., "A test is a pair"),
        ([((4, 4), ...)], "A test is a pair"),
        ([], "Write a list of pairs"),
        (6, "Write a list of pairs"),
        (((4, 4), [3, 1, 4, 2]), "Write a list of pairs"),
        ([((4,), [1, 1, 1, 1])], "Write a list of pairs"),
        ([((0, 4), [1, 2, 3, 4])], "Write a list of pairs"),
        ("BD", "Write a list of pairs"),
        ([((5, 4), [1, 2, 3, 4, 5])], "For x of shape (5, 4), z_bar must be a list of 4 numbers"),
        ([((4, 4), np.eye(4))], "For x of shape (4, 4), z_bar must be a list of 4 numbers"),
        ([((4, 4), [1, 1, 1, 1])], "If all numbers in z_bar are equal"),
        ([((5, 4), [0, 0, 0, 0])], "If all numbers in z_bar are equal"),
        ([((4, 4), [np.nan] * 4), ((5, 4), [np.nan] * 4)], "If all numbers in z_bar are equal"),
        ([((5, 4), [1, 1, 1, 1])], "sum0_vjp looks for an axis"),
        ([((5, 4), [1, 2, 3, 4]), ((2, 3), [1, 2, 3])], "sum0_vjp looks for an axis"),
        ([((4, 4), [3, 1, 4, 2])], "mean0_vjp divides by"),
        ([((4, 4), [3, 1, 4, 2]), ((5, 4), [1] * 4), ((2, 2), [1, 2])], "They catch both rules"),
    ],
    "exit": [
        (..., "Answer with one number"),
        (2, "2 is the contribution"),
        ("2", "2 is the contribution"),
        (3, "y[0, j] has three uses"),
        (8, "8 counts four uses"),
        (24, "24 is the sum"),
        (12, "The entry y[0, j] is used"),
        ([2, 2, 2, 2], "The entry y[0, j] is used"),
        ("six", "The entry y[0, j] is used"),
    ],
}
RIGHT_VALUES = {
    "my_tests": [
        [((2, 2), [1, 2]), ((1, 3), [1, 1, 1])],
        (([3, 3], np.array([0.0, 1.0, 5.0])), ((7, 2), (4, 4))),
    ],
    "exit": [6.0, "6", [6, 6, 6, 6], np.full((1, 4), 6.0)],
}
PREDICTIONS = {
    "size": ([..., "74", "70 MB", 74], "74 MB"),
    "bias": ([..., 0, "many", 14370], 1437),
}
