"""Loses q4: a node that is its own input, which nobody can compute."""
# %% q4
def gradients(y, xs):
    endless = Node("neg", (y,))
    endless.inputs = (endless,)
    return [endless for _ in xs]
