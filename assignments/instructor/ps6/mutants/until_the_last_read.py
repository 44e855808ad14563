"""Loses q1: what is fetched lives until the last step that reads something: where the program
ends with steps that read nothing, as a constant that is fetched, it dies too early."""

# %% q1
def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, first, last, end = {}, {}, {}, 0
    for t, one in enumerate(program):
        for x in one["reads"]:
            last[base[x]] = end = t
        name = one["name"]
        if one["kind"] == "view":
            base[name] = base[one["reads"][0]]
        else:
            base[name] = name
            first[name] = last[name] = t
    for name in fetches:
        last[base[name]] = max(last[base[name]], end)
    return {name: (first[name], last[name]) for name in first}
