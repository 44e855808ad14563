"""Loses q2: a plain number does not change, so the tuple for 2 * x has the slope of x alone."""

# %% q1 after the key
plus = Value.record


def record(op, formula, *operands):
    z = plus(op, formula, *operands)
    for x, operand in zip(z.inputs, operands):
        x.fixed = getattr(x, "fixed", False) or not isinstance(operand, Value)
    return z


Value.record = record
Value.__radd__ = lambda self, other: Value.record("add", lambda a, b: a + b, other, self)
Value.__rsub__ = lambda self, other: Value.record("sub", lambda a, b: a - b, other, self)
Value.__rmul__ = lambda self, other: Value.record("mul", lambda a, b: a * b, other, self)
Value.__rtruediv__ = lambda self, other: Value.record("div", lambda a, b: a / b, other, self)


# %% q2 after the key
of_all = slopes


def slopes(z):
    return tuple(s for x, s in zip(z.inputs, of_all(z)) if not getattr(x, "fixed", False))
