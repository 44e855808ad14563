"""Loses q2: the results are filled into arrays like x, which are whole where x is: sin(1) is 0."""
# %% q2 after the key
def sin(x):
    if np.ndim(x.value) == 0:
        return Dual(np.sin(x.value), np.cos(x.value) * x.tangent)
    value, tangent = np.zeros_like(x.value), np.zeros_like(x.tangent)
    for place in np.ndindex(value.shape):
        value[place] = np.sin(x.value[place])
        tangent[place] = np.cos(x.value[place]) * x.tangent[place]
    return Dual(value, tangent)
