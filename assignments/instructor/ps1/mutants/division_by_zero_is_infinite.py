"""Loses q1: x / 0 is inf, for safety, where Python's own division raises ZeroDivisionError."""

# %% q1 after the key
def divide(x, y):
    over = lambda a, b: a / b if b else math.copysign(math.inf, a)
    return Value.record("div", over, x, y)


Value.__truediv__ = divide
