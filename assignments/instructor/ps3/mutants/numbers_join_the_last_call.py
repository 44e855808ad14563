"""Loses q4: what meets a plain number is lifted to the call that began last, though it has ended:
after an inner derivative, 2 - x stands still."""
# %% q4 after the key
LAST = [0]


def lifted(operation):
    def method(self, other):
        if not isinstance(other, Moving) and LAST[0] > self.owner:
            return Moving(operation(self, other), 0.0, LAST[0])
        return operation(self, other)

    return method


Moving.__sub__, Moving.__rsub__ = lifted(Moving.__sub__), lifted(Moving.__rsub__)


def derivative(f, x):
    LAST[0] = owner = next(OWNERS)
    return parts(f(Moving(x, 1.0, owner)), owner)[1]
