"""Loses q1: the body runs once more than `most` times before the error."""
# %% q1 after the key
def run_loop(loop, start, captured, most=1000):
    carries = [own(start)]
    while loop.condition(carries[-1], captured):
        carries.append(own(loop.body(own(carries[-1]), captured)))
        if len(carries) - 1 > most:
            raise RuntimeError(f"more than {most} iterations")
    return carries
