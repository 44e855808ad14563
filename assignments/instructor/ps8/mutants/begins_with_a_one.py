"""Loses q7: the way back begins with 1, whatever the shape."""
# %% q7 after the key
class Now(Now):
    def backward(self):
        bars = {self: np.ones(())}
        for y in reversed(inputs_first(self)):
            for x, rule in zip(y.inputs, OPS.get(y.op, ())[1:]):
                if rule is not None and y in bars:
                    bar = rule(bars[y], y.value, *[one.value for one in y.inputs])
                    bars[x] = bars[x] + bar if x in bars else bar
        for x, bar in bars.items():
            x.grad = bar if x.grad is None else x.grad + bar
