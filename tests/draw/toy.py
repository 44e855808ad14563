"""A stand-in for an engine: values that know their op and inputs, and no more than they must."""

from minigrad.draw import draw


class Value:
    """A learner's value: data, op, inputs; everything else is given by keyword."""

    def __init__(self, data, op=None, inputs=(), **more):
        self.data, self.op, self.inputs = data, op, inputs
        self.__dict__.update(more)


class Add:
    """An op that reads nothing of its inputs on the way back."""

    values_read = staticmethod(lambda wanted: ())


class Mul:
    """An op that reads both inputs on the way back."""

    values_read = staticmethod(lambda wanted: (0, 1))


class Sub:
    """An op whose operands have an order."""


class Exp:
    """An op that reads its own result on the way back."""

    values_read = staticmethod(lambda wanted: ("z",))


def leaf(data, name=None, requires_grad=False, **more):
    """A leaf as the engines make them."""
    return Value(data, name=name, requires_grad=requires_grad, **more)


def apply(op, *inputs, data=None, name=None, **more):
    """A value computed by an op."""
    requires_grad = any(getattr(x, "requires_grad", False) for x in inputs)
    return Value(data, op, inputs, name=name, requires_grad=requires_grad, **more)


def worked():
    """x, w, a, b, y of y = (x + w)(w + 1) at x = 2, w = 1."""
    x, w = leaf(2.0, "x"), leaf(1.0, "w", requires_grad=True)
    one = leaf(1.0, role="constant")
    a, b = apply(Add, x, w, data=3.0, name="a"), apply(Add, w, one, data=2.0, name="b")
    return x, w, a, b, apply(Mul, a, b, data=6.0, name="y")


def chain(length, op=Add, **more):
    """A chain of `length` ops above one leaf."""
    value = first = leaf(1.0, "x", requires_grad=True)
    for _ in range(length):
        value = apply(op, value, first, data=0.0, **more)
    return value


def edges(scene, kind="data"):
    """(source, target) of every edge of a kind."""
    return [(edge.source, edge.target) for edge in scene.edges if edge.kind == kind]


def labels(*values, **options):
    """Id → lines of the label."""
    return {node.id: node.texts() for node in draw(*values, **options).scene.nodes}
