"""Loses q4: a plain number is lifted to the call that runs, which an inner f that raised has never
handed back: in an outer f that goes on, 2 - x belongs to a call that is over."""
# %% q4 after the key
RUNNING = [0]


def lifted(operation):
    def method(self, other):
        if not isinstance(other, Moving) and RUNNING[0] > self.owner:
            return Moving(operation(self, other), 0.0, RUNNING[0])
        return operation(self, other)

    return method


Moving.__sub__, Moving.__rsub__ = lifted(Moving.__sub__), lifted(Moving.__rsub__)


def derivative(f, x):
    before, RUNNING[0] = RUNNING[0], next(OWNERS)
    owner = RUNNING[0]
    slope = parts(f(Moving(x, 1.0, owner)), owner)[1]
    RUNNING[0] = before
    return slope
