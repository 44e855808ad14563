"""Two interleaved half circles told apart by a small net of single numbers, as in a demo."""

import math
import random

from micrograd.engine import Value

random.seed(1337)


def half_circles(count, noise=0.1):
    """Points of two half circles, and their sides, -1 or 1."""
    points, sides = [], []
    for i in range(count):
        angle, side = math.pi * random.random(), 2 * (i % 2) - 1
        x, y = math.cos(angle), math.sin(angle)
        x, y = (x, y) if side < 0 else (1 - x, 0.5 - y)
        points.append([x + random.gauss(0, noise), y + random.gauss(0, noise)])
        sides.append(side)
    return points, sides


class Neuron:
    def __init__(self, inputs, bends):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(inputs)]
        self.b, self.bends = Value(0), bends

    def __call__(self, x):
        act = sum((wi * xi for wi, xi in zip(self.w, x)), self.b)
        return act.relu() if self.bends else act

    def parameters(self):
        return [*self.w, self.b]


class Net:
    def __init__(self, *sizes):
        self.layers = [
            [Neuron(sizes[i], bends=i + 2 < len(sizes)) for _ in range(sizes[i + 1])]
            for i in range(len(sizes) - 1)
        ]

    def __call__(self, x):
        for layer in self.layers:
            x = [neuron(x) for neuron in layer]
        return x[0]

    def parameters(self):
        return [p for layer in self.layers for neuron in layer for p in neuron.parameters()]

    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0


def loss(net, points, sides):
    """The mean hinge loss and a penalty on the weights; how many points are on the right side."""
    scores = [net([Value(x), Value(y)]) for x, y in points]
    losses = [(1 + -side * score).relu() for side, score in zip(sides, scores)]
    data_loss = sum(losses) * (1.0 / len(losses))
    penalty = 1e-4 * sum(p * p for p in net.parameters())
    total = data_loss + penalty
    right = [(side > 0) == (score.data > 0) for side, score in zip(sides, scores)]
    return total, sum(right) / len(right)


points, sides = half_circles(20)
net = Net(2, 6, 6, 1)
losses, rates = [], []
for k in range(6):
    total, accuracy = loss(net, points, sides)
    net.zero_grad()
    total.backward()
    rate = 1.0 - 0.9 * k / 100
    for p in net.parameters():
        p.data -= rate * p.grad
    losses.append(total.data)
    rates.append(accuracy)

RESULT = {
    "losses": losses,
    "accuracies": rates,
    "weights": [p.data for p in net.parameters()],
    "gradients": [p.grad for p in net.parameters()],
}
