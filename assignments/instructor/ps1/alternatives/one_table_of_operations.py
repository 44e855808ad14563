"""Full points: a table of two-sided operations; rules in closures; a value marked when listed."""
# %% q1
class Value:
    def __init__(self, data, op=None, inputs=(), rule=tuple):
        self.data, self.op, self.inputs, self.rule = data, op, tuple(inputs), rule

    def __pow__(self, n):
        return Value(
            self.data**n, "power", [self],
            lambda: (n * self.data ** (n - 1) if n else 0.0,),
        )

    def __neg__(self):
        return Value(0 - self.data, "negative", [self], lambda: (-1,))


def two(op, compute, rule):
    def operation(x, y):
        x, y = (v if isinstance(v, Value) else Value(v) for v in (x, y))
        return Value(compute(x.data, y.data), op, (x, y), lambda: rule(x.data, y.data))

    setattr(Value, f"__{op}__", operation)
    setattr(Value, f"__r{op}__", lambda y, x: operation(x, y))


two("add", lambda a, b: a + b, lambda a, b: (1, 1))
two("sub", lambda a, b: a - b, lambda a, b: (1, -1))
two("mul", lambda a, b: a * b, lambda a, b: (b, a))
two("truediv", lambda a, b: a / b, lambda a, b: (b**-1, -a * b**-2))


def one(op, compute, rule):
    def function(x):
        z = Value(compute(x.data), op, (x,))
        z.rule = lambda: (rule(x.data, z.data),)
        return z

    return function


exp = one("exp", math.exp, lambda a, z: z)
log = one("log", math.log, lambda a, z: 1 / a)
tanh = one("tanh", math.tanh, lambda a, z: (1 - z) * (1 + z))
# %% q2
def slopes(z):
    return tuple(z.rule())
# %% q3
def backward(root):
    order, stack, opened = [], [root], set()
    while stack:
        value = stack[-1]
        if value in opened:
            stack.pop()
            if value is not None and value not in order_set(order):
                order.append(value)
        else:
            opened.add(value)
            stack.extend(source for source in value.inputs if source not in opened)
    totals = dict.fromkeys(order, 0.0)
    totals[root] = 1.0
    while order:
        value = order.pop()
        value.grad = totals.pop(value)
        for source, slope in zip(value.inputs, slopes(value)):
            totals[source] += value.grad * slope


class order_set:
    """Whether a value is the last of the order, or was: by a mark that it carries."""

    def __init__(self, order):
        self.order = order

    def __contains__(self, value):
        if getattr(value, "mark", None) is self.order:
            return True
        value.mark = self.order
        return False
