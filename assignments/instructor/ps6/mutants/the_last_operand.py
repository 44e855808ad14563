"""Loses q5: the last that will do, not the first."""
# %% q5
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, dies, over = {}, {}, {}, {}
    for t, each in enumerate(program):
        name, reads = each["name"], each["reads"]
        base[name] = base[reads[0]] if each["kind"] == "view" else name
        size[name] = each["bytes"]
        dies.update({base[read]: t for read in reads})
    dies.update({base[name]: None for name in fetches})
    for t, each in enumerate(program):
        for read in each["reads"] if each["kind"] == "map" else ():
            alone = all(base[other] != base[read] for other in each["reads"] if other != read)
            alike = each["bytes"] == size[read] == size[base[read]]
            if alone and alike and dies[base[read]] == t:
                over[each["name"]] = base[read]
    return over
