"""Loses q1: every reader of a view climbs all the way to the base: with thousands of readers of a
view that is a view of thousands of views, it looks at each step thousands of times."""

# %% q1
def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    parent, first, last = {}, {}, {}

    def base_of(name):
        while name in parent:
            name = parent[name]
        return name

    for t, one in enumerate(program):
        if one["kind"] == "view":
            parent[one["name"]] = one["reads"][0]
            last[one["reads"][0]] = t
        else:
            first[one["name"]] = last[one["name"]] = t
            for x in one["reads"]:
                last[base_of(x)] = t
    for name in reversed(list(parent)):  # what a view of it has read, it has read
        last[parent[name]] = max(last[parent[name]], last.get(name, 0))
    for name in fetches:
        last[base_of(name)] = len(program) - 1
    return {name: (first[name], last[name]) for name in first}
