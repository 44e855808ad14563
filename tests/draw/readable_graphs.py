"""Twelve graphs to draw, from a formula of five values to a training step of 300 nodes."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

import minigrad as mg
from minigrad.draw.drawing import Drawing
from minigrad.static.provenance import derivatives_of


def weights(name, *shape):
    """A variable of random numbers, the same in every run."""
    return mg.Variable(np.random.default_rng(len(name)).normal(size=shape), name)


def images_and_labels(*shape):
    """A batch of 32 inputs, and their classes."""
    return mg.placeholder("X", shape=(32, *shape)), mg.placeholder("t", shape=(32,), dtype=int)


def subtract_scaled(parameter, gradient):
    """One update of gradient descent."""
    return mg.assign(parameter, parameter - 0.1 * gradient)


def training_step(loss, parameters, update=subtract_scaled):
    """The loss, and what assigns to each parameter."""
    gradients = mg.gradients(loss, parameters)
    return [loss, *(update(w, g) for w, g in zip(parameters, gradients))]


def formula_of_two():
    """y = (x + w)(w + 1) at (2, 1), and the names of its parts."""
    x, w = mg.tensor(2.0), mg.tensor(1.0, requires_grad=True)
    a = x + w
    b = w + 1
    y = a * b
    return y, {"x": x, "w": w, "a": a, "b": b, "y": y}


def formula_of_the_survey():
    """ln x1 + x1 x2 − sin x2 at (2, 5), and some names of its parts."""
    x1, x2 = (mg.tensor(number, requires_grad=True) for number in (2.0, 5.0))
    y = mg.log(x1) + x1 * x2 - mg.sin(x2)
    return y, {"x1": x1, "x2": x2, "y": y}


def layers(*sizes):
    """The loss of dense layers with tanh between them, and their parameters."""
    h, labels = images_and_labels(sizes[0])
    parameters = []
    for k, (rows, columns) in enumerate(pairwise(sizes), 1):
        W, b = weights(f"W{k}", rows, columns), weights(f"b{k}", columns)
        h = (mg.tanh(h) if parameters else h) @ W + b
        parameters += [W, b]
    return mg.cross_entropy(h, labels), parameters


def two_layers():
    """A step of two dense layers."""
    return training_step(*layers(64, 32, 10))


def four_layers():
    """A step of four dense layers."""
    return training_step(*layers(64, 48, 32, 24, 10))


def convolution():
    """A step of a convolution, a pooling and a dense layer."""
    images, labels = images_and_labels(1, 12, 12)
    K, c = weights("K", 4, 1, 3, 3), weights("b1", 4, 1, 1)
    W, b = weights("W", 100, 10), weights("b2", 10)
    features = mg.max_pool2d(mg.relu(mg.conv2d(images, K) + c), 2)
    scores = mg.reshape(features, (32, 100)) @ W + b
    return training_step(mg.cross_entropy(scores, labels), [K, c, W, b])


def residual():
    """A step of a block with a skip connection."""
    X, labels = images_and_labels(32)
    W1, W2, V = weights("W1", 32, 32), weights("W2", 32, 32), weights("V", 32, 10)
    h = mg.tanh(X @ W1)
    h = mg.tanh(h @ W2) + h
    return training_step(mg.cross_entropy(h @ V, labels), [W1, W2, V])


def shared_weight():
    """A step in which one weight is used three times."""
    h, W = mg.placeholder("X", shape=(8, 4)), weights("W", 4, 4)
    for _ in range(3):
        h = mg.tanh(h @ W)
    return training_step(mg.sum(h * h), [W])


def momentum():
    """A step of two layers, whose updates have a velocity each."""

    def update(parameter, gradient):
        name, zeros = f"m{parameter.name}", np.zeros(parameter.shape)
        velocity = mg.Variable(zeros, name, trainable=False)
        return subtract_scaled(parameter, mg.assign(velocity, 0.9 * velocity + gradient))

    return training_step(*layers(64, 32, 10), update)


def clipping():
    """A step of two layers, whose gradients are scaled down by their common length."""
    loss, parameters = layers(64, 32, 10)
    gradients = mg.gradients(loss, parameters)
    length = mg.sqrt(sum(mg.sum(g * g) for g in gradients))
    scale = 1.0 / mg.maximum(length, 1.0)
    updates = [subtract_scaled(w, scale * g) for w, g in zip(parameters, gradients)]
    return [loss, *updates]


def loop():
    """A step through a loop of unknown length."""
    x, w = mg.placeholder("x"), mg.Variable(2.0, "w")
    y = mg.while_loop(lambda v: v < 8.0, lambda v: w * v, x)
    return training_step(y * y, [w])


def attention():
    """A step of one head of attention."""
    X = mg.placeholder("X", shape=(8, 16))
    Q, K, V = (weights(name, 16, 16) for name in "QKV")
    scores = (X @ Q) @ mg.transpose(X @ K)
    mixed = mg.softmax(scores, axis=1) @ (X @ V)
    return training_step(mg.sum(mixed * mixed), [Q, K, V])


def three_hundred():
    """A step of 300 nodes: twelve equal blocks."""
    h, labels = images_and_labels(16)
    parameters = []
    for k in range(12):
        with mg.name_scope(f"block{k}"):
            W, b = weights("W", 16, 16), weights("b", 16)
            h = mg.relu(h @ W + b) + h
        parameters += [W, b]
    V, c = weights("V", 16, 10), weights("c", 10)
    return training_step(mg.cross_entropy(h @ V + c, labels), [*parameters, V, c])


TENSORS = {"toy": formula_of_two, "baydin": formula_of_the_survey}
NODES = {
    "mlp": two_layers,
    "conv": convolution,
    "deep": four_layers,
    "residual": residual,
    "shared": shared_weight,
    "momentum": momentum,
    "clipping": clipping,
    "loop": loop,
    "attention": attention,
    "300 nodes": three_hundred,
}
GRAPHS = (*TENSORS, *NODES)


class Sample(NamedTuple):
    """A drawing of a graph, of Tensors after `backward()`, and what it should show."""

    drawing: Drawing
    ids: list  # of all values, as the drawing numbers them
    adjoints: dict = {}  # id of an adjoint that is a value, too → id of the value it is of


def draw_sample(name, **options):
    """The Sample of one of GRAPHS; `options` are those of the drawing."""
    if name in TENSORS:
        result, names = TENSORS[name]()
        ids = ids_behind([result])
        result.backward()
        return Sample(mg.draw(result, names=names, **options), [*ids.values()])
    with mg.Graph() as graph:
        results = NODES[name]()
    ids = ids_behind(results)
    return Sample(
        mg.draw(*results, **options), [*ids.values()], dict(adjoint_ids(graph.nodes, ids))
    )


def ids_behind(results):
    """{order: id} of all values that the results depend on: numbered in the order of creation."""
    found, waiting = set(), list(results)
    while waiting:
        value = waiting.pop()
        if value.order not in found:
            found.add(value.order)
            waiting += value.inputs
    return {order: f"n{at}" for at, order in enumerate(sorted(found))}


def adjoint_ids(nodes, ids):
    """(id of an adjoint, id of its value), of values that share an adjoint the first one.

    Constants are left out: a drawing may put them anywhere.
    """
    for node in reversed(nodes):
        for adjoint in derivatives_of(node).values():
            is_value = isinstance(adjoint, mg.Node) and adjoint.inputs
            if is_value and {node.order, adjoint.order} <= ids.keys():
                yield ids[adjoint.order], ids[node.order]
