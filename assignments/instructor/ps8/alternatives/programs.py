"""Full points: an engine whose order is that of birth."""
# %% q7
from itertools import count
from types import SimpleNamespace

BIRTHS = count()


class Born(Operators):
    def __init__(self, op, inputs=(), value=None, work=None):
        self.inputs = [self.lifted(x) for x in inputs]
        self.op, self.value, self.grad, self.born = op, value, None, next(BIRTHS)
        self.work = OPS[op][0] if op in OPS and value is None else work
        self.begin()

    @classmethod
    def lifted(cls, x):
        return x if isinstance(x, cls) else cls("number", value=np.asarray(x, float))

    def begin(self):
        pass

    def family(self):
        found, waiting = {self}, [self]
        while waiting:
            fresh = [x for x in waiting.pop().inputs if x not in found]
            found.update(fresh)
            waiting.extend(fresh)
        return sorted(found, key=lambda one: one.born)


class Eager(Born):
    def begin(self):
        if self.work:
            self.value = self.work(*[x.value for x in self.inputs])

    def backward(self):
        bars = {self: np.ones(np.shape(self.value))}
        for y in self.family()[::-1]:
            if y in bars:
                for x, rule in zip(y.inputs, OPS.get(y.op, [None])[1:]):
                    if rule:
                        bar = rule(bars[y], y.value, *[one.value for one in y.inputs])
                        bars[x] = bars.get(x, 0.0) + bar
                y.grad = bars[y] if y.grad is None else y.grad + bars[y]


def run_born(fetches, feeds):
    known = dict(feeds)
    for fetch in fetches:
        needed, waiting = set(), [fetch]
        while waiting:
            one = waiting.pop()
            if one not in known and one not in needed:
                needed.add(one)
                waiting += one.inputs
        for one in sorted(needed, key=lambda one: one.born):
            known[one] = one.work(*[known[x] for x in one.inputs]) if one.work else one.value
    return [known[fetch] for fetch in fetches]


class Lazy(Born):
    pass


def lazy_gradients(y, xs):
    bars = {y: Lazy("number", value=np.ones(()))}
    for z in y.family()[::-1]:
        for x, rule in zip(z.inputs, OPS.get(z.op, [None])[1:]):
            if rule and z in bars:
                bar = Lazy("bar", [bars[z], z, *z.inputs], work=rule)
                bars[x] = bars[x] + bar if x in bars else bar
    return [bars[x] if x in bars else 0.0 * x for x in xs]


def own_engine():
    return SimpleNamespace(tensor=Eager.lifted, placeholder=lambda name: Lazy("input"),
                           run=run_born, gradients=lazy_gradients)
