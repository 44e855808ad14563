"""Full points: an engine that counts users, and records rules when values are made."""
# %% q7
class Both(Operators):
    def __init__(self, op, inputs=(), value=None, rule=None):
        self.op, self.value, self.rule, self.grad = op, value, rule, None
        self.inputs = [x if isinstance(x, Both) else Both("fixed", value=np.asarray(x, float))
                       for x in inputs]
        self.late = op == "placeholder" or any(x.late for x in self.inputs)
        if inputs and not self.late:
            self.value = self.computed(*[x.value for x in self.inputs])

    def computed(self, *values):
        return self.rule(*values) if self.rule else OPS[self.op][0](*values)

    def backward(self):
        ones = np.ones(np.shape(self.value))
        for x, bar in spread(self, ones, lambda rule, bar, y: rule(
                bar, y.value, *[one.value for one in y.inputs])).items():
            x.grad = bar if x.grad is None else bar + x.grad


def spread(end, first, share):
    """{value: its cotangent}; a value's turn comes when all its users are through."""
    users, reached = {end: 0}, [end]
    for y in reached:
        for x in y.inputs:
            if x not in users:
                users[x] = 0
                reached.append(x)
            users[x] += 1
    bars, ready = {end: first}, [end]
    while ready:
        y = ready.pop()
        rules = OPS.get(y.op, ())[1:] or [None] * len(y.inputs)
        for x, rule in zip(y.inputs, rules):
            users[x] -= 1
            if rule is not None and y in bars:
                bar = share(rule, bars[y], y)
                bars[x] = bars[x] + bar if x in bars else bar
            if not users[x]:
                ready.append(x)
    return bars


class Mine:
    def tensor(self, array):
        return Both("fixed", value=np.asarray(array, float))

    def placeholder(self, name):
        return Both("placeholder")

    def gradients(self, y, xs):
        bars = spread(y, Both("fixed", value=np.ones(())), lambda rule, bar, z: Both(
            "share", [bar, z, *z.inputs], rule=rule))
        return [bars.get(x, x * 0.0) for x in xs]

    def run(self, fetches, feeds):
        results, waiting = dict(feeds), list(fetches)
        while waiting:
            node = waiting[-1]
            missing = [x for x in node.inputs if x not in results and x.late]
            if node in results or not node.late:
                results.setdefault(node, node.value)
                waiting.pop()
            elif missing:
                waiting.extend(missing)
            else:
                operands = [results[x] if x in results else x.value for x in node.inputs]
                results[node] = node.computed(*operands)
        return [results[node] for node in fetches]


def own_engine():
    return Mine()
