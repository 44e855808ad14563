"""Pictures of bars from two hidden numbers, by the evidence lower bound."""

from itertools import pairwise

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad

latent, pixels = 2, 16


def diagonal_gaussian_log_density(x, mu, log_std):
    return np.sum(-0.5 * np.log(2 * np.pi) - log_std - 0.5 * ((x - mu) / np.exp(log_std)) ** 2, -1)


def bernoulli_log_density(targets, scores):
    signs = 2.0 * targets - 1.0
    return np.sum(-np.logaddexp(0, -signs * scores), axis=-1)


def net(params, inputs):
    for W, b in params[:-1]:
        inputs = np.tanh(np.dot(inputs, W) + b)
    W, b = params[-1]
    return np.dot(inputs, W) + b


def encode(params, data):
    outputs = net(params, data)
    return outputs[:, :latent], outputs[:, latent:]


def lower_bound(params, data, rs):
    gen_params, rec_params = params
    means, log_stds = encode(rec_params, data)
    latents = rs.randn(*means.shape) * np.exp(log_stds) + means
    log_q = diagonal_gaussian_log_density(latents, means, log_stds)
    log_prior = diagonal_gaussian_log_density(latents, 0.0, np.zeros(latent))
    log_likelihood = bernoulli_log_density(data, net(gen_params, latents))
    return np.mean(log_prior + log_likelihood - log_q)


def new_net(rs, *sizes):
    return [(0.3 * rs.randn(m, n), 0.3 * rs.randn(n)) for m, n in pairwise(sizes)]


rs = npr.RandomState(0)
pictures = np.zeros((32, 4, 4))
for i, place in enumerate(rs.randint(0, 4, 32)):
    if i % 2:
        pictures[i, place] = 1
    else:
        pictures[i, :, place] = 1
data = pictures.reshape((32, pixels))

params = (new_net(rs, latent, 6, pixels), new_net(rs, pixels, 6, 2 * latent))
bounds = []
for step in range(30):
    bounds.append(lower_bound(params, data, npr.RandomState(1000)))
    slopes = grad(lower_bound)(params, data, npr.RandomState(step))
    params = tuple(
        [(W + 0.1 * dW, b + 0.1 * db) for (W, b), (dW, db) in zip(*pair)]
        for pair in zip(params, slopes)
    )

RESULT = {
    "bounds": bounds[::6],
    "code": encode(params[1], data[:2]),
    "picture": net(params[0], np.zeros((1, latent)))[0, ::4],
}
