"""Loses q4: a node that has passed on forgets its inputs."""
# %% q4 after the key
whole = gradients


def gradients(y, xs):
    found = whole(y, xs)
    for x in xs:
        if x.op == "mul" and not any(z.inputs for z in x.inputs):
            x.inputs = ()
    return found
