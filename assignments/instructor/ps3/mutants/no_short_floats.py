"""Loses q1: of NumPy's numbers float64 and the whole ones are plain, np.float32(3) is not."""
# %% q1 after the key
def dual(x):
    if isinstance(x, Dual):
        return x
    if not isinstance(x, (int, float, np.integer, np.ndarray)):
        raise TypeError(f"a {type(x).__name__} is no number")
    return Dual(x, np.zeros(np.shape(x)))
