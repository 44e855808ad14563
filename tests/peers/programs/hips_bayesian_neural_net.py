"""Variational inference for the weights of a net: many nets at once along the first axis."""

from itertools import pairwise

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad

sizes = [1, 6, 6, 1]
shapes = list(pairwise(sizes))
count = sum((m + 1) * n for m, n in shapes)


def unpack(weights):
    samples = len(weights)
    for m, n in shapes:
        yield (
            weights[:, : m * n].reshape((samples, m, n)),
            weights[:, m * n : m * n + n].reshape((samples, 1, n)),
        )
        weights = weights[:, (m + 1) * n :]


def predictions(weights, inputs):
    """Inputs [N, D], weights [S, all of them] → outputs [S, N, 1]."""
    inputs = np.expand_dims(inputs, 0)
    for W, b in unpack(weights):
        outputs = np.einsum("mnd,mdo->mno", inputs, W) + b
        inputs = np.exp(-(outputs**2))
    return outputs


def log_density(weights, t):
    log_prior = -0.1 * np.sum(weights**2, axis=1)
    errors = predictions(weights, inputs) - targets
    return log_prior - np.sum(errors**2, axis=1)[:, 0] / 0.1


def objective(params, t):
    mean, log_std = params[:count], params[count:]
    noise = npr.RandomState(t).randn(5, count)
    samples = noise * np.exp(log_std) + mean
    entropy = 0.5 * count * (1.0 + np.log(2 * np.pi)) + np.sum(log_std)
    return -(entropy + np.mean(log_density(samples, t)))


rs = npr.RandomState(0)
inputs = np.concatenate([np.linspace(-3, -1, 10), np.linspace(1, 3, 10)]).reshape((20, 1))
targets = np.sin(inputs) + 0.1 * rs.randn(20, 1)
params = np.concatenate([rs.randn(count), -5 * np.ones(count)])
m, v = np.zeros(2 * count), np.zeros(2 * count)
bounds = []
for t in range(25):
    g = grad(objective)(params, t)
    m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g**2
    params = params - 0.05 * (m / (1 - 0.9 ** (t + 1))) / (
        np.sqrt(v / (1 - 0.99 ** (t + 1))) + 1e-8
    )
    bounds.append(-objective(params, 1000))

RESULT = {"bounds": bounds[::6], "means": params[:count:16], "spreads": params[count::16]}
