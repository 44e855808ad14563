"""The checks that grade ps3: what the visible ones ask, of other shapes and other numbers."""

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import Handle

FUNCTIONS = """
import numpy as np

def cubic(x):
    return x * x * x - x * x

def standing(x):
    return np.array([[1.0, np.inf], [3.0, 4.0]])

def mixer(matrix):
    def mixed(x):
        powers = x * x * x
        return type(x)(matrix @ powers.value, matrix @ powers.tangent)
    return mixed

def same(x):
    return x

def known_by_its_class(x):
    return type(x)(x.value, 1.0 * x.tangent)

def halves(x):
    return x * 0.5

def tiny(x):
    return x * 1e-20

def plain_when_still(matrix):
    def linear(x):
        value, tangent = matrix @ x.value, matrix @ x.tangent
        return type(x)(value, tangent) if tangent.any() else value
    return linear

def still_and_calls(along, x, v):
    calls = []
    def f(x):
        calls.append(x)
        return 5.0
    return along(f, x, v), len(calls)

def flat(x):
    return np.array([-np.inf, 2.0])

def with_other_weights(call, weights, *numbers):
    weight, found = [0.0], []
    def f(x):
        return x * weight[0]
    for weight[0] in weights:
        found.append(call(f, *numbers))
    return found

def calls_when_it_raises(along, x, v):
    counts = []
    for error in (TypeError, AttributeError, ValueError):
        calls = []
        def f(x):
            calls.append(x)
            raise error("this f can do nothing with x")
        try:
            along(f, x, v)
        except error:
            counts.append(len(calls))
    return counts

def slope_and_calls(along, x, v):
    calls = []
    def f(x):
        calls.append(x)
        return x * x + x
    value, slope = along(f, x, v)
    return value, slope, len(calls)

def jacobian_and_calls(jacobian, f, x):
    calls = []
    def counted(x):
        calls.append(x)
        return f(x)
    return jacobian(counted, x), len(calls)

def cubed(x):
    return x * x * x

def kept(call, f, *arrays):
    before = [array.copy() for array in arrays]
    call(f, *arrays)
    return all((old == new).all() for old, new in zip(before, arrays))
"""
ENTRIES = """
import numpy as np

def step_by_step(x, y):
    z = x
    z += y
    z *= y
    z -= x
    z /= y
    return z

def last_digits(x):
    return [z.value % 1000 for z in (x + 1, 2 * x)]

def every_operation(x, c):
    return [x + c, c + x, x - c, c - x, x * c, c * x, x / c, c / x, -x, x ** 2]

def kept(Dual, function, x, v, *others):
    a, before = Dual(x, v), [array.copy() for array in (x, v, x, v, *others)]
    function(a, *others)
    after = [a.value, a.tangent, x, v, *others]
    return all(np.shape(old) == np.shape(new) and np.all(old == new)
               for old, new in zip(before, after))

def both_move(Dual, function):
    return lambda x, y, w: function(x, Dual(y, w))

def each(Dual, functions, x, v, *others):
    a = Dual(x, v)
    return [(z.value, z.tangent) for z in [function(a, *others) for function in functions]]

def on_the_left(matmul):
    return lambda x, c: matmul(c, x)

def on_the_right(matmul):
    return matmul

def one_after_another(Dual, function, numbers):
    found = []
    for number in numbers:
        z = function(Dual(number, 2.0))
        found.append((z.value, z.tangent))
    return found

def beside_entries(x, numbers):
    c, short = np.array(numbers), np.array(numbers, np.float32)
    return [c[0] * x, c[1] - x, x + c.sum(), x / c[0], (-x) ** c[0]], short[0] * x
"""
NESTED = """
import numpy as np

class Watched:
    def __init__(self, derivative):
        self.derivative, self.counts = derivative, []

    def __call__(self, f, x):
        calls = []
        def watched(x):
            calls.append(x)
            return f(x)
        slope = self.derivative(watched, x)
        self.counts.append(len(calls))
        return slope

def itself(derivative, x):
    return derivative(lambda x: x, x)

def wrong_inside(derivative, x):
    try:
        derivative(lambda x: derivative(lambda y: x * nobody_knows, x), x)
    except NameError:
        return derivative(lambda x: x * derivative(lambda y: x * y, x), x)

def caught_inside(derivative, x):
    def f(x):
        try:
            derivative(lambda y: x * y * nobody_knows, x)
        except NameError:
            return (2 - x) * derivative(lambda y: x * y, x) - 3 * x
    return derivative(f, x)

def calls_when_it_raises(derivative, x):
    counts = []
    for error in (TypeError, AttributeError, ArithmeticError):
        calls = []
        def f(x):
            calls.append(x)
            raise error("this f can do nothing with x")
        try:
            derivative(lambda x: x * derivative(f, x), x)
        except error:
            counts.append(len(calls))
    return counts

def after_an_inner(derivative, x, y):
    def f(x):
        inner = derivative(lambda y: x * y * y, y)
        return (2 - x) * inner + 3 * x * x - 1
    return derivative(f, x)

def step_by_step(derivative, x):
    def f(x):
        z = x
        z += x
        z *= x
        z -= 1
        return z * x
    return derivative(f, x)

def numpys_numbers(derivative, a, x):
    a, two = np.float64(a), np.array([2])[0]
    return derivative(lambda x: (a - x) * x + a * x * (a + x) - x * two, x)

def four_deep(derivative, x, y, z, t):
    return derivative(lambda x: x * derivative(lambda y: y * x * derivative(
        lambda z: z * derivative(lambda t: (t - x) * t * y * z, t), z), y), x)

def at_a_moving_point(derivative, x):
    return derivative(lambda x: x * derivative(lambda y: y * y * x, x * x - 1), x)

def quartic(derivative, a, x):
    return derivative(lambda x: (a - x) * x - 2 * x + x * x * x * x, x)

def still(derivative, a, x):
    return derivative(lambda x: a, x)

def sum_inside(derivative, x, y):
    return derivative(lambda x: x * x * derivative(lambda y: (x + y) * y, y), x)

def product_inside(derivative, x, y):
    return derivative(lambda x: derivative(lambda y: x * y * y * x, y) - x, x)

def outer_alone(derivative, x, y):
    return derivative(lambda x: x * x + x * derivative(lambda y: x * x, y), x)

def inner_of_a_constant(derivative, x, y):
    return derivative(lambda x: 3 * x + derivative(lambda y: y * y, y), x)

def while_it_stands_still(derivative, x, y):
    return derivative(lambda x: derivative(lambda y: x * y, y), x)

def with_other_weights(derivative, x, *weights):
    weight = [0.0]
    def f(x):
        return weight[0] * x * x
    found = []
    for weight[0] in weights:
        found.append(derivative(f, x))
    return found

def one_function_at_two_levels(derivative, x):
    outer = []
    def f(z):
        if outer:
            return z * outer[0]
        outer.append(z)
        return z * derivative(f, z)
    return derivative(f, x)

def power_of_a_difference(derivative, x, a, n):
    def f(x):
        z = x - a
        for _ in range(n - 1):
            z = z * (x - a)
        return z
    return derivative(f, x)

def one_in_another(derivative, depth, x):
    if depth == 0:
        return x
    return derivative(lambda y: y * one_in_another(derivative, depth - 1, x), x)

def second(derivative, x):
    return derivative(lambda x: derivative(lambda y: y * y * y * y - y, x), x)

def third(derivative, x):
    return derivative(
        lambda x: derivative(lambda y: derivative(lambda z: z * z * z * z, y), x), x)

def three_deep(derivative, x, y, z):
    return derivative(lambda x: x * derivative(
        lambda y: y * x * derivative(lambda z: (x - y) * z * z, z), y), x)

def two_side_by_side(derivative, x, y):
    return derivative(lambda x: derivative(lambda y: x * y * y, y)
                      * derivative(lambda y: x + x * y, y), x)
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

def at_its_own_weights(hvp, weights, vs):
    def f(xs):
        z = xs[0] * xs[0] * weights[0]
        for x, weight in zip(xs[1:], weights[1:]):
            z = z + weight * x * x - 3.0 * x
        return z
    return hvp(f, weights, vs)

def once(f):
    calls = []
    def other_each_time(xs):
        calls.append(1)
        return f(xs) if len(calls) == 1 else xs[0] * xs[0] * xs[0]
    return other_each_time

def kept(hvp, f, xs, vs):
    before = list(xs), list(vs)
    hvp(f, xs, vs)
    return before == (xs, vs)
"""


def random(rng, *shape):
    """An array of normal numbers, the same in every run."""
    return np.random.default_rng(rng.getrandbits(32)).standard_normal(shape)


def away_from_zero(rng, *shape):
    """An array of numbers between 1 and 2, of either sign."""
    return np.sign(random(rng, *shape)) * (1 + np.abs(np.tanh(random(rng, *shape))))


def number(rng):
    """A number between 1 and 3."""
    return round(rng.uniform(1.1, 2.9), 3)


def dual(student, value, tangent):
    """A Dual of the student's, which stays there: nothing is computed here with what came."""
    came = student.Dual(value, tangent)
    if type(came) is not Handle:
        raise AssertionError(f"expected  an object of the class Dual\ncame      {str(came):.100}")
    return came


def parts(came):
    """The value and the tangent of a Dual."""
    if type(came) is not Handle:
        raise AssertionError(f"expected  an object of the class Dual\ncame      {str(came):.100}")
    return came.value, came.tangent


def nest(student):
    """The functions of NESTED, and `slope`: what the function of a name finds, once every f in it
    was called exactly once."""
    nested = student.define(NESTED)

    def slope(name, *numbers):
        watched = nested.Watched(student.derivative)
        found = getattr(nested, name)(watched, *numbers)
        calls = list(watched.counts)
        expect(calls, [1] * len(calls), of="the calls of f, in each call of derivative",
               because="a step needs two")
        return found

    return nested, slope


def moved(f, *pairs, step=1e-30):
    """The value and the tangent of f where each value moves with its speed: the imaginary part of
    a step into the complex plane, which loses no digits."""
    found = f(*(np.asarray(x) + 1j * step * np.asarray(v) for x, v in pairs))
    return np.real(found), np.imag(found) / step


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1, hint=(
    "Two Duals and one of + - *, or -x: try by hand, x * x, too; x itself stays, also where z is x "
    "and z *= y or z *= 2.0 follows; one of the two may be whole, and large."
))
def test_sums_and_products(student, rng):
    """+ − * and negation of Duals"""
    entries = student.define(ENTRIES)
    for shape in ((), (3,), (2, 2)):
        x, v, y, w = (away_from_zero(rng, *shape) for _ in range(4))
        a, b = dual(student, x, v), dual(student, y, w)
        expect(parts(a + b), (x + y, v + w), of=f"x + y of shape {shape}")
        expect(parts(a - b), (x - y, v - w), of=f"x - y of shape {shape}")
        expect(parts(a * b), (x * y, v * y + x * w), of=f"x * y of shape {shape}")
        expect(parts(-a), (-x, -v), of=f"-x of shape {shape}")
        expect(parts(a * a), (x * x, 2 * x * v), of=f"x * x of shape {shape}")
        expect(parts(a - a), (x - x, v - v), of=f"x - x of shape {shape}")
        for other, still, speed, kind in ((b, y, w, "Dual"), (y, y, 0 * y, "plain array"),
                                          (2.0, 2.0, 0.0, "number")):
            came = entries.step_by_step(a, other)
            wanted = moved(lambda x, y: ((x + y) * y - x) / y, (x, v), (still, speed))
            expect(parts(came), wanted,
                   of=f"z, where z is x, then z += y, z *= y, z -= x, z /= y, y being a {kind}")
        expect((parts(a), parts(b)), ((x, v), (y, w)), of="x and y themselves, afterwards")
    whole, speed = np.array([2, -3]), np.array([rng.randint(1, 9), 1])
    x, v = away_from_zero(rng, 2), random(rng, 2)
    a, b = dual(student, x, v), dual(student, whole, speed)
    for came in (a * b, b * a):
        expect(parts(came), (x * whole, v * whole + x * speed), of="x * y, one of them whole")
    expect(parts(b * dual(student, whole, v)), (whole**2, whole * (v + speed)),
           of="x * y, both whole, with whole and broken speeds")
    expect(parts(b * whole), (whole**2, speed * whole), of="x * array, both whole")
    b, c, n = dual(student, whole, v), whole + 1, rng.randint(1, 9)
    for came, wanted, of in (
        (b + c, (whole + c, v), "x + array"), (c - b, (c - whole, -v), "array - x"),
        (b - n, (whole - n, v), "x - number"), (b / c, (whole / c, v / c), "x / array"),
        (c / b, (c / whole, -c * v / whole**2), "array / x"),
        (-b, (-whole, -v), "-x"), (b**2, (whole**2, 2 * whole * v), "x ** 2"),
        (dual(student, n, v[0]) + c, (n + c, v[0] + 0 * v), "x + array, x being a number"),
    ):
        expect(parts(came), wanted, of=f"{of}, all values whole, and the speeds not")
    came = entries.last_digits(dual(student, 2**60 + n, v[0]))
    expect(came, [(2**60 + n + 1) % 1000, (2**61 + 2 * n) % 1000],
           of=f"the last three digits of x + 1 and 2 * x at x = 2**60 + {n}")


@pytest.mark.question("q1", points=1, hint=(
    "Compare x / y, x ** 3, x ** 3.0 and x ** -2 with nudged; try x ** 2 at 0 and where x² is too "
    "small or too large, and x ** 0 at 0. A slope may be inf."
))
def test_quotients_and_powers(student, rng):
    """/ and **"""
    (x, v), (y, w) = ((away_from_zero(rng, 3), random(rng, 3)) for _ in range(2))
    a, b = dual(student, x, v), dual(student, y, w)
    expect(parts(a / b), moved(np.divide, (x, v), (y, w)), of="x / y")
    expect(parts(a / a), (np.ones(3), np.zeros(3)), of="x / x")
    for n in (1, 2, 3, -1, -2, 2.0, 3.0):
        expect(parts(a**n), (x**n, n * x ** (n - 1) * v), of=f"x ** {n}")
    expect(parts(dual(student, abs(x), v) ** 0.5), (abs(x)**0.5, 0.5 * abs(x)**-0.5 * v),
           of="x ** 0.5")
    expect((parts(a), parts(b)), ((x, v), (y, w)), of="x and y themselves, afterwards")
    zero = dual(student, np.array([0.0, 2.0]), v[:2])
    for n in (1, 2, 3):
        wanted = (np.array([0.0, 2.0**n]), np.array([float(n == 1), n * 2.0 ** (n - 1)]) * v[:2])
        expect(parts(zero**n), wanted, of=f"x ** {n}, an entry of x being 0")
    whole = dual(student, np.array([0, rng.randint(2, 9)]), v[:2])
    for n in (0, 0.0):
        for came, text in ((zero**n, "0 or 2"), (whole**n, "0 or another whole number")):
            expect(parts(came), (np.ones(2), np.zeros(2)), of=f"x ** {n}, x being {text}")
        came = parts(dual(student, 0.0, number(rng)) ** n)
        expect(came, (1.0, 0.0), of=f"x ** {n} at the number 0")
        expect(parts(a**n), (np.ones(3), np.zeros(3)), of=f"x ** {n}")
    tiny, fast = 1e-200 * y, 1e200 * w  # x² is too small for a float; 2x times the speed is not
    expect(parts(dual(student, tiny, fast) ** 2), (0 * y, 2 * y * w), of="x ** 2 at 1e-200")
    expect(parts(dual(student, np.array([1e200, 2.0]), w[:2]) ** 2),
           (np.array([np.inf, 4.0]), np.array([2e200, 4.0]) * w[:2]), of="x ** 2 at 1e200")
    fast = dual(student, np.array([0.0, 4.0]), np.array([2.0, 3.0]))
    for n, powers, speeds in ((0.5, [0, 2], [np.inf, 3 / 4]),
                              (-1, [np.inf, 1 / 4], [-np.inf, -3 / 16])):
        expect(parts(fast**n), (np.array(powers), np.array(speeds)),
               of=f"x ** {n}, an entry of x being 0")
    large = np.array([8 * 10**9, 10**10]), np.array([2 * 10**9, -(10**9)])
    divisor = np.array([4 * 10**9, 5 * 10**9])  # whole numbers, whose square is none of 64 bits
    expect(parts(dual(student, *large) / divisor), (large[0] / divisor, large[1] / divisor),
           of="x / y of whole numbers beyond 2³²")
    expect(parts(zero / dual(student, y[:2], w[:2])),
           moved(np.divide, (np.array([0.0, 2.0]), v[:2]), (y[:2], w[:2])),
           of="x / y, an entry of x being 0")


@pytest.mark.question("q1", points=1, hint=(
    "A plain number stands still; 2 - x and 2 / x, too; try whole numbers, NumPy's own, and 0. "
    "x + 0 is a new Dual."
))
def test_a_plain_number_on_either_side(student, rng):
    """numbers on either side"""
    x, v = number(rng), number(rng)
    a = dual(student, x, v)
    for c in (number(rng), 2, -1.5, 1):
        numbers_beside(a, x, v, c)
    found, short = student.define(ENTRIES).beside_entries(a, [3, 5])
    came = [part for one in found for part in parts(one)]
    expect(came, [3 * x, 3 * v, 5 - x, -v, 8 + x, v, x / 3, v / 3, -(x**3), -3 * x**2 * v],
           of="c[0] * x, c[1] - x, x + c.sum(), x / c[0] and (-x) ** c[0], where c is "
              "np.array([3, 5])")
    expect(parts(short), (3 * x, 3 * v), tolerance=1e-6, of="c * x, where c is np.float32(3)")
    for name, came, wanted in (("0 * x", 0 * a, (0, 0)), ("x + 0", a + 0, (x, v)),
                               ("0 - x", 0 - a, (-x, -v)), ("0 / x", 0 / a, (0, 0))):
        expect(parts(came), wanted, of=name)
    made = (a + 0, 0 + a, a - 0, a * 1, 1 * a, a / 1, a**1)
    expect([one == a for one in made], [False] * 7,
           of="whether x + 0, 0 + x, x - 0, x * 1, 1 * x, x / 1 and x ** 1 are x itself")


def numbers_beside(a, x, v, c):
    """Expects what the operators give for the Dual a, (x, v), and the plain number c."""
    expect(parts(c + a), (c + x, v), of="c + x")
    expect(parts(a + c), (c + x, v), of="x + c")
    expect(parts(c * a), (c * x, c * v), of="c * x")
    expect(parts(c - a), (c - x, -v), of="c - x")
    expect(parts(a - c), (x - c, v), of="x - c")
    expect(parts(c / a), (c / x, -c * v / x**2), of="c / x")
    expect(parts(a / c), (x / c, v / c), of="x / c")


@pytest.mark.question("q1", points=1, hint=(
    "A plain array, left and right of a Dual of its shape, and as it was afterwards; values may be "
    "beyond all floats."
))
def test_arrays(student, rng):
    """arrays on either side"""
    x, v, c = away_from_zero(rng, 2, 3), random(rng, 2, 3), away_from_zero(rng, 2, 3)
    a = dual(student, x, v)
    expect(parts(c * a), (c * x, c * v), of="array * x")
    expect(parts(a * c), (c * x, c * v), of="x * array")
    expect(parts(c - a), (c - x, -v), of="array - x")
    expect(parts(c / a), moved(lambda x: c / x, (x, v)), of="array / x")
    mask = c > 0
    expect(parts(a * mask), (x * mask, v * mask), of="x * array of bools")
    huge = np.array([1e200, 2.0])
    infinite = dual(student, huge, v[0, :2]) * huge
    for came, sign, of in ((infinite, 1, "x"), (infinite + huge, 1, "x + array"),
                           (huge - infinite, -1, "array - x")):
        expect(came.tangent, sign * huge * v[0, :2], of=f"the tangent of {of}, an entry being inf")
    expect(infinite.value, np.array([np.inf, 4]), of="x * array, where a product is inf")
    entries = student.define(ENTRIES)
    expect(entries.kept(student.Dual, entries.every_operation, x, v, c), True,
           of="whether x and the plain array are as before, after + - * / on either side")


@pytest.mark.question("q1", points=1, hint=(
    "A Dual of shape () or (3,), and a larger array; also one that has one entry, or shapes that "
    "stretch each other."
))
def test_stretched(student, rng):
    """a smaller Dual and a larger array, which moves or not"""
    c, w, entries = away_from_zero(rng, 2, 3), random(rng, 2, 3), student.define(ENTRIES)
    b = dual(student, c, w)
    for shape in ((), (3,), (2, 1)):
        x, v = away_from_zero(rng, *shape), random(rng, *shape)
        a, v_wide = dual(student, x, v), v * np.ones((2, 3))
        expect(parts(a + c), (x + c, v_wide), of=f"x + array, {shape} and (2, 3)")
        expect(parts(a - c), (x - c, v_wide), of=f"x - array, {shape} and (2, 3)")
        expect(parts(c - a), (c - x, -v_wide), of=f"array - x, {shape} and (2, 3)")
        expect(parts(a * b), (x * c, v * c + x * w), of=f"x * y, {shape}")
        expect(parts(b - a), (c - x, w - v), of=f"y - x, {shape}")
        expect(entries.kept(student.Dual, entries.every_operation, x, v, c), True,
               of=f"whether x and the larger array are as before, after + - * /, {shape}")
    expect((parts(a), parts(b)), ((x, v), (c, w)), of="x and y themselves, after x * y and y - x")
    for shape in ((1, 3), (3,)):
        x, v, c = away_from_zero(rng, 2, 1), random(rng, 2, 1), away_from_zero(rng, *shape)
        a, v_wide = dual(student, x, v), v * np.ones((2, 3))
        for came, wanted, of in ((a + c, (x + c, v_wide), "x + array"),
                                 (a * c, (x * c, v * c), "x * array"),
                                 (c - a, (c - x, -v_wide), "array - x")):
            expect(parts(came), wanted, of=f"{of}, (2, 1) and {shape}")
    (x, v), one = (number(rng), number(rng)), away_from_zero(rng, 1)
    a, speed = dual(student, x, v), np.array([v])
    expect(parts(a + one), (x + one, speed), of="x + array of one entry")
    expect(parts(one * a), (x * one, speed * one), of="array of one entry * x")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=1, hint=(
    "Compare exp and log with nudged, with v not 1, also far from 0, near it and below: inf is a "
    "number, too, and x may be whole. The next x is not the last one."
))
def test_exp_and_log(student, rng):
    """exp, log"""
    entries, functions = student.define(ENTRIES), [student.exp, student.log]
    for x, v in several_arrays(rng):
        came = entries.each(student.Dual, functions, x, v)
        expect(came, [(np.exp(x), np.exp(x) * v), (np.log(x), v / x)],
               of=f"[exp, log] of an array of {x.dtype} and shape {x.shape}")
    for name in ("exp", "log"):
        stays(student, entries, name, *several_arrays(rng)[0])
    below = dual(student, np.array([-2.0, 1.0]), v)
    expect(student.log(below).value, np.array([np.nan, 0.0]), of="the value of log at -2 and 1")
    still = dual(student, np.array([0.0, -800.0]), np.array([3.0, 1.0]))
    expect(parts(student.exp(still)), (np.array([1.0, 0.0]), np.array([3.0, 0.0])),
           of="exp at 0 and at -800")
    near = dual(student, np.array([0.0, 1e-11]) * x[0], np.array([3.0, 1e-11]))
    expect(parts(student.log(near)), (np.array([-np.inf, np.log(1e-11 * x[0])]),
                                      np.array([np.inf, 1 / x[0]])), of="log at and near 0")
    expect(parts(student.exp(dual(student, 1000.0, 2.0))), (np.inf, np.inf), of="exp at 1000")
    thrown_away(student, entries, "exp", lambda x: (np.exp(x), 2 * np.exp(x)), rng)
    thrown_away(student, entries, "log", lambda x: (np.log(x), 2 / x), rng)


def several_arrays(rng):
    """Values above 0 and their speeds: of three axes, of one entry, whole, with whole speeds."""
    whole, v = np.array([rng.randint(1, 4), 2]), random(rng, 2)
    arrays = [np.abs(away_from_zero(rng, *shape)) for shape in ((2, 1, 3), (1,))]
    return [*((x, random(rng, *x.shape)) for x in arrays), (whole, np.array([3, 1])), (whole, v)]


def stays(student, entries, name, x, v):
    """Fail unless a function leaves its Dual, and the arrays in it, as they were."""
    came = entries.kept(student.Dual, student[name], x, v)
    expect(came, True, of=f"whether x is as before, after {name}")


def thrown_away(student, entries, name, wanted, rng):
    """Expects what a function of Duals gives for one after another that nobody keeps."""
    xs = [number(rng) for _ in range(6)]
    came = entries.one_after_another(student.Dual, student[name], xs)
    expect(came, [wanted(x) for x in xs], of=f"{name} of one Dual after another, each thrown away")


@pytest.mark.question("q2", points=1, hint=(
    "Compare sin and tanh with nudged, with v not 1, also at 0 and 1000, at whole numbers and "
    "for arrays of any shape; sin, very far out."
))
def test_sin_and_tanh(student, rng):
    """sin, tanh"""
    entries, functions = student.define(ENTRIES), [student.sin, student.tanh]
    for x, v in [*several_arrays(rng), (random(rng, 4), random(rng, 4))]:
        came = entries.each(student.Dual, functions, x, v)
        expect(came, [moved(np.sin, (x, v)), moved(np.tanh, (x, v))],
               of=f"[sin, tanh] of an array of {x.dtype} and shape {x.shape}")
    for name in ("sin", "tanh"):
        stays(student, entries, name, x, v)
    far = dual(student, np.array([0.0, 1000.0, -1000.0]), np.array([3.0, 2.0, 1.0]))
    expect(parts(student.tanh(far)), (np.array([0.0, 1.0, -1.0]), np.array([3.0, 0.0, 0.0])),
           of="tanh at 0, 1000 and -1000")
    expect(parts(student.sin(dual(student, 0.0, 5.0))), (0.0, 5.0), of="sin of Dual(0, 5)")
    far = 1e16 * x
    expect(parts(student.sin(dual(student, far, v))), (np.sin(far), np.cos(far) * v),
           of="sin at 1e16 and more")
    thrown_away(student, entries, "sin", lambda x: (np.sin(x), 2 * np.cos(x)), rng)
    thrown_away(student, entries, "tanh", lambda x: (np.tanh(x), 2 / np.cosh(x) ** 2), rng)


@pytest.mark.question("q2", points=1, hint=(
    "total gives one number and one speed, in a new Dual, of an array of any shape; the sum of a "
    "single number, which is no array, is that number."
))
def test_total(student, rng):
    """sums of all entries"""
    entries = student.define(ENTRIES)
    whole, shapes = np.array([[1, 2]]), ((4,), (2, 3), (1, 1), (0,), (3, 1, 2))
    for x, v in [*((random(rng, *shape), random(rng, *shape)) for shape in shapes),
                 (whole, random(rng, 1, 2)), (random(rng, 1, 2), whole)]:
        came = entries.each(student.Dual, [student.total], x, v)
        expect(came, [(x.sum(), v.sum())], of=f"total of an array of {x.dtype}, {x.shape}")
    stays(student, entries, "total", random(rng, 3, 1, 2), random(rng, 3, 1, 2))
    x, v = number(rng), number(rng)
    a = dual(student, x, v)
    came = student.total(a)
    expect(parts(came), (x, v), of="total of a plain number")
    expect(came == a, False, of="whether total of a plain number x is x itself")
    thrown_away(student, entries, "total", lambda x: (x, 2.0), rng)


@pytest.mark.question("q2", points=1, hint=(
    "Both factors move, each on its side; oblong ones, too, and those of one row or one column; "
    "one may be whole, and so may its speeds. Both stay as they are."
))
def test_matmul_of_two_that_move(student, rng):
    """squares, oblong matrices, a vector"""
    entries = student.define(ENTRIES)
    both = entries.both_move(student.Dual, student.matmul)
    for first, last in (((3, 3), (3, 3)), ((2, 3), (3, 4)), ((4, 2), (2,)), ((3, 2), (2, 1)),
                        ((1, 2), (2,)), ((1, 2), (2, 1)), ((2, 1), (1,)), ((2, 1), (1, 3))):
        x, v, y, w = (random(rng, *shape) for shape in (first, first, last, last))
        came = entries.each(student.Dual, [both], x, v, y, w)
        expect(came, [moved(np.matmul, (x, v), (y, w))], of=f"matmul, {first} and {last}")
    x, v, y, w = (random(rng, 2, 2) for _ in range(4))
    whole, speed = np.array([[1, 2], [0, 3]]), np.array([[2, 0], [1, 1]])
    for one, two in (((whole, speed), (y, w)), ((x, v), (whole, speed)), ((whole, v), (whole, w)),
                     ((whole, speed), (whole, w)), ((whole, v), (whole, speed))):
        kinds = [part.dtype.kind for part in (*one, *two)]
        expect(entries.each(student.Dual, [both], *one, *two), [moved(np.matmul, one, two)],
               of=f"matmul(x, y), whole (i) or not: x, its speed, y, its speed are {kinds}")
    expect(entries.kept(student.Dual, both, x, v, y, w), True,
           of="whether x and y are as before, after matmul(x, y)")


@pytest.mark.question("q2", points=1, hint=(
    "A plain matrix on the left, or on the right; it stays as it is, and may be whole."
))
def test_matmul_with_a_plain_array(student, rng):
    """one factor stands still"""
    x, v, c = random(rng, 3, 3), random(rng, 3, 3), random(rng, 3, 3)
    expect(parts(student.matmul(c, dual(student, x, v))), (c @ x, c @ v), of="matmul(array, x)")
    expect(parts(student.matmul(dual(student, x, v), c)), (x @ c, v @ c), of="matmul(x, array)")
    a = dual(student, x, v)
    expect(parts(student.matmul(a, a)), (x @ x, v @ x + x @ v), of="matmul(x, x)")
    entries, whole = student.define(ENTRIES), np.array([[1, 2, 0], [3, 0, 1], [1, 1, 1]])
    for name in ("on_the_left", "on_the_right"):
        expect(entries.kept(student.Dual, getattr(entries, name)(student.matmul), x, v, c), True,
               of=f"whether x and the plain matrix {name.replace('_', ' ')} are as before")
    expect(parts(student.matmul(whole, dual(student, whole, v))), (whole @ whole, whole @ v),
           of="matmul(array, x), both whole, the speeds not")
    c = random(rng, 2, 3)
    expect(parts(student.matmul(c, dual(student, x[0], v[0]))), (c @ x[0], c @ v[0]),
           of="matmul(array, vector)")
    x, v = x[:, :1], v[:, :1]
    expect(parts(student.matmul(c, dual(student, x, v))), (c @ x, c @ v),
           of="matmul(array, matrix of one column)")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=1, hint=(
    "Compare along with nudged, in a long direction, a very long one, and in the direction 0: f "
    "still gets a Dual. Try f(x) = x, and whole numbers x with speeds that are not."
))
def test_value_and_slope(student, rng):
    """numbers, vectors and matrices in random directions"""
    functions = student.define(FUNCTIONS)
    cubic = functions.cubic
    for shape in ((), (5,), (2, 3)):
        x, v = random(rng, *shape), 3 * random(rng, *shape)
        expect(student.along(cubic, x, v), (x**3 - x**2, (3 * x**2 - 2 * x) * v), of=f"{shape}")
        for scale in (0, 1e200):
            expect(student.along(cubic, x, scale * v),
                   (x**3 - x**2, (3 * x**2 - 2 * x) * (scale * v)), of=f"{shape}, {scale} times v")
    for here, speed in ((x, v), (3, 0.5), (np.array([1, 2]), np.array([0.5, -0.25]))):
        expect(student.along(functions.same, here, speed), (here, speed),
               of="f(x) = x, at numbers and at whole ones")
    expect(student.along(functions.known_by_its_class, x, 0 * v), (x, 0 * v),
           of="an f that reads x.value and x.tangent, v being 0")
    expect(functions.kept(student.along, functions.cubic, x, v), True,
           of="whether the caller's x and v are as before")


@pytest.mark.question("q3", points=1, hint=(
    "along calls f once, also when f's result stands still, or f raises an error, which comes out "
    "then; a step would call it twice. What f uses may change before the next call of along."
))
def test_one_call(student, rng):
    """one call of f, and exact"""
    functions = student.define(FUNCTIONS)
    x, v = 1e6 * random(rng, 3), random(rng, 3)
    found = functions.slope_and_calls(student.along, x, v)
    expect(found, (x * x + x, (2 * x + 1) * v, 1), of="the value, the slope, the calls of f")
    found = functions.still_and_calls(student.along, 2.0, 3.0)
    expect(found, ((5.0, 0.0), 1), of="the pair and the calls of f, where f is 5 everywhere")
    w = [number(rng), number(rng)]
    expect(functions.calls_when_it_raises(student.along, x, v), [1, 1, 1],
           of="the calls of f, for each error of f that comes out: TypeError, AttributeError, "
              "ValueError")
    expect(functions.with_other_weights(student.along, w, x, v),
           [(x * w[0], v * w[0]), (x * w[1], v * w[1])],
           of="w x, and the same f once w has changed")


@pytest.mark.question("q3", points=1, hint=(
    "f may return a plain array, whatever x is; inf stands still, too."
))
def test_a_result_that_stands_still(student, rng):
    """a plain result, also an infinite one"""
    functions = student.define(FUNCTIONS)
    found = student.along(functions.standing, random(rng, 3), random(rng, 3))
    expect(found, (np.array([[1.0, np.inf], [3.0, 4.0]]), np.zeros((2, 2))), of="a constant f")
    still = student.define("def still(x):\n    return float('inf')").still
    expect(student.along(still, 2.0, 3.0), (np.inf, 0.0), of="a constant f of a number, inf")


@pytest.mark.question("q3", points=2, hint=(
    "An oblong Jacobian: pass j gives column j, by one call of f. Try f(x) = x and a constant "
    "f, also one that is plain in some passes alone; x may hold whole numbers, slopes may be tiny, "
    "and what f uses may change."
))
def test_jacobians(student, rng):
    """squares, wide and tall ones"""
    functions = student.define(FUNCTIONS)
    for m, n in ((3, 3), (2, 4), (4, 2), (1, 3), (3, 1)):
        matrix, x = random(rng, m, n), random(rng, n)
        f = functions.mixer(matrix)
        expect(student.jacobian(f, x), matrix * (3 * x**2), of=f"a Jacobian of shape [{m}, {n}]")
    x = random(rng, 4)
    expect(student.jacobian(functions.same, x), np.eye(4), of="the Jacobian of f(x) = x")
    for f, wanted in ((functions.cubed, np.diag(3 * x**2)), (functions.flat, np.zeros((2, 4)))):
        found = functions.jacobian_and_calls(student.jacobian, f, x)
        expect(found, (wanted, 4), of="a Jacobian of four columns, and the calls of f")
    expect(student.jacobian(functions.halves, np.array([1, 2, 3])), np.eye(3) / 2,
           of="the Jacobian of x / 2 at whole numbers")
    expect(student.jacobian(functions.tiny, x), 1e-20 * np.eye(4), tolerance=1e-30,
           of="the Jacobian of 1e-20 x")
    for still in (0, 2):
        matrix = away_from_zero(rng, 2, 3)
        matrix[:, still] = 0.0
        expect(student.jacobian(functions.plain_when_still(matrix), x[:3]), matrix,
               of=f"a Jacobian, f giving a plain array where x[{still}] alone moves")
    w = [number(rng), number(rng)]
    found = functions.with_other_weights(student.jacobian, w, x)
    expect(found, [w[0] * np.eye(4), w[1] * np.eye(4)],
           of="the Jacobian of w x, and of the same f once w has changed")
    expect(functions.kept(student.jacobian, functions.cubic, x), True,
           of="whether the caller's x is as before")


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=1, hint=(
    "One derivative, by one call of f: numbers on either side, NumPy's, too, a constant f, "
    "f(x) = x, at 0 too, z = x and then z *= x; f may use what changes between two calls of "
    "derivative, and be a high power."
))
def test_one_derivative(student, rng):
    """no nesting"""
    nested, slope = nest(student)
    for a, x in ((number(rng), number(rng)), (number(rng), 0.0), (2, 3)):
        expect(slope("quartic", a, x), a - 2 * x - 2 + 4 * x**3,
               of=f"(a - x) x - 2x + x⁴ at {x}")
        expect(slope("still", a if x else np.inf, x), 0.0, of="a constant, also inf")
        expect(slope("itself", x), 1.0, of=f"x itself at {x}")
    expect(slope("numpys_numbers", a, x), a - 2 * x + a * a + 2 * a * x - 2,
           of="(a - x) x + a x (a + x) - 2x, a and 2 being NumPy's")
    expect(slope("step_by_step", x), 6 * x**2 - 1,
           of="z x, where z is x, then z += x, z *= x, z -= 1")
    w, u = number(rng), number(rng)
    came = nested.with_other_weights(student.derivative, x, w, u)
    expect(came, [2 * w * x, 2 * u * x], of="w x², and of the same f once w has changed")
    a = 100 + number(rng)
    for shift, wanted in ((0, 0.0), (1, 20.0)):
        expect(slope("power_of_a_difference", a + shift, a, 20), wanted, tolerance=1e-6,
               of=f"(x - a) to the power 20, at x = a + {shift}, a being {a}")


@pytest.mark.question("q4", points=2, hint=(
    "Products of the outer and the inner variable, by hand; each f is called once. One f may be "
    "the outer function and the inner one."
))
def test_two_variables_do_not_mix(student, rng):
    """the outer variable in an inner derivative, also at the same point"""
    nested, slope = nest(student)
    x = number(rng)
    for y in (number(rng), x, 0.0):
        at = f"at x = {x}, y = {y}"
        expect(slope("sum_inside", x, y), 3 * x**2 + 4 * x * y,
               of=f"x² · ∂/∂y ((x + y) y) {at}")
        expect(slope("product_inside", x, y), 4 * x * y - 1,
               of=f"∂/∂y (x y² x) - x {at}")
        expect(slope("two_side_by_side", x, y), 4 * x * y,
               of=f"∂/∂y (x y²) · ∂/∂y (x + x y) {at}")
    came = nested.one_function_at_two_levels(student.derivative, x)
    expect(came, 2 * x, of="x · ∂/∂y (y x) at y = x, one f being both functions")


@pytest.mark.question("q4", points=1, hint=(
    "Inside ∂/∂y, an x is a constant, whatever it carries; an inner slope that is 0 may move; an "
    "error inside f comes out and leaves nothing behind, also where an outer f catches it."
))
def test_the_outer_variable_is_a_constant_inside(student, rng):
    """one of the two variables alone; after an error"""
    nested, slope = nest(student)
    x, y = number(rng), number(rng)
    expect(slope("outer_alone", x, y), 2 * x, of="x² + x · ∂/∂y x²")
    expect(slope("inner_of_a_constant", x, y), 3.0, of="3x + ∂/∂y y²")
    expect(slope("while_it_stands_still", 0.0, y), 1.0, of="∂/∂y (x y) at x = 0")
    expect(slope("after_an_inner", x, y), 4 * y - 4 * x * y + 6 * x,
           of="(2 - x) · ∂/∂y (x y²) + 3x² - 1")
    came = nested.wrong_inside(student.derivative, x)
    expect(came, 2 * x, of="x · ∂/∂y (x y), after an f that raised")
    expect(slope("caught_inside", x), -1 - 2 * x,
           of="(2 - x) · ∂/∂y (x y) - 3x, after an inner f that raised, and the outer f caught it")
    expect(nested.calls_when_it_raises(student.derivative, x), [1, 1, 1],
           of="the calls of an inner f, for each of its errors that comes out: TypeError, "
              "AttributeError, ArithmeticError")


@pytest.mark.question("q4", points=1, hint=(
    "Second and third derivatives of a power, by hand; an inner derivative at a point that "
    "moves."
))
def test_derivatives_of_derivatives(student, rng):
    """the second and the third; at a point that moves"""
    _, slope = nest(student)
    x = number(rng)
    expect(slope("second", x), 12 * x**2, of="the second of x⁴ - x")
    expect(slope("third", x), 24 * x, of="the third of x⁴")
    # ∂/∂y gives 2 y x, at y = x² - 1; x times that is 2 x⁴ - 2 x²
    expect(slope("at_a_moving_point", x), 8 * x**3 - 4 * x,
           of="x · ∂/∂y (y² x) at y = x² - 1")


@pytest.mark.question("q4", points=1, hint=(
    "Three derivatives, then four, each with its own variable; then fifty."
))
def test_three_deep(student, rng):
    """three variables, and four"""
    nested, slope = nest(student)
    x, y, z, t = (number(rng) for _ in range(4))
    # ∂/∂z gives 2z(x - y); y x times it has the slope 2z(x² - 2xy) by y; then x times that, by x
    expect(slope("three_deep", x, y, z), 2 * z * (3 * x**2 - 4 * x * y),
           of="x · ∂/∂y (y x · ∂/∂z ((x - y) z²))")
    # ∂/∂t gives (2t - x) y z; ∂/∂z of z times it, 2 z y (2t - x); ∂/∂y of x y times that,
    # 4 x y z (2t - x); x times that is 4 y z (2t x² - x³)
    expect(slope("four_deep", x, y, z, t), 4 * y * z * (4 * t * x - 3 * x**2),
           of="x · ∂/∂y (y x · ∂/∂z (z · ∂/∂t ((t - x) t y z)))")
    student.count_lines(nested.one_in_another, student.derivative, 50, x, limit=100_000)
    expect(nested.one_in_another(student.derivative, 50, x), x,
           of="fifty derivatives by variables of their own, one in another")


# q5 ----------------------------------------------------------------------------------------------


def polynomial_hessian(x, y, z):
    """The Hessian of w² x - yz - w, where w is xy - z."""
    w = x * y - z
    xx = 4 * y * w + 2 * x * y * y
    xy = 4 * x * w + 2 * x * x * y - 1
    xz = -2 * w - 2 * x * y
    return np.array([[xx, xy, xz], [xy, 2 * x**3, -2 * x**2 - 1], [xz, -2 * x**2 - 1, 2 * x]])


@pytest.mark.question("q5", points=2, hint=(
    "Compare hvp with nudged_gradient, also where the speeds are very large or small: a list of "
    "numbers. f may be called once only. It may use plain numbers, those in the list xs, too, and "
    "one of its numbers here and again far on."
))
def test_products_with_a_hessian(student, rng):
    """polynomials in random directions"""
    scalars, form = student.define(SCALARS), np.array([[2, 1, 0], [1, 0, 1], [0, 1, -2]])
    for _ in range(2):
        xs, vs = random(rng, 3), 10 * random(rng, 3)
        for f, hessian in ((scalars.quadratic_form, form),
                           (scalars.polynomial, polynomial_hessian(*xs))):
            found = student.hvp(f, xs.tolist(), vs.tolist())
            expect(found, list(hessian @ vs), of="hvp in a random direction")
            found = student.hvp(scalars.once(f), xs.tolist(), vs.tolist())
            expect(found, list(hessian @ vs), of="hvp of an f that changes after one call")
    xs = [1.5, 1.5, 0.0]
    for vs in ([0.0, 0.0, 0.0], [2.0, 2.0, 0.0], [3e-30, 2e-30, 1e-30], [3e200, -2e200, 1e200]):
        wanted, size = list(polynomial_hessian(*xs) @ vs), min(1, max(map(abs, vs)))
        expect(student.hvp(scalars.polynomial, xs, vs), wanted, tolerance=1e-9 * size,
               of=f"hvp at {xs} along {vs}")
    expect(scalars.kept(student.hvp, scalars.polynomial, xs, vs), True,
           of="whether the caller's xs and vs are as before")
    found = scalars.at_its_own_weights(student.hvp, [1.5, 0.5, -2.0], vs)
    expect(found, [3.0 * vs[0], vs[1], -4.0 * vs[2]],
           of="hvp of Σ w x² - 3 x at x = w, w and xs being one list")


@pytest.mark.question("q5", points=1, hint="Some inputs may have no curvature, or no use at all.")
def test_no_curvature(student, rng):
    """a plane; an input that is not used"""
    scalars, (x, y, z), (u, v, w) = student.define(SCALARS), random(rng, 3), random(rng, 3)
    expect(list(student.hvp(scalars.plane, [x, y, z], [u, v, w])), [0.0, 0.0, 0.0], of="a plane")
    expect(list(student.hvp(scalars.one_unused, [x, y, z], [u, v, w])),
           [2 * z * u + 2 * x * w, 0.0, 2 * x * u], of="hvp of x² z - x")
    expect(list(student.hvp(scalars.first, [x, y], [u, v])), [0.0, 0.0], of="hvp of x itself")


@pytest.mark.question("q5", points=1, hint=(
    "One call of f, and no n² numbers on the way; try 2,000 inputs, and z = z + z forty times."
))
def test_no_hessian_is_built(student, rng):
    """one call of f, lines in proportion to the inputs, and right"""
    scalars, lines = student.define(SCALARS), []
    for count in (20, 80):
        xs, vs = (random(rng, count).tolist() for _ in range(2))
        f = scalars.once(scalars.chain)
        lines.append(student.count_lines(student.hvp, f, xs, vs, limit=400_000))
        expect(list(student.hvp(scalars.chain, xs, vs)), chain_product(xs, vs), of="hvp of a chain")
    assert lines[1] <= 6 * lines[0], f"{lines[0]:,} lines, then {lines[1]:,} for 4 times as much"
    xs, vs = (random(rng, 2).tolist() for _ in range(2))
    student.count_lines(student.hvp, scalars.doubled, xs, vs, limit=100_000)
    expect(list(student.hvp(scalars.doubled, xs, vs)), [2.0**40 * vs[1], 2.0**40 * vs[0]],
           of="hvp of z = x y, doubled forty times: each node passes on once")
    xs, vs = (random(rng, 2_000).tolist() for _ in range(2))  # by columns, it takes minutes
    found = student.hvp(scalars.once(scalars.chain), xs, vs)
    expect(list(found), chain_product(xs, vs), of="hvp of a chain of 2,000 inputs")


def chain_product(xs, vs):
    """H v for x₀³ + Σ xᵢ xᵢ₊₁²: 2 xᵢ on the diagonal after the first, 2 xᵢ₊₁ beside it."""
    xs, vs = np.array(xs), np.array(vs)
    product = vs * np.array([6 * xs[0], *(2 * xs[:-1])])
    product[:-1] += 2 * xs[1:] * vs[1:]
    product[1:] += 2 * xs[1:] * vs[:-1]
    return list(product)
