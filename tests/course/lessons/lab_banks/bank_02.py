"""What students answer in lesson 02, wrong and right; test_lab_banks.py tells the form."""

import math

import numpy as np


def multiply_jvp(a, b, a_dot, b_dot):
    """A right rule, for the Duals below."""
    return a * b, a_dot * b + a * b_dot


def divide_jvp(a, b, a_dot, b_dot):
    """A right rule, for the Duals below."""
    return a / b, (a_dot - a / b * b_dot) / b


def sin_jvp(a, a_dot):
    """A right rule, for the Duals below."""
    return math.sin(a), math.cos(a) * a_dot


class Dual:
    """The lesson's class."""

    def __init__(self, value, tangent=0):
        self.value, self.tangent = value, tangent

    def __add__(self, other):
        return apply(lambda a, b, a_dot, b_dot: (a + b, a_dot + b_dot), self, other)

    def __mul__(self, other):
        return apply(multiply_jvp, self, other)

    def __truediv__(self, other):
        return apply(divide_jvp, self, other)

    def __rtruediv__(self, other):
        return apply(divide_jvp, other, self)

    def log(self):
        return apply(lambda a, a_dot: (np.log(a), a_dot / a), self)

    __radd__, __rmul__ = __add__, __mul__


def apply(rule, *inputs):
    """The Dual that a rule makes of inputs, some of which are plain numbers."""
    duals = [x if isinstance(x, Dual) else Dual(x) for x in inputs]
    return Dual(*rule(*[d.value for d in duals], *[d.tangent for d in duals]))


NAMES = {"Dual": Dual, "math": math} | {
    rule.__name__: rule for rule in (multiply_jvp, divide_jvp, sin_jvp)
}
QUOTIENT = "This is a difference quotient"
WRONG_FUNCTIONS = {
    "multiply_jvp": [
        ("    ...", "Return a * b"),
        ("    return a * b, a_dot * b_dot", "tangents_multiplied"),
        ("    return a * b, a_dot * a + b_dot * b", "factors_kept"),
        ("    return a * b, a_dot * b", "first_factor_moves"),
        ("    return a_dot * b + a * b_dot, a * b", "multiply_tangent_first"),
        ("    return a * b, a_dot * b + a * b_dot + a_dot * b_dot", "second_order_kept"),
        ("    return a * b, a_dot + b_dot", "tangents_added"),
        ("    return a_dot * b + a * b_dot", "Return two numbers"),
        ("    return Dual(a * b, a_dot * b + a * b_dot)", "Return two numbers"),
        ("    return a * b, a * b_dot", "second_factor_moves"),
        ("    return a * b, a.dot * b + a * b.dot", "Return two numbers"),
        ("    a * b, a_dot * b + a * b_dot", "Does it end with return"),
        ("    h = 1e-8\n    return a * b, ((a + h*a_dot) * (b + h*b_dot) - a * b) / h", QUOTIENT),
        ("    return a * b, round(a_dot * b + a * b_dot, 3) * 1.0000001", QUOTIENT),
    ],
    "divide_jvp": [
        ("    ...", "Begin with q = a / b"),
        ("    return a / b, a_dot / b", "dividend_moves"),
        ("    return a / b, (a_dot + a / b * b_dot) / b", "wrong_sign"),
        ("    return a / b, (a * b_dot - a_dot * b) / b**2", "terms_exchanged"),
        ("    return a / b, a_dot - a / b * b_dot", "not_divided"),
        ("    return a / b, a_dot / b - a / b * b_dot", "half_divided"),
        ("    return a / b, (a_dot - a * b_dot) / b", "half_divided"),
        ("    return (a_dot - a / b * b_dot) / b", "Return q = a / b"),
        ("    return a / b, a_dot * b - a * b_dot", "numerator_alone"),
        ("    return (a_dot - a / b * b_dot) / b, a / b", "divide_tangent_first"),
        ("    return a / b, a_dot / b_dot", "b_dot is 0 here"),
        ("    return a / b, a_dot / b_dot if b_dot else 0", "Return q = a / b"),
        ("    return q, (a_dot - q * b_dot) / b", "Return q = a / b"),
        ("    return a / b, (a_dot * b - a * b_dot) / b", "not_divided"),
        ("    return a // b, (a_dot - a / b * b_dot) / b", "Return q = a / b"),
        (
            """
            h = 1e-6
            return a / b, ((a + h * a_dot) / (b + h * b_dot) - a / b) / h
            """,
            QUOTIENT,
        ),
        (
            """
            h = 1e-4
            more = (a + h * a_dot) / (b + h * b_dot)
            return a / b, (more - (a - h * a_dot) / (b - h * b_dot)) / (2 * h)
            """,
            QUOTIENT,
        ),
    ],
    "sin_jvp": [
        ("    ...", "Follow log_jvp"),
        ("    return np.sin(a), np.cos(a)", "tangent_ignored"),
        ("    return np.sin(a), np.cos(a_dot)", "cosine_of_tangent"),
        ("    return np.sin(a), -np.cos(a) * a_dot", "minus_cosine"),
        ("    return np.sin(a), a_dot * np.sqrt(1 - np.sin(a) ** 2)", "unsigned_cosine"),
        ("    return np.sin(a), np.sin(a_dot)", "Return the sine of a"),
        ("    return np.sin(a), np.cos(a) * a", "Return the sine of a"),
        ("    return np.sin(a), np.cos(a * a_dot)", "Return the sine of a"),
        ("    return np.cos(a) * a_dot", "Return the sine of a"),
        ("    return sin(a), cos(a) * a_dot", "Return the sine of a"),
        ("    return np.sin(a), (np.sin(a + 1e-6 * a_dot) - np.sin(a)) / 1e-6", QUOTIENT),
    ],
    "gradient": [
        ("    ...", "In pass i, input i has tangent 1"),
        (
            "    return [f(*[Dual(x, 1.0) for x in xs]).tangent for x in xs]",
            "all_move",
        ),
        ("    return f(*[Dual(x, 1.0) for x in xs]).tangent", "one_pass"),
        (
            """
            n = len(xs)
            passes = [[Dual(x, float(i == j)) for j, x in enumerate(xs)] for i in range(n)]
            return sum(f(*duals).tangent for duals in passes)
            """,
            "one_pass",
        ),
        (
            """
            duals, found = [Dual(x, 0.0) for x in xs], []
            for i in range(len(xs)):
                duals[i] = Dual(xs[i], 1.0)
                found.append(f(*duals).tangent)
            return found
            """,
            "seeds_kept",
        ),
        (
            """
            for i in range(len(xs)):
                duals = [Dual(x, float(i == j)) for j, x in enumerate(xs)]
                return [f(*duals).tangent]
            """,
            "first_pass",
        ),
        (
            """
            found = []
            for i in range(len(xs)):
                duals = [Dual(x, float(i == j)) for j, x in enumerate(xs)]
                found.append(f(*duals).value)
            return found
            """,
            "values_kept",
        ),
        (
            "    return [f(*[Dual(y, float(x == y)) for y in xs]).tangent for x in xs]",
            "equal_values_move",
        ),
        (
            """
            found = []
            for i in range(len(xs)):
                duals = [Dual(x, float(xs.index(x) == i)) for x in xs]
                found.append(f(*duals).tangent)
            return found
            """,
            "first_of_equals",
        ),
        (
            """
            found = []
            for x in xs:
                duals = list(map(Dual, xs))
                duals[xs.index(x)].tangent = 1.0
                found.append(f(*duals).tangent)
            return found
            """,
            "For each position",
        ),
        (
            """
            found, h = [], 1e-6
            for i in range(len(xs)):
                moved = [x + h if j == i else x for j, x in enumerate(xs)]
                found.append((f(*moved) - f(*xs)) / h)
            return found
            """,
            QUOTIENT,
        ),
        (
            """
            found, h = [], 1e-5
            for i in range(len(xs)):
                more, less = ([x + s * (i == j) for j, x in enumerate(xs)] for s in (h, -h))
                found.append((f(*map(Dual, more)).value - f(*map(Dual, less)).value) / (2 * h))
            return found
            """,
            QUOTIENT,
        ),
        (
            """
            found = []
            for i in xs:
                duals = [Dual(x) for x in xs]
                duals[i].tangent = 1.0
                found.append(f(*duals).tangent)
            return found
            """,
            "f takes its inputs one by one",
        ),
        ("    return [f(Dual(x, 1.0)).tangent for x in xs]", "f takes its inputs one by one"),
        (
            "    return [f([Dual(x, 1.0) for x in xs]).tangent for x in xs]",
            "f takes its inputs one by one",
        ),
        ("    return [f(*xs).tangent for x in xs]", "f returns a Dual if its arguments"),
        ("    return [Dual(f(*xs), 1.0) for x in xs]", "For each position"),
        (
            """
            found = []
            for i in range(len(xs)):
                duals = [Dual(x, x * float(i == j)) for j, x in enumerate(xs)]
                found.append(f(*duals).tangent)
            return found
            """,
            "For each position",
        ),
    ],
}
RIGHT_FUNCTIONS = {
    "multiply_jvp": [
        "    value = a * b\n    tangent = a * b_dot + b * a_dot\n    return [value, tangent]",
        "    return np.multiply(a, b), np.dot([a_dot, a], [b, b_dot])",
        "    h = 1e-30j\n    return a * b, ((a + h * a_dot) * (b + h * b_dot)).imag / 1e-30",
    ],
    "divide_jvp": [
        "    return a / b, (a_dot * b - a * b_dot) / b**2",
        "    q = a / b\n    return q, q * (a_dot / a - b_dot / b)",
        "    one, one_dot = 1 / b, -b_dot / (b * b)\n    return a * one, a_dot * one + a * one_dot",
    ],
    "sin_jvp": [
        "    return math.sin(a), a_dot * math.cos(a)",
        "    return np.sin(a), np.sin(a + np.pi / 2) * a_dot",
    ],
    "gradient": [
        """
        found = []
        for i in range(len(xs)):
            duals = [Dual(x, 1.0) if j == i else x for j, x in enumerate(xs)]
            found.append(f(*duals).tangent)
        return found
        """,
        """
        seeds = np.eye(len(xs))
        return [f(*map(Dual, xs, seed)).tangent for seed in seeds]
        """,
        """
        found = []
        for i in range(len(xs)):
            duals = [Dual(x) for x in xs]
            duals[i] = Dual(xs[i], 1)
            found += [f(*duals).tangent]
        return np.array(found)
        """,
    ],
}
SIGNATURES = {
    "multiply_jvp": "a, b, a_dot, b_dot",
    "divide_jvp": "a, b, a_dot, b_dot",
    "sin_jvp": "a, a_dot",
    "gradient": "f, xs",
}
WRONG_VALUES = {
    "column": [
        (..., "Write three numbers"),
        ((..., 0.284, 1.716), "Write three numbers"),
        ((2, 0.284), "Write three plain numbers"),
        ("2, 0.284, 1.716", "Write three plain numbers"),
        (1.716, "Write three plain numbers"),
        ((5, 0, 5.5), "These are the tangents in the table"),
        ((10, -0.959, 11.652), "These are the values"),
        ((5, 0.284, 4.716), "Look at v4"),
        ((1, 0.284, 0.716), "Look at v4"),
        ((2, -0.959, 2.959), "Look at v5"),
        ((2, 1, 1), "Look at v5"),
        ((2, 0.996, 1.004), "Look at v5"),
        ((2, 0.284, 1.7), "These numbers are right"),
        ((2, 0.3, 1.7), "These numbers are right"),
        ((2, math.nan, 1.716), "Look at v5"),
        ((2, 0.284, 2.284), "v4 and v5 are right"),
        ((2, 0.284, 2.216), "v4 and v5 are right"),
    ],
    "exit": [
        (..., "Write three numbers"),
        ((3, 2000), "Write three numbers in parentheses"),
        (3, "Write three numbers in parentheses"),
        ("3, 2000, 1", "Write three numbers in parentheses"),
        ((2000, 3, 1), "The first two are swapped"),
        ((1, 2000, 1), "A pass in forward mode"),
        ((6000, 2000, 1), "A pass in forward mode"),
        ((2000, 3, 3), "A pass in forward mode"),
        ((3, 1, 1), "A pass in reverse mode"),
        ((3, 6000, 1), "A pass in reverse mode"),
        ((3, 2000, 3), "A direction is one seed"),
        ((3, 2000, 2000), "A direction is one seed"),
    ],
}
RIGHT_VALUES = {
    "column": [
        [2.0, 0.2837, 1.7163],
        (2, math.cos(5), 2 - math.cos(5)),
        np.array([2, 0.28, 1.72]),
    ],
    "exit": [[3, 2000, 1], np.array([3.0, 2000.0, 1.0])],
}
PREDICTIONS = {
    "step": ([..., "small", 1e-5], 1e-7),
    "item": ([..., "5,5", 1.716], 0.5),
    "memory": ([..., "more", 32], "the same"),
}
