"""Optimisers: one rule each; `step` runs it on Tensors, `minimize` builds it into a graph."""

import numpy as np

import minigrad as mg


class Optimizer:
    """Changes parameters against their gradients.

    A rule brings `start(w)`, its state for a parameter as {name: array}, and
    `update(w, g, **state)`, which returns the new w and the new state, written with ops.
    """

    def __init__(self, parameters=(), lr=0.01):
        self.parameters, self.lr = list(parameters), lr
        if not isinstance(lr, (int, float)) or lr <= 0:
            raise mg.ArgumentError(f"the learning rate is {lr!r}", "use a number above 0")
        for p in self.parameters:
            if not isinstance(p, mg.Variable) and not getattr(p, "requires_grad", False):
                raise mg.ArgumentError(f"{p!r} cannot be trained",
                                       "pass Tensors that require grad, or Variables")
        self.states = {}

    def zero_grad(self):
        """Forgets the gradients of all parameters."""
        for p in self.parameters:
            p.zero_grad()

    def step(self):
        """One update of every Tensor that has a gradient."""
        if not self.parameters:
            raise mg.ArgumentError("the optimiser has no parameters to step",
                                   "pass them: SGD(model.parameters(), lr=0.1)")
        for i, p in enumerate(self.parameters):
            if p.grad is not None:
                state = self.states[i] if i in self.states else self.start(p.data)
                new, self.states[i] = self.update(p.data, p.grad.data, **state)
                with mg.no_grad():
                    p[...] = new

    def minimize(self, loss):
        """A node that, when run, updates the variables that `loss` depends on, all at once.

        These are the optimiser's parameters, or the graph's trainable variables.
        """
        updates = []
        for w, g in trained(loss, self.parameters):
            updates += self.updates(w, g)
        return mg.group(*[mg.assign(target, value) for target, value in updates])

    def updates(self, w, g):
        """(variable, its new value) for w and for the state kept with it."""
        with mg.name_scope(type(self).__name__.lower()):
            state = {name: mg.Variable(value, name=f"{w.name}.{name}", trainable=False)
                     for name, value in self.start(w.initial).items()}
            new, new_state = self.update(w, g, **state)
        return [(w, new)] + [(state[name], value) for name, value in new_state.items()]


def trained(loss, parameters):
    """(variable, its gradient) for each variable that minimize changes."""
    if not isinstance(loss, mg.Node):
        raise mg.ArgumentError("minimize() builds into a Graph, but the loss is no Node",
                               "with Tensors, call loss.backward() and then step()")
    candidates = parameters or [v for v in loss.graph.variables if v.trainable]
    slopes = mg.gradients(loss, candidates, unconnected="none")
    pairs = [(w, g) for w, g in zip(candidates, slopes) if g is not None]
    if not pairs:
        raise mg.GradientError("the loss depends on no trainable variable",
                               "make the weights with mg.Variable(initial)")
    return pairs


class SGD(Optimizer):
    """v ← momentum·v + g;  w ← w - lr·v  (without momentum v is g).

    weight_decay adds weight_decay·w to g; nesterov steps along g + momentum·v instead of v.
    """

    def __init__(self, parameters=(), lr=0.01, momentum=0.0, weight_decay=0.0, nesterov=False):
        super().__init__(parameters, lr)
        self.momentum, self.weight_decay, self.nesterov = momentum, weight_decay, nesterov
        if nesterov and not momentum:
            raise mg.ArgumentError("nesterov without momentum", "set momentum, such as 0.9")

    def start(self, w):
        """The velocity, zero, when there is momentum."""
        return {"velocity": np.zeros_like(w)} if self.momentum else {}

    def update(self, w, g, velocity=None):
        """The new w and velocity."""
        if self.weight_decay:
            g = g + self.weight_decay * w
        if velocity is None:
            return w - self.lr * g, {}
        velocity = self.momentum * velocity + g
        direction = g + self.momentum * velocity if self.nesterov else velocity
        return w - self.lr * direction, {"velocity": velocity}


class Adam(Optimizer):
    """m ← β1 m + (1-β1) g;  v ← β2 v + (1-β2) g²;  w ← w - lr·m̂ / (√v̂ + ε).

    m̂ = m/(1-β1ᵗ) and v̂ = v/(1-β2ᵗ) correct the start at zero. Source: Kingma and Ba, 2015,
    algorithm 1.
    """

    def __init__(self, parameters=(), lr=0.001, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(parameters, lr)
        self.betas, self.eps = betas, eps

    def start(self, w):
        """Both moments and the step count, zero."""
        return {"m": np.zeros_like(w), "v": np.zeros_like(w), "t": np.zeros((), w.dtype)}

    def update(self, w, g, m, v, t):
        """The new w, moments and step count."""
        b1, b2 = self.betas
        t = t + 1
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g * g
        m_hat, v_hat = m / (1 - b1 ** t), v / (1 - b2 ** t)
        return w - self.lr * m_hat / (mg.sqrt(v_hat) + self.eps), {"m": m, "v": v, "t": t}
