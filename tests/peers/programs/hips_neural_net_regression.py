"""A curve through noisy points: a net whose weights are one vector, with a prior, by Adam."""

from itertools import pairwise

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import value_and_grad

sizes = [1, 4, 4, 1]
shapes = list(pairwise(sizes))


def unpack(weights):
    for m, n in shapes:
        cut = m * n
        yield weights[:cut].reshape((m, n)), weights[cut : cut + n].reshape((1, n))
        weights = weights[cut + n :]


def predict(weights, inputs):
    for W, b in unpack(weights):
        outputs = np.dot(inputs, W) + b
        inputs = np.tanh(outputs)
    return outputs


def log_gaussian(x, mean, scale):
    z = (x - mean) / scale
    return -0.5 * (np.log(2 * np.pi) + 2 * np.log(scale) + z * z)


def objective(weights, inputs, targets):
    log_prior = np.sum(log_gaussian(weights, 0.0, 2.0))
    return -log_prior - np.sum(log_gaussian(targets, predict(weights, inputs), 0.1))


rs = npr.RandomState(0)
inputs = np.concatenate([np.linspace(0, 3, num=15), np.linspace(6, 8, num=15)])[:, np.newaxis]
targets = np.cos(inputs) + 0.1 * rs.randn(*inputs.shape)
inputs = (inputs - 4.0) / 2.0

weights = 0.4 * rs.randn(sum((m + 1) * n for m, n in shapes))
m, v, losses = np.zeros_like(weights), np.zeros_like(weights), []
for i in range(80):
    loss, g = value_and_grad(objective)(weights, inputs, targets)
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g**2
    weights = weights - 0.05 * (m / (1 - 0.9 ** (i + 1))) / (
        np.sqrt(v / (1 - 0.999 ** (i + 1))) + 1e-8
    )
    losses.append(loss)

RESULT = {
    "losses": [*losses[::20], losses[-1]],
    "weights": weights[::8],
    "curve": predict(weights, np.linspace(-2, 2, num=5).reshape((5, 1))),
}
