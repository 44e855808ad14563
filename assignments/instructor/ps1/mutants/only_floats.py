"""Loses q1: only floats become leaves; 1 + x and x * 2 fail."""
# %% q1 after the key
def record(op, formula, *operands):
    inputs = tuple(Value(v) if isinstance(v, float) else v for v in operands)
    return Value(formula(*(v.data for v in inputs)), op, inputs)


def reflected(op, formula):
    return lambda self, other: record(op, formula, other, self)


Value.record = record
Value.__radd__ = reflected("add", lambda a, b: a + b)
Value.__rsub__ = reflected("sub", lambda a, b: a - b)
Value.__rmul__ = reflected("mul", lambda a, b: a * b)
Value.__rtruediv__ = reflected("div", lambda a, b: a / b)
