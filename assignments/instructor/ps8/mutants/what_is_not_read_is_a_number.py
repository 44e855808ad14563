"""Loses q7: the slope of what y does not read is one 0."""
# %% q7 after the key
thorough = nodes_back


def nodes_back(y, xs):
    read = set(inputs_first(y))
    found = dict(zip(xs, thorough(y, xs)))
    return [found[x] if x in read else as_later(0.0) for x in xs]
