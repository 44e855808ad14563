"""A small convolutional net: layers that say which weights they need, one vector for all."""

import autograd.numpy as np
import autograd.numpy.random as npr
from autograd import grad
from autograd.scipy.special import logsumexp


class Weights:
    """Where each named part lies in one long vector, and in which shape."""

    def __init__(self):
        self.parts, self.size = {}, 0

    def add(self, name, shape):
        end = self.size + int(np.prod(shape))
        self.parts[name], self.size = (slice(self.size, end), shape), end

    def get(self, vector, name):
        where, shape = self.parts[name]
        return np.reshape(vector[where], shape)


class Convolution:
    def __init__(self, size, filters):
        self.size, self.filters, self.weights = size, filters, Weights()

    def build(self, shape):
        channels, height, width = shape
        self.weights.add("W", (channels, self.filters, self.size, self.size))
        self.weights.add("b", (1, self.filters, 1, 1))
        return self.filters, height - self.size + 1, width - self.size + 1

    def __call__(self, inputs, vector):
        W, total = self.weights.get(vector, "W"), self.weights.get(vector, "b")
        height, width = (length - self.size + 1 for length in inputs.shape[2:])
        for i in range(self.size):
            for j in range(self.size):
                patch = inputs[:, :, i : i + height, j : j + width]
                total = total + np.einsum("ncyx,cf->nfyx", patch, W[:, :, i, j])
        return np.maximum(total, 0)


class MaxPool:
    weights = Weights()

    def build(self, shape):
        return shape[0], shape[1] // 2, shape[2] // 2

    def __call__(self, inputs, vector):
        n, c, height, width = inputs.shape
        return np.max(inputs.reshape((n, c, height // 2, 2, width // 2, 2)), axis=(3, 5))


class Full:
    def __init__(self, size, bend):
        self.size, self.bend, self.weights = size, bend, Weights()

    def build(self, shape):
        self.weights.add("W", (int(np.prod(shape)), self.size))
        self.weights.add("b", (self.size,))
        return (self.size,)

    def __call__(self, inputs, vector):
        rows = np.reshape(inputs, (len(inputs), -1))
        return self.bend(
            np.dot(rows, self.weights.get(vector, "W")) + self.weights.get(vector, "b")
        )


def normalized(x):
    return x - logsumexp(x, axis=1, keepdims=True)


layers = [Convolution(3, 4), MaxPool(), Full(6, np.tanh), Full(2, normalized)]
shape, total = (1, 8, 8), 0
places = []
for layer in layers:
    shape = layer.build(shape)
    places.append(slice(total, total + layer.weights.size))
    total += layer.weights.size


def loss(vector, images, targets):
    for layer, place in zip(layers, places):
        images = layer(images, vector[place])
    return -np.mean(np.sum(images * targets, axis=1)) + 0.001 * np.dot(vector, vector)


rs = npr.RandomState(0)
labels = np.arange(24) % 2
images = 0.3 * rs.randn(24, 1, 8, 8)
images[labels == 1, :, 2:5, 2:5] += 1.0
targets = np.eye(2)[labels]
vector = 0.2 * rs.randn(total)
velocity, losses = np.zeros(total), []
for _ in range(25):
    losses.append(loss(vector, images, targets))
    velocity = 0.8 * velocity - grad(loss)(vector, images, targets)
    vector = vector + 0.1 * velocity

RESULT = {"losses": losses[::6], "weights": vector[::20]}
