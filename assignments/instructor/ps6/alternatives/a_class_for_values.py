"""Full points: objects with readers in place of dicts of steps."""
# %% q1
class Value:
    def __init__(self, born):
        self.born, self.dead = born, born

    def read(self, t):
        self.dead = max(self.dead, t)


def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    known, own = {}, {}
    for t, each in enumerate(program):
        operands = [known[name] for name in each["reads"]]
        for operand in operands:
            operand.read(t)
        if each["kind"] == "view":
            known[each["name"]] = operands[0]
        else:
            known[each["name"]] = own[each["name"]] = Value(t)
    for name in set(fetches):
        known[name].read(len(program) - 1)
    return {name: (value.born, value.dead) for name, value in own.items()}
# %% q5
class Base:
    def __init__(self, name, size):
        self.name, self.size, self.last = name, size, -1


def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    known, sizes, candidates, found = {}, {}, [], {}
    for t, each in enumerate(program):
        sizes[each["name"]] = each["bytes"]
        for name in each["reads"]:
            known[name].last = t
        if each["kind"] == "view":
            known[each["name"]] = known[each["reads"][0]]
            continue
        known[each["name"]] = Base(each["name"], each["bytes"])
        if each["kind"] == "map":
            names = list(dict.fromkeys(each["reads"]))
            bases = [known[name] for name in names]
            for name, base in zip(names, bases):
                if bases.count(base) == 1 and {sizes[name], base.size} == {each["bytes"]}:
                    candidates.append((each["name"], base, t))
    kept = {known[name].name for name in fetches}
    for name, base, t in reversed(candidates):
        if base.last == t and base.name not in kept:
            found[name] = base.name
    return found
