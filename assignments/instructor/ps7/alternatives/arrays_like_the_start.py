"""Full points: each carry is written into new arrays like those of the start."""
# %% q1
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [[np.array(x) for x in start]]
    while loop.condition(carries[-1], captured):
        if len(carries) > most:
            raise RuntimeError(f"the condition still holds after {most} iterations")
        carry = loop.body([np.array(x) for x in carries[-1]], captured)
        kept = [np.empty_like(x) for x in carries[0]]
        for there, x in zip(kept, carry):
            there[...] = x
        carries.append(kept)
    return carries
