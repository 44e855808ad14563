"""Loses q3: one array of directions is written again in each pass, and f(x) = x keeps it."""
# %% q3 after the key
def jacobian(f, x):
    seed, columns = np.zeros(len(x)), []
    for j in range(len(x)):
        seed[:] = 0.0
        seed[j] = 1.0
        columns.append(along(f, x, seed)[1])
    return np.stack(columns, axis=1)
