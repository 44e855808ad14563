"""Two nets against each other: one makes points, the other tells them from real ones."""

from itertools import pairwise

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad


def relu(x):
    return np.maximum(0, x)


def batch_normalized(x):
    mean = np.mean(x, axis=0, keepdims=True)
    return (x - mean) / (np.std(x, axis=0, keepdims=True) + 1.0)


def net(params, inputs):
    *inner, (W, b) = params
    for inner_W, inner_b in inner:
        inputs = relu(batch_normalized(np.dot(inputs, inner_W) + inner_b))
    return np.dot(inputs, W) + b


def log_sigmoid(x):
    return -np.logaddexp(0, -x)


def objective(gen_params, dsc_params, real, seed):
    noise = npr.RandomState(seed).rand(len(real), 3)
    fakes = net(gen_params, noise)
    on_fakes = net(dsc_params, fakes)
    on_real = net(dsc_params, real)
    return np.mean(log_sigmoid(on_real)) + np.mean(log_sigmoid(-on_fakes))


def new_net(rs, *sizes):
    return [(0.3 * rs.randn(m, n), 0.3 * rs.randn(n)) for m, n in pairwise(sizes)]


def moved(params, slopes, rate):
    return [(W + rate * dW, b + rate * db) for (W, b), (dW, db) in zip(params, slopes)]


rs = npr.RandomState(0)
generator, discriminator = new_net(rs, 3, 8, 2), new_net(rs, 2, 8, 8, 1)
for_both = grad(objective, (0, 1))
angles = 2 * np.pi * rs.rand(200)
points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
values = []
for step in range(40):
    batch = points[(step % 10) * 20 : (step % 10) * 20 + 20]
    values.append(objective(generator, discriminator, batch, step))
    of_generator, of_discriminator = for_both(generator, discriminator, batch, step)
    generator = moved(generator, of_generator, -0.2)
    discriminator = moved(discriminator, of_discriminator, 0.2)

RESULT = {
    "values": values[::8],
    "fakes": net(generator, npr.RandomState(1).rand(4, 3)),
    "last layer": discriminator[-1][0],
}
