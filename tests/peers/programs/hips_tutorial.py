"""The first steps of HIPS autograd: grad by argument, value_and_grad, Jacobians, control flow."""

import autograd.numpy as np
from autograd import elementwise_grad, grad, hessian, jacobian, value_and_grad


def tanh(x):
    y = np.exp(-2.0 * x)
    return (1.0 - y) / (1.0 + y)


def f(x, y, scale=1.0):
    return scale * x * y**2 + np.sin(x)


def branching(x):
    if x > 3:
        return 3.0 * x**2
    total = 0.0
    for k in range(4):
        total += np.cos(k * x)
    return total


def norms(params):
    return np.sum(params["A"] ** 2) + sum(np.mean(v) ** 3 for v in params["rows"])


def reversing(v):
    return np.exp(v) * v[::-1]


v = np.array([0.5, 1.5, -0.3])
A = np.linspace(-1.0, 1.0, 6).reshape(2, 3)
params = {"A": A, "rows": [v, A[0]]}
slopes = grad(norms)(params)
picked = grad(lambda A: np.prod(A[[0, 1, 1], [2, 0, 0]]) + np.max(A[1]) + np.min(A, axis=0)[1])

RESULT = {
    "finite": [grad(tanh)(1.0), (tanh(1.0001) - tanh(0.9999)) / 0.0002],
    "by argument": [grad(f)(2.0, 3.0), grad(f, 1)(2.0, 3.0), grad(f)(2.0, 3.0, scale=2.0)],
    "both": [*value_and_grad(f)(2.0, 3.0), *grad(f, (0, 1))(2.0, 3.0)],
    "tuple": [*value_and_grad(f, (0, 1))(2.0, 3.0)[1]],
    "branching": [grad(branching)(2.0), grad(branching)(4.0)],
    "nest": [slopes["A"], *slopes["rows"]],
    "jacobian": jacobian(reversing)(v),
    "hessian": hessian(lambda v: np.sum(v**3) + v[0] * v[1])(v),
    "entries": elementwise_grad(lambda x: np.where(x > 0, np.sqrt(np.abs(x)), x**3))(v),
    "indices": picked(A),
    "second order": jacobian(grad(lambda v: np.sum(np.outer(v, v) ** 2)))(v),
}
