"""A net as the right side of a differential equation, fitted to a spiral by Runge and Kutta."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad


def integrate(f, y, times, *args):
    """The values at all times, by one step of fourth order between two of them."""
    path = [y]
    for t, dt in zip(times, np.diff(times)):
        k1 = f(y, t, *args)
        k2 = f(y + 0.5 * dt * k1, t + 0.5 * dt, *args)
        k3 = f(y + 0.5 * dt * k2, t + 0.5 * dt, *args)
        k4 = f(y + dt * k3, t + dt, *args)
        y = y + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)
        path.append(y)
    return np.stack(path)


def spiral(y, t):
    return np.dot(y**3, np.array([[-0.1, 2.0], [-2.0, -0.1]]))


def net(y, t, params):
    inputs = y**3
    for W, b in params:
        outputs = np.dot(inputs, W) + b
        inputs = np.tanh(outputs)
    return outputs


def loss(params):
    path = integrate(net, true_path[0], times, params)
    return np.mean(np.abs(path - true_path))


rs = npr.RandomState(0)
times = np.linspace(0.0, 3.0, 16)
true_path = integrate(spiral, np.array([2.0, 0.0]), np.linspace(0.0, 3.0, 151))[::10]
params = [(0.2 * rs.randn(2, 10), np.zeros(10)), (0.2 * rs.randn(10, 2), np.zeros(2))]
squares = [tuple(np.zeros(p.shape) for p in pair) for pair in params]
losses = []
for _ in range(12):
    losses.append(loss(params))
    slopes = grad(loss)(params)
    squares = [tuple(0.9 * s + 0.1 * g**2 for s, g in zip(*pair)) for pair in zip(squares, slopes)]
    params = [
        tuple(p - 0.02 * g / (np.sqrt(s) + 1e-8) for p, g, s in zip(*triple))
        for triple in zip(params, slopes, squares)
    ]

RESULT = {"losses": losses[::3], "true": true_path[-1], "weights": params[1][0][::3]}
