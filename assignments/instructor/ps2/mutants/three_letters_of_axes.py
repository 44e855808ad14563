"""Loses q1: sums with einsum, whose letters are written out for four axes."""

# %% q1
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    letters = "abcd"[-g.ndim:] if g.ndim else ""
    padded = (1,) * (g.ndim - len(shape)) + tuple(shape)
    kept = "".join(letter for letter, length in zip(letters, padded) if length != 1)
    return np.einsum(f"{letters}->{kept}", g).reshape(shape)
