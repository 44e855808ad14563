"""Loses q3: where x[0] alone does not move f's result, a plain one comes, and is taken for a
constant f: the other columns are 0."""
# %% q3 after the key
def jacobian(f, x):
    results = [f(Dual(x, seed)) for seed in np.eye(len(x))]
    if not isinstance(results[0], Dual):
        return np.zeros((len(results[0]), len(x)))
    columns = [along(lambda x: result, x, x)[1] for result in results]
    return np.stack(columns, axis=1)
