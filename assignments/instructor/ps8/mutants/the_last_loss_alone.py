"""Loses q7: a second way back forgets the slopes of the first."""
# %% q7 after the key
class Now(Now):
    def backward(self):
        kept = inputs_first(self)
        for x in kept:
            x.grad = None
        super().backward()


def as_now(x):
    return x if isinstance(x, Now) else Now("value", value=np.asarray(x, float))
