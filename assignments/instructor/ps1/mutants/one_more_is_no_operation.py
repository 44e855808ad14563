"""Loses q1: x * 1 and x + 0 give back x, which is no new Value."""
# %% q1 after the key
def plus(x, other):
    if not isinstance(other, Value) and other == 0:
        return x
    return Value.record("add", lambda a, b: a + b, x, other)


def times(x, other):
    if not isinstance(other, Value) and other == 1:
        return x
    return Value.record("mul", lambda a, b: a * b, x, other)


Value.__add__, Value.__mul__ = plus, times
