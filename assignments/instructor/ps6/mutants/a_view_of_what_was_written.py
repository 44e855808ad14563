"""Loses q5: a view of a result that was written in place is named by the first owner of the bytes:
a, b = map(a), v = view of b, c = map(v): c takes the bytes of b, and it says a."""

# %% q5
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base, size, last, over = {}, {}, {}, {}
    for t, one in enumerate(program):
        size[one["name"]] = one["bytes"]
        for x in one["reads"]:
            last[base[x]] = t
        base[one["name"]] = base[one["reads"][0]] if one["kind"] == "view" else one["name"]
    for name in fetches:
        last[base[name]] = len(program)
    first_owner = {}
    for t, one in enumerate(program):
        name = one["name"]
        if one["kind"] == "view":
            inner = base[name]
            first_owner[name] = first_owner.get(inner, inner)
        for x in one["reads"] if one["kind"] == "map" else []:
            b = base[x]
            alone = all(y == x or base[y] != b for y in one["reads"])
            if size[x] == size[b] == one["bytes"] and last[b] == t and alone:
                over[name] = first_owner.get(x, b) if x != b else b
                first_owner[name] = first_owner.get(b, b)
                break
    return over
