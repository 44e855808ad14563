"""Loses q1: a value that an iteration leaves as it is stands in both carries as one array."""
# %% q1
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""

    def kept(x, before):
        same = x.dtype == before.dtype and np.array_equal(x, before)
        return before if same else np.array(x)

    carries = [[np.array(x) for x in start]]
    while loop.condition([np.array(x) for x in carries[-1]], captured):
        if len(carries) > most:
            raise RuntimeError(f"more than {most} iterations")
        carry = loop.body([np.array(x) for x in carries[-1]], captured)
        carries.append([kept(np.asarray(x), old) for x, old in zip(carry, carries[-1])])
    return carries
