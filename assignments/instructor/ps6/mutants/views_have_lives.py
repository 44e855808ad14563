"""Loses q1: a view is listed with a life of its own."""
# %% q1
def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, life = {}, {}
    for t, each in enumerate(program):
        name = each["name"]
        if each["kind"] == "view":
            base[name] = base[each["reads"][0]]
        else:
            base[name], life[name] = name, (t, t)
        for read in each["reads"]:
            life[base[read]] = (life[base[read]][0], t)
    for name in fetches:
        life[base[name]] = (life[base[name]][0], len(program) - 1)
    return life | {each["name"]: life[base[each["name"]]] for each in program}
