"""Loses q1: a carry that stays as it is ends the run, where `most` should."""
# %% q1
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [[np.array(x) for x in start]]
    while loop.condition([np.array(x) for x in carries[-1]], captured):
        if len(carries) > most:
            raise RuntimeError(f"more than {most} iterations")
        carry = loop.body([np.array(x) for x in carries[-1]], captured)
        carries.append([np.array(x) for x in carry])
        if all(np.array_equal(x, y) for x, y in zip(*carries[-2:])):
            break  # it converged, and would go on like this
    return carries
