"""Loses q4: adjoints lie in one dictionary, so an x that y does not use has an old one."""
# %% q4 after the key
of_one_call, ADJOINTS = gradients, {}


def gradients(y, xs):
    found = of_one_call(y, xs)
    used, todo = {y}, [y]
    for z in todo:
        for x in z.inputs:
            if x not in used:
                used.add(x)
                todo.append(x)
    for x, slope in zip(xs, found):
        if x in used:
            ADJOINTS[x] = slope
    return [ADJOINTS.get(x, slope) for x, slope in zip(xs, found)]
