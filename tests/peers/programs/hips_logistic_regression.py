"""Logistic regression by gradient descent; its gradient compared with finite differences."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad


def sigmoid(x):
    return 0.5 * (np.tanh(x / 2.0) + 1)


def predictions(weights, inputs):
    return sigmoid(np.dot(inputs, weights))


def training_loss(weights):
    probabilities = predictions(weights, inputs)
    likelihoods = probabilities * targets + (1 - probabilities) * (1 - targets)
    return -np.sum(np.log(likelihoods))


rs = npr.RandomState(0)
inputs = rs.randn(40, 3)
targets = np.dot(inputs, np.array([2.0, -1.0, 0.5])) + 0.3 * rs.randn(40) > 0

gradient = grad(training_loss)
weights = np.zeros(3)
losses = [training_loss(weights)]
for _ in range(60):
    weights -= gradient(weights) * 0.02
    losses.append(training_loss(weights))

steps = 1e-6 * np.eye(3)
differences = [(training_loss(weights + e) - training_loss(weights - e)) / 2e-6 for e in steps]
assert np.allclose(differences, gradient(weights), 1e-5, 1e-5)

RESULT = {
    "losses": losses[::10],
    "weights": weights,
    "right": np.mean((predictions(weights, inputs) > 0.5) == targets),
}
