"""Loses q1: gives the same placeholder twice: a table of names outlives the graph."""
# %% q1 after the key
named = {}


def placeholder(name):
    return named.setdefault(name, Node("placeholder", name=name))
