"""A mixture of Gaussians fitted to a density with two hills: a list of parameters each."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad
from autograd.scipy.special import logsumexp

D, components = 2, 3


def log_gaussian(x, mean, log_std):
    z = (x - mean) / np.exp(log_std)
    return np.sum(-0.5 * np.log(2 * np.pi) - log_std - 0.5 * z**2, axis=-1)


def unpack(params):
    log_weights, means, log_stds = params
    return log_weights - logsumexp(log_weights), means, log_stds


def log_mixture(params, x):
    log_weights, means, log_stds = unpack(params)
    parts = [log_weights[k] + log_gaussian(x, means[k], log_stds[k]) for k in range(components)]
    return logsumexp(np.vstack(parts), axis=0)


def log_target(x):
    """A hill at (2, 2), and one at (-1, 0) that is wide in one direction."""
    near = log_gaussian(x, np.array([2.0, 2.0]), np.log(np.array([0.7, 0.7])))
    far = log_gaussian(x, np.array([-1.0, 0.0]), np.log(np.array([1.5, 0.4])))
    return np.logaddexp(near, far) - np.log(2.0)


def lower_bound(params, t):
    """Σ weight · E[log target − log mixture], by samples of each component."""
    log_weights, means, log_stds = unpack(params)
    rs, total = npr.RandomState(t), 0.0
    for k in range(components):
        x = means[k] + np.exp(log_stds[k]) * rs.randn(30, D)
        total += np.exp(log_weights[k]) * np.mean(log_target(x) - log_mixture(params, x))
    return total


rs = npr.RandomState(0)
params = [np.zeros(components), rs.randn(components, D), -0.5 * np.ones((components, D))]
bounds = []
for t in range(30):
    bounds.append(lower_bound(params, 1000))
    params = [p + 0.1 * g for p, g in zip(params, grad(lower_bound)(params, t))]

RESULT = {
    "bounds": bounds[::6],
    "weights": np.exp(unpack(params)[0]),
    "means": params[1],
    "mixture": log_mixture(params, np.array([[0.0, 0.0], [2.0, 2.0]])),
}
