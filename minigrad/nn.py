"""Layers: a Module holds parameters, Tensors or, inside `with Graph():`, Variables."""

import math

import numpy as np

import minigrad as mg

generator = np.random.default_rng(0)


def manual_seed(seed):
    """Makes the initial weights of the layers built from here on repeatable."""
    global generator
    generator = np.random.default_rng(seed)


def parameter(initial, name):
    """A trainable value of the engine in use: a Variable inside `with Graph():`, else a Tensor."""
    if mg.open_graph() is not None:
        return mg.Variable(initial, name=name)
    return mg.tensor(initial, requires_grad=True, name=name)


class Module:
    """A function with parameters; parts that are Modules or parameters are found by attribute."""

    def __call__(self, x):
        return self.forward(x)

    def forward(self, x):
        """The module's result for x; each module brings its own."""
        raise mg.ArgumentError(f"{type(self).__name__} has no forward", "define forward(self, x)")

    def named_parameters(self, prefix=""):
        """(dotted name, parameter) for this module and its parts, in order of definition."""
        for name, part in vars(self).items():
            if isinstance(part, (mg.Tensor, mg.Variable)):
                yield prefix + name, part
            for key, inner in inner_modules(part):
                yield from inner.named_parameters(f"{prefix}{name}{key}.")

    def parameters(self):
        """The parameters of this module and its parts."""
        return [p for _, p in self.named_parameters()]


def inner_modules(part):
    """(suffix of the name, Module) for a Module or a list of Modules."""
    if isinstance(part, Module):
        return [("", part)]
    if isinstance(part, (list, tuple)):
        return [(f".{i}", m) for i, m in enumerate(part) if isinstance(m, Module)]
    return []


class Linear(Module):
    """y = x W + b.   x [n,inputs] → y [n,outputs]; W starts uniform in ±√(6/inputs) (He)."""

    def __init__(self, inputs, outputs, bias=True, dtype=float):
        bound = math.sqrt(6 / inputs)
        self.W = parameter(generator.uniform(-bound, bound, (inputs, outputs)).astype(dtype), "W")
        self.b = parameter(np.zeros(outputs, dtype), "b") if bias else None

    def forward(self, x):
        """y = x W + b."""
        y = x @ self.W
        return y if self.b is None else y + self.b


class ReLU(Module):
    """y = max(x, 0)."""

    def forward(self, x):
        """y = max(x, 0)."""
        return mg.relu(x)


class Tanh(Module):
    """y = tanh(x)."""

    def forward(self, x):
        """y = tanh(x)."""
        return mg.tanh(x)


class Sigmoid(Module):
    """y = 1 / (1 + exp(-x))."""

    def forward(self, x):
        """y = 1 / (1 + exp(-x))."""
        return mg.sigmoid(x)


class Sequential(Module):
    """The modules one after another."""

    def __init__(self, *layers):
        self.layers = list(layers)

    def forward(self, x):
        """The last module's result."""
        for layer in self.layers:
            x = layer(x)
        return x
