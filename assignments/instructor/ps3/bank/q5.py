"""Wrong answers to q5 of ps3."""


# %% a_column_at_a_time | loses q5: right numbers, by all n columns of the Hessian: n calls of f.
# | says: calls f more than once
def hvp(f, xs, vs):
    columns = []
    for j in range(len(xs)):
        moving = [DualNumber(x, float(i == j)) for i, x in enumerate(xs)]
        columns.append([getattr(g, "tangent", 0.0) for g in gradient(f, moving)])
    return [sum(v * column[i] for v, column in zip(vs, columns)) for i in range(len(xs))]


# %% a_scalar | loses q5: v H v, a number. | says: not a list of plain numbers
# %% q5 after the key
def hvp(f, xs, vs, hvp=hvp):
    return sum(v * h for v, h in zip(vs, hvp(f, xs, vs)))


# %% a_still_input_has_no_entry | loses q5: what does not move gets 0. | says: Where an entry of v
# is 0, that entry of H·v is not
def hvp(f, xs, vs):
    found = gradient(f, [DualNumber(x, v) for x, v in zip(xs, vs)])
    return [as_dual_number(g).tangent if v else 0.0 for g, v in zip(found, vs)]


# %% a_sweep_of_its_own | loses q5: a backward pass of its own, breadth first: a number with a
# near user and a far one passes on its adjoint before the far one has contributed. | says: not the
# tangent of the gradient
def hvp(f, xs, vs):
    leaves = [Node(DualNumber(x, v)) for x, v in zip(xs, vs)]
    root = f(leaves)
    adjoints, queue, met = {root: 1.0}, [root], {root}
    for node in queue:
        for below, push in zip(node.inputs, node.rules):
            contribution = push(adjoints[node])
            adjoints[below] = adjoints.get(below, 0.0) + contribution
            if below not in met:
                met.add(below)
                queue.append(below)
    partials = [adjoints.get(leaf, 0.0) for leaf in leaves]
    return [partial.tangent if isinstance(partial, DualNumber) else 0.0 for partial in partials]


# %% all_inputs_by_one | loses q5: each input gets the tangent 1. | says: moves every input by 1
# %% q5 after the key
def hvp(f, xs, vs, hvp=hvp):
    return hvp(f, xs, [1.0] * len(xs))


# %% an_array_for_a_list | loses q5: the product is a NumPy array, where a list of numbers is
# promised. | says: not a list of plain numbers
def hvp(f, xs, vs):
    partials = gradient(f, [DualNumber(x, v) for x, v in zip(xs, vs)])
    return np.array([getattr(partial, "tangent", 0.0) for partial in partials])


# %% borrows_the_list | loses q5: Duals are put into the caller's list while f runs, and stay
# there. | says: changes the list xs
def hvp(f, xs, vs):
    """Return the Hessian of f at xs times vs, by one call of f."""
    for i, v in enumerate(vs):
        xs[i] = DualNumber(xs[i], v)
    return [g.tangent if isinstance(g, DualNumber) else 0.0 for g in gradient(f, xs)]


# %% columns_in_secret | loses q5: column by column, with the trace switched off and one call of f
# in the count. | says: not the tangent of the gradient
import sys


def hvp(f, xs, vs):
    sys.settrace(None)
    total = [0.0] * len(xs)
    for j, v in enumerate(vs):
        partials = gradient(f, [DualNumber(x, float(i == j)) for i, x in enumerate(xs)])
        for i, partial in enumerate(partials):
            total[i] += v * getattr(partial, "tangent", 0.0)
    if hasattr(f, "calls"):
        f.calls = 1
    return total


# %% diagonal_alone | loses q5: each entry of the gradient is differentiated with respect to its
# own input only, once each. | says: calls f more than once
# %% q5 after the key
def hvp(f, xs, vs):
    found = []
    for i, v in enumerate(vs):
        moving = [DualNumber(x, float(i == j)) for j, x in enumerate(xs)]
        found.append(v * getattr(gradient(f, moving)[i], "tangent", 0.0))
    return found


# %% directions_used_up | loses q5: the caller's list of directions is emptied. | says: changes
# the list xs or vs
def hvp(f, xs, vs):
    moving = [DualNumber(x, vs.pop(0)) for x in xs]
    return [getattr(partial, "tangent", 0.0) for partial in gradient(f, moving)]


# %% duals_come_back | loses q5: the gradient's Duals are returned. | says: entries are Duals
# %% q5 after the key
def hvp(f, xs, vs):
    return gradient(f, [DualNumber(x, v) for x, v in zip(xs, vs)])


# %% every_entry_must_move | loses q5: a constant entry of the gradient is a plain number, with no
# tangent. | says: comes out as a plain number
def hvp(f, xs, vs):
    return [partial.tangent for partial in gradient(f, [DualNumber(x, v) for x, v in zip(xs, vs)])]


# %% every_pair_of_inputs | loses q5: right numbers by one call of f, whose graph is passed once
# for each input. | says: each pair of inputs
def hvp(f, xs, vs):
    kept = []

    def once(leaves):
        kept.append((leaves, f(leaves)))
        return kept[0][1]

    gradient(once, xs)
    leaves, _ = kept[0]
    total = [0.0] * len(xs)
    for j, v in enumerate(vs):
        column = gradient(lambda nodes: retraced(kept[0][1], dict(zip(leaves, nodes))),
                          [DualNumber(x, float(i == j)) for i, x in enumerate(xs)])
        for i, g in enumerate(column):
            total[i] += v * (g.tangent if isinstance(g, DualNumber) else 0.0)
    return total


def retraced(root, known):
    order, stack = [], [root]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(node.inputs)
    for node in sorted(set(order), key=lambda node: node.number):
        if node not in known and not node.inputs:
            known[node] = node
        if node not in known:
            x, y = (known[source] for source in node.inputs)
            known[node] = getattr(x, f"__{node.op}__")(y)
    return known[root]


# %% every_path | loses q5: each contribution goes down to the inputs at once, so that a number
# used twice, forty times over, is passed 2⁴⁰ times. | says: follows every path
def hvp(f, xs, vs):
    """The Hessian of f at xs, times vs, by one call of f."""
    leaves = [Node(DualNumber(x, v)) for x, v in zip(xs, vs)]
    tangents = {leaf.number: 0.0 for leaf in leaves}
    todo = [(f(leaves), 1.0)]
    while todo:
        node, contribution = todo.pop()
        if node.number in tangents and isinstance(contribution, DualNumber):
            tangents[node.number] += contribution.tangent
        for below, push in zip(node.inputs, node.rules):
            todo.append((below, push(contribution)))
    return [tangents[leaf.number] for leaf in leaves]


# %% fractions_of_a_step | loses q5: two gradients in fractions, a tiny step apart, and a count of
# calls put back. | says: not the tangent of the gradient
from fractions import Fraction


def hvp(f, xs, vs):
    step = Fraction(1, 10**40)
    xs, vs = [Fraction(x) for x in xs], [Fraction(v) for v in vs]
    ahead = gradient(f, [x + step * v for x, v in zip(xs, vs)])
    back = gradient(f, [x - step * v for x, v in zip(xs, vs)])
    if hasattr(f, "calls"):
        f.calls = 1
    return [float((Fraction(a) - Fraction(b)) / (2 * step)) for a, b in zip(ahead, back)]


# %% gradient_itself | loses q5: the values of the gradient are returned, not its tangents. |
# says: returns the gradient, not its tangent
# %% q5 after the key
def hvp(f, xs, vs):
    partials = gradient(f, [DualNumber(x, v) for x, v in zip(xs, vs)])
    return [getattr(partial, "value", partial) for partial in partials]


# %% gradient_times_direction | loses q5: the gradient, entry by entry times the direction. |
# says: multiplies the gradient by v
def hvp(f, xs, vs):
    return [partial * v for partial, v in zip(gradient(f, xs), vs)]


# %% only_first_moves | loses q5: zip over pairs moves the first input alone. | says: not the
# tangent of the gradient
# %% q5 after the key
def hvp(f, xs, vs):
    moving = [DualNumber(xs[0], vs[0]), *xs[1:]]
    return [g.tangent if isinstance(g, DualNumber) else 0.0 for g in gradient(f, moving)]


# %% steps_of_the_gradient | loses q5: the slow and obvious way: two calls of f, and half of the
# digits. | says: calls f more than once
def hvp(f, xs, vs):
    return gradient_quotient(f, xs, vs)


# %% swapped_dual | loses q5: value and tangent are swapped. | says: not the tangent of the
# gradient
# %% q5 after the key
def hvp(f, xs, vs):
    return [g.tangent if isinstance(g, DualNumber) else 0.0
            for g in gradient(f, [DualNumber(v, x) for x, v in zip(xs, vs)])]


# %% unit_direction | loses q5: the direction is divided by its length. | says: divides v by its
# length
# %% q5 after the key
def hvp(f, xs, vs, hvp=hvp):
    length = sum(v * v for v in vs) ** 0.5 or 1.0
    return hvp(f, xs, [v / length for v in vs])


# %% ones_then_direction | loses q5: every input moves by 1, and each entry of the result is
# multiplied by v. | says: multiplies the result by v afterwards
# %% q5 after the key
def hvp(f, xs, vs, hvp=hvp):
    return [v * h for v, h in zip(vs, hvp(f, xs, [1.0] * len(xs)))]
