"""One way to compute with either engine, so that a test is written once for both."""

import numpy as np

import minigrad as mg


class Dynamic:
    """Inputs are Tensors; values are there at once."""

    def inputs(self, arrays, shapes=None):
        return [mg.tensor(a, requires_grad=a.dtype.kind == "f") for a in arrays]

    def numbers(self, values):
        return [v.numpy() for v in values]


class Static:
    """Inputs are placeholders of the arrays' shapes, or of those given; a Session runs values."""

    def __init__(self, **options):
        self.options = options

    def inputs(self, arrays, shapes=None):
        self.arrays = arrays
        with mg.Graph():
            self.placeholders = [
                mg.placeholder(f"x{i}", a.shape if shapes is None else shapes[i], a.dtype)
                for i, a in enumerate(arrays)
            ]
        return self.placeholders

    def numbers(self, values):
        session = mg.Session(self.placeholders[0].graph, **self.options)
        return session.run(list(values), dict(zip(self.placeholders, self.arrays)))


def everything(engine, f, arrays, seed=0, shapes=None):
    """f's value, vjp, jvp and the jvp of its vjp for random seeds: names and numbers."""
    rng = np.random.default_rng(seed)
    xs = engine.inputs(arrays, shapes)
    y = f(*xs)
    w = rng.normal(size=np.shape(f(*map(mg.tensor, arrays))))
    v = [rng.normal(size=a.shape) for a in arrays]
    x_bars = mg.gradients(y, xs, w, unconnected="zero")
    y_dots = mg.forward_gradients(y, xs, v, unconnected="zero")
    x_bar_dots = mg.forward_gradients(x_bars, xs, v, unconnected="zero")
    return engine.numbers([y, *y_dots, *x_bars, *x_bar_dots]), (w, v)
