"""Right answers to ps1, each of another kind than the key's."""


# %% a_good_student | right: lessons 01 and 03 with the missing operations, a stack for depth, a
# dict
# of adjoints, plain loops.
# %% q1
class Value:
    """A number that records how it was computed."""

    def __init__(self, data, op=None, inputs=()):
        self.data, self.op, self.inputs, self.grad = data, op, inputs, 0.0
        self.local = ()

    def __add__(self, other):
        other = as_value(other)
        return new(self.data + other.data, "+", (self, other), (1.0, 1.0))

    def __sub__(self, other):
        other = as_value(other)
        return new(self.data - other.data, "-", (self, other), (1.0, -1.0))

    def __mul__(self, other):
        other = as_value(other)
        return new(self.data * other.data, "*", (self, other), (other.data, self.data))

    def __truediv__(self, other):
        other = as_value(other)
        local = (1 / other.data, -self.data / other.data**2)
        return new(self.data / other.data, "/", (self, other), local)

    def __neg__(self):
        return new(-self.data, "neg", (self,), (-1.0,))

    def __pow__(self, n):
        return new(self.data**n, "**", (self,), (n * self.data ** (n - 1),))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return as_value(other) - self

    def __rtruediv__(self, other):
        return as_value(other) / self


def as_value(x):
    return x if isinstance(x, Value) else Value(x)


def new(data, op, inputs, local):
    z = Value(data, op, inputs)
    z.local = local
    return z


def exp(x):
    """Return the Value of e to the power x."""
    result = math.exp(x.data)
    return new(result, "exp", (x,), (result,))


def log(x):
    """Return the Value of the natural logarithm of x."""
    return new(math.log(x.data), "log", (x,), (1 / x.data,))


def tanh(x):
    """Return the Value of the hyperbolic tangent of x."""
    t = math.tanh(x.data)
    return new(t, "tanh", (x,), (1 - t**2,))

# %% q2
def local_derivatives(z):
    return z.local

# %% q3
def count_contributions(root):
    counts, stack = {root: 0}, [root]
    while stack:
        for source in stack.pop().inputs:
            if source not in counts:
                counts[source] = 0
                stack.append(source)
            counts[source] += 1
    return counts


def backward(root):
    missing, ready = count_contributions(root), [root]
    for node in missing:
        node.grad = 0.0
    root.grad = 1.0
    while ready:
        node = ready.pop()
        for source, derivative in zip(node.inputs, node.local):
            source.grad += node.grad * derivative
            missing[source] -= 1
            if missing[source] == 0:
                ready.append(source)

# %% q4
def backward_from(roots, seeds):
    counts = {root: 0 for root in roots}
    stack = list(counts)
    while stack:
        for source in stack.pop().inputs:
            if source not in counts:
                counts[source] = 0
                stack.append(source)
            counts[source] += 1
    for node in counts:
        node.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    ready = [node for node in counts if counts[node] == 0]
    while ready:
        node = ready.pop()
        for source, derivative in zip(node.inputs, node.local):
            source.grad += node.grad * derivative
            counts[source] -= 1
            if counts[source] == 0:
                ready.append(source)

# %% q7
def accumulate(root):
    missing, ready = count_contributions(root), [root]
    for node in missing:
        if node.inputs:
            node.grad = 0.0
    if root.inputs:
        root.grad = 1.0
    else:
        root.grad += 1.0
    while ready:
        node = ready.pop()
        for source, derivative in zip(node.inputs, node.local):
            source.grad += node.grad * derivative
            missing[source] -= 1
            if missing[source] == 0:
                ready.append(source)


def descend(parameters, rate):
    for p in parameters:
        p.data -= rate * p.grad
        p.grad = 0.0

# %% q8
def repaired_backward(root):
    order, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for source in node.inputs:
                visit(source)
            order.append(node)

    visit(root)
    for node in order:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(order):
        for source, rule in zip(node.inputs, node.rules):
            source.grad += rule(node.grad)


# %% a_class_for_each_operation | right: a class for each operation, and the standard library sorts
# the graph.
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
def local_derivatives(z):
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
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad = source.grad + derivative * value.grad

# %% q4
from graphlib import TopologicalSorter


def backward_from(roots, seeds):
    sorter, known = TopologicalSorter(), set(roots)
    waiting = list(known)
    while waiting:
        value = waiting.pop()
        sorter.add(value)
        for source in value.inputs:
            sorter.add(source, value)
            if source not in known:
                known.add(source)
                waiting.append(source)
    for value in known:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in sorter.static_order():
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad = source.grad + derivative * value.grad

# %% q7
def accumulate(root):
    kept = {}
    pending = [root]
    while pending:
        value = pending.pop()
        if value not in kept:
            kept[value] = value.grad
            pending.extend(value.inputs)
    backward(root)
    for value in kept:
        if value.op is None:
            value.grad += kept[value]


def descend(parameters, rate):
    for p in parameters:
        p.data, p.grad = p.data - rate * p.grad, 0.0

# %% q8
from graphlib import TopologicalSorter


def repaired_backward(root):
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
            shares[source].append(node.rules[i](node.grad))


# %% asking_the_users | right: a subclass of Value for each operation, which knows its
# local_derivatives;
# generators in place of calls; nodes that pull from their users.
# %% q1
class Value:
    """A number that records how it was computed."""

    __slots__ = ("data", "op", "inputs", "grad", "more", "__weakref__")
    word = None

    def __init__(self, data, op=None, inputs=()):
        self.data, self.op, self.inputs, self.grad = data, op, inputs, 0.0
        self.more = None

    @classmethod
    def of(cls, *inputs, more=None):
        inputs = tuple(x if isinstance(x, Value) else Value(x) for x in inputs)
        numbers = [x.data for x in inputs]
        made = cls(cls.work(*numbers) if more is None else cls.work(*numbers, more),
                   cls.__name__.lower(), inputs)
        made.more = more
        return made

    def local(self):
        return ()

    def __add__(self, y):
        return Sum.of(self, y)

    def __radd__(self, x):
        return Sum.of(x, self)

    def __sub__(self, y):
        return Difference.of(self, y)

    def __rsub__(self, x):
        return Difference.of(x, self)

    def __mul__(self, y):
        return Product.of(self, y)

    def __rmul__(self, x):
        return Product.of(x, self)

    def __truediv__(self, y):
        return Quotient.of(self, y)

    def __rtruediv__(self, x):
        return Quotient.of(x, self)

    def __neg__(self):
        return Opposite.of(self)

    def __pow__(self, n):
        return Power.of(self, more=n)


class Sum(Value):
    work = staticmethod(lambda x, y: x + y)

    def local(self):
        return 1.0, 1.0


class Difference(Value):
    work = staticmethod(lambda x, y: x - y)

    def local(self):
        return 1.0, -1.0


class Product(Value):
    work = staticmethod(lambda x, y: x * y)

    def local(self):
        x, y = self.inputs
        return y.data, x.data


class Quotient(Value):
    work = staticmethod(lambda x, y: x / y)

    def local(self):
        below = self.inputs[1].data
        return 1 / below, -self.data / below


class Opposite(Value):
    work = staticmethod(lambda x: -x)

    def local(self):
        return (-1.0,)


class Power(Value):
    work = staticmethod(lambda x, n: x**n)

    def local(self):
        n = self.more
        return (n and n * self.inputs[0].data ** (n - 1),)


class Exponential(Value):
    work = staticmethod(math.exp)

    def local(self):
        return (self.data,)


class Logarithm(Value):
    work = staticmethod(math.log)

    def local(self):
        return (1 / self.inputs[0].data,)


class Tangent(Value):
    work = staticmethod(math.tanh)

    def local(self):
        return (1 - self.data**2,)


def exp(x):
    """Return the Value of e to the power x."""
    return Exponential.of(x)


def log(x):
    """Return the Value of the natural logarithm of x."""
    return Logarithm.of(x)


def tanh(x):
    """Return the Value of the hyperbolic tangent of x."""
    return Tangent.of(x)

# %% q2
def local_derivatives(z):
    """Return the derivatives of z with respect to its inputs, as a tuple of numbers."""
    return z.local()

# %% q3
def below(value, met):
    for x in value.inputs:
        if x not in met:
            met.add(x)
            yield below(x, met)
    yield value


def inputs_first(root):
    open_ones = [below(root, {root})]
    while open_ones:
        came = next(open_ones[-1], None)
        if came is None:
            open_ones.pop()
        elif isinstance(came, Value):
            yield came
        else:
            open_ones.append(came)


def backward(root):
    """Set .grad of every Value below root."""
    ordered = [*inputs_first(root)]
    shares = {value: [] for value in ordered}
    shares[root].append(1.0)
    while ordered:
        value = ordered.pop()
        value.grad = sum(shares.pop(value))
        for x, derivative in zip(value.inputs, local_derivatives(value), strict=True):
            shares[x].append(derivative * value.grad)

# %% q8
def repaired_backward(root):
    """Set .grad of every Node below root, and call each rule once."""
    users, complete = {}, {}
    todo, known = [root], {root}
    while todo:
        node = todo.pop()
        for place, source in enumerate(node.inputs):
            users.setdefault(source, []).append((node, place))
            if source not in known:
                known.add(source)
                todo.append(source)
    for start in known:
        ask = [start]
        while ask:
            node = ask[-1]
            open_users = [user for user, _ in users.get(node, []) if user not in complete]
            if open_users:
                ask += open_users
                continue
            ask.pop()
            if node not in complete:
                given = [complete[user][place] for user, place in users.get(node, [])]
                node.grad = sum(given, float(node is root))
                complete[node] = [rule(node.grad) for rule in node.rules]


# %% counting_users | right: orders by counting users, and keeps the local_derivatives of each
# operation with
# its class.
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
def local_derivatives(z):
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
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += value.grad * derivative
            users[source] -= 1
            if not users[source]:
                ready.append(source)

# %% q4
def backward_from(roots, seeds):
    """One root more, the weighted sum, and the backward pass of q3, which uses no recursion."""
    total = Value(0.0)
    for root, seed in zip(roots, seeds):
        total = total + root * seed
    backward(total)

# %% q7
def accumulate(root):
    leaves, seen, pending = {}, {root}, [root]
    while pending:
        value = pending.pop()
        if not value.inputs:
            leaves[value] = value.grad
        for source in value.inputs:
            if source not in seen:
                seen.add(source)
                pending.append(source)
    backward_from([root], [1.0])
    for leaf, grad in leaves.items():
        leaf.grad = leaf.grad + grad


def descend(parameters, rate):
    for parameter in parameters:
        parameter.data = parameter.data + (-rate) * parameter.grad
    for parameter in parameters:
        parameter.grad = 0


# %% each_value_brings_its_rule | right: each Value keeps a function that gives its
# local_derivatives, so
# local_derivatives asks the Value; operators are put on the class in a loop; backward orders by
# height, the
# longest way from a leaf.
# %% q1
import operator


class Value:
    """A number that records how it was computed."""

    def __init__(self, data, op=None, inputs=()):
        self.data, self.op, self.inputs, self.grad = data, op, inputs, 0.0

    rule = staticmethod(lambda z: ())

    def __neg__(self):
        return _new(-self.data, "negation", lambda z: (-1,), self)

    def __pow__(self, n):
        rule = lambda z: (n * z.inputs[0].data ** (n - 1) if n else 0,)
        return _new(self.data**n, "power", rule, self)


def _new(data, op, rule, *inputs):
    z = Value(data, op, inputs)
    z.rule = rule
    return z


def _leaf(x):
    return x if isinstance(x, Value) else Value(x)


def _install(name, op, rule):
    compute = getattr(operator, name)

    def forward(self, other):
        other = _leaf(other)
        return _new(compute(self.data, other.data), op, rule, self, other)

    setattr(Value, f"__{name}__", forward)
    setattr(Value, f"__r{name}__", lambda self, other: forward(_leaf(other), self))


_install("add", "plus", lambda z: (1, 1))
_install("sub", "minus", lambda z: (1, -1))
_install("mul", "times", lambda z: (z.inputs[1].data, z.inputs[0].data))
_install("truediv", "over", lambda z: (1 / z.inputs[1].data, -z.data / z.inputs[1].data))


def exp(x):
    """Return the Value of e to the power x."""
    return _new(math.exp(x.data), "exp", lambda z: (z.data,), x)


def log(x):
    """Return the Value of the natural logarithm of x."""
    return _new(math.log(x.data), "log", lambda z: (1 / z.inputs[0].data,), x)


def tanh(x):
    """Return the Value of the hyperbolic tangent of x."""
    return _new(math.tanh(x.data), "tanh", lambda z: (1 - z.data * z.data,), x)

# %% q2
def local_derivatives(z):
    """Return the derivatives of z with respect to its inputs, as a tuple of numbers."""
    return tuple(z.rule(z))

# %% q3
def backward(root):
    """Set .grad of every Value below root."""
    height, waiting = {}, [root]
    while waiting:
        value = waiting[-1]
        unknown = [x for x in value.inputs if x not in height]
        waiting.extend(unknown)
        if not unknown:
            height[value] = 1 + max((height[x] for x in value.inputs), default=0)
            waiting.pop()
    for value in height:
        value.grad = 0
    root.grad = 1
    for value in sorted(height, key=height.get, reverse=True):
        for x, derivative in zip(value.inputs, local_derivatives(value)):
            x.grad += derivative * value.grad

# %% q4
def backward_from(roots, seeds):
    height, waiting = {}, list(roots)
    while waiting:
        value = waiting[-1]
        unknown = [x for x in value.inputs if x not in height]
        waiting.extend(unknown)
        if not unknown:
            height[value] = 1 + max((height[x] for x in value.inputs), default=0)
            waiting.pop()
    for value in height:
        value.grad = 0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in sorted(height, key=height.get, reverse=True):
        for x, derivative in zip(value.inputs, local_derivatives(value)):
            x.grad += derivative * value.grad


# %% numbered_at_birth | right: numbers each value when it is made, and goes from the youngest to
# the oldest.
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
def local_derivatives(z):
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
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            if source.age not in shares:
                shares[source.age] = 0.0
                heapq.heappush(heap, (-source.age, source))
            shares[source.age] += derivative * value.grad

# %% q4
import heapq


def backward_from(roots, seeds):
    arrived, heap = {}, []

    def add(value, contribution):
        if value.age not in arrived:
            arrived[value.age] = 0.0
            heapq.heappush(heap, (-value.age, value))
        arrived[value.age] += contribution

    for root, seed in zip(roots, seeds):
        add(root, seed)
    while heap:
        value = heapq.heappop(heap)[1]
        value.grad = arrived.pop(value.age)
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            add(source, derivative * value.grad)

# %% q8
def repaired_backward(root):
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
        for source, rule in zip(node.inputs, node.rules):
            source.grad += rule(node.grad)


# %% one_method_for_four_signs | right: one dunder for all four signs, local_derivatives by pattern
# matching,
# users counted, and the order found by leaving out what is done.
# %% q1
class Value:
    """A number that records how it was computed."""

    def __init__(self, data, op=None, inputs=()):
        vars(self).update(data=data, op=op, inputs=inputs, grad=0.0)

    def _with(self, sign, other, turned=False):
        other = other if isinstance(other, Value) else Value(other)
        x, y = (other, self) if turned else (self, other)
        match sign:
            case "add":
                data = x.data + y.data
            case "sub":
                data = x.data - y.data
            case "mul":
                data = x.data * y.data
            case "div":
                data = x.data / y.data
        return Value(data, sign, (x, y))

    def __add__(self, o): return self._with("add", o)
    def __sub__(self, o): return self._with("sub", o)
    def __mul__(self, o): return self._with("mul", o)
    def __truediv__(self, o): return self._with("div", o)
    def __radd__(self, o): return self._with("add", o, True)
    def __rsub__(self, o): return self._with("sub", o, True)
    def __rmul__(self, o): return self._with("mul", o, True)
    def __rtruediv__(self, o): return self._with("div", o, True)
    def __neg__(self): return Value(-self.data, op="neg", inputs=(self,))

    def __pow__(self, n):
        z = Value(self.data ** n, op="pow", inputs=(self,))
        z.derivative = lambda: 0 if n == 0 else n * self.data ** (n - 1)
        return z


exp = lambda x: Value(math.exp(x.data), "exp", (x,))
log = lambda x: Value(math.log(x.data), "log", (x,))
tanh = lambda x: Value(math.tanh(x.data), "tanh", (x,))

# %% q2
def local_derivatives(z):
    """Return the derivatives of z with respect to its inputs, as a tuple of numbers."""
    match z.op, *(x.data for x in z.inputs):
        case None, *_:
            return ()
        case "add", _, _:
            return 1, 1
        case "sub", _, _:
            return 1, -1
        case "mul", x, y:
            return y, x
        case "div", x, y:
            return 1 / y, -(x / y / y)
        case "neg", _:
            return -1,
        case "pow", _:
            return z.derivative(),
        case "exp", _:
            return z.data,
        case "log", x:
            return 1 / x,
        case "tanh", _:
            return 1 - z.data * z.data,

# %% q3
def backward(root):
    """Set .grad of every Value below root."""
    degree, met = {}, {root: None}
    for v in (agenda := [root]):
        for x in v.inputs:
            degree[x] = degree.get(x, 0) + 1
            if x not in met:
                met[x] = None
                agenda.append(x)
    vars(root).update(grad=1)
    agenda = [root]
    for v in agenda:
        for x, derivative in zip(v.inputs, local_derivatives(v)):
            met[x] = derivative * v.grad if met[x] is None else met[x] + derivative * v.grad
            degree[x] -= 1
            if not degree[x]:
                x.grad = met[x]
                agenda.append(x)

# %% q4
def backward_from(roots, seeds):
    grads, uses = {}, {}
    agenda = []
    for root in roots:
        if root not in grads:
            grads[root] = 0
            agenda.append(root)
    for v in agenda:
        for x in v.inputs:
            uses[x] = uses.get(x, 0) + 1
            if x not in grads:
                grads[x] = 0
                agenda.append(x)
    for root, seed in zip(roots, seeds):
        grads[root] += seed
    agenda = [v for v in dict.fromkeys(roots) if v not in uses]
    for v in agenda:
        v.grad = grads[v]
        for x, derivative in zip(v.inputs, local_derivatives(v)):
            grads[x] += derivative * v.grad
            uses[x] -= 1
            if not uses[x]:
                agenda.append(x)

# %% q7
def accumulate(root):
    before = {}
    agenda = [root]
    for v in agenda:
        if v not in before:
            before[v] = 0 if v.inputs else v.grad
            agenda.extend(v.inputs)
    backward(root)
    for v, old in before.items():
        v.grad += old


def descend(parameters, rate):
    for parameter in parameters:
        vars(parameter).update(data=parameter.data - rate * parameter.grad, grad=0)

# %% q8
def repaired_backward(root):
    """Set .grad of every Node below root, and call each rule once."""
    post = []

    def visit(node, seen):
        if node in seen:
            return
        seen.add(node)
        for source in node.inputs:
            visit(source, seen)
        post.append(node)

    visit(root, set())
    total = dict.fromkeys(post, 0.0) | {root: 1.0}
    while post and (node := post.pop()):
        node.grad = total[node]
        for source, share in [(s, p(node.grad)) for s, p in zip(node.inputs, node.rules)]:
            total[source] += share


# %% one_table_of_operations | right: a table of two-sided operations; rules in closures; a value
# marked when listed.
# %% q1
class Value:
    def __init__(self, data, op=None, inputs=(), rule=tuple):
        self.data, self.op, self.inputs, self.rule = data, op, tuple(inputs), rule
        self.grad = 0

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
def local_derivatives(z):
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
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            totals[source] += value.grad * derivative


class order_set:
    """Whether a value is the last of the order, or was: by a mark that it carries."""

    def __init__(self, order):
        self.order = order

    def __contains__(self, value):
        if getattr(value, "mark", None) is self.order:
            return True
        value.mark = self.order
        return False

# %% q4
def below(value, seen):
    seen.add(value)
    for source in value.inputs:
        if source not in seen:
            yield below(source, seen)
    yield value  # once everything below it has been yielded


def backward_from(roots, seeds):
    seen, order = set(), []
    for root in roots:
        calls = [below(root, seen)] if root not in seen else []
        while calls:
            came = next(calls[-1], None)
            if came is None:
                calls.pop()
            elif isinstance(came, Value):
                order.append(came)
            elif came is not None:
                calls.append(came)
    totals = dict.fromkeys(order, 0.0)
    for root, seed in zip(roots, seeds):
        totals[root] += seed
    for value in order[::-1]:
        value.grad = totals[value]
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            totals[source] += value.grad * derivative


# %% recursion_within_the_limit | right: recursion of few levels at a time; what lies deeper waits
# in a list.
# %% q4
DEEPEST = 200


def backward_from(roots, seeds):
    ordered, done, waiting = [], set(), list(roots)

    def visit(value, depth):
        if value in done:
            return True
        if depth == DEEPEST:
            waiting.append(value)
            return False
        for source in value.inputs:
            if not visit(source, depth + 1):
                return False
        done.add(value)
        ordered.append(value)
        return True

    while waiting:
        if visit(waiting[-1], 0):
            waiting.pop()
    for value in ordered:
        value.grad = 0.0
    for root, seed in zip(roots, seeds):
        root.grad += seed
    for value in ordered[::-1]:
        for source, derivative in zip(value.inputs, local_derivatives(value)):
            source.grad += value.grad * derivative

# %% q8
def repaired_backward(root):
    levels = {root: 0}
    changed = [root]
    while changed:
        lower = {}
        for node in changed:
            for source in node.inputs:
                if levels.get(source, -1) <= levels[node]:
                    lower[source] = max(lower.get(source, 0), levels[node] + 1)
        levels.update(lower)
        changed = list(lower)
    for node in levels:
        node.grad = 0
    root.grad = 1
    for node in sorted(levels, key=levels.__getitem__):
        shares = [rule(node.grad) for rule in node.rules]
        for source, share in zip(node.inputs, shares):
            source.grad = source.grad + share
