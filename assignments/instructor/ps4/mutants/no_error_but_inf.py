"""Loses q2: exp of what is too large is inf, and log of a number below 0 nan, as NumPy has it;
slow_run raises."""
# %% q2 after the key
def guarded(function, instead):
    def compute(a):
        try:
            return function(a)
        except (OverflowError, ValueError):
            return instead

    return compute


COMPUTE = COMPUTE | {"exp": guarded(math.exp, math.inf), "log": guarded(math.log, math.nan)}
