"""Loses q5: right numbers, by all n columns of the Hessian: n calls of f."""
# %% q5
def hvp(f, xs, vs):
    columns = []
    for j in range(len(xs)):
        moving = [Dual(x, float(i == j)) for i, x in enumerate(xs)]
        columns.append([g.tangent if isinstance(g, Dual) else 0.0 for g in gradient(f, moving)])
    return [sum(v * column[i] for v, column in zip(vs, columns)) for i in range(len(xs))]
