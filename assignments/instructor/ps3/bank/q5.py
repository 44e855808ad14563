"""Wrong answers to q5 of ps3."""


# %% a_column_at_a_time | loses q5: right numbers, by all n columns of the Hessian: n calls of f.
def hvp(f, xs, vs):
    columns = []
    for j in range(len(xs)):
        moving = [Dual(x, float(i == j)) for i, x in enumerate(xs)]
        columns.append([g.tangent if isinstance(g, Dual) else 0.0 for g in gradient(f, moving)])
    return [sum(v * column[i] for v, column in zip(vs, columns)) for i in range(len(xs))]


# %% a_complex_step | loses q5: a step of 1e-6 in the imaginary direction: the text wants no step
# and exact numbers; of x⁴ at x = 1 along 1e6 the answer 12e6 comes as 8e6.
def hvp(f, xs, vs):
    """The Hessian of f at xs, times vs, by one call of f."""
    step = 1e-6
    found = gradient(f, [complex(x, step * v) for x, v in zip(xs, vs)])
    return [complex(g).imag / step for g in found]


# %% a_sweep_of_its_own | loses q5: a sweep of its own, breadth first: a number with a near user and
# a far one passes on before the far one has given.
def hvp(f, xs, vs):
    leaves = [Node(Dual(x, v)) for x, v in zip(xs, vs)]
    root = f(leaves)
    shares, queue, met = {root: 1.0}, [root], {root}
    for node in queue:
        for below, push in zip(node.inputs, node.pushes):
            share = push(shares[node])
            shares[below] = shares[below] + share if below in shares else share
            if below not in met:
                met.add(below)
                queue.append(below)
    slopes = [shares.get(leaf, 0.0) for leaf in leaves]
    return [slope.tangent if isinstance(slope, Dual) else 0.0 for slope in slopes]


# %% an_array_for_a_list | loses q5: the product with the Hessian is a NumPy array, where a list of
# numbers is promised.
def hvp(f, xs, vs):
    slopes = gradient(f, [Dual(x, v) for x, v in zip(xs, vs)])
    return np.array([slope.tangent if isinstance(slope, Dual) else 0.0 for slope in slopes])


# %% borrows_the_list | loses q5: Duals are put into the list of the caller while f runs; an f that
# reads the same list as constants sees them move.
def hvp(f, xs, vs):
    """The Hessian of f at xs, times vs, by one call of f."""
    kept = list(xs)
    try:
        for i, v in enumerate(list(vs)):
            xs[i] = Dual(kept[i], v)
        slopes = gradient(f, xs)
    finally:
        xs[:] = kept
    return [g.tangent if isinstance(g, Dual) else 0.0 for g in slopes]


# %% cleaned_of_dust | loses q5: what is below 1e-12 counts as 0: along small speeds, all of the
# product.
# %% q5 after the key
def hvp(f, xs, vs, hvp=hvp):
    return [number if abs(number) > 1e-12 else 0.0 for number in hvp(f, xs, vs)]


# %% columns_in_secret | loses q5: column by column, with the trace switched off and one call of f
# on the books.
import sys


def hvp(f, xs, vs):
    sys.settrace(None)
    total = [0.0] * len(xs)
    for j, v in enumerate(vs):
        slopes = gradient(f, [Dual(x, float(i == j)) for i, x in enumerate(xs)])
        for i, slope in enumerate(slopes):
            total[i] += v * getattr(slope, "tangent", 0.0)
    if hasattr(f, "calls"):
        f.calls = 1
    return total


# %% direction_forgotten | loses q5: the Hessian times the gradient, not times the direction.
def hvp(f, xs, vs):
    vs = gradient(f, xs)
    found = gradient(f, [Dual(x, v) for x, v in zip(xs, vs)])
    return [g.tangent if isinstance(g, Dual) else 0.0 for g in found]


# %% direction_scaled_and_back | loses q5: the direction is divided by its length and the product
# multiplied by it, which is more than any float for speeds of 1e200.
# %% q5 after the key
def hvp(f, xs, vs, hvp=hvp):
    length = sum(v * v for v in vs) ** 0.5 or 1.0
    return [number * length for number in hvp(f, xs, [v / length for v in vs])]


# %% every_pair_of_inputs | loses q5: right numbers by one call of f, whose graph is walked once for
# each input.
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
                          [Dual(x, float(i == j)) for i, x in enumerate(xs)])
        for i, g in enumerate(column):
            total[i] += v * (g.tangent if isinstance(g, Dual) else 0.0)
    return total


def retraced(root, known):
    order, stack = [], [root]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(node.inputs)
    for node in sorted(set(order), key=lambda node: node.born):
        if node not in known:
            x, y = (known[source] for source in node.inputs)
            known[node] = getattr(x, f"__{node.op}__")(y)
    return known[root]


# %% every_path | loses q5: each share goes down to the inputs at once, so that a number used twice,
# thirty times over, is passed 2**30 times.
def hvp(f, xs, vs):
    """The Hessian of f at xs, times vs, by one call of f."""
    leaves = [Node(Dual(x, v)) for x, v in zip(xs, vs)]
    speeds = {leaf.born: 0.0 for leaf in leaves}
    todo = [(f(leaves), 1.0)]
    while todo:
        node, share = todo.pop()
        if node.born in speeds and isinstance(share, Dual):
            speeds[node.born] += share.tangent
        for below, push in zip(node.inputs, node.pushes):
            todo.append((below, push(share)))
    return [speeds[leaf.born] for leaf in leaves]


# %% every_slope_must_move | loses q5: a slope that stands still is no Dual, and has no tangent.
def hvp(f, xs, vs):
    return [slope.tangent for slope in gradient(f, [Dual(x, v) for x, v in zip(xs, vs)])]


# %% fractions_of_a_step | loses q5: two gradients in fractions, a tiny step apart, and a count of
# calls put back.
from fractions import Fraction


def hvp(f, xs, vs):
    step = Fraction(1, 10**40)
    xs, vs = [Fraction(x) for x in xs], [Fraction(v) for v in vs]
    ahead = gradient(f, [x + step * v for x, v in zip(xs, vs)])
    back = gradient(f, [x - step * v for x, v in zip(xs, vs)])
    if hasattr(f, "calls"):
        f.calls = 1
    return [float((Fraction(a) - Fraction(b)) / (2 * step)) for a, b in zip(ahead, back)]


# %% gradient_times_direction | loses q5: the second-order term dropped: the gradient, entry by
# entry times the direction.
def hvp(f, xs, vs):
    return [slope * v for slope, v in zip(gradient(f, xs), vs)]


# %% speeds_used_up | loses q5: the caller's list of speeds is emptied.
def hvp(f, xs, vs):
    moving = [Dual(x, vs.pop(0)) for x in xs]
    return [slope.tangent if isinstance(slope, Dual) else 0.0 for slope in gradient(f, moving)]


# %% steps_of_the_gradient | loses q5: the slow and obvious way: two calls of f, and half of the
# digits.
def hvp(f, xs, vs):
    return nudged_gradient(f, xs, vs)
