"""Loses q1: goes on only where the condition's answer equals True, and not at 3."""
# %% q1
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [[np.array(x) for x in start]]
    while loop.condition([np.array(x) for x in carries[-1]], captured) == True:
        if len(carries) > most:
            raise RuntimeError(f"more than {most} iterations")
        carry = loop.body([np.array(x) for x in carries[-1]], captured)
        carries.append([np.array(x) for x in carry])
    return carries
