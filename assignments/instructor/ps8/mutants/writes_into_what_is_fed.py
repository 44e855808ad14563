"""Loses q7: relu is computed in the array that it gets."""
# %% q7 after the key
OPS = OPS | {"relu": (lambda a: np.maximum(a, 0, out=a), OPS["relu"][1])}
