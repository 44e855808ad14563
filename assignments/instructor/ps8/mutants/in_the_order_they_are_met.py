"""Loses q7: a value passes on before all its users are through."""
# %% q7 after the key
def inputs_first(end, known=()):
    listed, seen = [end], {end, *known}
    for one in listed:
        for x in one.inputs:
            if x not in seen:
                seen.add(x)
                listed.append(x)
    return [one for one in reversed(listed) if one not in known]
