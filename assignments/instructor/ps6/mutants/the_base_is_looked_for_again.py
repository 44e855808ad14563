"""Loses q1: each reader walks the whole chain of views."""
# %% q1
def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, life = {}, {}
    for t, each in enumerate(program):
        name = each["name"]
        if each["kind"] == "view":
            base[name] = each["reads"][0]
        else:
            base[name], life[name] = name, (t, t)
        for read in each["reads"]:
            b = bottom(base, read)
            life[b] = (life[b][0], t)
    for b in [bottom(base, name) for name in fetches]:
        life[b] = (life[b][0], len(program) - 1)
    return life


def bottom(base, name):
    """The base below all views."""
    while base[name] != name:
        name = base[name]
    return name
