"""Loses q1: a nested call for each iteration: 1,000 end as Python's own kind of RuntimeError."""
# %% q1
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    here = [np.array(x) for x in start]
    if not loop.condition([np.array(x) for x in here], captured):
        return [here]
    if most <= 0:
        raise RuntimeError("too many iterations")
    there = loop.body([np.array(x) for x in here], captured)
    return [here, *run_loop(loop, there, captured, most - 1)]
