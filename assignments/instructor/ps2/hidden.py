"""The checks that grade ps2: what the visible ones ask, of other shapes and other numbers."""

import numpy as np
import pytest

from minigrad.course.grading import expect

KEEPING = """
import numpy as np

def kept(rule, *arguments):
    before = [np.array(one) for one in arguments]
    rule(*arguments)
    return all(np.array_equal(old, new) for old, new in zip(before, arguments))
"""
REUSE = """
def of_one_object(rule, x, g):
    return tuple(rule(x, x, g))

def after_a_change(rule, *arguments):
    rule(*arguments)
    for one in arguments:
        one *= 2.0
    return tuple(rule(*arguments))

def first_of_two(rule, first, second):
    came = rule(*first)
    rule(*second)
    return came

def after_a_step(call, scores, *others):
    call(scores, *others)
    scores *= -0.5
    return call(scores, *others)
"""
VIEWS = """
import numpy as np

def turned(call, arrays, *others):
    return call(*map(np.asfortranarray, arrays), *others)

def every_second(call, arrays, *others):
    return call(*(np.repeat(one, 2, axis=-1)[..., ::2] for one in arrays), *others)
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
    return x + y / 1000

def small_rule(x, y, g):
    return [g, g / 1000]

def small_doubled(x, y, g):
    return [g, g / 500]

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


def expect_kept(student, rule, *arguments):
    """Fail unless a rule of the student's leaves its arguments as they are."""
    kept = student.define(KEEPING).kept(student[rule], *arguments)
    expect(kept, True, of=f"whether the arguments of {rule} are as before")


def expect_to_stay(student, rule, first, second):
    """Fail unless what a rule returned is not changed by its next call."""
    call = student.define(REUSE).first_of_two
    came = call(student[rule], tuple(first), tuple(second))
    wanted = student[rule](*first)
    expect(came, wanted, of=f"what {rule} returned, after it is called with other numbers")


def softmax(scores):
    """Each row's probabilities."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


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
    "Some axes are new, others had length 1; g may be a view, and have an infinite entry."
))
def test_both(student, rng):
    """new axes, and axes of length 1"""
    g = random(rng, 4, 2, 3)
    expect(student.unbroadcast(g, (2, 1)), g.sum((0, 2))[:, None], of="(4, 2, 3) to (2, 1)")
    expect(student.unbroadcast(g, (1, 3)), g.sum((0, 1))[None], of="(4, 2, 3) to (1, 3)")
    views = student.define(VIEWS)
    for call in (views.turned, views.every_second):
        expect(call(student.unbroadcast, (g,), (2, 1)), g.sum((0, 2))[:, None],
               of="(4, 2, 3) to (2, 1), g being a view of another array")
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
    for shape, given in (((1, 3), (3, 3)), ((3,), (2, 3)), ((2, 1), (4, 2, 3)), ((), (2, 2))):
        expect_kept(student, "unbroadcast", random(rng, *given), shape)

    for shape, given in (((3,), (0, 3)), ((1, 3), (0, 3)), ((2, 1), (2, 0)), ((), (0,))):
        came = student.unbroadcast(np.zeros(given), shape)
        expect(came, np.zeros(shape), of=f"no use at all: {given} to {shape}")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=1, hint=(
    "Compare vjp_sub with nudged; call it twice, and look at what the first call returned."
))
def test_differences(student, rng):
    """x − y"""
    x, y, g = (random(rng, 2, 3) for _ in range(3))
    expect(tuple(student.vjp_sub(x, y, g)), (g, -g), of="vjp_sub")
    expect(tuple(student.vjp_sub(x, x, g)), (g, -g), of="vjp_sub of x - x")
    expect_kept(student, "vjp_sub", x, y, g)
    expect_to_stay(student, "vjp_sub", (x, y, g), (y, g, x))


@pytest.mark.question("q2", points=1, hint=(
    "Compare vjp_mul with nudged, some entries being 0; its arguments stay as they are, and so "
    "does what it returned before."
))
def test_products(student, rng):
    """x · y"""
    x, y, g = (random(rng, 3, 3) for _ in range(3))
    expect(tuple(student.vjp_mul(x, y, g)), (g * y, g * x), of="vjp_mul")
    x[0], y[1], g[2] = 0.0, 0.0, 0.0
    expect(tuple(student.vjp_mul(x, y, g)), (g * y, g * x), of="vjp_mul, some entries being 0")
    expect(tuple(student.vjp_mul(x, x, g)), (g * x, g * x), of="vjp_mul of x · x")
    reuse = student.define(REUSE)
    expect(reuse.of_one_object(student.vjp_mul, x, g), (g * x, g * x), of="vjp_mul, x is y")
    expect(reuse.after_a_change(student.vjp_mul, x, y, g), (4 * g * y, 4 * g * x),
           of="vjp_mul once more, the same arrays being doubled in place")
    expect_kept(student, "vjp_mul", x, y, g)
    expect_to_stay(student, "vjp_mul", (x, y, g), (y, g, x))


@pytest.mark.question("q2", points=2, hint=(
    "Compare vjp_div with nudged, for each input, some entries of x being 0; whole numbers, too. "
    "What it returned before stays as it is."
))
def test_quotients(student, rng):
    """x / y"""
    x, y, g = random(rng, 4), away_from_zero(rng, 4), random(rng, 4)
    expect(tuple(student.vjp_div(x, y, g)), (g / y, -g * x / (y * y)), of="vjp_div")
    x[0], g[1] = 0.0, 0.0
    wanted = (g / y, -g * x / (y * y))
    expect(tuple(student.vjp_div(x, y, g)), wanted, of="vjp_div, an entry of x being 0")
    expect(tuple(student.vjp_div(y, y, g)), (g / y, -g / y), of="vjp_div of y / y")
    reuse = student.define(REUSE)
    expect(reuse.of_one_object(student.vjp_div, y, g), (g / y, -g / y), of="vjp_div, x is y")
    expect(reuse.after_a_change(student.vjp_div, x, y, g), wanted,
           of="vjp_div once more, the same arrays being doubled in place")
    expect_kept(student, "vjp_div", x, y, g)
    expect_to_stay(student, "vjp_div", (x, y, g), (g, y, x))
    whole, below = np.array([2, 0, -3, 7]), np.array([3, -2, 5, rng.randrange(2, 9)])
    expect(tuple(student.vjp_div(whole, below, g)), (g / below, -g * whole / (below * below)),
           of="vjp_div of whole numbers")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=1, hint=(
    "Every entry counts once in the sum. x may hold whole numbers, or True and False, or inf; what "
    "of the result?"
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


@pytest.mark.question("q3", points=2, hint=(
    "Sum a square over axis 0 by hand: whose is g[1]? Try axes of length 1, too."
))
def test_axes_of_squares(student, rng):
    """a square, a cube, a vector"""
    x, g = random(rng, 4, 4), random(rng, 4)
    expect(student.vjp_sum(x, g, 0, False), np.tile(g, (4, 1)), of="axis 0 of a square")
    expect(student.vjp_sum(x, g, 1, False), np.tile(g[:, None], (1, 4)), of="axis 1 of a square")
    expect(student.vjp_sum(x, g, -1), np.tile(g[:, None], (1, 4)), of="axis -1 of a square")
    expect(student.vjp_sum(x, g, -2), np.tile(g, (4, 1)), of="axis -2 of a square")
    expect_kept(student, "vjp_sum", x, g, 1)
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
    expect_to_stay(student, "vjp_sum", (x, g, 1), (x, 2 * g, 1))


@pytest.mark.question("q3", points=1, hint="Try keepdims=True, and axis=-2 and -1.")
def test_axes_that_were_kept(student, rng):
    """keepdims, and axes that count from the end"""
    x = random(rng, 2, 3, 4)
    for axis in (0, 1, -1, -2):
        g = random(rng, *x.sum(axis, keepdims=True).shape)
        expect(student.vjp_sum(x, g, axis, True), g * np.ones(x.shape), of=f"keepdims, axis {axis}")
    g = random(rng, 2, 4)
    expect(student.vjp_sum(x, g, -2, False), np.stack([g] * 3, 1), of="axis -2")


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=2, hint="Compare vjp_matmul with nudged, on oblong matrices.")
def test_oblong_matrices(student, rng):
    """matrices of every form"""
    for n, m, p in ((2, 3, 4), (4, 1, 3), (1, 5, 1)):
        x, y, g = random(rng, n, m), random(rng, m, p), random(rng, n, p)
        expect(tuple(student.vjp_matmul(x, y, g)), (g @ y.T, x.T @ g), of=f"[{n},{m}] @ [{m},{p}]")


@pytest.mark.question("q4", points=1, hint="On squares all shapes fit: compare the numbers.")
def test_square_matrices(student, rng):
    """squares"""
    x, y, g = (random(rng, 3, 3) for _ in range(3))
    expect(tuple(student.vjp_matmul(x, y, g)), (g @ y.T, x.T @ g), of="squares")
    expect(tuple(student.vjp_matmul(x, x, g)), (g @ x.T, x.T @ g), of="the square of a matrix")
    reuse, wanted = student.define(REUSE), (g @ x.T, x.T @ g)
    expect(reuse.of_one_object(student.vjp_matmul, x, g), wanted, of="vjp_matmul, x is y")
    expect(reuse.after_a_change(student.vjp_matmul, x, y, g), (4 * g @ y.T, 4 * x.T @ g),
           of="vjp_matmul once more, the same arrays being doubled in place")
    expect_kept(student, "vjp_matmul", x, y, g)


@pytest.mark.question("q4", points=1, hint=(
    "In a stack, swap the last two axes and no others. Arrays may be views of others; what was "
    "returned before stays."
))
def test_stacks(student, rng):
    """stacks, of squares too"""
    for k, n, m, p in ((3, 2, 4, 5), (3, 3, 3, 3), (1, 2, 3, 2)):
        x, y, g = random(rng, k, n, m), random(rng, k, m, p), random(rng, k, n, p)
        wanted = (np.einsum("knp,kmp->knm", g, y), np.einsum("knm,knp->kmp", x, g))
        expect(tuple(student.vjp_matmul(x, y, g)), wanted, of=f"stacks of {k}")
        views = student.define(VIEWS)
        for call in (views.turned, views.every_second):
            expect(tuple(call(student.vjp_matmul, (x, y, g))), wanted,
                   of=f"stacks of {k}, which are views of other arrays")
    expect_to_stay(student, "vjp_matmul", (x, y, g), (-x, 2 * y, g))


# q5 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q5", points=1, hint=(
    "Compare with the formula, row by row, by hand; with scores that are whole numbers, too."
))
def test_the_loss(student, rng):
    """oblong and square scores"""
    for n, c in ((4, 3), (3, 3), (1, 5)):
        scores, labels = random(rng, n, c), [rng.randrange(c) for _ in range(n)]
        wanted = -np.log(softmax(scores)[np.arange(n), labels]).mean()
        expect(student.cross_entropy(scores, labels), wanted, of=f"[{n},{c}] scores")
    expect(student.cross_entropy(random(rng, 3, 1), [0, 0, 0]), 0.0, of="one class alone")
    expect(student.cross_entropy(np.zeros((2, 4)), [1, 1]), np.log(4), of="all scores 0")
    whole = np.array([[rng.randrange(-3, 4) for _ in range(3)] for _ in range(2)])
    wanted = -np.log(softmax(whole)[[0, 1], [2, 0]]).mean()
    expect(student.cross_entropy(whole, [2, 0]), wanted, of="scores that are whole numbers")


@pytest.mark.question("q5", points=2, hint=(
    "Compare vjp_cross_entropy with nudged, with g = 3, without calling the loss before; then "
    "again, other numbers being in the same array; and with whole numbers."
))
def test_its_rule(student, rng):
    """oblong and square scores, any g"""
    for n, c in ((4, 3), (3, 3), (1, 5)):
        scores, labels = random(rng, n, c), [rng.randrange(c) for _ in range(n)]
        g = rng.uniform(2, 3)
        wanted = g * (softmax(scores) - np.eye(c)[labels]) / n
        expect(student.vjp_cross_entropy(scores, labels, g), wanted, of=f"[{n},{c}] scores")
        student.cross_entropy(-scores, labels)
        expect(student.vjp_cross_entropy(scores, labels, 1.0), wanted / g, of="… once more, g = 1")
    expect(student.vjp_cross_entropy(scores, labels, 0.0), 0 * scores, of="… with g = 0")
    step = student.define(REUSE).after_a_step
    wanted = softmax(-scores / 2) - np.eye(5)[labels]
    expect(step(student.vjp_cross_entropy, scores, labels, 1.0), wanted,
           of="… once more, the same array holding other scores")
    whole = np.array([[rng.randrange(-3, 4) for _ in range(3)] for _ in range(2)])
    expect(student.vjp_cross_entropy(whole, [2, 0], 2.0), softmax(whole) - np.eye(3)[[2, 0]],
           of="scores that are whole numbers")


@pytest.mark.question("q5", points=1, hint="Rows at very different heights, far from zero.")
def test_large_scores(student, rng):
    """large scores of either sign, rows at different heights"""
    scores = random(rng, 3, 4)
    labels = [rng.randrange(4) for _ in range(3)]
    wanted = -np.log(softmax(scores)[np.arange(3), labels]).mean()
    raised = scores + np.array([[2000.0], [-2000.0], [0.0]])
    expect(student.cross_entropy(raised, labels), wanted, of="raised rows", tolerance=1e-7)
    slopes = (softmax(scores) - np.eye(4)[labels]) / 3
    expect(student.vjp_cross_entropy(raised, labels, 1.0), slopes, of="its rule", tolerance=1e-7)
    expect(student.cross_entropy(np.array([[0.0, 3000.0]]), [0]), 3000.0, of="a hopeless row")


@pytest.mark.question("q5", points=1, hint="Print scores and labels before and after each call.")
def test_scores_stay_as_they_are(student, rng):
    """the arguments are not changed"""
    scores = random(rng, 3, 3)
    keeping = student.define("""
import numpy as np

def kept(call, scores, *others):
    call(scores, [2, 0, 1], *others)
    return scores
""")
    expect(keeping.kept(student.cross_entropy, scores), scores, of="scores after the loss")
    expect(keeping.kept(student.vjp_cross_entropy, scores, 1.0), scores, of="… after its rule")
    expect_kept(student, "cross_entropy", scores, [2, 0, 1])
    expect_kept(student, "vjp_cross_entropy", scores, [2, 0, 1], 1.0)


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
    "too; so is a cotangent that is wrong and small beside another."
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
    ], False)


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
    ], False)
