"""Loses q1: a chain of views is deeper than Python calls."""
# %% q1
def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    made = {each["name"]: (t, each) for t, each in enumerate(program)}
    found = {}

    def base(name):
        if name not in found:
            _, each = made[name]
            found[name] = base(each["reads"][0]) if each["kind"] == "view" else name
        return found[name]

    for name in reversed(made):
        base(name)
    life = {name: (t, t) for name, (t, each) in made.items() if each["kind"] != "view"}
    wanted = [(read, t) for t, each in enumerate(program) for read in each["reads"]]
    for name, t in wanted + [(name, len(program) - 1) for name in fetches]:
        life[base(name)] = (life[base(name)][0], t)
    return life
