"""Loses q1: the bases and readers of a program are remembered for the list object: a second call,
after the caller has added steps to the list, answers for the shorter program."""

# %% q1
SEEN = {}


def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    if id(program) not in SEEN:
        base, life = {}, {}
        for t, one in enumerate(program):
            for x in one["reads"]:
                life[base[x]] = (life[base[x]][0], t)
            if one["kind"] == "view":
                base[one["name"]] = base[one["reads"][0]]
            else:
                base[one["name"]] = one["name"]
                life[one["name"]] = (t, t)
        SEEN[id(program)] = program, base, life  # the program, too: its id stays its own
    _, base, life = SEEN[id(program)]
    found = dict(life)
    for name in fetches:
        found[base[name]] = (found[base[name]][0], len(program) - 1)
    return found
