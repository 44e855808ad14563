"""A classifier whose parameters are a list of pairs (W, b), learnt by Adam in minibatches."""

from itertools import pairwise

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad
from autograd.scipy.special import logsumexp


def random_params(scale, sizes, rs):
    return [
        (scale * rs.randn(inputs, outputs), scale * rs.randn(outputs))
        for inputs, outputs in pairwise(sizes)
    ]


def log_probabilities(params, inputs):
    for W, b in params:
        outputs = np.dot(inputs, W) + b
        inputs = np.tanh(outputs)
    return outputs - logsumexp(outputs, axis=1, keepdims=True)


def log_posterior(params, inputs, targets, penalty):
    log_prior = -penalty * sum(np.sum(W * W) + np.dot(b, b) for W, b in params)
    return log_prior + np.sum(log_probabilities(params, inputs) * targets)


def accuracy(params, inputs, targets):
    found = np.argmax(log_probabilities(params, inputs), axis=1)
    return np.mean(found == np.argmax(targets, axis=1))


def adam(gradient, params, steps, rate, b1=0.9, b2=0.999, eps=1e-8):
    m = [(np.zeros(W.shape), np.zeros(b.shape)) for W, b in params]
    v = [(np.zeros(W.shape), np.zeros(b.shape)) for W, b in params]
    for i in range(steps):
        g = gradient(params, i)
        m = [tuple(b1 * a + (1 - b1) * d for a, d in zip(*pair)) for pair in zip(m, g)]
        v = [tuple(b2 * a + (1 - b2) * d**2 for a, d in zip(*pair)) for pair in zip(v, g)]
        scale = rate * np.sqrt(1 - b2 ** (i + 1)) / (1 - b1 ** (i + 1))
        params = [
            tuple(p - scale * a / (np.sqrt(b) + eps) for p, a, b in zip(*triple))
            for triple in zip(params, m, v)
        ]
    return params


rs = npr.RandomState(0)
classes = np.arange(60) % 3
inputs = rs.randn(60, 4) + 2 * np.eye(3, 4)[classes]
targets = np.array(classes[:, None] == np.arange(3)[None, :], dtype=int)
batches = [slice(start, start + 20) for start in range(0, 60, 20)]


def objective(params, i):
    batch = batches[i % len(batches)]
    return -log_posterior(params, inputs[batch], targets[batch], 0.01)


start = random_params(0.1, [4, 8, 3], rs)
params = adam(grad(objective), start, 45, 0.05)

RESULT = {
    "losses": [-log_posterior(each, inputs, targets, 0.01) for each in (start, params)],
    "accuracy": accuracy(params, inputs, targets),
    "weights": [np.sum(W) for W, _ in params],
    "biases": params[-1][1],
}
