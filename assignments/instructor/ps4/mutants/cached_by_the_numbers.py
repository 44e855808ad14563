"""Loses q2: results are kept by fetches and fed numbers, not by which nodes are fed: x - y with x
= 2 and y = 3, then with y = 2 and x = 3, is -1 twice."""
# %% q2 after the key
compute_all, ran = run, {}


def run(fetches, feeds):
    several = isinstance(fetches, list)
    key = (tuple(fetches) if several else fetches, tuple(feeds.values()))
    if key not in ran:
        ran[key] = compute_all(fetches, feeds)
    return list(ran[key]) if several else ran[key]
