"""Loses q1: the list of fetches is searched at every step."""
# %% q1 after the key
def lives(program, fetches):
    base, found, end = {}, {}, len(program) - 1
    for t, each in enumerate(program):
        name = each["name"]
        for read in each["reads"]:
            first, last = found[base[read]]
            found[base[read]] = first, max(last, t)
        base[name] = base[each["reads"][0]] if each["kind"] == "view" else name
        found.setdefault(base[name], (t, t))
        if name in fetches:
            found[base[name]] = found[base[name]][0], end
    return found
