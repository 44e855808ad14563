"""Loses q1: the body runs before anybody asks."""
# %% q1
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [own(start)]
    while True:
        carries.append(own(loop.body(own(carries[-1]), captured)))
        if not loop.condition(carries[-1], captured):
            return carries
        if len(carries) > most:
            raise RuntimeError(f"the loop goes on after {most} iterations")


def own(values):
    """Copies that nobody else holds."""
    return [np.array(value) for value in values]
