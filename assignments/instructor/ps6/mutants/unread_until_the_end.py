"""Loses q1: what nobody reads is kept."""
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
    read = {base[name] for each in program for name in each["reads"]}
    return {name: span if name in read else (span[0], len(program) - 1)
            for name, span in life.items()}
