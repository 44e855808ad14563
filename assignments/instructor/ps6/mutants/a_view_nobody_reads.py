"""Loses q5: a view that nobody reads is not counted as a reader of its operand: a is written over
by b = map(a), though v = view of a is made later."""

# %% q5
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size = {}, {}
    for one in program:
        size[one["name"]] = one["bytes"]
        base[one["name"]] = base[one["reads"][0]] if one["kind"] == "view" else one["name"]
    used, last = set(fetches), {base[name]: len(program) for name in fetches}
    for t in range(len(program) - 1, -1, -1):
        one = program[t]
        if one["kind"] == "view" and one["name"] not in used:
            continue  # nobody looks through it
        for x in one["reads"]:
            used.add(x)
            last.setdefault(base[x], t)
    over = {}
    for t, one in enumerate(program):
        for x in one["reads"] if one["kind"] == "map" else []:
            b = base[x]
            alone = all(y == x or base[y] != b for y in one["reads"])
            if size[x] == size[b] == one["bytes"] and last[b] == t and alone:
                over[one["name"]] = b
                break
    return over
