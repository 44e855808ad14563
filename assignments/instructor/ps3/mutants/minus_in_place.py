"""Loses q1: -x turns the number itself round."""
# %% q1 after the key
def negated(x):
    x.value, x.tangent = -x.value, -x.tangent
    return Dual(x.value, x.tangent)


Dual.__neg__ = negated
