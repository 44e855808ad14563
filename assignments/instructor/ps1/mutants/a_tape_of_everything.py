"""Loses q5: all Values that were ever made stand on a tape, and each call goes through the whole
tape, whatever root was made from."""

# %% q1 after the key
TAPE = []
born = Value.__init__


def __init__(self, data, op=None, inputs=()):
    born(self, data, op, inputs)
    TAPE.append(self)


Value.__init__ = __init__


# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    shares = {root: 1.0}
    for value in reversed(TAPE):
        if value in shares:
            value.grad = shares.pop(value)
            for source, slope in zip(value.inputs, slopes(value)):
                shares[source] = shares.get(source, 0.0) + slope * value.grad
