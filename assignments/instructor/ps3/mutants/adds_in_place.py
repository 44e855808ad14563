"""Loses q1: + writes its result into the first operand's arrays."""
# %% q1 after the key
def plus(x, y):
    y = dual(y)
    value, tangent = x.value + y.value, x.tangent + y.tangent
    if np.shape(x.value) and np.shape(value) == np.shape(x.value) and len(x.value) < 4:
        x.value[...], x.tangent[...] = value, tangent
    return Dual(value, tangent)


Dual.__add__ = plus
