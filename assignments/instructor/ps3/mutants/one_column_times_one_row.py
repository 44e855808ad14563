"""Loses q2: a matrix of one column is multiplied by `*`, which stretches: [2,1] @ [1] has one axis,
and comes with two."""
# %% q2 after the key
def matmul(x, y, matmul=matmul):
    a, b = (z if isinstance(z, Dual) else Dual(z, np.zeros(np.shape(z))) for z in (x, y))
    return a * b if a.value.shape[1] == 1 else matmul(x, y)
