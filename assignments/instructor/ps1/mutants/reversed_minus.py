"""Loses q1: 1 - x is computed as x - 1."""
# %% q1
class Value:
    def __init__(self, data, op=None, inputs=()):
        self.data, self.op, self.inputs, self.grad = data, op, inputs, 0.0

    def __add__(self, other):
        return record("add", self, other)

    def __sub__(self, other):
        return record("sub", self, other)

    def __mul__(self, other):
        return record("mul", self, other)

    def __truediv__(self, other):
        return record("div", self, other)

    def __neg__(self):
        return record("neg", self)

    def __pow__(self, exponent):
        power = Value(self.data**exponent, "pow", (self,))
        power.exponent = exponent
        return power

    __radd__, __rmul__ = __add__, __mul__
    __rsub__ = __sub__

    def __rtruediv__(self, other):
        return record("div", other, self)


FORMULAS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "exp": math.exp,
    "log": math.log,
    "tanh": math.tanh,
}


def record(op, *operands):
    inputs = tuple(v if isinstance(v, Value) else Value(v) for v in operands)
    return Value(FORMULAS[op](*(v.data for v in inputs)), op, inputs)


def exp(x):
    return record("exp", x)


def log(x):
    return record("log", x)


def tanh(x):
    return record("tanh", x)
