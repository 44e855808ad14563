"""Full points: an engine that keeps its arrays, and writes into them in every run and way back."""
# %% q7
class Kept(Operators):
    """A value of either kind: `held` is the array that its results are written into."""

    def __init__(self, op, inputs=(), value=None):
        self.op, self.value, self.held = op, value, None
        self.inputs = [x if isinstance(x, Kept) else type(self)("fixed", value=np.asarray(x, float))
                       for x in inputs]

    def keep(self, value):
        if self.held is None or self.held.shape != np.shape(value):
            self.held = np.empty(np.shape(value))
        self.held[...] = value
        return self.held


def walk(ends, known):
    """Whoever has no input that waits comes first; `known` wait for nobody."""
    state, waiting = dict.fromkeys(known, True), list(ends)
    while waiting:
        one = waiting[-1]
        if one in state:
            waiting.pop()
            if not state[one]:
                state[one] = True
                yield one
        else:
            state[one] = False
            waiting += [x for x in one.inputs if x not in state]


class Found(Kept):
    grad = None

    def __init__(self, op, inputs=(), value=None):
        super().__init__(op, inputs, value)
        if op in OPS:
            self.value = OPS[op][0](*[x.value for x in self.inputs])

    def backward(self):
        order = list(walk([self], ()))
        shares = {one: [] for one in order}
        shares[self].append(np.ones(np.shape(self.value)))
        for y in order[::-1]:
            if shares[y]:
                bar = sum(shares[y][1:], start=shares[y][0])
                for x, rule in zip(y.inputs, OPS.get(y.op, ())[1:]):
                    if rule:
                        shares[x].append(rule(bar, y.value, *[one.value for one in y.inputs]))
                y.grad = y.keep(bar if y.grad is None else y.grad + bar)


class Asked(Kept):
    rule = None

    def result(self, values):
        if self.op == "sum":
            return self.keep(sum(values[1:], start=values[0]))
        work = self.rule or OPS.get(self.op, [None])[0]
        return self.keep(work(*values)) if work else self.value


def ask(fetches, feeds):
    values = dict(feeds)
    for node in walk(fetches, feeds):
        values[node] = node.result([values[x] for x in node.inputs])
    return [values[node] for node in fetches]


def slopes(y, xs):
    order = list(walk([y], ()))
    shares, bars = {one: [] for one in order}, {}
    shares[y].append(Asked("fixed", value=np.ones(())))
    for z in order[::-1]:
        if shares[z]:
            bars[z] = Asked("sum", shares[z])
            for x, rule in zip(z.inputs, OPS.get(z.op, ())[1:]):
                if rule:
                    share = Asked("share", [bars[z], z, *z.inputs])
                    share.rule = rule
                    shares[x].append(share)
    return [bars[x] if x in bars else x - x for x in xs]


def own_engine():
    return SimpleNamespace(tensor=lambda array: Found("given", value=np.asarray(array, float)),
                           placeholder=lambda name: Asked("placeholder"), run=ask, gradients=slopes)
