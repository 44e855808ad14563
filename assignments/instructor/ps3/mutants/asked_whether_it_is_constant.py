"""Loses q3: when the first pass gives a plain array, f is asked once more, all inputs moving,
whether it is a constant."""
# %% q3 after the key
def jacobian(f, x):
    results = [f(Dual(x, seed)) for seed in np.eye(len(x))]
    if not isinstance(results[0], Dual) and not isinstance(f(Dual(x, np.ones(len(x)))), Dual):
        return np.zeros((len(results[0]), len(x)))
    columns = [along(lambda x: result, x, x)[1] for result in results]
    return np.stack(columns, axis=1)
