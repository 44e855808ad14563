"""Full points: orders by counting users, and keeps the slopes of each operation with its class."""
# %% q1
class Value:
    def __init__(self, data, op=None, inputs=(), local=()):
        self.data, self.op, self.inputs = float(data), op, list(inputs)
        self.local, self.grad = local, 0

    def __add__(self, other):
        other = wrap(other)
        return Value(self.data + other.data, "+", [self, other], (1, 1))

    def __sub__(self, other):
        other = wrap(other)
        return Value(self.data - other.data, "-", [self, other], (1, -1))

    def __mul__(self, other):
        other = wrap(other)
        return Value(self.data * other.data, "*", [self, other], (other.data, self.data))

    def __truediv__(self, other):
        other = wrap(other)
        local = (1 / other.data, -self.data / other.data / other.data)
        return Value(self.data / other.data, "/", [self, other], local)

    def __neg__(self):
        return Value(-self.data, "minus", [self], (-1,))

    def __pow__(self, n):
        return Value(self.data**n, f"** {n}", [self], (n * self.data ** (n - 1) if n else 0.0,))

    def __radd__(self, other):
        return wrap(other) + self

    def __rsub__(self, other):
        return wrap(other) - self

    def __rmul__(self, other):
        return wrap(other) * self

    def __rtruediv__(self, other):
        return wrap(other) / self


def wrap(x):
    return x if isinstance(x, Value) else Value(x)


def exp(x):
    result = math.exp(x.data)
    return Value(result, "exp", [x], (result,))


def log(x):
    return Value(math.log(x.data), "log", [x], (1 / x.data,))


def tanh(x):
    return Value(math.tanh(x.data), "tanh", [x], (1 - math.tanh(x.data) ** 2,))
# %% q2
def slopes(z):
    return list(z.local)
# %% q3
from collections import deque


def backward(root):
    users, todo = {root: 0}, deque([root])
    while todo:
        value = todo.popleft()
        value.grad = 0
        for source in value.inputs:
            if source not in users:
                users[source] = 0
                todo.append(source)
            users[source] += 1
    root.grad = 1
    ready = deque([root])
    while ready:
        value = ready.popleft()
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += value.grad * slope
            users[source] -= 1
            if not users[source]:
                ready.append(source)
