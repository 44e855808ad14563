"""The checks that grade ps3: the visible ones with other numbers, and random programs."""

import inspect
import itertools
import operator

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.comparing import same
from minigrad.course.grading.student import Handle, during

NOT_SHAPED = "The tangent does not have the shape of the value."
NOT_A_DUAL = "The result is not a Dual, with a value and a tangent."
OTHER_VALUE = "The value is not what NumPy computes for the values."
CHANGED = "An operation writes into one of its operands (rule 3)."
CONSTANT_MOVES = "It gives a constant the tangent 1. A constant does not move (rule 2)."
OPERATORS = {
    "x + y": lambda x, y: x + y, "x - y": lambda x, y: x - y,
    "x * y": lambda x, y: x * y, "x / y": lambda x, y: x / y,
}  # fmt: skip
POWERS = {n: operator.methodcaller("__pow__", n) for n in (2, 3, -1, -2, 0.5)}
RULES = {
    "x + y": "The tangent of a sum is the sum of the tangents.",
    "x - y": "The tangent of a difference is the difference of the tangents.",
    "x * y": "Each tangent is multiplied by the value of the other factor, and both are added.",
    "x / y": "The rule of the quotient is wrong. Take the tangents of both sides of q · y = x.",
}
OPERANDS = """
def step_by_step(x, y):
    z = x
    z += y
    z *= y
    z -= x
    z /= y

def after_operations(x, c):
    x + c, c + x, x - c, c - x, x * c, c * x, x / c, c / x
    return c

def after_function(function, *operands):
    function(*operands)
    return [operand for operand in operands if not hasattr(operand, "tangent")]
"""
FUNCTIONS = """
def cubes(matrix, most):
    calls = []
    def f(x):
        calls.append("Dual" if hasattr(x, "tangent") else type(x).__name__)
        if calls[-1] != "Dual":
            return matrix @ x**3
        tangent = matrix @ (3 * x.value**2 * x.tangent)
        return type(x)(matrix @ x.value**3, tangent if len(calls) <= most else 0 * tangent)
    return f, calls

def found_and_calls(sparse_jacobian, matrix, x, pattern, most):
    f, calls = cubes(matrix, most)
    return sparse_jacobian(f, x, pattern), len(calls), sorted({*calls} - {"Dual"})

def same(x):
    return x

def moving_in_some_passes(constant):
    def f(x):
        return x if x.tangent[-1] else constant
    return f

def after_jacobian(sparse_jacobian, x, pattern):
    sparse_jacobian(cubes(1.0 * pattern, 99)[0], x, pattern)
    return x, pattern
"""
SCALARS = """
def quadratic_form(xs):
    x, y, z = xs
    return 0.5 + x * y - (z - 3.0) * z + x * x - (1.0 - y) * z

def polynomial(xs):
    x, y, z = xs
    w = x * y - z
    return w * w * x - y * z - w

def one_unused(xs):
    x, y, z = xs
    return x * x * z - x

def plane(xs):
    return xs[0] - xs[1] - xs[1]

def first(xs):
    return xs[0]

def chain(xs):
    total = xs[0] * xs[0] * xs[0]
    for x, y in zip(xs, xs[1:]):
        total = total + x * y * y
    return total

def doubled(xs):
    z = xs[0] * xs[1]
    for _ in range(40):
        z = z + z
    return z

class Counted:
    def __init__(self, f):
        self.f, self.calls = f, 0

    def __call__(self, xs):
        self.calls += 1
        return self.f(xs) if self.calls == 1 else xs[0] * xs[0] * xs[0]

def after_hvp(hvp, f, xs, vs):
    hvp(f, xs, vs)
    return xs, vs
"""


def random(rng, *shape):
    """Return an array of normal numbers, the same in every run."""
    return np.random.default_rng(rng.getrandbits(32)).standard_normal(shape)


def away_from_zero(rng, *shape):
    """Return an array of numbers between 1 and 2, of either sign."""
    return np.sign(random(rng, *shape)) * (1 + np.abs(np.tanh(random(rng, *shape))))


def number(rng):
    """Return a number between 1 and 3."""
    return round(rng.uniform(1.1, 2.9), 3)


def dual(student, value, tangent):
    """Return a Dual of the student's. It stays there: nothing is computed here with what came."""
    return handled(student.Dual(value, tangent))


def handled(came, of="an operation"):
    """Return a Dual that came. Raise AssertionError for plain data."""
    expect(type(came) is Handle, True, of=f"the result of {of}", because=NOT_A_DUAL)
    return came


def parts(came, of="an operation"):
    """Return the value and the tangent of a Dual."""
    with during(f"the result of {of}", because=NOT_A_DUAL):
        return handled(came, of).value, came.tangent


def expect_dual(came, wanted, of, because, mistakes=(), other_value=OTHER_VALUE, values=()):
    """Expect a Dual with the value and the tangent `wanted`. `because` and `mistakes` are about the
    tangent, `other_value` and `values` about the value."""
    value, tangent = parts(came, of)
    expect(value, wanted[0], of=f"the value of {of}", because=other_value, mistakes=values)
    shape = tangent.shape if type(tangent) is np.ndarray else ()
    expect(shape, np.shape(wanted[0]), of=f"the shape of the tangent of {of}", because=NOT_SHAPED)
    expect(tangent, wanted[1], of=f"the tangent of {of}", because=because, mistakes=mistakes)


def moved(f, *pairs, step=1e-30):
    """Return the value and the tangent of f for pairs of a value and its tangent: the imaginary
    part of a step into the complex plane, which loses no digits."""
    found = f(*(np.asarray(x) + 1j * step * np.asarray(v) for x, v in pairs))
    return np.real(found), np.imag(found) / step


def mistakes_of_two(f, first, second):
    """Yield (what a known mistake in the rule of an operation of two Duals gives, its cause)."""
    (x, v), (y, w) = first, second
    yield moved(f, first, (y, 0 * w))[1], "It leaves out the tangent of the second operand."
    yield moved(f, (x, 0 * v), second)[1], "It leaves out the tangent of the first operand."
    yield moved(f, first, (y, -w))[1], "The second operand contributes with the wrong sign."
    if np.shape(v) == np.shape(w):
        yield f(v, w), "It applies the operation to the tangents, as it does to the values."
    if f is OPERATORS["x / y"]:
        yield (v * y - x * w) / y, "It divides by y once, where the rule of x / y needs y squared."


def mistakes_of_one(f, x, v):
    """Yield the same for a function of one Dual."""
    yield moved(f, (x, np.ones_like(v)))[1], "It gives the derivative, without the tangent of x."
    yield v, "It passes the tangent of x on as it is, without the derivative."
    yield -moved(f, (x, v))[1], "The tangent has the wrong sign."


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1.5, core=True, hint=(
    "Compute the tangents of x + y, x * y, x / y, 2 - x and x ** 3 by hand, and compare."
))
def test_operators(student, rng):
    """operators of Duals, numbers and arrays"""
    for shape in ((), (3,), (2, 2)):
        x, v, y, w = (away_from_zero(rng, *shape) for _ in range(4))
        for name, f in OPERATORS.items():
            expect_dual(f(dual(student, x, v), dual(student, y, w)), moved(f, (x, v), (y, w)),
                        f"{name} for two Duals of shape {shape}", RULES[name],
                        mistakes_of_two(f, (x, v), (y, w)))
        a = dual(student, x, v)
        expect_dual(a * a, (x * x, 2 * x * v), "x * x", "Both factors of x * x move.")
        expect_dual(-dual(student, x, v), (-x, -v), "-x",
                    "The tangent of -x is not the negative of that of x.",
                    [(v, "The tangent of -x keeps the sign of that of x.")])
        for c in (2, round(rng.uniform(3, 9), 2), away_from_zero(rng, *shape)):
            expect_constant(student, (x, v), c)
        for n in POWERS:
            base = abs(x) if n == 0.5 else x
            expect_dual(dual(student, base, v) ** n, moved(POWERS[n], (base, v)), f"x ** {n}",
                        "The derivative of x ** n is n times x ** (n - 1).",
                        mistakes_of_one(POWERS[n], base, v))


def expect_constant(student, pair, c):
    """Expect what the operators give for a Dual of the parts `pair` and the constant c."""
    kind, still = "an array" if np.ndim(c) else f"the number {c}", (c, 0 * np.asarray(c))
    moving = c, 1.0 + still[1]
    for name, f in OPERATORS.items():
        sign = name[2]
        for of, first, second in ((f"x {sign} c", pair, still), (f"c {sign} x", still, pair)):
            case = f"{of} for a Dual x, where c is {kind}"
            side = "right" if first is pair else "left"
            with during(case, because=f"It cannot compute with a plain operand on the {side}."):
                a = dual(student, *pair)
                came = f(a, c) if first is pair else f(c, a)
            pairs = (pair, moving) if first is pair else (moving, pair)
            wanted, swapped = moved(f, first, second), f(second[0], first[0])
            expect_dual(came, wanted, case, "A constant has the tangent 0 (rule 2).", [
                (moved(f, *pairs)[1], CONSTANT_MOVES),
                (-wanted[1], "The tangent has the wrong sign."),
            ], values=[(swapped, f"It computes {of[::-1]} instead of {of}.")])


@pytest.mark.question("q1", points=0.5, hint=(
    "Give x the shape (), (3,) or (2, 1), and y the shape (2, 3); or (2, 1) and (1, 3)."
))
def test_broadcasting(student, rng):
    """operands of different shapes"""
    shapes = [((), (2, 3)), ((3,), (2, 3)), ((2, 1), (2, 3)), ((2, 1), (1, 3)), ((2, 1), (3,))]
    because = "The tangent is wrong where one operand is repeated to fit the other."
    for one, two in [*shapes, *(pair[::-1] for pair in shapes)]:
        x, v, y, w = (away_from_zero(rng, *shape) for shape in (one, one, two, two))
        for name, f in OPERATORS.items():
            of = f"{name} for the shapes {one} and {two}"
            expect_dual(f(dual(student, x, v), dual(student, y, w)), moved(f, (x, v), (y, w)), of,
                        because)
            with during(of, because="It cannot combine a Dual with an array of another shape."):
                came = f(dual(student, x, v), y), f(x, dual(student, y, w))
            for found, wanted, plain in ((came[0], moved(f, (x, v), (y, 0 * y)), "y"),
                                         (came[1], moved(f, (x, 0 * x), (y, w)), "x")):
                expect_dual(found, wanted, f"{of}, {plain} being a plain array", because)


@pytest.mark.question("q1", points=0.5, corner=True, hint=(
    "Look at x and y after each operation, also after z = x and z *= y."
))
def test_operands_stay(student, rng):
    """operands are as before"""
    operands = student.define(OPERANDS)
    for shape in ((), (2, 3), (3,)):
        x, v, y, w = (away_from_zero(rng, *shape) for _ in range(4))
        a, b, before = dual(student, x, v), dual(student, y, w), ((x, v), (y, w))
        for name, f in OPERATORS.items():
            f(a, b), f(b, a), f(a, a)
            expect((parts(a), parts(b)), before, of=f"x and y after {name}", because=CHANGED)
        -a, a**2, a**-1, 2.0 * a, 1.0 - a
        expect(parts(a), (x, v), of="x after -x, x ** 2, 2.0 * x, 1.0 - x", because=CHANGED)
        for other in (b, 2.0):
            operands.step_by_step(a, other)
            expect((parts(a), parts(b)), before, because=(
                "After z = x, the lines z += y and z *= y change x itself. They must make a new "
                "Dual (rule 3)."
            ), of="x and y after z = x; z += y; z *= y; z -= x; z /= y")
        if shape:
            c = away_from_zero(rng, 2, 3)
            came = operands.after_operations(a, c)
            expect(came, c, of="a plain array c after x + c, c + x, …, c / x",
                   because="An operation writes into the plain array (rule 3).")
            expect(parts(a), (x, v), of="x after x + c, c + x, …, c / x", because=CHANGED)


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=3, core=True, hint=(
    "Compare each function with difference_quotient, with a direction that is not 1 everywhere."
))
def test_rules(student, rng):
    """exp, tanh, total, matmul"""
    for shape in ((), (4,), (2, 3)):
        x, v = random(rng, *shape), random(rng, *shape)
        for name, f in (("exp", np.exp), ("tanh", np.tanh)):
            said = {"exp": "The derivative of exp is exp itself, times the tangent of x.",
                    "tanh": "The derivative of tanh is 1 minus the square of tanh(x)."}[name]
            expect_dual(student[name](dual(student, x, v)), moved(f, (x, v)),
                        f"{name} for the shape {shape}", said, mistakes_of_one(f, x, v))
    for shape in ((4,), (2, 3), (1, 1), (3, 1, 2)):
        x, v = random(rng, *shape), random(rng, *shape)
        expect_dual(student.total(dual(student, x, v)), (x.sum(), v.sum()),
                    f"total for the shape {shape}", "The tangent of a sum is the sum of tangents.",
                    other_value="It does not add up all entries of the array.")
    for one, two in (((3, 3), (3, 3)), ((2, 3), (3, 4)), ((4, 2), (2,)), ((3, 3), (3,))):
        expect_matmul(student, *(random(rng, *shape) for shape in (one, one, two, two)))


def expect_matmul(student, x, v, y, w):
    """Expect matmul of two Duals, and of each with a plain array."""
    of = f"matmul(a, b) for the shapes {x.shape} and {y.shape}"
    a, b = dual(student, x, v), dual(student, y, w)
    mistakes = [*mistakes_of_two(np.matmul, (x, v), (y, w))]
    if x.shape == y.shape:
        swapped = "It swaps the factors of a product: a @ b is not b @ a."
        mistakes += [(y @ v + x @ w, swapped), (v @ y + w @ x, swapped), (y @ v + w @ x, swapped)]
        transposed = "It transposes a factor, as a backward rule does."
        mistakes += [(v @ y.T + x @ w, transposed), (v @ y + x.T @ w, transposed),
                     (v * y + x * w, "It multiplies entry by entry, instead of by @.")]
    expect_dual(student.matmul(a, b), (x @ y, v @ y + x @ w), of,
                "The forward rule of a product is wrong, or a factor stands on the wrong side.",
                mistakes)
    with during(of, because="It cannot multiply a Dual by a plain array."):
        plain = student.matmul(x, b), student.matmul(a, y)
    expect_dual(plain[0], (x @ y, x @ w), f"{of}, a being a plain array",
                "A plain array does not move (rule 2).")
    expect_dual(plain[1], (x @ y, v @ y), f"{of}, b being a plain array",
                "A plain array does not move (rule 2).")


@pytest.mark.question("q2", points=1.5, hint=(
    "Both sides of a @ z = b have the same tangent. Solve that equation for the tangent of z."
))
def test_solve(student, rng):
    """solve, with two Duals and with a plain array"""
    for shape in ((3,), (3, 3), (3, 2), (3, 1)):
        x, v = 4 * np.eye(3) + random(rng, 3, 3), random(rng, 3, 3)
        y, w = random(rng, *shape), random(rng, *shape)
        z, of = np.linalg.solve(x, y), f"solve(a, b) for the shapes (3, 3) and {shape}"
        mistakes = [
            (np.linalg.solve(x, w), "It leaves out the tangent of a."),
            (np.linalg.solve(x, -v @ z), "It leaves out the tangent of b."),
            (np.linalg.solve(x, w + v @ z), "The tangent of a contributes with the wrong sign."),
            (w - v @ z, "It computes a @ (the tangent of z), and does not solve for that tangent."),
            (np.linalg.solve(x, w - v @ y) if y.shape else 0, "The tangent of a is multiplied by b "
             "instead of z."),
            (np.linalg.solve(v, w), "It solves a system of the tangents alone."),
        ]
        a, b = dual(student, x, v), dual(student, y, w)
        because = "The tangent of z does not satisfy what a @ z = b says about the tangents."
        expect_dual(student.solve(a, b), moved(np.linalg.solve, (x, v), (y, w)), of, because,
                    mistakes)
        with during(of, because="It cannot solve with a plain array for a or b."):
            plain = student.solve(x, b), student.solve(a, y)
        expect_dual(plain[0], (z, np.linalg.solve(x, w)), f"{of}, a being a plain array",
                    "A plain array does not move (rule 2).")
        expect_dual(plain[1], (z, np.linalg.solve(x, -v @ z)), f"{of}, b being a plain array",
                    "A plain array does not move (rule 2).")


@pytest.mark.question("q2", points=0.5, corner=True, hint=(
    "Try tanh at 1000, and look at x after each function."
))
def test_large_values_and_operands(student, rng):
    """tanh far from 0; operands are as before"""
    far = dual(student, np.array([0.0, 1000.0, -1000.0]), np.array([3.0, 2.0, 1.0]))
    expect_dual(student.tanh(far), (np.array([0.0, 1.0, -1.0]), np.array([3.0, 0.0, 0.0])),
                "tanh at 0, 1000 and -1000", "Far from 0, the tangent of tanh is 0.",
                other_value="It computes tanh from powers of e, which are infinite at 1000.")
    operands = student.define(OPERANDS)
    x, v = 4 * np.eye(3) + random(rng, 3, 3), np.ones((3, 3))
    for name in ("exp", "tanh", "total"):
        a = dual(student, x, v)
        operands.after_function(student[name], a)
        expect(parts(a), (x, v), of=f"x after {name}(x)", because=CHANGED)
    for name in ("matmul", "solve"):
        for one, two in ((True, True), (True, False), (False, True)):
            pair = [dual(student, x, v) if is_dual else x for is_dual in (one, two)]
            with during(f"{name}(a, b)", because="It fails if a or b is a plain array."):
                plain = operands.after_function(student[name], *pair)
            after = [parts(one) for one in pair if type(one) is Handle]
            wanted = [(x, v)] * len(after), [x] * len(plain)
            expect((after, plain), wanted, of=f"a and b after {name}(a, b)", because=CHANGED)


# q3 ----------------------------------------------------------------------------------------------


def first_fit(pattern, seen=slice(None)):
    """Group the columns as the text says. `seen` are the columns of a group that a column is
    compared with: all of them."""
    groups = []
    for j in range(pattern.shape[1]):
        free = (one for one in groups if not (pattern[:, one[seen]] & pattern[:, [j]]).any())
        group = next(free, None)
        groups += [[]] if group is None else []
        (groups[-1] if group is None else group).append(j)
    return groups


def newest_fit(pattern):
    """Group the columns as someone does who begins with the newest group."""
    groups = []
    for j in range(pattern.shape[1]):
        free = (one for one in groups[::-1] if not (pattern[:, one] & pattern[:, [j]]).any())
        group = next(free, None)
        groups += [[]] if group is None else []
        (groups[-1] if group is None else group).append(j)
    return groups


def drawn_pattern(rng, shape, most, telling):
    """Return a random pattern. If it is `telling`, groups that are tried from the newest to the
    oldest are too many; otherwise they are not."""
    while True:
        pattern = random(rng, *shape) < most
        if (len(newest_fit(pattern)) > len(first_fit(pattern))) == telling:
            return pattern


def newest_group(pattern):
    """Group the columns as someone does who compares each with the newest group alone."""
    groups = []
    for j in range(pattern.shape[1]):
        if not groups or (pattern[:, groups[-1]] & pattern[:, [j]]).any():
            groups.append([])
        groups[-1].append(j)
    return groups


def compressed(matrix, pattern, groups, stay=False):
    """Return the matrix that one pass for each group gives; with `stay`, a pass also moves the
    groups before."""
    found, moving = np.zeros(matrix.shape), []
    for group in groups:
        moving = [*moving, *group] if stay else group
        found[:, group] = np.where(pattern[:, group], matrix[:, moving].sum(1, keepdims=True), 0.0)
    return found


NOT_SQUARE = (
    "It fails for this pattern. Does it take a row for a column? Column j is pattern[:, j], and "
    "there may be more rows than columns, or fewer."
)


def expect_jacobian(student, functions, matrix, pattern, x, of):
    """Expect the Jacobian of matrix @ x³, by as few calls of f as first-fit groups need."""
    wanted, groups = matrix * 3 * x**2, first_fit(pattern)
    with during(of, because=NOT_SQUARE):
        came, calls, others = functions.found_and_calls(
            student.sparse_jacobian, matrix, x, pattern, len(groups))
    expect(others, [], of=f"what calls of f get beside Duals, for {of}",
           because="f gets a plain array, from which no tangent comes.")
    if type(came) is Handle or type(calls) is not int or calls > len(groups):
        expect(calls, len(groups), of=f"the calls of f for {of}", because=(
            "It calls f more often than once for each group of columns without a conflict."
        ), mistakes=[
            (pattern.shape[1], "It calls f once for each column."),
            (len(newest_fit(pattern)), "It begins with the newest group. A column belongs to the "
             "oldest group in which it conflicts with no column."),
            (len(newest_group(pattern)), "It looks at the newest group alone, and begins a new one "
             "although a column fits into an older group."),
        ])
    shape = came.shape if type(came) is np.ndarray else ()
    expect(shape, pattern.shape, of=f"the shape of the Jacobian for {of}", because=(
        "The result does not have the shape of `pattern`: a row for each entry of f(x), and a "
        "column for each input."
    ))
    everywhere = np.ones(pattern.shape, bool)
    mistakes = [
        (wanted.T, "It returns the transpose: a pass gives columns, not rows."),
        (compressed(wanted, everywhere, groups),
         "It copies the tangent of a pass into every column of the group, also where `pattern` is "
         "False."),
        *((compressed(wanted, pattern, first_fit(pattern, seen=seen)),
           "It compares a column with one column of a group, not with all of them.")
          for seen in (slice(1), slice(-1, None))),
        (compressed(wanted, pattern, groups, stay=True),
         "A pass still moves the columns of earlier groups."),
        (compressed(wanted, pattern, groups)[:, ::-1], "The columns come in another order."),
        (wanted * x, "Its directions contain x. A direction is 1 at the columns of the group."),
    ]
    expect(came, wanted, of=of, mistakes=mistakes, because=(
        "A number of a pass is in the wrong column or missing, or columns with a conflict share a "
        "pass."
    ))


def sparse(rng, pattern):
    """Return a matrix with entries where the pattern is True, but for some of them."""
    return away_from_zero(rng, *pattern.shape) * pattern * (random(rng, *pattern.shape) < 1.5)


@pytest.mark.question("q3", points=3, core=True, hint=(
    "Take a small pattern, write its groups on paper, and follow one pass."
))
def test_sparse_jacobians(student, rng):
    """bands and random patterns, one pass for each group"""
    functions = student.define(FUNCTIONS)
    near = [np.eye(9, k=k, dtype=bool) for k in (-1, 0, 1)]
    patterns = {"the diagonal, and the one two columns right of it":
                near[1] | np.eye(9, k=2, dtype=bool),
                "a band of two diagonals": near[1] | near[2],
                "a band of three": near[0] | near[1] | near[2]}
    patterns |= {f"a random pattern of shape {shape}": drawn_pattern(rng, shape, -0.7, False)
                 for shape in ((5, 7), (8, 8), (12, 6), (9, 14), (9, 14))}
    for name, pattern in patterns.items():
        x = away_from_zero(rng, pattern.shape[1])
        expect_jacobian(student, functions, sparse(rng, pattern), pattern, x, name)


@pytest.mark.question("q3", points=1, hint=(
    "Where all of `pattern` is True, each column needs a pass of its own."
))
def test_full_patterns(student, rng):
    """patterns without a False, with more rows than columns, and with fewer"""
    functions = student.define(FUNCTIONS)
    for shape in ((3, 3), (4, 2), (2, 5), (1, 3), (3, 1)):
        pattern, x = np.ones(shape, bool), away_from_zero(rng, shape[1])
        expect_jacobian(student, functions, away_from_zero(rng, *shape), pattern, x,
                        f"a pattern of shape {shape}, all True")


@pytest.mark.question("q3", points=0.5, hint=(
    "Look for the first group without a conflict among all groups, beginning with the oldest."
))
def test_few_passes(student, rng):
    """many columns, few passes"""
    functions = student.define(FUNCTIONS)
    for shape in ((20, 40), (60, 30)):
        pattern = drawn_pattern(rng, shape, -1.3, True)
        expect_jacobian(student, functions, sparse(rng, pattern), pattern,
                        away_from_zero(rng, shape[1]), f"a random pattern of shape {shape}")
    arrow = np.eye(30, dtype=bool)
    arrow[:, 0] = True
    expect_jacobian(student, functions, sparse(rng, arrow), arrow, away_from_zero(rng, 30),
                    "the diagonal and column 0")
    band = np.eye(300, dtype=bool) | np.eye(300, k=2, dtype=bool)
    expect_jacobian(student, functions, sparse(rng, band), band, away_from_zero(rng, 300),
                    "two diagonals of 300 columns")


@pytest.mark.question("q3", points=0.5, corner=True, hint=(
    "Let f return x itself, or a plain array, and look at x afterwards."
))
def test_results_that_share_or_stay(student, rng):
    """f returns x itself, or a constant"""
    functions, x = student.define(FUNCTIONS), away_from_zero(rng, 4)
    full = np.ones((4, 4), bool)
    expect_jacobian(student, functions, np.eye(4), full, x, "f(x) = x³, with a full pattern")
    expect(student.sparse_jacobian(functions.same, x, full), np.eye(4), because=(
        "f returns the direction's own array (rule 3), which a later pass has written into."
    ), of="the Jacobian of f(x) = x, with a full pattern")
    with during("an f that returns a plain array", because=(
        "A plain array comes out of f when nothing moves it (rule 2). `along` knows that."
    )):
        constant = functions.moving_in_some_passes(x)
        came = student.sparse_jacobian(constant, x, full)
    expect(came, np.diag([0.0, 0.0, 0.0, 1.0]), of="an f that is constant in some passes", because=(
        "When f returns a plain array in one pass, the other passes still count."
    ))
    pattern = np.eye(3, 4, dtype=bool)
    with during("a pattern of shape (3, 4)", because=NOT_SQUARE):
        came = functions.after_jacobian(student.sparse_jacobian, x, pattern)
    expect(came, (x, pattern), of="x and pattern afterwards", because="It changes x or pattern.")


# q4 ----------------------------------------------------------------------------------------------


class Epsilons:
    """A sum of numbers times products of epsilons: {set of epsilons: number}. The square of each
    epsilon is 0."""

    def __init__(self, terms):
        self.terms = terms

    def __add__(self, other):
        terms = dict(self.terms)
        for key, factor in terms_of(other).items():
            terms[key] = terms.get(key, 0) + factor
        return Epsilons(terms)

    def __mul__(self, other):
        terms = {}
        for (a, x), (b, y) in itertools.product(self.terms.items(), terms_of(other).items()):
            if not a & b:
                terms[a | b] = terms.get(a | b, 0) + x * y
        return Epsilons(terms)

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other):
        return self + Epsilons(terms_of(other)) * -1

    def __rsub__(self, other):
        return self * -1 + other


def terms_of(x):
    """Return the terms of Epsilons, or of a plain number."""
    return x.terms if isinstance(x, Epsilons) else {frozenset(): x}


def exact(f, x):
    """Return the derivative of f at x: the factor of an epsilon that is added to x."""
    mine = frozenset([object()])
    came = terms_of(f(Epsilons({**terms_of(x), mine: 1})))
    return Epsilons({key - mine: factor for key, factor in came.items() if key & mine})


class Tagged:
    """A value and its tangent, which belongs to the derivative of a tag. `MISTAKES` give it wrong
    tags."""

    leading = staticmethod(max)

    def __init__(self, value, tangent, tag):
        self.value, self.tangent, self.tag = value, tangent, tag

    def parts(self, other):
        """Return the tag of the inner derivative, and both numbers' values and tangents for it."""
        tag = self.leading(self.tag, tag_of(other) or self.tag)
        return tag, *parts_for(self, tag), *parts_for(other, tag)

    def __add__(self, other):
        tag, a, a_dot, b, b_dot = self.parts(other)
        return type(self)(a + b, a_dot + b_dot, tag)

    def __mul__(self, other):
        tag, a, a_dot, b, b_dot = self.parts(other)
        return type(self)(a * b, a_dot * b + a * b_dot, tag)

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other):
        return self + other * -1

    def __rsub__(self, other):
        return self * -1 + other


class OuterFirst(Tagged):
    """A number whose outer tag leads where two meet."""

    leading = staticmethod(min)


class LeftFirst(Tagged):
    """A number whose tag leads where it is the left one."""

    leading = staticmethod(lambda mine, other: mine)


class Swapped(Tagged):
    """A number that computes x - c for c - x."""

    def __rsub__(self, other):
        return self - other


def tag_of(x):
    """Return the tag of a number, 0 for a plain one."""
    return x.tag if isinstance(x, Tagged) else 0


def parts_for(x, tag):
    """Return value and tangent of x for the derivative of a tag."""
    return (x.value, x.tangent) if tag_of(x) == tag else (x, 0)


def bare(x):
    """Return the plain number inside."""
    return bare(x.value) if isinstance(x, Tagged) else x


TAGS = itertools.count(1)


def by_tag(f, x, tag=None, kind=Tagged):
    """Return the derivative of f at x, with a tag of its own unless one is given."""
    tag = next(TAGS) if tag is None else tag
    return parts_for(f(kind(x, 1, tag)), tag)[1]


def of_any_tag(f, x):
    """Return the tangent of f's result, whatever its tag is."""
    return getattr(f(Tagged(x, 1, next(TAGS))), "tangent", 0)


BARE = (
    "An inner derivative returns a bare number, so the outer derivative does not see how it "
    "depends on the outer variable."
)
MISTAKES = [
    (lambda f, x: by_tag(f, x, tag=1), (
        "All derivatives share one tag or one slot, so an inner derivative counts the tangent of "
        "an outer variable as well. This is perturbation confusion."
    )),
    (lambda f, x: by_tag(f, x, tag=tag_of(x) + 1), (
        "It tells two derivatives apart by their points. A derivative inside another one needs a "
        "tag of its own, whatever its point is."
    )),
    (lambda f, x: bare(by_tag(f, x)), BARE),
    (lambda f, x: by_tag(f, x) if tag_of(x) else bare(by_tag(f, x)), BARE),
    (lambda f, x: by_tag(f, bare(x)), (
        "It takes the point of an inner derivative for a constant. The point may depend on an "
        "outer variable."
    )),
    (of_any_tag, (
        "The result of f belongs to an outer derivative only, and its tangent is returned. For "
        "this derivative, such a result is a constant."
    )),
    (lambda f, x: by_tag(f, x, kind=OuterFirst), (
        "Where an outer and an inner variable meet, the result gets the tag of the outer "
        "derivative. It needs that of the inner one, for which the outer variable is a constant."
    )),
    (lambda f, x: by_tag(f, x, kind=LeftFirst), (
        "Where an outer and an inner variable meet, the left one decides whose the result is. It "
        "belongs to the inner derivative."
    )),
    (lambda f, x: by_tag(f, x, kind=Swapped), (
        "For a constant c on the left, it computes x - c instead of c - x, also without nesting."
    )),
]  # fmt: skip
CONFUSED = (
    "The tangents of two derivatives are mixed up, or it is lost how an inner derivative depends "
    "on an outer variable."
)
NO_NUMBER = "It cannot compute with a number of an outer derivative, or with a constant."
ONE_RULE = "The rule of a sum, a difference or a product is wrong, also without nesting."
TWICE = "It calls f more than once. A difference quotient does that (rule 4)."
NOT_PLAIN = "The result of the outermost derivative is not a plain number."


def watched(derivative, program, *inputs):
    """Return what a program gives, and how often at most one call of derivative called its f."""
    counts = [1]

    def watching(f, x):
        calls = []

        def counted(variable):
            calls.append(variable)
            return f(variable)

        found = derivative(counted, x)
        counts.append(len(calls))
        return found

    return program(watching, *inputs), max(counts)


def polynomial(terms, variables):
    """Return a sum of terms: a factor times the variables at some places."""
    result = 0.0
    for factor, places in terms:
        product = abs(factor)
        for place in places:
            product = variables[place] * product if place % 2 else product * variables[place]
        result = result + product if factor > 0 else result - product
    return result


def nest(derivative, levels, outer=()):
    """Return the derivative of a nest. Each level has a point and a body, sums of terms; the last
    variable of a body that has levels inside is their derivative."""
    (point, body), *inside = levels

    def f(variable):
        variables = [*outer, variable]
        if inside:
            variables.append(nest(derivative, inside, [*outer, variable]))
        return polynomial(body, variables)

    return derivative(f, polynomial(point, outer))


def nests(derivative, many):
    """Return the derivatives of many nests."""
    return [nest(derivative, levels) for levels in many]


def one_variable(derivative, a, x):
    return derivative(lambda x: (a - x) * x - 2 * x + 3 * x * (x + 1) + x * x * x - a, x)


def constant(derivative, a, x):
    return derivative(lambda x: a, x)


def itself(derivative, x):
    return derivative(lambda x: x, x)


TWO = [
    "x² · ∂/∂y ((x + y) y)", "∂/∂y (x y² x) - x", "∂/∂y (x y²) · ∂/∂y (x + x y)",
    "x² + x · ∂/∂y x²", "3x + ∂/∂y y²", "(2 - x) · ∂/∂y (x y²) + 3x² - 1",
]  # fmt: skip


def two_variables(derivative, x, y):
    """Return the derivatives of TWO with respect to x."""
    return [derivative(f, x) for f in (
        lambda x: x * x * derivative(lambda y: (x + y) * y, y),
        lambda x: derivative(lambda y: x * y * y * x, y) - x,
        lambda x: derivative(lambda y: x * y * y, y) * derivative(lambda y: x + x * y, y),
        lambda x: x * x + x * derivative(lambda y: x * x, y),
        lambda x: 3 * x + derivative(lambda y: y * y, y),
        lambda x: (2 - x) * derivative(lambda y: x * y * y, y) + 3 * x * x - 1,
    )]


def at_two_levels(derivative, x):
    outer = []
    def f(z):
        if outer:
            return z * outer[0]
        outer.append(z)
        return z * derivative(f, z)
    return derivative(f, x)


def at_zero(derivative, y):
    return derivative(lambda x: derivative(lambda y: x * y, y), 0.0)


def second(derivative, x):
    return derivative(lambda x: derivative(lambda y: y * y * y * y - y, x), x)


def third(derivative, x):
    return derivative(
        lambda x: derivative(lambda y: derivative(lambda z: z * z * z * z, y), x), x)


def one_in_another(derivative, depth, x):
    if depth == 0:
        return x
    return derivative(lambda y: y * one_in_another(derivative, depth - 1, x), x)


PROGRAMS = [
    watched, polynomial, nest, nests, one_variable, constant, itself, two_variables, at_two_levels,
    at_zero, second, third, one_in_another,
]  # fmt: skip
SOURCE = "\n\n".join(map(inspect.getsource, PROGRAMS))
ERRORS = """
def without_an_error(derivative, x):
    return [derivative(lambda x: x * derivative(lambda y: x * y, x), x),
            derivative(lambda x: (2 - x) * derivative(lambda y: x * y, x) - 3 * x, x)]

def raised_inside(derivative, x):
    def f(x):
        try:
            derivative(lambda y: x * y * nobody_knows, x)
        except NameError:
            return (2 - x) * derivative(lambda y: x * y, x) - 3 * x
    return derivative(f, x)

def raised_before(derivative, x):
    try:
        derivative(lambda x: derivative(lambda y: x * nobody_knows, x), x)
    except NameError:
        return derivative(lambda x: x * derivative(lambda y: x * y, x), x)

def errors_that_come_out(derivative, x):
    found = []
    for error in (TypeError, ArithmeticError):
        calls = []
        def f(x):
            calls.append(x)
            raise error("this f can do nothing with x")
        try:
            derivative(lambda x: x * derivative(f, x), x)
        except error:
            found.append(len(calls))
    return found

def in_steps(derivative, x):
    def f(x):
        z = x
        z += x
        z *= x
        z -= 1
        return z * x
    return derivative(f, x)

def with_two_weights(derivative, x, *weights):
    weight, found = [0.0], []
    def f(x):
        return weight[0] * x * x
    for weight[0] in weights:
        found.append(derivative(f, x))
    return found
"""


def programs(student):
    """Return the programs of q4 beside the student's code."""
    return student.define(SOURCE)


def expect_derivatives(student, there, program, *inputs, of, otherwise=CONFUSED):
    """Expect what a program gives with exact epsilons, for each case in the list `of`. The cause of
    a wrong number is the known mistake that gives all that came, or `otherwise`."""
    with during(of[0], because=NO_NUMBER):
        came, calls = there.watched(
            student.derivative, getattr(there, program.__name__), *inputs)
    expect(calls, 1, of=f"the calls of f in each derivative of {of[0]}", because=TWICE)
    came = came if type(came) is list and len(came) == len(of) else [came] * len(of)
    compare_derivatives(came, of, otherwise, program, *inputs)


def compare_derivatives(came, names, otherwise, program, *inputs):
    """Expect all numbers that a program gives."""
    wanted = [terms_of(one).get(frozenset(), 0) for one in listed(program(exact, *inputs))]
    if same(came, wanted):
        return
    known = (cause for wrong, cause in MISTAKES if same(came, listed(program(wrong, *inputs))))
    cause = next(known, otherwise)
    for one, right, of in zip(came, wanted, names, strict=True):
        because = NOT_PLAIN if type(one) is Handle else cause
        expect(one, right, of=of, because=because)


def listed(found):
    """Return a list of what a program gives."""
    return found if isinstance(found, list) else [found]


def random_nest(rng, depth):
    """Return a nest: its points are numbers, outer variables or products of them, its bodies random
    polynomials of all variables and of the derivative inside."""
    levels = []
    for level in range(depth):
        kind = rng.choice(["number", "variable", "product"]) if level else "number"
        places = {"number": 0, "variable": 1, "product": 2}[kind]
        factor = float(rng.randint(1, 4)) if kind == "number" else 1
        point = [[factor, [rng.randrange(level) for _ in range(places)]]]
        known = level + (level == 0 or rng.random() < 0.8)  # now and then, not its own variable
        body = [random_term(rng, known, rng.randint(1, 3)) for _ in range(2)]
        also = level + 1 if level + 1 < depth else known - 1
        body.append(random_term(rng, known, rng.randint(1, 2), also))
        rng.shuffle(body)
        levels.append([point, body])
    return levels


def random_term(rng, known, degree, also=None):
    """Return a factor and the places of some of the known variables, and of one more."""
    places = [rng.randrange(known) for _ in range(degree)] + ([] if also is None else [also])
    rng.shuffle(places)
    return [rng.choice([1, 2, 3, -1, -2]), places]


def nest_text(levels, level=0):
    """Return a nest as a formula."""
    (point, body), *inside = levels
    variables = "xyzt"[: level + 1]
    inner = f"[{nest_text(inside, level + 1)}]" if inside else ""
    names = [*variables, inner]
    own = variables[-1]
    return f"∂/∂{own} ({sum_text(body, names)}) at {own} = {sum_text(point, names)}"


def sum_text(terms, names):
    """Return a sum of terms as a formula."""
    text = ""
    for factor, places in terms:
        sign = (" - " if text else "-") if factor < 0 else " + " if text else ""
        shown = [] if places and abs(factor) == 1 else [f"{abs(factor):g}"]
        text += sign + "·".join(shown + [names[place] for place in places])
    return text


@pytest.mark.question("q4", points=5.5, core=True, hint=(
    "Compute a nest of two derivatives by hand, and follow whose tangent each number carries."
))
def test_random_nests(student, rng):
    """two to four derivatives in one another, at constant and at moving points"""
    there = programs(student)
    for depths, otherwise in (((1,) * 12, ONE_RULE), ((2,) * 12 + (3,) * 14 + (4,) * 14, CONFUSED)):
        many = [random_nest(rng, depth) for depth in depths]
        many.sort(key=lambda levels: (len(levels), len(nest_text(levels))))
        expect_derivatives(student, there, nests, many, otherwise=otherwise,
                           of=[nest_text(levels) for levels in many])


@pytest.mark.question("q4", points=1, hint="Compute the derivative of (2 - x) x + 3x by hand.")
def test_one_derivative(student, rng):
    """no nesting"""
    there = programs(student)
    for x in (number(rng), -number(rng), 0.0):
        a = number(rng)
        for program, inputs, of, otherwise in (
            (one_variable, (a, x), "(a - x) x - 2x + 3x (x + 1) + x³ - a", ONE_RULE),
            (constant, (a, x), "a constant", "The derivative of a constant is the plain number 0."),
            (itself, (x,), "x itself", "The derivative of x itself is the plain number 1."),
        ):
            expect_derivatives(student, there, program, *inputs, of=[f"{of} at x = {x}, a = {a}"],
                               otherwise=otherwise)


@pytest.mark.question("q4", points=1.5, hint=(
    "Take the three examples of the table with other points, also with x and y at the same one."
))
def test_two_variables(student, rng):
    """an outer and an inner variable"""
    there, x = programs(student), number(rng)
    for y in (number(rng), x, 0.0):
        expect_derivatives(student, there, two_variables, x, y,
                           of=[f"{text} at x = {x}, y = {y}" for text in TWO])
    expect(there.at_zero(student.derivative, x), 1.0, of=f"∂/∂y (x y) at x = 0, y = {x}", because=(
        "A number whose tangent is 0 just now is taken for a constant. That 0 may change with an "
        "outer variable."
    ))
    of = "x · ∂/∂y (y x) at y = x, where one f is both functions"
    came = [there.at_two_levels(student.derivative, x)]
    compare_derivatives(came, [of], CONFUSED, at_two_levels, x)


@pytest.mark.question("q4", points=1, hint="Try the second and the third derivative of x⁴.")
def test_deep_nests(student, rng):
    """derivatives of derivatives, and thirty in one another"""
    there, x = programs(student), number(rng)
    expect_derivatives(student, there, second, x, of=["the second derivative of x⁴ - x"])
    expect_derivatives(student, there, third, x, of=["the third derivative of x⁴"])
    of = "thirty derivatives in one another, each of its own variable"
    with during(of, because="The work doubles with each derivative inside another one."):
        student.count_lines(there.one_in_another, student.derivative, 30, x, limit=100_000)
    expect_derivatives(student, there, one_in_another, 30, x, of=[of])


@pytest.mark.question("q4", points=1, corner=True, hint=(
    "Let an inner f raise an error that an outer f catches, and use z *= x (rules 3 and 5)."
))
def test_errors_and_copies(student, rng):
    """errors, z *= x, and the same f again"""
    there, x = student.define(ERRORS), number(rng)
    with during("x · ∂/∂y (x y), without an error", because=NO_NUMBER):
        came = there.without_an_error(student.derivative, x)
    expect(came, [2 * x, -1 - 2 * x], because=CONFUSED,
           of="[x · ∂/∂y (x y), (2 - x) · ∂/∂y (x y) - 3x], without an error")
    left = "An error in f leaves something behind, which the next derivative finds (rule 5)."
    with during("a derivative after an error in f", because=left):
        expect(there.raised_before(student.derivative, x), 2 * x, because=left,
               of="x · ∂/∂y (x y), after an f that raised")
        expect(there.raised_inside(student.derivative, x), -1 - 2 * x, because=left,
               of="(2 - x) · ∂/∂y (x y) - 3x, where the outer f goes on after an inner f raised")
    with during("an error in f", because="Another error comes out instead of that of f (rule 5)."):
        came = there.errors_that_come_out(student.derivative, x)
    expect(came, [1, 1], of="the calls of an inner f that raises, for each error that comes out",
           because="An error in f does not come out, or f is called again (rules 4 and 5).")
    expect(there.in_steps(student.derivative, x), 6 * x**2 - 1,
           of="z x, where z is x, then z += x, z *= x, z -= 1",
           because="z *= x changes the variable x itself (rule 3).")
    w, u = number(rng), number(rng)
    expect(there.with_two_weights(student.derivative, x, w, u), [2 * w * x, 2 * u * x],
           of="w x², and the same f at the same x, once w has changed",
           because="It returns the result of an earlier call.")


# q5 ----------------------------------------------------------------------------------------------


WRONG_PRODUCT = "The result is not the tangent of the gradient along v."
MANY_CALLS = (
    "It calls f more than once: for a difference quotient, or for each column of H (rule 4)."
)
STILL = (
    "Where an entry of v is 0, that entry of H·v is not: the other inputs move, and the gradient "
    "changes with them."
)


def polynomial_hessian(x, y, z):
    """Return the Hessian of w² x - yz - w, where w is xy - z."""
    w = x * y - z
    xx = 4 * y * w + 2 * x * y * y
    xy = 4 * x * w + 2 * x * x * y - 1
    xz = -2 * w - 2 * x * y
    return np.array([[xx, xy, xz], [xy, 2 * x**3, -2 * x**2 - 1], [xz, -2 * x**2 - 1, 2 * x]])


def polynomial_gradient(x, y, z):
    """Return the gradient of w² x - yz - w, where w is xy - z."""
    w = x * y - z
    return np.array([2 * w * x * y + w * w - y, 2 * w * x * x - z - x, -2 * w * x - y + 1])


def form_gradient(x, y, z):
    """Return the gradient of the quadratic form."""
    return np.array([y + 2 * x, x + z, y + 2 - 2 * z])


def expect_product(student, scalars, f, xs, vs, hessian, gradient, of):
    """Expect the product of a Hessian and vs, by one call of f."""
    counted = scalars.Counted(f)
    with during(of, because="Not every entry of the gradient comes out with a tangent."):
        came = student.hvp(counted, xs.tolist(), vs.tolist())
    expect(counted.calls, 1, of=f"the calls of f for {of}", because=MANY_CALLS)
    expect(type(came) in (list, tuple), True, of=f"whether a list comes for {of}",
           because="The result is not a list of plain numbers.")
    plain = [type(one) is not Handle for one in came]
    expect(plain, [True] * len(plain), of=f"which entries are plain numbers, for {of}",
           because="The entries are Duals, not plain numbers.")
    mistakes = [
        (gradient, "It returns the gradient, not its tangent along v."),
        (gradient * vs, "It multiplies the gradient by v, entry by entry."),
        (hessian @ np.ones(len(vs)), "It moves every input by 1, instead of along v."),
        (hessian @ np.ones(len(vs)) * vs, "It moves every input by 1, and multiplies the result by "
         "v afterwards. But H·v mixes all entries of v."),
        (hessian @ vs / np.linalg.norm(vs), "It divides v by its length."),
        (np.diag(hessian) * vs, "It uses the diagonal of H alone."),
    ]
    expect(list(came), list(hessian @ vs), of=of, mistakes=[(list(a), b) for a, b in mistakes],
           because=WRONG_PRODUCT)


@pytest.mark.question("q5", points=1.5, core=True, hint=(
    "Compare hvp with gradient_quotient, for several directions."
))
def test_hessian_vector_products(student, rng):
    """polynomials in random directions, by one call of f"""
    scalars, form = student.define(SCALARS), np.array([[2, 1, 0], [1, 0, 1], [0, 1, -2]])
    for _ in range(3):
        xs, vs = random(rng, 3), 10 * random(rng, 3)
        expect_product(student, scalars, scalars.quadratic_form, xs, vs, form, form_gradient(*xs),
                       "½ + x y - (z - 3) z + x² - (1 - y) z in a random direction")
        expect_product(student, scalars, scalars.polynomial, xs, vs, polynomial_hessian(*xs),
                       polynomial_gradient(*xs), "w² x - y z - w, where w is x y - z")
    for still in range(3):  # one input, in turn, does not move
        vs[still], vs[still - 1] = 0.0, rng.uniform(1, 4)
        of = f"w² x - y z - w, where w is x y - z, along a v whose entry {still} is 0"
        with during(of, because="It fails where an entry of v is 0."):
            came = student.hvp(scalars.polynomial, xs.tolist(), vs.tolist())
        expect(list(came), list(polynomial_hessian(*xs) @ vs), of=of, because=STILL)
    came = student.hvp(scalars.polynomial, xs.tolist(), (0 * vs).tolist())
    expect(list(came), [0.0] * 3, of="hvp along 0", because="Along the direction 0, H·v is 0.")


@pytest.mark.question("q5", points=0.5, hint=(
    "Try a chain of 1,000 inputs, and z = z + z forty times."
))
def test_no_hessian_is_built(student, rng):
    """work in proportion to the inputs"""
    scalars, lines = student.define(SCALARS), []
    columns = "It does work for each pair of inputs, as if it built H column by column."
    for count in (20, 80, 1_000):  # by columns, the last takes minutes
        xs, vs = (random(rng, count).tolist() for _ in range(2))
        f, of = scalars.Counted(scalars.chain), f"hvp of a chain of {count} inputs"
        with during(of, because=columns):
            if count < 1_000:
                lines.append(student.count_lines(student.hvp, f, xs, vs, limit=400_000))
            counted = scalars.Counted(scalars.chain)
            came = student.hvp(counted, xs, vs)
        expect(counted.calls, 1, of=f"the calls of f for {of}", because=MANY_CALLS)
        expect(list(came), chain_product(xs, vs), of=of,
               because=WRONG_PRODUCT)
    expect(lines[1] <= 6 * lines[0], True, because=columns,
           of="whether 4 times as many inputs take at most 6 times as many lines")
    xs, vs = (random(rng, 2).tolist() for _ in range(2))
    with during("z = x y, doubled forty times", because="It follows every path through the graph."):
        student.count_lines(student.hvp, scalars.doubled, xs, vs, limit=100_000)
        came = student.hvp(scalars.doubled, xs, vs)
    expect(list(came), [2.0**40 * vs[1], 2.0**40 * vs[0]], of="hvp of z = x y, doubled forty times",
           because=WRONG_PRODUCT)


def chain_product(xs, vs):
    """Return H v for x₀³ + Σ xᵢ xᵢ₊₁²: 2 xᵢ on the diagonal after the first, 2 xᵢ₊₁ beside it."""
    xs, vs = np.array(xs), np.array(vs)
    product = vs * np.array([6 * xs[0], *(2 * xs[:-1])])
    product[:-1] += 2 * xs[1:] * vs[1:]
    product[1:] += 2 * xs[1:] * vs[:-1]
    return list(product)


@pytest.mark.question("q5", points=0.5, corner=True, hint=(
    "Try a linear function, and an input that f does not use; look at xs and vs afterwards."
))
def test_constant_gradients(student, rng):
    """a linear function; an input that is not used; xs and vs are as before"""
    scalars, (x, y, z), (u, v, w) = student.define(SCALARS), random(rng, 3), random(rng, 3)
    plain = "An entry of the gradient that is constant comes out as a plain number (rule 2)."
    for name, f, wanted in (
        ("x - 2y", scalars.plane, [0.0, 0.0, 0.0]), ("x itself", scalars.first, [0.0, 0.0, 0.0]),
        ("x² z - x", scalars.one_unused, [2 * z * u + 2 * x * w, 0.0, 2 * x * u]),
    ):
        with during(f"hvp of {name}, as a function of x, y and z", because=plain):
            came = student.hvp(f, [x, y, z], [u, v, w])
        expect(list(came), wanted, of=f"hvp of {name}, as a function of x, y and z",
               because="Where the gradient does not change, the product is 0." if not any(wanted)
               else WRONG_PRODUCT)
    came = scalars.after_hvp(student.hvp, scalars.one_unused, [x, y, z], [u, v, w])
    expect(came, ([x, y, z], [u, v, w]), of="xs and vs afterwards",
           because="It changes the list xs or vs (rule 3).")
