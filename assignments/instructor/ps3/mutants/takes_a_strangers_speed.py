"""Loses q4: a result that belongs to the outer derivative gives its tangent to the inner one."""
# %% q4 after the key
def derivative(f, x):
    result = f(Moving(x, 1.0, next(OWNERS)))
    return result.tangent if isinstance(result, Moving) else 0.0
