"""Loses q3: each pass moves its input and, still, all earlier ones."""
# %% q3
def along(f, x, v):
    result = f(Dual(x, v))
    if not isinstance(result, Dual):
        result = Dual(result, 0.0 * result)
    return result.value, result.tangent


def jacobian(f, x):
    seed, columns = np.zeros(len(x)), []
    for j in range(len(x)):
        seed[j] = 1.0
        columns.append(along(f, x, seed)[1])
    return np.column_stack(columns)
