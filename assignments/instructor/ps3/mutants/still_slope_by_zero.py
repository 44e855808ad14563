"""Loses q3: the slope of what stands still is 0 times its value, which is nan for inf."""
# %% q3
def along(f, x, v):
    z = f(Dual(np.array(x)[()], np.array(v)[()]))
    if isinstance(z, Dual):
        return z.value, z.tangent
    return z, 0.0 * z


def jacobian(f, x):
    columns = [np.array(along(f, x, row.copy())[1]) for row in np.eye(len(x))]
    return np.stack(columns, axis=1)
