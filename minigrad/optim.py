"""Optimisers: one rule each; `step` runs it on Tensors, `minimize` builds it into a graph."""

import math

import numpy as np

import minigrad as mg

# schedules: learning rates as functions of the number of updates made ----------------------------


def step_decay(lr, every, factor=0.1):
    """lr · factor^⌊t/every⌋: smaller by `factor` after each `every` updates."""
    return lambda t: lr * factor ** mg.floor(t / every)


def cosine(lr, steps, floor=0.0):
    """From lr down to `floor` along half a cosine of `steps` updates."""
    return lambda t: floor + (lr - floor) * (1 + mg.cos(math.pi * mg.minimum(t / steps, 1.0))) / 2


def warmup(lr, steps):
    """Straight up to lr within `steps` updates; lr is a number or a schedule."""
    def rate(t):
        full = lr(t) if callable(lr) else lr
        return full * mg.minimum((t + 1) / steps, 1.0)
    return rate


# the optimisers ----------------------------------------------------------------------------------


class Optimizer:
    """Changes parameters against their gradients.

    `lr` is a number, or a schedule: a function of the number of updates made. `clip_norm` scales
    all gradients down together so that their joint length is at most that.
    A rule brings `start(w)`, its state for a parameter as {name: array}, and
    `update(w, g, lr, **state)`, which returns the step to subtract from w and the new state,
    written with ops. The state is its own: `m += …` changes an array where it lies, and of Nodes
    makes a new one.
    """

    def __init__(self, parameters=(), lr=0.01, clip_norm=None):
        self.parameters, self.lr, self.clip_norm = list(parameters), lr, clip_norm
        for what, number in (("learning rate", lr), ("clip_norm", clip_norm)):
            positive = isinstance(number, (int, float)) and number > 0
            if not positive and not callable(number) and number is not None:
                raise mg.ArgumentError(f"the {what} is {number!r}", "use a number above 0")
        for p in self.parameters:
            if not isinstance(p, mg.Variable) and not getattr(p, "requires_grad", False):
                raise mg.ArgumentError(f"{p!r} cannot be trained",
                                       "pass Tensors that require grad, or Variables")
        self.states, self.steps = {}, 0

    def zero_grad(self):
        """Forgets the gradients of all parameters."""
        for p in self.parameters:
            p.zero_grad()

    def step(self):
        """One update of every Tensor that has a gradient."""
        if not self.parameters:
            raise mg.ArgumentError("the optimiser has no parameters to step",
                                   "pass them: SGD(model.parameters(), lr=0.1)")
        ready = [(i, p) for i, p in enumerate(self.parameters) if p.grad is not None]
        for _, p in ready:
            if p.grad.shape != p.shape:
                raise mg.ShapeError(f"the gradient of {p!r} has shape {list(p.grad.shape)}",
                                    "give it the shape of the parameter")
        grads = self.clipped([p.grad.data for _, p in ready])
        rate = self.rate(np.asarray(float(self.steps)))
        with mg.no_grad():
            for (i, p), g in zip(ready, grads):
                state = self.states[i] if i in self.states else self.start(p.data)
                step, self.states[i] = self.update(p.data, g, cast(rate, p), **state)
                p -= step
        self.steps += 1

    def minimize(self, loss):
        """A node that, when run, updates the variables that `loss` depends on, all at once.

        These are the optimiser's parameters, or the graph's trainable variables.
        """
        variables, grads = zip(*trained(loss, self.parameters))
        with mg.name_scope(type(self).__name__.lower()):
            steps = mg.Variable(0.0, name="steps", trainable=False)
            rate, updates = self.rate(steps), []
            for w, g in zip(variables, self.clipped(grads)):
                updates += self.updates(w, g, cast(rate, w))
            if callable(self.lr):
                updates.append((steps, steps + 1))
        return mg.group(*[mg.assign(target, value) for target, value in updates])

    def updates(self, w, g, lr):
        """(variable, its new value) for w and for the state kept with it."""
        state = {name: mg.Variable(value, name=f"{w.name}.{name}", trainable=False)
                 for name, value in self.start(w.initial).items()}
        step, new_state = self.update(w, g, lr, **state)
        return [(w, w - step)] + [(state[name], value) for name, value in new_state.items()]

    def rate(self, t):
        """The learning rate after t updates."""
        return self.lr(t) if callable(self.lr) else self.lr

    def clipped(self, grads):
        """The gradients, scaled down together when they are longer than clip_norm."""
        if self.clip_norm is None or not grads:
            return grads
        squares = [mg.sum(g * g) for g in grads]
        length = mg.sqrt(sum(squares[1:], squares[0]))
        scale = mg.minimum(self.clip_norm / (length + 1e-6), 1.0)
        return [g * cast(scale, g) for g in grads]


def cast(value, like):
    """A number as it is; an array or Node in the dtype of `like`, so that float32 stays."""
    return value if isinstance(value, (int, float)) else mg.cast(value, like.dtype)


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

    def __init__(self, parameters=(), lr=0.01, momentum=0.0, weight_decay=0.0, nesterov=False,
                 clip_norm=None):
        super().__init__(parameters, lr, clip_norm)
        self.momentum, self.weight_decay, self.nesterov = momentum, weight_decay, nesterov
        if nesterov and not momentum:
            raise mg.ArgumentError("nesterov without momentum", "set momentum, such as 0.9")

    def start(self, w):
        """The velocity, zero, when there is momentum."""
        return {"velocity": np.zeros_like(w)} if self.momentum else {}

    def update(self, w, g, lr, velocity=None):
        """The step and the new velocity."""
        if self.weight_decay:
            g = g + self.weight_decay * w
        if velocity is None:
            return lr * g, {}
        velocity *= self.momentum
        velocity += g
        direction = g + self.momentum * velocity if self.nesterov else velocity
        return lr * direction, {"velocity": velocity}


class Adam(Optimizer):
    """m ← β1 m + (1-β1) g;  v ← β2 v + (1-β2) g²;  w ← w - lr·m̂ / (√v̂ + ε).

    m̂ = m/(1-β1ᵗ) and v̂ = v/(1-β2ᵗ) correct the start at zero. The fraction is taken times
    √(1-β2ᵗ) above and below, so that the corrections are of single numbers.
    Source: Kingma and Ba, 2015, algorithm 1 and section 2.
    """

    def __init__(self, parameters=(), lr=0.001, betas=(0.9, 0.999), eps=1e-8, clip_norm=None):
        super().__init__(parameters, lr, clip_norm)
        self.betas, self.eps = betas, eps

    def start(self, w):
        """Both moments and the step count, zero."""
        return {"m": np.zeros_like(w), "v": np.zeros_like(w), "t": np.zeros((), w.dtype)}

    def update(self, w, g, lr, m, v, t):
        """The step, the new moments and the count of steps."""
        b1, b2 = self.betas
        t = t + 1
        m *= b1
        m += (1 - b1) * g
        v *= b2
        v += (1 - b2) * g * g
        root = (1 - b2 ** t) ** 0.5
        step = lr * root / (1 - b1 ** t) * m / (mg.sqrt(v) + self.eps * root)
        return step, {"m": m, "v": v, "t": t}


class AdamW(Optimizer):
    """Adam's step and lr·weight_decay·w besides: the decay bypasses the moments.

    Source: Loshchilov and Hutter, 2019, algorithm 2.
    """

    def __init__(self, parameters=(), lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01,
                 clip_norm=None):
        super().__init__(parameters, lr, clip_norm)
        self.adam, self.weight_decay = Adam(betas=betas, eps=eps), weight_decay

    def start(self, w):
        """Adam's state."""
        return self.adam.start(w)

    def update(self, w, g, lr, **state):
        """The step, the new moments and the count of steps."""
        step, state = self.adam.update(w, g, lr, **state)
        return step + lr * self.weight_decay * w, state
