"""Loses q7: the order of a run is kept for its fetches: fed elsewhere, it lacks what that needs."""

# %% q7
class Eager(Operators):
    def __init__(self, op, inputs=(), value=None):
        self.op, self.value, self.grad = op, value, None
        self.inputs = [x if isinstance(x, Eager) else Eager("value", value=np.asarray(x, float))
                       for x in inputs]
        if op in OPS:
            self.value = OPS[op][0](*[x.value for x in self.inputs])

    def backward(self):
        bars = {self: np.ones(np.shape(self.value))}
        for one in in_order([self], lambda y: y.inputs)[::-1]:
            if one not in bars:
                continue
            bar = bars.pop(one)
            one.grad = bar if one.grad is None else one.grad + bar
            for x, rule in zip(one.inputs, OPS.get(one.op, ())[1:]):
                if rule is not None:
                    slope = rule(bar, one.value, *[x.value for x in one.inputs])
                    bars[x] = bars[x] + slope if x in bars else slope


class Lazy(Operators):
    def __init__(self, op, inputs=(), value=None, compute=None):
        self.op, self.value = op, value
        self.inputs = [x if isinstance(x, Lazy) else Lazy("constant", value=np.asarray(x, float))
                       for x in inputs]
        self.compute = OPS[op][0] if op in OPS else compute


def in_order(ends, inputs_of):
    """All that the ends need, operands first."""
    order, seen = [], set()
    for end in ends:
        todo = [(end, False)]
        while todo:
            one, through = todo.pop()
            if through:
                order.append(one)
            elif one not in seen:
                seen.add(one)
                todo.append((one, True))
                todo += [(x, False) for x in inputs_of(one)]
    return order


def own_run(fetches, feeds, plans={}):
    known = {node: np.asarray(x, float) for node, x in feeds.items()}
    key = tuple(fetches)
    if key not in plans:  # planned once, run often
        plans[key] = in_order(fetches, lambda y: () if y in feeds else y.inputs)
    for node in plans[key]:
        if node not in known:
            given = [known[x] for x in node.inputs]
            known[node] = node.compute(*given) if node.compute else node.value
    return [known[node] for node in fetches]


def own_gradients(y, xs):
    bars = {y: Lazy("constant", value=np.ones(()))}
    for one in in_order([y], lambda y: y.inputs)[::-1]:
        if one in bars:
            for x, rule in zip(one.inputs, OPS.get(one.op, ())[1:]):
                if rule is not None:
                    slope = Lazy("back", [bars[one], one, *one.inputs], compute=rule)
                    bars[x] = bars[x] + slope if x in bars else slope
    return [bars[x] if x in bars else x * 0.0 for x in xs]


def own_engine():
    return SimpleNamespace(tensor=lambda array: Eager("value", value=np.asarray(array, float)),
                           placeholder=lambda name: Lazy("placeholder"), run=own_run,
                           gradients=own_gradients)
