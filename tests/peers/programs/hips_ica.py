"""Two mixed signals taken apart: the unmixing matrix under which they look most independent."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad


def log_abs_determinant(W):
    return np.log(np.abs(W[0, 0] * W[1, 1] - W[0, 1] * W[1, 0]))


def log_prior(sources):
    """Of signals with long tails: 1 / (π cosh s)."""
    return np.log(2.0 / np.pi) - np.logaddexp(sources, -sources)


def objective(W):
    sources = np.dot(mixed, W.T)
    return -np.mean(np.sum(log_prior(sources), axis=1)) - log_abs_determinant(W)


def natural(W):
    """Amari's gradient, which needs no inverse of W."""
    return np.dot(np.dot(grad(objective)(W), W.T), W)


rs = npr.RandomState(0)
true_sources = rs.laplace(size=(300, 2))
mixed = np.dot(true_sources, np.array([[1.0, 0.4], [-0.6, 1.0]]))
W, losses = np.eye(2), []
for _ in range(60):
    losses.append(objective(W))
    W = W - 0.2 * natural(W)

RESULT = {"losses": losses[::15], "W": W}
