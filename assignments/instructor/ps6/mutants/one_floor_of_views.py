"""Loses q1: the base of a view of a view is a view."""
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
            if base[read] in life:
                life[base[read]] = (life[base[read]][0], t)
    for name in fetches:
        if base[name] in life:
            life[base[name]] = (life[base[name]][0], len(program) - 1)
    return life
