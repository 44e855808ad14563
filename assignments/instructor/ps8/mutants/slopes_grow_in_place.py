"""Loses q7: a sum gives both operands one array, and += then changes both."""
# %% q7 after the key
def shrunk(g, shape):
    return g if g.shape == shape else fit(g, shape)


class Now(Now):
    def backward(self):
        bars = {self: np.ones(np.shape(self.value))}
        for y in reversed(inputs_first(self)):
            for x, rule in zip(y.inputs, OPS.get(y.op, ())[1:]):
                if rule is not None and y in bars:
                    bar = rule(bars[y], y.value, *[one.value for one in y.inputs])
                    if y.op == "add":
                        bar = shrunk(bars[y], x.value.shape)
                    if x in bars:
                        bars[x] += bar
                    else:
                        bars[x] = np.asarray(bar)
        for x, bar in bars.items():
            x.grad = np.array(bar) if x.grad is None else x.grad + bar
