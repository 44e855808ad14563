"""Loses q1: what is beyond all floats raises OverflowError in every operation; Python's own
1e200 * 1e200 is inf."""

# %% q1 after the key
born = Value.__init__


def finite(self, data, op=None, inputs=()):
    if op and not math.isfinite(data):
        raise OverflowError(f"{op} is not finite")
    born(self, data, op, inputs)


Value.__init__ = finite
