"""Loses q7: slopes are added up elsewhere, and `.grad = None` is not heard."""
# %% q7 after the key
class Now(Now):
    total = None

    def backward(self):
        bars = {self: np.ones(np.shape(self.value))}
        for y in reversed(inputs_first(self)):
            for x, rule in zip(y.inputs, OPS.get(y.op, ())[1:]):
                if rule is not None and y in bars:
                    bar = rule(bars[y], y.value, *[one.value for one in y.inputs])
                    bars[x] = bars[x] + bar if x in bars else bar
        for x, bar in bars.items():
            x.total = bar if x.total is None else x.total + bar
            x.grad = x.total
