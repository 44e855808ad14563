"""Loses q7: the slopes of the way back before are handed on once more."""
# %% q7 after the key
class Now(Now):
    def backward(self):
        self.grad = np.ones(np.shape(self.value))
        for y in reversed(inputs_first(self)):
            for x, rule in zip(y.inputs, OPS.get(y.op, ())[1:]):
                if rule is not None and y.grad is not None:
                    bar = rule(y.grad, y.value, *[one.value for one in y.inputs])
                    x.grad = bar if x.grad is None else x.grad + bar


def as_now(x):
    return x if isinstance(x, Now) else Now("value", value=np.asarray(x, float))
