"""Loses q1: the speed of the divisor is added, not taken away."""
# %% q1 after the key
def quotient(x, y):
    y = dual(y)
    speeds = x.tangent * y.value + x.value * y.tangent
    return Dual(x.value / y.value, speeds / y.value**2)


Dual.__truediv__ = quotient
