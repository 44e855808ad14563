"""What runs before a value that does not read it: by control, or by the order of state."""

from minigrad.draw.read import is_value, peek


def controls(value):
    """The nodes that a node's `control_dependencies` name."""
    found = peek(value, "controls", default=())
    return [node for node in found if is_value(node)] if isinstance(found, tuple) else []


def precedences(values, inputs, ops, place):
    """(before, after) of positions: by control, and where a variable is used after an assignment,
    unless the user runs after that assignment anyway."""
    assigned, behind, found = {}, [], []  # assignments of each variable, and behind each value
    for at, sources in enumerate(inputs):
        first = [place[id(node)] for node in controls(values[at])]
        earlier = {source for source in (*sources, *first) if source < at}  # but for a cycle, all
        behind.append(merge_sets([behind[source] for source in earlier]))
        version = peek(values[at], "read_version")  # an int, of a Node
        for last in last_assignments(values, sources, assigned, version):
            if last not in behind[at]:
                first.append(last)
                behind[at] |= behind[last]
        if ops[at] == "Assign" and isinstance(version, int):
            assigned.setdefault(sources[0], []).append(at)
            behind[at] |= {at}
        found += [(one, at) for one in dict.fromkeys(first)]
    return found


def last_assignments(values, sources, assigned, version):
    """The last assignment of each variable among the sources that `version` comes after."""
    for variable in dict.fromkeys(sources):
        known = [a for a in assigned.get(variable, ()) if values[a].order < version]
        yield from known[-1:]


def merge_sets(sets):
    """All that is in the sets; one of them itself, where the others hold no more."""
    sets = {id(one): one for one in sets if one}
    return next(iter(sets.values())) if len(sets) == 1 else frozenset().union(*sets.values())
