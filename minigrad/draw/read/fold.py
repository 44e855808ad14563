"""Folding a graph: constants into the signs of their users; where it is large, name scopes into one
node, repeats into × n.

What is then still too much is the part furthest from the results, which becomes one node: so there
is always something to look at, and it is true.
"""

from minigrad.draw.read import PENDING, form_of, value_text
from minigrad.draw.read.outline import Folding, NodeGroup, order_groups
from minigrad.draw.read.repeats import LEAST, fold_repeats, repeat_words
from minigrad.draw.scene import MARK

STEPS = 2  # around a value, where no depth is given


def fold_outline(outline, budget, expand=(), depth=None, around=(), collapse=(), whole=False):
    """As little folding as brings the number of nodes within the budget; constants that are single
    numbers stand in the signs of their users in any case, but where the graph is wanted `whole`.

    With `around`, positions, only what is so near to them, and no more than the budget. The name
    scopes in `collapse` are closed in any case.
    """
    opened = open_scopes([*expand, *outline.frames_named(expand)])
    if around:
        near = neighbourhood(outline, around, STEPS if depth is None else depth, budget)
        return Folding([NodeGroup((at,)) for at in sorted(near)], {}, [])
    folding = Folding([NodeGroup((at,)) for at in range(len(outline.values))], {}, [])
    if not whole:
        folding = hide_numbers(outline, folding)
    if depth is not None:
        folding = cut_far(outline, folding, depth)
    if collapse:
        folding = close_frames(outline, folding, lambda path, level: path in collapse)
    if folding.size() > budget:
        folding = hide_constants(outline, folding)
    if folding.size() > budget:
        folding = close_scopes(outline, folding, budget, opened, expand)
    if folding.size() > budget:
        folding = fold_repeats(outline, folding, budget, asked_positions(outline, expand))
    return keep_near(outline, folding, budget) if folding.size() > budget else folding


def asked_positions(outline, expand):
    """The positions of the values whose ids are in `expand`."""
    return {at for at, id in enumerate(outline.ids) if id in expand}


def fold_closed(outline, folding, expand):
    """Closed scopes that come again and again made one node, few though they may be.

    It looks for the fewest nodes of which each has one word: scopes alone are folded where they
    repeat, and otherwise together with the ops that stand between them.
    """
    closed = [group for group in folding.groups if group.kind == "scope"]
    if len(closed) < LEAST:
        return folding
    asked, within = asked_positions(outline, expand), {m for one in closed for m in one.members}
    found = fold_repeats(outline, folding, 1, asked, within)
    if has_repeats(found) or not are_equal_parts(closed):
        return found
    mixed = fold_repeats(outline, folding, 1, asked)
    around = closed[0].path.rpartition("/")[0]
    return mixed if is_of_scopes(outline, mixed, within, around) else found


def is_of_scopes(outline, folding, within, around):
    """Whether all that was folded as repeats are scopes, whose positions are `within`, and ops
    that stand beside them in the scope `around`."""
    repeats = [{*group.members} for group in folding.groups if group.kind == "repeat"]
    loose = {at for members in repeats for at in members - within if outline.inputs[at]}
    beside = all(outline.scopes[at] == around for at in loose)
    return bool(repeats) and beside and all(within & members for members in repeats)


def are_equal_parts(closed):
    """Whether closed scopes are parts of one name that differ in their numbers alone."""
    stems = {group.path.rstrip("0123456789") for group in closed}
    return len(stems) == 1 and MARK not in stems.pop() and closed[0].path[-1:].isdigit()


def has_repeats(folding):
    """Whether something in it was folded that comes again and again."""
    return any(group.kind == "repeat" for group in folding.groups)


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
    steps, users = steps_back(outline), outline.users()
    far = {group.members[0] for group in folding.groups if steps[group.members[0]] > depth}
    if not far:
        return folding
    far |= {at for at in folding.hidden if far.issuperset(users[at])}
    rest = NodeGroup(tuple(sorted(far)), "rest", f"{len(far):,} earlier values")
    near = [group for group in folding.groups if group.members[0] not in far]
    hidden = {at: text for at, text in folding.hidden.items() if at not in far}
    return folding._replace(groups=order_groups([rest, *near]), hidden=hidden)


def steps_back(outline):
    """For each value: the longest way to a result. (The shortest could fold a cycle.)"""
    steps = [0] * len(outline.values)
    for at in range(len(steps) - 1, -1, -1):
        for source in outline.inputs[at]:
            if source < at:
                steps[source] = max(steps[source], steps[at] + 1)
    return steps


def hide_numbers(outline, folding):
    """Single numbers that nobody named go into the signs of their users, but where nothing else
    feeds one of these."""
    users = outline.users()
    numbers = {at for at in folding.alone() if is_single_constant(outline, at)}
    return hide_values(
        outline, folding, [at for at in sorted(numbers) if has_company(outline, users[at], numbers)]
    )


def is_single_constant(outline, at):
    """Whether a value is a constant that is a single number, without a name of the learner's."""
    plain = outline.roles[at] == "constant" and not outline.names[at]
    single = plain and form_of(outline.values[at]).shape in ("", "[]")
    return single and value_text(outline.values[at])[:1] not in ("", "[", PENDING)


def has_company(outline, users, numbers):
    """Whether all of the users are operations with operands that are none of these numbers."""
    fed = (outline.roles[at] == "op" and {*outline.inputs[at]} - numbers for at in users)
    return bool(users) and all(fed)


def hide_constants(outline, folding):
    """Constants go into the labels of their users."""
    return hide_values(
        outline, folding, [at for at in folding.alone() if outline.roles[at] == "constant"]
    )


def hide_values(outline, folding, constants):
    """The folding in which these constants are no nodes; results stay."""
    inner = [at for at in constants if at not in outline.results]
    hidden = folding.hidden | {at: value_text(outline.values[at]) or "const" for at in inner}
    shown = [group for group in folding.groups if group.members[0] not in hidden]
    return folding._replace(groups=shown, hidden=hidden)


def close_scopes(outline, folding, budget, opened, expand):
    """One node per name scope: inner scopes first, and only as many levels as needed.

    One level more where scopes of that level come again and again: 12 × "block" says more than
    the parts of each.
    """
    deepest, first = max(scope.count("/") + 1 if scope else 0 for scope in outline.scopes), None
    for level in range(deepest, 0, -1):
        closed = fold_closed(outline, scopes_at(outline, folding, level, opened), expand)
        if closed.size() <= budget:
            first = first or closed
            if has_repeats(closed):
                return closed
    return first or (closed if deepest else folding)


def scopes_at(outline, folding, level, opened):
    """Every scope of this level closed, except those asked to stay open."""
    return close_frames(outline, folding, lambda path, depth: depth >= level and path not in opened)


def close_frames(outline, folding, is_closed):
    """Every frame closed for which is_closed(path, depth) holds; of nested ones the outermost."""
    boxes, loose = {}, []
    for group in folding.groups:
        path = None if group.kind == "rest" else outermost_closed(outline, group, is_closed)
        if path is None:
            loose.append(group)
        else:
            boxes.setdefault(path, []).extend(group.members)
    for path, members in boxes.items():
        scope = "scope", outline.words(path), 1, path
        loose.append(NodeGroup(tuple(members), *(scope if len(members) > 1 else ())))
    count = sum(group.kind == "scope" for group in loose)
    said = [f"{count} name scope{'s' * (count != 1)} closed"] * bool(count)
    return folding._replace(groups=order_groups(loose), said=said)


def outermost_closed(outline, group, is_closed):
    """The outermost closed frame that holds the group; or None."""
    scope = outline.scopes[group.members[0]]
    parts = scope.split("/") if scope else []
    paths = (("/".join(parts[:depth]), depth) for depth in range(1, len(parts) + 1))
    return next((path for path, depth in paths if is_closed(path, depth)), None)


def keep_near(outline, folding, budget):
    """The groups nearest to the results; all others as one node, which none of them feeds."""
    steps = steps_back(outline)
    rank = {group.members: min(steps[at] for at in group.members) for group in folding.groups}
    order = sorted(folding.groups, key=lambda group: (rank[group.members], -group.members[0]))
    near = order[: budget - 1]
    far = tuple(sorted(at for group in order[budget - 1 :] for at in group.members))
    rest = NodeGroup(far, "rest", f"{len(far):,} earlier values")
    closed = sum(group.kind == "scope" for group in near)
    said = [f"{closed} name scope{'s' * (closed != 1)} closed"] * bool(closed)
    said += [repeat_words(group) for group in near if group.kind == "repeat"]
    return folding._replace(groups=order_groups([rest, *near]), said=said)
