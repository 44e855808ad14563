"""Folding a large graph: constants into labels, name scopes into one node, repeats into × n."""

from minigrad.draw.read import value_text
from minigrad.draw.read.outline import Folding, NodeGroup, order_groups
from minigrad.draw.read.repeats import fold_repeats

STEPS = 2  # around a value, where no depth is given


def fold_outline(outline, budget, expand=(), depth=None, around=()):
    """As little folding as brings the number of nodes within the budget.

    With `around`, positions, only what is so near to them, and no more than the budget.
    """
    opened = open_scopes([*expand, *outline.frames_named(expand)])
    if around:
        near = neighbourhood(outline, around, STEPS if depth is None else depth, budget)
        return Folding([NodeGroup((at,)) for at in sorted(near)], {}, [])
    folding = Folding([NodeGroup((at,)) for at in range(len(outline.values))], {}, [])
    if depth is not None:
        folding = cut_far(outline, folding, depth)
    if folding.size() > budget:
        folding = hide_constants(outline, folding)
    if folding.size() > budget:
        folding = close_scopes(outline, folding, budget, opened)
    if folding.size() > budget:
        asked = {at for at, id in enumerate(outline.ids) if id in expand}
        folding = fold_repeats(outline, folding, budget, asked)
    return folding


def open_scopes(expand):
    """The scopes that stay open: those named, and all that lie around them."""
    parts = [path.split("/") for path in expand]
    return {"/".join(path[:n]) for path in parts for n in range(1, len(path) + 1)}


def neighbourhood(outline, around, depth, budget):
    """The positions up to `depth` edges back and on from those given, nearest first.

    What is on the way on has its operands, but not what else these are used for.
    """
    users, near = outline.users(), dict.fromkeys(around)
    back = on = list(near)
    for _ in range(depth):
        back = [source for at in back for source in outline.inputs[at]]
        on = [user for at in on for user in users[at]]
        beside = [source for at in on for source in outline.inputs[at]]
        near |= dict.fromkeys([*back, *on, *beside])
    return list(near)[:budget]


def cut_far(outline, folding, depth):
    """Values further back than `depth` steps from a result become one node."""
    steps = steps_back(outline)
    far = tuple(at for at, step in enumerate(steps) if step > depth)
    if not far:
        return folding
    rest = NodeGroup(far, "rest", f"{len(far):,} earlier values")
    near = [NodeGroup((at,)) for at, step in enumerate(steps) if step <= depth]
    return folding._replace(groups=order_groups([rest, *near]))


def steps_back(outline):
    """For each value: the longest way to a result. (The shortest could fold a cycle.)"""
    steps = [0] * len(outline.values)
    for at in range(len(steps) - 1, -1, -1):
        for source in outline.inputs[at]:
            if source < at:
                steps[source] = max(steps[source], steps[at] + 1)
    return steps


def hide_constants(outline, folding):
    """Constants go into the labels of their users."""
    constants = [at for at in folding.alone() if outline.roles[at] == "constant"]
    inner = [at for at in constants if at not in outline.results]
    hidden = {at: value_text(outline.values[at]) or "const" for at in inner}
    shown = [group for group in folding.groups if group.members[0] not in hidden]
    return folding._replace(groups=shown, hidden=hidden)


def close_scopes(outline, folding, budget, opened):
    """One node per name scope: inner scopes first, and only as many levels as needed."""
    deepest = max(scope.count("/") + 1 if scope else 0 for scope in outline.scopes)
    for level in range(deepest, 0, -1):
        closed = scopes_at(outline, folding, level, opened)
        if closed.size() <= budget:
            return closed
    return closed if deepest else folding


def scopes_at(outline, folding, level, opened):
    """Every scope of this level closed, except those asked to stay open."""
    boxes, loose = {}, []
    for group in folding.groups:
        path = None if group.kind == "rest" else scope_at(outline, group, level, opened)
        if path is None:
            loose.append(group)
        else:
            boxes.setdefault(path, []).extend(group.members)
    for path, members in boxes.items():
        scope = "scope", outline.words(path), 1, path
        loose.append(NodeGroup(tuple(members), *(scope if len(members) > 1 else ())))
    said = [f"{sum(group.kind == 'scope' for group in loose)} name scopes closed"]
    return folding._replace(groups=order_groups(loose), said=said)


def scope_at(outline, group, level, opened):
    """The outermost closed scope, at this level or below, that holds the group; or None."""
    parts = outline.scopes[group.members[0]].split("/")
    for length in range(level, len(parts) + 1):
        path = "/".join(parts[:length])
        if path and path not in opened:
            return path
    return None
