"""Loses q1: it counts readers, a step once for each base, but takes one off for each name: a step
that reads a value and a view of it ends the value's life before a later reader comes."""

# %% q1
def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, waiting = {}, {}
    for one in program:
        base[one["name"]] = base[one["reads"][0]] if one["kind"] == "view" else one["name"]
        for owner in {base[x] for x in one["reads"]}:
            waiting[owner] = waiting.get(owner, 0) + 1
    kept = {base[name] for name in fetches}
    first, last = {}, {}
    for t, one in enumerate(program):
        for x in set(one["reads"]):
            owner = base[x]
            waiting[owner] -= 1
            if waiting[owner] == 0:  # that was the last one
                last[owner] = t
        if one["kind"] != "view":
            first[one["name"]] = t
    end = len(program) - 1
    return {name: (t, end if name in kept else last.get(name, t)) for name, t in first.items()}
