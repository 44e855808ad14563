"""Loses q7: a slope can be fetched, but not added to anything."""
# %% q7 after the key
class Slope:
    op = "slope"

    def __init__(self, node):
        self.inputs = [node]

    def compute(self, value):
        return value


in_values = nodes_back


def nodes_back(y, xs):
    return [Slope(found) for found in in_values(y, xs)]
