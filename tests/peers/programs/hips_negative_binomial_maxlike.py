"""Counts with a spread of their own: the negative binomial's two parameters, by Newton's steps."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad, hessian


def log_rising(r, counts):
    """log Γ(r + k) − log Γ(r) = Σ log(r + j) over j < k, for whole numbers k."""
    j = np.arange(np.max(counts))
    return np.sum(np.where(j < counts[:, None], np.log(r + j), 0.0), axis=1)


def log_likelihood(params, counts):
    """p of a success and r successes, both without bounds as params."""
    r, p = np.exp(params[0]), 1.0 / (1.0 + np.exp(-params[1]))
    each = log_rising(r, counts) - log_factorials(counts) + r * np.log(1 - p) + counts * np.log(p)
    return np.sum(each)


def log_factorials(counts):
    return np.array([np.sum(np.log(np.arange(1, k + 1))) for k in counts])


def loss(params):
    return -log_likelihood(params, counts) / len(counts)


counts = npr.RandomState(0).negative_binomial(4, 0.4, size=50)
mean, variance = np.mean(counts), np.var(counts)
start = np.log(mean**2 / (variance - mean)), np.log(variance / mean - 1)
params, losses = np.array(start), []
for _ in range(8):
    losses.append(loss(params))
    (a, b), (c, d) = hessian(loss)(params)
    x, y = grad(loss)(params)
    params = params - np.array([d * x - b * y, a * y - c * x]) / (a * d - b * c)

RESULT = {"losses": losses, "params": params, "hessian": hessian(loss)(params)}
