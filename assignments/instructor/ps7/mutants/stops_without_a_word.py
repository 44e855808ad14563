"""Loses q1: after `most` iterations it returns what it has."""
# %% q1
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""
    carries = [own(start)]
    while len(carries) <= most and loop.condition(carries[-1], captured):
        carries.append(own(loop.body(own(carries[-1]), captured)))
    return carries


def own(values):
    """Copies that nobody else holds."""
    return [np.array(value) for value in values]
