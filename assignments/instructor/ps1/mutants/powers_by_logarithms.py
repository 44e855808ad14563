"""Loses q1: x ** n as exp(n log x), which knows no negative x."""
# %% q1 after the key
def power(x, n):
    z = Value(math.exp(n * math.log(abs(x.data))) if x.data else 0.0**n, "pow", (x,))
    z.exponent = n
    return z


Value.__pow__ = power
