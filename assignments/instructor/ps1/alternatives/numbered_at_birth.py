"""Full points: numbers each value when it is made, and goes from the youngest to the oldest."""
# %% q1
import itertools
import operator

AGE = itertools.count()


class Value:
    def __init__(self, data, op=None, inputs=()):
        self.data, self.op, self.inputs, self.grad = data, op, inputs, 0.0
        self.age = next(AGE)


def binary(name, function):
    def left(a, b):
        if not isinstance(b, Value):
            b = Value(b)
        return Value(function(a.data, b.data), name, (a, b))

    def right(a, b):
        return left(Value(b), a)

    setattr(Value, f"__{name}__", left)
    setattr(Value, f"__r{name}__", right)


for name in ("add", "sub", "mul", "truediv"):
    binary(name, getattr(operator, name))


def unary(name, function):
    return lambda x: Value(function(x.data), name, (x,))


exp, log, tanh = (unary(name, getattr(math, name)) for name in ("exp", "log", "tanh"))
Value.__neg__ = unary("neg", operator.neg)


def power(x, n):
    z = Value(x.data**n, "pow", (x,))
    z.n = n
    return z


Value.__pow__ = power
# %% q2
def slopes(z):
    if z.op is None:
        return ()
    a = z.inputs[0].data
    b = z.inputs[1].data if len(z.inputs) > 1 else None
    if z.op == "add":
        return 1, 1
    if z.op == "sub":
        return 1, -1
    if z.op == "mul":
        return b, a
    if z.op == "truediv":
        return 1 / b, -z.data / b
    if z.op == "neg":
        return (-1,)
    if z.op == "pow":
        return (z.n * a ** (z.n - 1) if z.n else 0.0,)
    if z.op == "log":
        return (a**-1,)
    return (z.data,) if z.op == "exp" else (1 - z.data * z.data,)
# %% q3
import heapq


def backward(root):
    heap, shares = [(-root.age, root)], {root.age: 1.0}
    while heap:
        _, value = heapq.heappop(heap)
        value.grad = shares.pop(value.age)
        for source, slope in zip(value.inputs, slopes(value)):
            if source.age not in shares:
                shares[source.age] = 0.0
                heapq.heappush(heap, (-source.age, source))
            shares[source.age] += slope * value.grad
# %% q6
def mended_backward(root):
    order, seen, stack = [], set(), [(root, iter(root.inputs))]
    seen.add(root)
    while stack:
        node, rest = stack[-1]
        for source in rest:
            if source not in seen:
                seen.add(source)
                stack.append((source, iter(source.inputs)))
                break
        else:
            order.append(node)
            stack.pop()
    for node in order:
        node.grad = 0.0
    root.grad = 1.0
    while order:
        node = order.pop()
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)
