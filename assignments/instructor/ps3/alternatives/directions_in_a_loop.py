"""Full points: a copy of one direction for each pass; zeros by np.zeros_like; hvp by a loop."""
# %% q3
def along(f, x, v):
    z = f(Dual(np.asarray(x), np.asarray(v)))
    if isinstance(z, Dual):
        return z.value, z.tangent
    return z, np.zeros_like(z, dtype=float)


def jacobian(f, x):
    columns = None
    for j in range(len(x)):
        seed = np.zeros(len(x))
        seed[j] = 1
        _, column = along(f, x, seed)
        if columns is None:
            columns = np.empty((len(column), len(x)))
        columns[:, j] = column
    return columns
# %% q5
def hvp(f, xs, vs):
    moving = []
    for i in range(len(xs)):
        moving.append(Dual(float(xs[i]), float(vs[i])))
    product = []
    for slope in gradient(f, moving):
        product.append(float(slope.tangent) if type(slope) is Dual else 0.0)
    return tuple(product)
