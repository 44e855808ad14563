"""A Gaussian fitted to any density, by samples that its mean and spread can be learnt through."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad


def black_box_variational_inference(log_density, D, samples):
    rs = npr.RandomState(0)

    def unpack(params):
        return params[:D], params[D:]

    def entropy(log_std):
        return 0.5 * D * (1.0 + np.log(2 * np.pi)) + np.sum(log_std)

    def objective(params, t):
        mean, log_std = unpack(params)
        draws = rs.randn(samples, D) * np.exp(log_std) + mean
        lower_bound = entropy(log_std) + np.mean(log_density(draws, t))
        return -lower_bound

    return objective, grad(objective), unpack


def log_normal(x, mean, log_std):
    return -0.5 * (np.log(2 * np.pi) + 2 * log_std + ((x - mean) / np.exp(log_std)) ** 2)


def funnel(x, t):
    """x[1] has a spread of 1.35, and x[0] one that depends on it."""
    mean, log_std = x[:, 0], x[:, 1]
    return log_normal(log_std, 0, np.log(1.35)) + log_normal(mean, 0, log_std)


objective, gradient, unpack = black_box_variational_inference(funnel, 2, samples=200)
params = np.concatenate([-1 * np.ones(2), -1.5 * np.ones(2)])
path = []
m, v = np.zeros(4), np.zeros(4)
for t in range(40):
    g = gradient(params, t)
    m = 0.1 * g + 0.9 * m
    v = 0.001 * g**2 + 0.999 * v
    mhat, vhat = m / (1 - 0.9 ** (t + 1)), v / (1 - 0.999 ** (t + 1))
    params = params - 0.1 * mhat / (np.sqrt(vhat) + 1e-8)
    path.append(params)
mean, log_std = unpack(params)

RESULT = {"path": path[::10], "mean": mean, "spread": np.exp(log_std)}
