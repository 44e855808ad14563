"""Loses q1: powers that are no whole number go through exp(n log x): Value(0.0) ** 0.5 raises a
ValueError, and should be 0.0."""

# %% q1
class Value:
    """A number that remembers how it was made."""

    def __init__(self, data, op=None, inputs=()):
        self.data, self.op, self.inputs, self.grad = data, op, inputs, 0.0

    def __add__(self, other):
        return made("add", lambda a, b: a + b, self, other)

    def __radd__(self, other):
        return made("add", lambda a, b: a + b, other, self)

    def __sub__(self, other):
        return made("sub", lambda a, b: a - b, self, other)

    def __rsub__(self, other):
        return made("sub", lambda a, b: a - b, other, self)

    def __mul__(self, other):
        return made("mul", lambda a, b: a * b, self, other)

    def __rmul__(self, other):
        return made("mul", lambda a, b: a * b, other, self)

    def __truediv__(self, other):
        return made("div", lambda a, b: a / b, self, other)

    def __rtruediv__(self, other):
        return made("div", lambda a, b: a / b, other, self)

    def __neg__(self):
        return made("neg", lambda a: -a, self)

    def __pow__(self, n):
        z = made("pow", lambda a: power(a, n), self)
        z.n = n
        return z


def power(a, n):
    """a to the power n."""
    if n == int(n):
        return a ** int(n)
    return math.exp(n * math.log(a))


def made(op, compute, *operands):
    """The Value of an operation; plain numbers become leaves."""
    inputs = tuple(x if isinstance(x, Value) else Value(x) for x in operands)
    return Value(compute(*(x.data for x in inputs)), op, inputs)


def exp(x):
    """The Value of e to the power x."""
    return made("exp", math.exp, x)


def log(x):
    """The Value of the natural logarithm of x."""
    return made("log", math.log, x)


def tanh(x):
    """The Value of the hyperbolic tangent of x."""
    return made("tanh", math.tanh, x)


# %% q2
def slopes(z):
    """The derivative of z by each of its inputs, as a tuple of plain numbers."""
    numbers = [x.data for x in z.inputs]
    if z.op is None:
        return ()
    if z.op == "add":
        return 1.0, 1.0
    if z.op == "sub":
        return 1.0, -1.0
    if z.op == "mul":
        x, y = numbers
        return y, x
    if z.op == "div":
        x, y = numbers
        return 1 / y, -x / y**2
    if z.op == "neg":
        return (-1.0,)
    (x,) = numbers
    if z.op == "pow":
        return (0.0 if z.n == 0 else z.n * x ** (z.n - 1),)
    if z.op == "exp":
        return (z.data,)
    if z.op == "log":
        return (1 / x,)
    return (1 - z.data**2,)
