"""Loses q1: what was added before is not added again: one Value for two operations."""
# %% q1 after the key
MADE = {}


def plus(x, other):
    if not isinstance(other, Value):
        return Value.record("add", lambda a, b: a + b, x, other)
    if (x, other) not in MADE:
        MADE[x, other] = Value.record("add", lambda a, b: a + b, x, other)
    return MADE[x, other]


Value.__add__ = plus
