"""Loses q1: it puts the bases in place of the views into the caller's own steps: after the call, a
program with a view that is read has other reads than before."""

# %% q1
def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, first, last = {}, {}, {}
    for t, one in enumerate(program):
        one["reads"] = [base[x] for x in one["reads"]]
        for x in one["reads"]:
            last[x] = t
        name = one["name"]
        if one["kind"] == "view":
            base[name] = one["reads"][0]
        else:
            base[name] = name
            first[name] = last[name] = t
    for name in fetches:
        last[base[name]] = len(program) - 1
    return {name: (first[name], last[name]) for name in first}
