"""Loses q7: y itself among the xs has no slope."""
# %% q7 after the key
whole_way = nodes_back


def nodes_back(y, xs):
    return [x * 0.0 if x is y else bar for x, bar in zip(xs, whole_way(y, xs))]
