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


exactly = run


def run(fetches, feeds):
    kept = dict(COMPUTE)
    COMPUTE.update(exp=guarded(math.exp, math.inf), log=guarded(math.log, math.nan))
    try:
        return exactly(fetches, feeds)
    finally:
        COMPUTE.update(kept)
