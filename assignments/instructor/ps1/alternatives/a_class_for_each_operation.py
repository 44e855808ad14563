"""Full points: a class for each operation, and the standard library sorts the graph."""
# %% q1
class Value:
    op, inputs = None, ()

    def __init__(self, data):
        self.data, self.grad = float(data), 0.0

    def __add__(self, other):
        return Add(self, other)

    def __sub__(self, other):
        return Sub(self, other)

    def __mul__(self, other):
        return Mul(self, other)

    def __truediv__(self, other):
        return Div(self, other)

    def __radd__(self, other):
        return Add(other, self)

    def __rsub__(self, other):
        return Sub(other, self)

    def __rmul__(self, other):
        return Mul(other, self)

    def __rtruediv__(self, other):
        return Div(other, self)

    def __neg__(self):
        return Neg(self)

    def __pow__(self, n):
        return Pow(self, n=n)


class Made(Value):
    def __init__(self, *operands, **known):
        vars(self).update(known, grad=0.0, op=type(self).__name__)
        self.inputs = tuple(v if isinstance(v, Value) else Value(v) for v in operands)
        self.data = self.value(*(v.data for v in self.inputs))


class Add(Made):
    def value(self, a, b):
        return a + b

    def rule(self, a, b):
        return 1.0, 1.0


class Sub(Made):
    def value(self, a, b):
        return a - b

    def rule(self, a, b):
        return 1.0, -1.0


class Mul(Made):
    def value(self, a, b):
        return a * b

    def rule(self, a, b):
        return b, a


class Div(Made):
    def value(self, a, b):
        return a / b

    def rule(self, a, b):
        return 1.0 / b, -a / (b * b)


class Neg(Made):
    def value(self, a):
        return -a

    def rule(self, a):
        return (-1.0,)


class Pow(Made):
    def value(self, a):
        return a**self.n

    def rule(self, a):
        return (self.n * a ** (self.n - 1) if self.n else 0.0,)


class Function(Made):
    def value(self, a):
        return getattr(math, self.name)(a)

    def rule(self, a):
        if self.name == "log":
            return (1.0 / a,)
        return (self.data if self.name == "exp" else 1.0 - self.data**2,)


def exp(x):
    return Function(x, name="exp")


def log(x):
    return Function(x, name="log")


def tanh(x):
    return Function(x, name="tanh")
# %% q2
def slopes(z):
    return z.rule(*(v.data for v in z.inputs)) if z.inputs else ()
# %% q3
from graphlib import TopologicalSorter


def backward(root):
    sorter, waiting = TopologicalSorter({root: ()}), [root]
    known = {root}
    while waiting:
        value = waiting.pop()
        for source in value.inputs:
            sorter.add(source, value)
            if source not in known:
                known.add(source)
                waiting.append(source)
    for value in known:
        value.grad = float(value is root)
    for value in sorter.static_order():
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad = source.grad + slope * value.grad
# %% q6
from graphlib import TopologicalSorter


def mended_backward(root):
    users, waiting = {root: set()}, [root]
    for node in waiting:
        for source in node.inputs:
            if source not in users:
                users[source] = set()
                waiting.append(source)
            users[source].add(node)
    shares = {node: [] for node in waiting}
    shares[root] = [1.0]
    for node in TopologicalSorter(users).static_order():
        node.grad = sum(shares[node])
        for i, source in enumerate(node.inputs):
            shares[source].append(node.pushes[i](node.grad))
