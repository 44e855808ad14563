"""Loses q3: each pass moves its input and, still, all earlier ones."""
# %% q3 after the key
def jacobian(f, x):
    seed, columns = np.zeros(len(x)), []
    for j in range(len(x)):
        seed[j] = 1.0
        columns.append(along(f, x, seed)[1])
    return np.column_stack(columns)
