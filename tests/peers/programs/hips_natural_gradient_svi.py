"""Plain gradients and natural ones, which a Fisher matrix rescales, on one variational problem."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad

D, samples = 2, 100


def log_target(x):
    """A ridge that bends."""
    return -0.5 * x[:, 0] ** 2 - 2.0 * (x[:, 1] - 0.5 * x[:, 0] ** 2) ** 2


def objective(params, t):
    mean, log_std = params[:D], params[D:]
    x = mean + np.exp(log_std) * npr.RandomState(t).randn(samples, D)
    return -np.mean(log_target(x)) - np.sum(log_std)


def fisher_diagonal(params):
    """Of a Gaussian with independent entries: 1/σ² for means, 2 for logarithms of σ."""
    return np.concatenate([np.exp(-2.0 * params[D:]), 2.0 * np.ones(D)])


def natural_gradient(params, t):
    return (1.0 / fisher_diagonal(params)) * grad(objective)(params, t)


def descend(gradient, params, rate, momentum):
    values, velocity = [], 0.0
    for t in range(30):
        values.append(objective(params, 1000))
        velocity = momentum * velocity - (1.0 - momentum) * gradient(params, t)
        params = params + rate * velocity
    return values, params


start = np.array([-1.0, -1.0, -2.0, -2.0])
plain, plain_params = descend(grad(objective), start, 0.1, 0.9)
natural, natural_params = descend(natural_gradient, start, 0.3, 0.5)

RESULT = {
    "plain": plain[::6],
    "natural": natural[::6],
    "params": [plain_params, natural_params],
}
