"""The checks that grade ps2: what the visible ones ask, of other shapes and other numbers."""

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.comparing import same

HISTORY = """
import numpy as np

def copied(one, order="C"):
    if isinstance(one, np.ndarray):
        return np.array(one, order=order)
    return list(one) if type(one) is list else one

def every_second(one):
    if isinstance(one, np.ndarray) and one.ndim:
        return np.repeat(one, 2, axis=-1)[..., ::2]
    return copied(one)

def into_room(rooms, place, one):
    if not isinstance(one, np.ndarray):
        return copied(one)
    room = rooms.setdefault((place, one.shape, one.dtype.name), np.array(one))
    room[...] = one
    return room

def history(rule, moments, several, between=None):
    def fixed(result):
        return [np.array(one) for one in (result if several else [result])]

    rooms, found, unchanged = {}, [], []
    for moment in moments:
        own = [copied(one) for one in moment]  # no longer than this moment
        held = [into_room(rooms, *place) for place in enumerate(moment)]
        others = [fixed(rule(*held))]
        if between is not None:
            between(*held[:-1])
            others.append(fixed(rule(*held)))
        found.append((rule(*own), others))
        others.append(fixed(rule(*[copied(one, "F") for one in moment])))
        others.append(fixed(rule(*[every_second(one) for one in moment])))
        others.append(fixed(rule(*held)))
        pairs = [*zip(own, moment), *zip(held, moment)]
        unchanged.append(all(np.array_equal(one, before) for one, before in pairs))
    results = [result for first, others in found for result in (fixed(first), *others)]
    numbers = np.concatenate([one.ravel() for result in results for one in result])
    return unchanged, [[one.shape for one in result] for result in results], numbers

def of_one_object(rule, x, g):
    return tuple(rule(x, x, g))
"""
NOTED = """
def arguments_of_rule(is_right, f, rule, shapes, seed):
    calls = []

    def noting(*arguments):
        calls.append([one.copy() for one in arguments])
        return rule(*arguments)

    is_right(f, noting, shapes, seed)
    return calls
"""
RULES = """
import numpy as np

def quotient(x, y):
    return x / y

def quotient_rule(x, y, g):
    return [g / y, -g * x / y**2]

def quotient_sign(x, y, g):
    return [g / y, g * x / y**2]

def quotient_first_alone(x, y, g):
    return [g / y, np.zeros_like(y)]

def quotient_doubled(x, y, g):
    return [2 * g / y, -2 * g * x / y**2]

def quotient_nearly(x, y, g):
    return [1.002 * g / y, -g * x / y**2]

def quotient_one_entry(x, y, g):
    x_bar = g / y
    x_bar.flat[-1] *= 2
    return [x_bar, -g * x / y**2]

def quotient_no_number(x, y, g):
    x_bar = g / y
    x_bar.flat[0] = np.nan
    return [x_bar, -g * x / y**2]

def quotient_too_few(x, y, g):
    return [g / y]

def quotient_too_many(x, y, g):
    return [g / y, -g * x / y**2, g]

def product(x, y):
    return x * y

def product_rule(x, y, g):
    return g * y, g * x

def plus(x, y):
    return x + y

def plus_rule(x, y, g):
    return [g, g]

def of_three(x, y, z):
    return x * y - z

def of_three_rule(x, y, z, g):
    return [g * y, g * x, -g]

def of_three_without_middle(x, y, z, g):
    return [g * y, g, -g]

def other_factor(x, y, g):
    return [g * x, g * y]

def square(x):
    return x * x

def square_rule(x, g):
    return [2 * g * x]

def square_of_seed(x, g):
    return [2 * g * g]

def square_without_seed(x, g):
    return [2 * x * x]

def logarithm(x):
    return np.log(x)

def logarithm_rule(x, g):
    return (g / x,)

def logarithm_of_result(x, g):
    return (g / np.log(x),)

def total(x):
    return x.sum()

def total_rule(x, g):
    return [g * np.ones(x.shape)]

def total_without_g(x, g):
    return [np.ones(x.shape)]

def total_as_a_number(x):
    return float(x.sum())

def small(x, y):
    return x + y / 50

def small_rule(x, y, g):
    return [g, g / 50]

def small_doubled(x, y, g):
    return [g, g / 25]

def same(x):
    return x

def same_rule(x, g):
    return [g]

def turned(x):
    return x.T

def turned_rule(x, g):
    return [g.T]

def flat(x):
    return x.reshape(-1)

def flat_rule(x, g):
    return [g.reshape(x.shape)]

def first_column(x):
    return x[:, 0]

def first_column_rule(x, g):
    x_bar = np.zeros(x.shape)
    x_bar[:, 0] = g
    return [x_bar]

def column_sums(x):
    return x.sum(axis=0)

def down_columns(x, g):
    return [np.broadcast_to(g, x.shape)]

def along_rows(x, g):
    return [np.broadcast_to(np.resize(g, (x.shape[0], 1)), x.shape)]

def mean_of_seed(x, g):
    return [np.full(x.shape, g.mean())]

def not_stretched(x, g):
    return [g]

def matrix_product(x, y):
    return x @ y

def matrix_rule(x, y, g):
    return [g @ y.T, x.T @ g]

def without_transposes(x, y, g):
    return [g @ y, x @ g]

def matrix_places(x, y, g):
    return [(g @ y.T)[::-1, ::-1], x.T @ g]

def square_last_column(x, g):
    x_bar = 2 * g * x
    x_bar[..., -1] *= 2
    return [x_bar]

def tanh(x):
    return np.tanh(x)

def tanh_rule(x, g):
    return [g * (1 - np.tanh(x) ** 2)]

def tanh_not_squared(x, g):
    return [g * (1 - np.tanh(x))]
"""


def random(rng, *shape):
    """An array of normal numbers, the same in every run."""
    return np.random.default_rng(rng.getrandbits(32)).standard_normal(shape)


def away_from_zero(rng, *shape):
    """An array of numbers between 1 and 2, of either sign."""
    return np.sign(random(rng, *shape)) * (1 + np.abs(np.tanh(random(rng, *shape))))


def expect_history(student, rule, moments, wanted, between=None):
    """Fail unless a rule of the student's is right for the arguments of each moment, be the arrays
    new, the last moment's with other numbers, or views, whatever was computed before; and leaves
    its arguments, and what it returned, as they are."""
    right = [wanted(*moment) for moment in moments]
    several, others = type(right[0]) is tuple, [student[between]] if between else []
    came = student.define(HISTORY).history(student[rule], moments, several, *others)
    right = [one if several else [one] for one in right for _ in range(6 if between else 5)]
    expect(came[0], [True] * len(moments), of=f"whether the arguments of {rule} are as before")
    shapes = [[np.shape(one) for one in result] for result in right]
    expect(came[1], shapes, of=f"the shapes of what {rule} returned, in arrays of all kinds")
    numbers = np.concatenate([np.ravel(one) for result in right for one in result])
    expect(came[2], numbers, of=f"what {rule} returned, call after call, in arrays of all kinds")


def any_moments(rng, *shapes):
    """Arguments of these shapes again and again: the same numbers in other places or of another
    sign, whole ones, and whole ones with the first g."""
    first = [away_from_zero(rng, *shape) for shape in shapes]
    other = [one[::-1] if one.ndim else np.array(-one) for one in first]
    whole = [np.array(rng.choices((-3, 1, 2, 5), k=one.size)).reshape(one.shape) for one in first]
    return [first, other, [*first[:-1], -first[-1]], first, whole, [*whole[:-1], first[-1]]]


def summed(g, shape):
    """The sum of g over what was repeated of an array of this shape."""
    padded = (1,) * (g.ndim - len(shape)) + shape
    axes = tuple(axis for axis, length in enumerate(padded) if length == 1)
    return np.array(g.sum(axes)).reshape(shape)


def softmax(scores):
    """Each row's probabilities."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def mean_loss(scores, labels):
    """The mean over the rows of -log p[label]."""
    return -np.log(softmax(scores)[np.arange(len(labels)), labels]).mean()


def slopes_of_loss(scores, labels, g):
    """The cotangent of scores in that, where g is the loss's."""
    return g * (softmax(scores) - np.eye(scores.shape[1])[labels]) / len(labels)


def of_products(x, y, g):
    """The cotangents of x and y in x @ y, with sums written out."""
    return np.einsum("...np,...mp->...nm", g, y), np.einsum("...nm,...np->...mp", x, g)


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1, hint="Try a vector that was added to each row of a matrix.")
def test_an_axis_in_front(student, rng):
    """axes that NumPy put in front"""
    for shape, given in (((4,), (3, 4)), ((3,), (3, 3)), ((2, 3), (5, 2, 3)), ((2,), (4, 3, 2))):
        g = random(rng, *given)
        front = tuple(range(len(given) - len(shape)))
        expect(student.unbroadcast(g, shape), g.sum(front), of=f"unbroadcast({given} to {shape})")


@pytest.mark.question("q1", points=2, hint="An axis of length 1 keeps its place, with length 1.")
def test_an_axis_of_length_one(student, rng):
    """axes of length 1"""
    for shape, axes in (((3, 1), 1), ((1, 3), 0), ((1, 1), (0, 1))):
        g = random(rng, 3, 3)
        expect(student.unbroadcast(g, shape), g.sum(axes, keepdims=True), of=f"(3, 3) to {shape}")
    g = random(rng, 2, 3, 4)
    expect(student.unbroadcast(g, (2, 1, 4)), g.sum(1, keepdims=True), of="(2, 3, 4) to (2, 1, 4)")


@pytest.mark.question("q1", points=1, hint=(
    "Some axes are new, others had length 1; there may be five. g may be a view, and have an "
    "infinite entry. What was returned before, does it stay?"
))
def test_both(student, rng):
    """new axes, and axes of length 1"""
    g = random(rng, 4, 2, 3)
    expect(student.unbroadcast(g, (2, 1)), g.sum((0, 2))[:, None], of="(4, 2, 3) to (2, 1)")
    expect(student.unbroadcast(g, (1, 3)), g.sum((0, 1))[None], of="(4, 2, 3) to (1, 3)")
    wide = random(rng, 2, 2, 3, 1, 2)
    expect(student.unbroadcast(wide, (2, 1, 1, 2)), wide.sum((0, 2))[:, None],
           of="(2, 2, 3, 1, 2) to (2, 1, 1, 2)")
    moments = [(one, shape) for shape in ((2, 1), (1, 3)) for one in (g, -g[::-1], 2 * g, g)]
    expect_history(student, "unbroadcast", moments, summed)
    g[1, 1, 2] = np.inf
    for shape, wanted in (((1, 3), g.sum((0, 1))[None]), ((2, 1), g.sum((0, 2))[:, None])):
        expect(student.unbroadcast(g, shape), wanted, of=f"(4, 2, 3) to {shape}, one entry inf")


@pytest.mark.question("q1", points=1, hint=(
    "Try the shape (), the shape of g itself, and a g without entries. Print g before and after."
))
def test_a_single_number_and_nothing_at_all(student, rng):
    """a single number; no broadcasting"""
    g = random(rng, 3, 2)
    expect(student.unbroadcast(g, ()), np.array(g.sum()), of="(3, 2) to ()")
    expect(student.unbroadcast(g, (3, 2)), g, of="(3, 2) to (3, 2)")
    g = random(rng, 1, 4)
    expect(student.unbroadcast(g, (1, 4)), g, of="(1, 4) to (1, 4)")
    expect(student.unbroadcast(np.array(2.5), ()), np.array(2.5), of="() to ()")
    shapes = ((1, 3), (3, 3)), ((3,), (2, 3)), ((), (2, 2)), ((2, 2), (2, 2))
    moments = [(random(rng, *given), shape) for shape, given in shapes]
    expect_history(student, "unbroadcast", moments, summed)
    for shape, given in (((3,), (0, 3)), ((1, 3), (0, 3)), ((2, 1), (2, 0)), ((), (0,))):
        came = student.unbroadcast(np.zeros(given), shape)
        expect(came, np.zeros(shape), of=f"no use at all: {given} to {shape}")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=1, hint=(
    "Compare vjp_sub with nudged, an entry being inf; call it twice, on arrays of any shape, and "
    "look at what the first call returned."
))
def test_differences(student, rng):
    """x − y"""
    x, y, g = (random(rng, 2, 3) for _ in range(3))
    expect(tuple(student.vjp_sub(x, x, g)), (g, -g), of="vjp_sub of x - x")
    expect_entries(student, rng, "vjp_sub", lambda x, y, g: (g, -g))


@pytest.mark.question("q2", points=1, hint=(
    "Compare vjp_mul with nudged, some entries being 0, or whole numbers; its arguments stay as "
    "they are, and so does what it returned before."
))
def test_products(student, rng):
    """x · y"""
    x, y, g = (random(rng, 3, 3) for _ in range(3))
    x[0], y[1], g[2] = 0.0, 0.0, 0.0
    expect(tuple(student.vjp_mul(x, y, g)), (g * y, g * x), of="vjp_mul, some entries being 0")
    reuse = student.define(HISTORY)
    expect(reuse.of_one_object(student.vjp_mul, x, g), (g * x, g * x), of="vjp_mul, x is y")
    expect_entries(student, rng, "vjp_mul", lambda x, y, g: (g * y, g * x))


@pytest.mark.question("q2", points=2, hint=(
    "Compare vjp_div with nudged, for each input, on vectors and others, some entries of x being "
    "0; whole numbers, too. What it returned before stays as it is."
))
def test_quotients(student, rng):
    """x / y"""
    x, y, g = random(rng, 4), away_from_zero(rng, 4), random(rng, 4)
    x[0], g[1] = 0.0, 0.0
    wanted = (g / y, -g * x / (y * y))
    expect(tuple(student.vjp_div(x, y, g)), wanted, of="vjp_div, an entry of x being 0")
    reuse = student.define(HISTORY)
    expect(reuse.of_one_object(student.vjp_div, y, g), (g / y, -g / y), of="vjp_div, x is y")
    expect_entries(student, rng, "vjp_div", lambda x, y, g: (g / y, -g * x / (y * y)))


def expect_entries(student, rng, rule, wanted):
    """Fail unless a rule for each entry is right for arrays of any shape, also where x is inf."""
    moments = any_moments(rng, (2, 3), (2, 3), (2, 3)) + any_moments(rng, (), (), ())[:2]
    moments += [[away_from_zero(rng, *shape) for _ in "xyg"] for shape in ((2, 3, 2), (1,))]
    moments[0][0][1, 1] = np.inf
    expect_history(student, rule, moments, wanted)


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=1, hint=(
    "Every entry counts once in the sum. x may hold whole numbers, or True and False, or inf, and "
    "be a vector, or of shape (); what of the result?"
))
def test_everything_summed(student, rng):
    """axis None, with and without keepdims; whole numbers"""
    x, g = random(rng, 3, 2), random(rng)
    expect(student.vjp_sum(x, g), np.full((3, 2), float(g)), of="axis None")
    expect(student.vjp_sum(x, g.reshape(1, 1), None, True), np.full((3, 2), float(g)),
           of="axis None, keepdims")
    x, g = np.arange(6).reshape(2, 3), random(rng, 3)
    expect(student.vjp_sum(x, g, 0), np.tile(g, (2, 1)), of="axis 0 of whole numbers")
    expect(student.vjp_sum(x, np.array(0.5)), np.full((2, 3), 0.5), of="axis None of whole numbers")
    expect(student.vjp_sum(x > 2, g, 0), np.tile(g, (2, 1)), of="axis 0 of True and False")
    x = np.array([[np.inf, 1.0, -2.0], [0.0, np.nan, 3.0]])
    expect(student.vjp_sum(x, g, 0), np.tile(g, (2, 1)), of="axis 0 of infinite numbers and nan")
    for shape in ((4,), (2, 1, 3)):
        x, g = random(rng, *shape), random(rng, *(1 for _ in shape))
        wanted = g + np.zeros(shape)
        expect(student.vjp_sum(x, g, None, True), wanted, of=f"axis None of {shape}, keepdims")
    expect(student.vjp_sum(np.array(2.5), np.array(1.5)), np.array(1.5), of="a single number")


@pytest.mark.question("q3", points=2, hint=(
    "Sum a square over axis 0 by hand: whose is g[1]? Try axes of length 1, too, and arrays that "
    "are views of others. What it returned before stays."
))
def test_axes_of_squares(student, rng):
    """a square, a cube, a vector"""
    x, g = random(rng, 4, 4), random(rng, 4)
    expect(student.vjp_sum(x, g, 0, False), np.tile(g, (4, 1)), of="axis 0 of a square")
    expect(student.vjp_sum(x, g, 1, False), np.tile(g[:, None], (1, 4)), of="axis 1 of a square")
    expect(student.vjp_sum(x, g, -1), np.tile(g[:, None], (1, 4)), of="axis -1 of a square")
    expect(student.vjp_sum(x, g, -2), np.tile(g, (4, 1)), of="axis -2 of a square")
    x, g = random(rng, 3, 3, 3), random(rng, 3, 3)
    for axis in range(3):
        expect(student.vjp_sum(x, g, axis), np.stack([g] * 3, axis), of=f"axis {axis}")
    expect(student.vjp_sum(random(rng, 5), np.array(2.5), 0, False), np.full(5, 2.5),
           of="axis 0 of a vector")
    for shape, axis in (((3, 1), 0), ((3, 1), 1), ((1, 3), 0), ((1, 3), 1), ((2, 3, 1), 1)):
        x = random(rng, *shape)
        g = random(rng, *x.sum(axis).shape)
        wanted = np.expand_dims(g, axis) * np.ones(shape)
        expect(student.vjp_sum(x, g, axis), wanted, of=f"axis {axis} of x of shape {shape}")
    moments = [(*one, axis) for one in any_moments(rng, (3, 3), (3,)) for axis in (0, 1)]
    expect_history(student, "vjp_sum", moments,
                   lambda x, g, axis: np.expand_dims(g, axis) + np.zeros((3, 3)))


@pytest.mark.question("q3", points=1, hint="Try keepdims=True, axis=-2 and -1, and four axes.")
def test_axes_that_were_kept(student, rng):
    """keepdims, and axes that count from the end"""
    x = random(rng, 2, 3, 4)
    for axis in (0, 1, -1, -2):
        g = random(rng, *x.sum(axis, keepdims=True).shape)
        expect(student.vjp_sum(x, g, axis, True), g * np.ones(x.shape), of=f"keepdims, axis {axis}")
    g = random(rng, 2, 4)
    expect(student.vjp_sum(x, g, -2, False), np.stack([g] * 3, 1), of="axis -2")
    x = random(rng, 2, 1, 3, 2)
    for axis in (3, -4, -2):
        g = random(rng, *x.sum(axis).shape)
        wanted = np.expand_dims(g, axis) + np.zeros(x.shape)
        expect(student.vjp_sum(x, g, axis), wanted, of=f"axis {axis} of four")


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=2, hint="Compare vjp_matmul with nudged, on oblong matrices.")
def test_oblong_matrices(student, rng):
    """matrices of every form"""
    for n, m, p in ((2, 3, 4), (4, 1, 3), (1, 5, 1)):
        x, y, g = random(rng, n, m), random(rng, m, p), random(rng, n, p)
        expect(tuple(student.vjp_matmul(x, y, g)), (g @ y.T, x.T @ g), of=f"[{n},{m}] @ [{m},{p}]")


@pytest.mark.question("q4", points=1, hint=(
    "On squares all shapes fit: compare the numbers, of whole ones, too, and of arrays that held "
    "others when it was called before."
))
def test_square_matrices(student, rng):
    """squares"""
    x, y, g = (random(rng, 3, 3) for _ in range(3))
    expect(tuple(student.vjp_matmul(x, y, g)), (g @ y.T, x.T @ g), of="squares")
    expect(tuple(student.vjp_matmul(x, x, g)), (g @ x.T, x.T @ g), of="the square of a matrix")
    came = student.define(HISTORY).of_one_object(student.vjp_matmul, x, g)
    expect(came, (g @ x.T, x.T @ g), of="vjp_matmul, x is y")
    expect_history(student, "vjp_matmul", any_moments(rng, (3, 3), (3, 3), (3, 3)), of_products)


@pytest.mark.question("q4", points=1, hint=(
    "In a stack, swap the last two axes and no others. Arrays may hold whole numbers, and be views "
    "of others; what was returned before stays."
))
def test_stacks(student, rng):
    """stacks, of squares too"""
    for k, n, m, p in ((3, 2, 4, 5), (3, 3, 3, 3), (1, 2, 3, 2), (2, 1, 3, 1), (3, 1, 1, 1)):
        x, y, g = random(rng, k, n, m), random(rng, k, m, p), random(rng, k, n, p)
        expect(tuple(student.vjp_matmul(x, y, g)), of_products(x, y, g), of=f"stacks of {k}")
    for k, n in ((2, 2), (1, 3)):
        moments = any_moments(rng, (k, n, n), (k, n, n), (k, n, n))
        expect_history(student, "vjp_matmul", moments, of_products)


# q5 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q5", points=1, hint=(
    "Compare with the formula, row by row, by hand; with scores that are whole numbers, too."
))
def test_the_loss(student, rng):
    """oblong and square scores"""
    for n, c in ((4, 3), (3, 3), (1, 5)):
        scores, labels = random(rng, n, c), [rng.randrange(c) for _ in range(n)]
        wanted = mean_loss(scores, labels)
        expect(student.cross_entropy(scores, labels), wanted, of=f"[{n},{c}] scores")
    expect(student.cross_entropy(random(rng, 3, 1), [0, 0, 0]), 0.0, of="one class alone")
    expect(student.cross_entropy(np.zeros((2, 4)), [1, 1]), np.log(4), of="all scores 0")
    whole = np.array([[rng.randrange(-3, 4) for _ in range(3)] for _ in range(2)])
    wanted = mean_loss(whole, [2, 0])
    expect(student.cross_entropy(whole, [2, 0]), wanted, of="scores that are whole numbers")
    expect_history(student, "cross_entropy", [one[:2] for one in batches(rng)], mean_loss)


def batches(rng):
    """(scores, labels, g), one after another: the same with other labels, nearly the same, the
    same numbers in other places or another shape."""
    scores, labels = random(rng, 3, 4), rng.sample(range(4), 3)
    near, other = scores * (1 + 1e-6), scores.copy()
    other[2] = other[2, ::-1]
    tried = [(scores, labels), (scores, labels[::-1]), (near, labels), (other, labels)]
    tried += [(scores, labels), (scores.reshape(4, 3), [0, 2, 1, 1]), (scores, labels)]
    return [(*one, rng.choice((1.0, -2.0, 3.0))) for one in tried]


@pytest.mark.question("q5", points=2, hint=(
    "Compare vjp_cross_entropy with nudged, with g = 3, without calling the loss before; then "
    "again, and after another loss, with other numbers in the same array, or other labels; and "
    "with whole numbers. Nothing may be left from the call before, and what it returned stays."
))
def test_its_rule(student, rng):
    """oblong and square scores, any g"""
    for n, c in ((4, 3), (3, 3), (1, 5)):
        scores, labels = random(rng, n, c), [rng.randrange(c) for _ in range(n)]
        g = rng.uniform(2, 3)
        wanted = slopes_of_loss(scores, labels, g)
        expect(student.vjp_cross_entropy(scores, labels, g), wanted, of=f"[{n},{c}] scores")
        student.cross_entropy(-scores, labels)
        expect(student.vjp_cross_entropy(scores, labels, 1.0), wanted / g, of="… once more, g = 1")
    expect(student.vjp_cross_entropy(scores, labels, 0.0), 0 * scores, of="… with g = 0")
    expect_history(student, "vjp_cross_entropy", batches(rng), slopes_of_loss, "cross_entropy")
    whole = np.array([[rng.randrange(-3, 4) for _ in range(3)] for _ in range(2)])
    wanted = slopes_of_loss(whole, [2, 0], 2.0)
    expect(student.vjp_cross_entropy(whole, [2, 0], 2.0), wanted, of="scores: whole numbers")


@pytest.mark.question("q5", points=1, hint="Rows at very different heights, far from zero.")
def test_large_scores(student, rng):
    """large scores of either sign, rows at different heights"""
    scores = random(rng, 3, 4)
    labels = [rng.randrange(4) for _ in range(3)]
    wanted = mean_loss(scores, labels)
    raised = scores + np.array([[2000.0], [-2000.0], [0.0]])
    expect(student.cross_entropy(raised, labels), wanted, of="raised rows", tolerance=1e-7)
    slopes = slopes_of_loss(scores, labels, 1.0)
    expect(student.vjp_cross_entropy(raised, labels, 1.0), slopes, of="its rule", tolerance=1e-7)
    for high in (3000.0, 1e9, 1e300):
        expect(student.cross_entropy(np.array([[0.0, high]]), [0]), high, of="a hopeless row")


@pytest.mark.question("q5", points=1, hint="Print scores and labels before and after each call.")
def test_scores_stay_as_they_are(student, rng):
    """the arguments are not changed"""
    moments = [(random(rng, 3, 3), [2, 0, 1])]
    expect_history(student, "cross_entropy", moments, mean_loss)
    moments = [(*one, 1.0) for one in moments]
    expect_history(student, "vjp_cross_entropy", moments, slopes_of_loss)


# q6 ----------------------------------------------------------------------------------------------


def judged(student, rng, rules, cases, verdict):
    """Expects one verdict on each (f, vjp, shapes), twice with different seeds."""
    for f, vjp, shapes in cases:
        for _ in range(2):
            seed = rng.randrange(1000)
            came = student.is_right(getattr(rules, f), getattr(rules, vjp), shapes, seed)
            expect(came, verdict, of=f"is_right({f}, {vjp}, {shapes})")


@pytest.mark.question("q6", points=1, hint=(
    "Right rules are called wrong: is near enough for you? log wants positive inputs; f may return "
    "a plain number, or a view of its input: do not change that in place."
))
def test_right_rules_pass(student, rng):
    """right rules"""
    judged(student, rng, student.define(RULES), [
        ("quotient", "quotient_rule", [(2, 2), (2, 2)]),
        ("column_sums", "down_columns", [(3, 3)]),
        ("column_sums", "down_columns", [(5, 4)]),
        ("matrix_product", "matrix_rule", [(2, 3), (3, 4)]),
        ("tanh", "tanh_rule", [(4,)]),
        ("product", "product_rule", [(2, 2), (2, 2)]),
        ("plus", "plus_rule", [(2, 2), (2, 2)]),
        ("of_three", "of_three_rule", [(2, 2), (2, 2), (2, 2)]),
        ("logarithm", "logarithm_rule", [(5, 4)]),
        ("total", "total_rule", [(2, 3)]),
        ("square", "square_rule", [(3, 2)]),
        ("total_as_a_number", "total_rule", [(2, 3)]),
        ("small", "small_rule", [(2, 3), (2, 3)]),
        ("same", "same_rule", [(4,)]),
        ("turned", "turned_rule", [(2, 3)]),
        ("flat", "flat_rule", [(3, 2)]),
        ("first_column", "first_column_rule", [(3, 2)]),
    ], True)


@pytest.mark.question("q6", points=2, hint=(
    "Random inputs, no two alike, and a random seed let no rule hide; 0.2 % off is wrong; nan, "
    "too; so is a cotangent that is wrong and small beside another. All numbers come from seed."
))
def test_wrong_numbers_are_found(student, rng):
    """wrong rules whose shapes are right"""
    judged(student, rng, student.define(RULES), [
        ("quotient", "quotient_sign", [(2, 2), (2, 2)]),
        ("quotient", "quotient_doubled", [(3,), (3,)]),
        ("column_sums", "along_rows", [(3, 3)]),
        ("column_sums", "mean_of_seed", [(2, 3)]),
        ("matrix_product", "without_transposes", [(3, 3), (3, 3)]),
        ("tanh", "tanh_not_squared", [(4,)]),
        ("product", "other_factor", [(2, 2), (2, 2)]),
        ("quotient", "quotient_nearly", [(2, 3), (2, 3)]),
        ("quotient", "quotient_one_entry", [(2, 3), (2, 3)]),
        ("logarithm", "logarithm_of_result", [(3, 3)]),
        ("total", "total_without_g", [(2, 2)]),
        ("square", "square_of_seed", [(2, 3)]),
        ("square", "square_without_seed", [(2, 3)]),
        ("quotient", "quotient_no_number", [(2, 3), (2, 3)]),
        ("small", "small_doubled", [(2, 3), (2, 3)]),
        ("turned", "same_rule", [(3, 3)]),
        ("matrix_product", "matrix_places", [(2, 3), (3, 4)]),
        ("square", "square_last_column", [(2, 2, 2)]),
    ], False)
    rules, shapes = student.define(RULES), [(2, 2), (2, 2)]
    noted, one = student.define(NOTED).arguments_of_rule, rng.randrange(1000)
    first, again, other = (
        noted(student.is_right, rules.product, rules.product_rule, shapes, seed)
        for seed in (one, one, one + 1)
    )
    expect(again, first, of="what the rule is called with, the seed being the same")
    expect(same(other, first), False, of="whether it is the same with another seed, too")


@pytest.mark.question("q6", points=1, hint=(
    "Every input's cotangent, and its shape; too few or too many are wrong."
))
def test_every_input_and_its_shape(student, rng):
    """one input forgotten; a shape that NumPy would stretch"""
    judged(student, rng, student.define(RULES), [
        ("quotient", "quotient_first_alone", [(2, 3), (2, 3)]),
        ("column_sums", "not_stretched", [(3, 3)]),
        ("quotient", "quotient_too_few", [(2, 2), (2, 2)]),
        ("quotient", "quotient_too_many", [(2, 2), (2, 2)]),
        ("of_three", "of_three_without_middle", [(2, 2), (2, 2), (2, 2)]),
    ], False)
