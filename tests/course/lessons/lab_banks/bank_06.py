"""What students answer in lesson 06, wrong and right; test_lab_banks.py tells the form."""

import numpy as np

import minigrad as mg
from minigrad.course.lessons import l06

PENALTY = """
x = mg.tensor(x, requires_grad=True)
(d,) = mg.gradients(mg.sum(net(parameters, x)), [x])
return mg.mean(d ** 2)
"""
STORED = """
x = mg.tensor(x, requires_grad=True)
mg.sum(net(parameters, x)).backward()
return mg.mean(x.grad ** 2)
"""
PRODUCT = """
x = mg.tensor(x, requires_grad=True)
(g,) = mg.gradients(f(x), [x])
return mg.gradients(g @ v, [x])[0]
"""
STEP = """
g = mg.grad(f)(x).numpy()
columns = [forward_over_reverse(f, x, e).numpy() for e in np.eye(len(x))]
H = np.stack(columns, axis=1)
d = np.linalg.solve(H, -g)
return x + d
"""
QUOTIENT = """
h = 1e-6
return (mg.grad(f)(x + h * v) - mg.grad(f)(x - h * v)) / (2 * h)
"""
FORWARD_QUOTIENT = """
h = 1e-7
return (mg.grad(f)(x + h * v) - mg.grad(f)(x)) / h
"""
STORED_GRADIENT = """
x = mg.tensor(x, requires_grad=True)
f(x).backward()
return mg.gradients(x.grad @ v, [x])[0]
"""
TWICE = """
x = mg.tensor(x, requires_grad=True)
f(x).backward(create_graph=True)
(x.grad @ v).backward()
return x.grad
"""


def changed(body, old, new):
    """A right body with one part of it replaced."""
    assert body.count(old) == 1
    return body.replace(old, new)


WRONG_FUNCTIONS = {
    "gradient_penalty": [
        ("    ...", "Copy the three lines"),
        (STORED, "stored_numbers"),
        (changed(PENALTY, "mg.mean(d ** 2)", "mg.mean(d.detach() ** 2)"), "stored_numbers"),
        (changed(PENALTY, "mg.mean(d ** 2)", "mg.mean(d ** 2).item()"), "stored_numbers"),
        (changed(PENALTY, "mg.mean(d ** 2)", "np.mean(d.numpy() ** 2)"), "stored_numbers"),
        (changed(STORED, "backward()", "backward(retain_graph=True)"), "stored_numbers"),
        (changed(PENALTY, "mg.mean", "mg.sum"), "sum_of_squares"),
        (changed(PENALTY, "d ** 2", "d"), "without_square"),
        (changed(PENALTY, "mg.mean(d ** 2)", "mg.mean(d) ** 2"), "square_of_mean"),
        ("    return mg.mean(net(parameters, x) ** 2)", "outputs_squared"),
        (
            changed(PENALTY, "mg.sum(net(parameters, x))", "net(parameters, x)"),
            "A gradient belongs",
        ),
        (changed(PENALTY, "mg.mean(d ** 2)", "d ** 2"), "A gradient belongs"),
        (changed(PENALTY, ", requires_grad=True", ""), "A gradient belongs"),
        (changed(PENALTY, "(d,)", "d"), "mg.gradients returns a list"),
        (changed(PENALTY, "[x])", "[x], create_graph=True)"), "mg.gradients returns a list"),
        (
            changed(PENALTY, "(d,)", "with mg.no_grad(): (d,)"),
            "A gradient belongs to one number, computed outside mg.no_grad()",
        ),
        (changed(STORED, "x = mg.tensor(x, requires_grad=True)\n", ""), "backward() returns"),
        (changed(PENALTY, "d ** 2", "mg.abs(d)"), "Differentiate the sum"),
        (changed(PENALTY, "return ", ""), "Does it end with return"),
    ],
    "forward_over_reverse": [
        ("    ...", "Which function changes along v"),
        ("    return mg.jvp(mg.grad(f), (x,), (v,))", "gradient_and_product"),
        ("    return mg.jvp(mg.grad(f), (x,), (v,))[0]", "gradient_alone"),
        ("    return mg.grad(f)(x)", "gradient_alone"),
        ("    return mg.jvp(f, (x,), (v,))[1]", "derivative_of_f"),
        ("    return mg.grad(f)(x) @ v", "derivative_of_f"),
        ("    return mg.grad(f)(x) * v", "entry_by_entry"),
        ("    return mg.jvp(mg.grad(f), (x,), (x,))[1]", "The product is the tangent"),
        ("    return mg.jvp(mg.grad(f), x, v)[1]", "mg.jvp takes a function, a tuple"),
        ("    return mg.jvp(mg.grad(f)(x), (x,), (v,))[1]", "mg.grad(f) is the gradient"),
        ("    return mg.jvp(mg.grad(f(x)), (x,), (v,))[1]", "mg.grad(f) is the gradient"),
        ("    return mg.jvp(mg.grad(f), (v,), (x,))[1]", "swapped"),
        ("    return mg.jvp(mg.grad(valley), (x,), (v,))[1]", "of_the_valley"),
        ("    return -mg.jvp(mg.grad(f), (x,), (v,))[1]", "The product is the tangent"),
        (QUOTIENT, "difference_quotient"),
        (FORWARD_QUOTIENT, "difference_quotient"),
        ("    mg.jvp(mg.grad(f), (x,), (v,))[1]", "Does it end with return"),
    ],
    "reverse_over_reverse": [
        ("    ...", "Step 3 of the derivation"),
        (changed(PRODUCT, "g @ v", "g @ g"), "Differentiate twice"),
        (changed(PRODUCT, "g @ v", "mg.sum(g)"), "without_direction"),
        (changed(PRODUCT, "[0]\n", "[0] @ v\n"), "product_times_direction"),
        (changed(PRODUCT, "[0]\n", "\n"), "product_in_a_list"),
        (changed(PRODUCT, "mg.gradients(g @ v, [x])[0]", "g * v"), "entry_by_entry"),
        (changed(PRODUCT, "mg.gradients(g @ v, [x])[0]", "g"), "gradient_alone"),
        (changed(PRODUCT, "x = mg.tensor(x, requires_grad=True)\n", ""), "A gradient belongs"),
        (changed(PRODUCT, "g @ v", "g"), "A gradient belongs"),
        (changed(PRODUCT, "f(x), [x]", "f, [x]"), "A gradient belongs"),
        (changed(PRODUCT, "(g,)", "g"), "A gradient belongs"),
        (changed(PRODUCT, "(g,)", "with mg.no_grad(): (g,)"), "A gradient belongs"),
        (
            changed(PRODUCT, "f(x), [x]", "f(x), [x], create_graph=True"),
            "mg.gradients takes a number",
        ),
        ("    return mg.grad(mg.grad(f)(x) @ v)(x)", "mg.gradients takes a number"),
        (
            """
            f(x).backward(create_graph=True)
            return mg.gradients(x.grad @ v, [x])[0]
            """,
            "x is an array",
        ),
        (STORED_GRADIENT, "A gradient belongs"),
        (changed(STORED_GRADIENT, "[x])", "[x], unconnected='zero')"), "stored_gradient"),
        (TWICE, "added_to_gradient"),
        (changed(PRODUCT, "f(x)", "valley(x)"), "Differentiate twice"),
        (QUOTIENT, "Differentiate twice"),
        (changed(PRODUCT, "return ", "return 2 * "), "Differentiate twice"),
    ],
    "newton_step": [
        ("    ...", "Column j is H times"),
        (changed(STEP, "mg.grad(f)", "mg.grad(valley)"), "gradient_of_the_valley"),
        (changed(STEP, "(x).numpy()\ncolumns", "\ncolumns"), "mg.grad(f) is a function"),
        (
            changed(
                changed(STEP, "(x).numpy()\ncolumns", "\ncolumns"),
                "np.linalg.solve(H, -g)",
                "-np.linalg.solve(H, g)",
            ),
            "np.linalg.solve takes arrays of numbers",
        ),
        (changed(STEP, "return x + d", "return d"), "newton_direction"),
        (changed(STEP, "x + d", "x - d"), "opposite_step"),
        (changed(STEP, "-g", "g"), "opposite_step"),
        ("    return x - mg.grad(f)(x).numpy()", "gradient_step"),
        (changed(STEP, "np.linalg.solve(H, -g)", "-H @ g"), "multiplied_step"),
        (changed(STEP, "np.linalg.solve(H, -g)", "-g / np.diag(H)"), "diagonal_step"),
        (changed(STEP, "np.linalg.solve(H, -g)", "np.linalg.solve(H, x)"), "Compare the three"),
        (changed(STEP, "np.eye(len(x))", "np.ones((len(x), len(x)))"), "np.linalg.solve(H, b)"),
        (changed(STEP, "np.eye(len(x))", "np.eye(len(x))[:1]"), "np.linalg.solve(H, b)"),
        (changed(STEP, "(f, x, e)", "(f, x, e).numpy()"), "Only a tensor has"),
        (changed(STEP, "mg.grad(f)(x)", "mg.grad(f)"), "Only a tensor has"),
        (changed(STEP, "np.eye(len(x))", "np.eye(2)"), "A unit vector has"),
        (changed(STEP, "return x + d", "x += d\nreturn x"), "Work on a copy"),
    ],
}
RIGHT_FUNCTIONS = {
    "gradient_penalty": [
        PENALTY,
        changed(STORED, "backward()", "backward(create_graph=True)"),
        "    return mg.mean(mg.elementwise_grad(lambda x: net(parameters, x))(x) ** 2)",
        """
        d = mg.grad(lambda x: mg.sum(net(parameters, x)))(x)
        return mg.sum(d * d) / len(x)
        """,
        """
        ones = np.ones(len(x))
        return mg.mean(mg.jvp(lambda x: net(parameters, x), (x,), (ones,))[1] ** 2)
        """,
        """
        h = 1e-5
        return mg.mean(((net(parameters, x + h) - net(parameters, x - h)) / (2 * h)) ** 2)
        """,
    ],
    "forward_over_reverse": [
        """
        g, product = mg.jvp(mg.grad(f), [x], [v])
        return product.numpy()
        """,
        """
        x = mg.tensor(x, requires_grad=True)
        (g,) = mg.gradients(f(x), [x])
        return mg.forward_gradients([g], [x], [v])[0]
        """,
        "    return mg.hvp(f, x, v)",
        "    return mg.hessian(f)(x).numpy() @ v",
        "    return mg.grad(lambda z: mg.jvp(f, (z,), (v,))[1])(x)",
        "    return mg.grad(lambda z: mg.grad(f)(z) @ v)(x)",
        PRODUCT,
    ],
    "reverse_over_reverse": [
        PRODUCT,
        "    return mg.grad(lambda x: mg.grad(f)(x) @ v)(x)",
        """
        x = mg.tensor(x, requires_grad=True)
        f(x).backward(create_graph=True)
        return mg.gradients(mg.sum(x.grad * v), [x])[0]
        """,
        """
        x = mg.tensor(x, requires_grad=True)
        f(x).backward(create_graph=True)
        g, x.grad = x.grad, None
        (g @ v).backward()
        return x.grad
        """,
        "    return mg.vjp(mg.grad(f), x)[1](v)[0]",
        "    return mg.grad(lambda z: mg.jvp(f, (z,), (v,))[1])(x)",
        "    return mg.hvp(f, x, v)",
        "    return mg.jvp(mg.grad(f), (x,), (v,))[1]",
    ],
    "newton_step": [
        STEP,
        "    return x - np.linalg.solve(mg.hessian(f)(x).numpy(), mg.grad(f)(x).numpy())",
        """
        H = np.zeros((len(x), len(x)))
        for j in range(len(x)):
            e = np.zeros(len(x))
            e[j] = 1
            H[:, j] = forward_over_reverse(f, x, e).numpy()
        return list(x - np.linalg.inv(H) @ mg.grad(f)(x).numpy())
        """,
    ],
}
SIGNATURES = {
    "gradient_penalty": "parameters, x",
    "forward_over_reverse": "f, x, v",
    "reverse_over_reverse": "f, x, v",
    "newton_step": "f, x",
}
NAMES = {"net": l06.net, "valley": l06.valley, "forward_over_reverse": mg.hvp}
WRONG_VALUES = {
    "converges": [
        (..., "Write a list of the starts"),
        ("all", "Write a list of the starts"),
        ([0.4], "Write a list of the starts"),
        ([0.5, None], "Write a list of the starts"),
        ([0.9, 0.5], "At 0.9 the second derivative"),
        ([0.5, 0.9, 1.1], "The minimum is near all three"),
        ([], "Call newton_step(bowl, x) five times"),
        ([1.1], "Call newton_step(bowl, x) five times"),
    ],
    "exit": [
        (..., "Answer with one number"),
        (12, "12 is g"),
        ("12", "12 is g"),
        (24, "24 is y"),
        (32, "32 is the derivative"),
        (9, "Write g as a power of x"),
        ([36, 36], "Write g as a power of x"),
        ("error", "Write g as a power of x"),
    ],
}
RIGHT_VALUES = {
    "converges": [[0.5], 0.5, "0.5", (0.5,), np.array([0.5])],
    "exit": [36, "36", 36.0, [36], mg.tensor(36.0)],
}
PREDICTIONS = {
    "penalty": ([..., "rough", 3], "same"),
    "second": ([..., 27, "none"], 0),
    "cost": ([..., 4, "three"], 3),
    "newton": ([..., "160", 4], "above 4"),
}
