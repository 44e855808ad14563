"""The derivative of a root that an iteration finds: through its steps, and from the last alone."""

import autograd.numpy as np
from autograd import grad, jacobian


def fixed_point(f, a, x, tolerance=1e-13):
    """x = f(a)(x), by iteration; a may be differentiated for."""
    while True:
        x, previous = f(a)(x), x
        if np.max(np.abs(x - previous)) < tolerance:
            return x


def newton_root(a):
    return lambda x: 0.5 * (x + a / x)


def square_root(a):
    return fixed_point(newton_root, a, 10.0)


def damped(a):
    return lambda x: np.tanh(np.dot(coupling, x) + a)


def settled(a):
    return fixed_point(damped, a, np.zeros(3))


def implicit(a):
    """∂x/∂a = (1 − ∂f/∂x)⁻¹ ∂f/∂a at the fixed point."""
    x = settled(a)
    of_x = jacobian(lambda x: damped(a)(x))(x)
    of_a = jacobian(lambda a: damped(a)(x))(a)
    inverse = powers = np.eye(3)
    for _ in range(60):
        powers = np.dot(powers, of_x)
        inverse = inverse + powers
    return np.dot(inverse, of_a)


coupling = np.array([[0.2, -0.3, 0.1], [0.4, 0.1, 0.0], [-0.1, 0.2, 0.3]])
a = np.array([0.5, -1.0, 0.2])

RESULT = {
    "root": [square_root(2.0), grad(square_root)(2.0), grad(grad(square_root))(2.0)],
    "settled": settled(a),
    "through": jacobian(settled)(a),
    "implicit": implicit(a),
}
