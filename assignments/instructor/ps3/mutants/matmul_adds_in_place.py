"""Loses q2: the second product is added in place, in the type of the first: a whole matrix with
whole speeds, times one whose speeds are broken, raises."""
# %% q2 after the key
def matmul(x, y):
    a, b = (z.value if isinstance(z, Dual) else z for z in (x, y))
    tangents = [x.tangent @ b] if isinstance(x, Dual) else []
    tangents += [a @ y.tangent] if isinstance(y, Dual) else []
    for more in tangents[1:]:
        tangents[0] += more
    return Dual(a @ b, tangents[0])
