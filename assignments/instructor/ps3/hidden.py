"""The checks that grade ps3: what the visible ones ask, of other shapes and other numbers."""

import numpy as np
import pytest

from minigrad.course.grading import expect

FUNCTIONS = """
import numpy as np

def cubic(x):
    return x * x * x - x * x

def standing(x):
    return np.array([[1.0, 2.0], [3.0, 4.0]])

def mixer(matrix):
    def mixed(x):
        powers = x * x * x
        return type(x)(matrix @ powers.value, matrix @ powers.tangent)
    return mixed

def slope_and_calls(along, x, v):
    calls = []
    def f(x):
        calls.append(x)
        return x * x + x
    value, slope = along(f, x, v)
    return value, slope, len(calls)
"""
NESTED = """
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
    return x * y - z * z + x * x + y * z

def polynomial(xs):
    x, y, z = xs
    w = x * y - z
    return w * w * x - y * z

def one_unused(xs):
    x, y, z = xs
    return x * x * z - x

def plane(xs):
    return xs[0] - xs[1] - xs[1]

def chain(xs):
    total = xs[0] * xs[0] * xs[0]
    for x, y in zip(xs, xs[1:]):
        total = total + x * y * y
    return total

class Counted:
    def __init__(self, f):
        self.f, self.calls = f, 0

    def __call__(self, xs):
        self.calls += 1
        return self.f(xs)
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


def parts(dual):
    """The value and the tangent of a Dual."""
    return dual.value, dual.tangent


def moved(f, *pairs, step=1e-30):
    """The value and the tangent of f where each value moves with its speed: the imaginary part of
    a step into the complex plane, which loses no digits."""
    found = f(*(np.asarray(x) + 1j * step * np.asarray(v) for x, v in pairs))
    return np.real(found), np.imag(found) / step


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1, hint="Two Duals and one of + - *, or -x: try by hand.")
def test_sums_and_products(student, rng):
    """+ − * and negation of Duals"""
    for shape in ((), (3,), (2, 2)):
        x, v, y, w = (away_from_zero(rng, *shape) for _ in range(4))
        a, b = student.Dual(x, v), student.Dual(y, w)
        expect(parts(a + b), (x + y, v + w), of=f"x + y of shape {shape}")
        expect(parts(a - b), (x - y, v - w), of=f"x - y of shape {shape}")
        expect(parts(a * b), (x * y, v * y + x * w), of=f"x * y of shape {shape}")
        expect(parts(-a), (-x, -v), of=f"-x of shape {shape}")


@pytest.mark.question("q1", points=1, hint="Compare x / y, x ** 3 and x ** -2 with nudged.")
def test_quotients_and_powers(student, rng):
    """/ and **"""
    (x, v), (y, w) = ((away_from_zero(rng, 3), random(rng, 3)) for _ in range(2))
    a, b = student.Dual(x, v), student.Dual(y, w)
    expect(parts(a / b), moved(np.divide, (x, v), (y, w)), of="x / y")
    for n in (1, 2, 3, -1, -2):
        expect(parts(a**n), (x**n, n * x ** (n - 1) * v), of=f"x ** {n}")


@pytest.mark.question("q1", points=1, hint="A plain number stands still; 2 - x and 2 / x, too.")
def test_a_plain_number_on_either_side(student, rng):
    """numbers on either side"""
    x, v, c = number(rng), number(rng), number(rng)
    a = student.Dual(x, v)
    expect(parts(c + a), (c + x, v), of="c + x")
    expect(parts(a + c), (c + x, v), of="x + c")
    expect(parts(c * a), (c * x, c * v), of="c * x")
    expect(parts(c - a), (c - x, -v), of="c - x")
    expect(parts(a - c), (x - c, v), of="x - c")
    expect(parts(c / a), (c / x, -c * v / x**2), of="c / x")
    expect(parts(a / c), (x / c, v / c), of="x / c")


@pytest.mark.question("q1", points=1, hint="A plain array, left and right of a Dual of its shape.")
def test_arrays(student, rng):
    """arrays on either side"""
    x, v, c = away_from_zero(rng, 2, 3), random(rng, 2, 3), away_from_zero(rng, 2, 3)
    a = student.Dual(x, v)
    expect(parts(c * a), (c * x, c * v), of="array * x")
    expect(parts(a * c), (c * x, c * v), of="x * array")
    expect(parts(c - a), (c - x, -v), of="array - x")
    expect(parts(c / a), moved(lambda x: c / x, (x, v)), of="array / x")


@pytest.mark.question("q1", points=1, hint="A Dual of shape () or (3,), and a larger array.")
def test_stretched(student, rng):
    """a smaller Dual and a larger array, which moves or not"""
    c, w = away_from_zero(rng, 2, 3), random(rng, 2, 3)
    for shape in ((), (3,), (2, 1)):
        x, v = away_from_zero(rng, *shape), random(rng, *shape)
        a, v_wide = student.Dual(x, v), v * np.ones((2, 3))
        expect(parts(a + c), (x + c, v_wide), of=f"x + array, {shape} and (2, 3)")
        expect(parts(a - c), (x - c, v_wide), of=f"x - array, {shape} and (2, 3)")
        expect(parts(c - a), (c - x, -v_wide), of=f"array - x, {shape} and (2, 3)")
        expect(parts(a * student.Dual(c, w)), (x * c, v * c + x * w), of=f"x * y, {shape}")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=1, hint="Compare exp and log with nudged, with v not 1.")
def test_exp_and_log(student, rng):
    """exp, log"""
    x, v = np.abs(away_from_zero(rng, 2, 3)), random(rng, 2, 3)
    a = student.Dual(x, v)
    expect(parts(student.exp(a)), (np.exp(x), np.exp(x) * v), of="exp(x)")
    expect(parts(student.log(a)), (np.log(x), v / x), of="log(x)")


@pytest.mark.question("q2", points=1, hint="Compare sin and tanh with nudged, with v not 1.")
def test_sin_and_tanh(student, rng):
    """sin, tanh"""
    x, v = random(rng, 4), random(rng, 4)
    a = student.Dual(x, v)
    expect(parts(student.sin(a)), moved(np.sin, (x, v)), of="sin(x)")
    expect(parts(student.tanh(a)), moved(np.tanh, (x, v)), of="tanh(x)")


@pytest.mark.question("q2", points=1, hint="total gives one number and one speed.")
def test_total(student, rng):
    """sums of all entries"""
    for shape in ((4,), (2, 3), (1, 1)):
        x, v = random(rng, *shape), random(rng, *shape)
        expect(parts(student.total(student.Dual(x, v))), (x.sum(), v.sum()), of=f"total, {shape}")


@pytest.mark.question("q2", points=1, hint="Both factors move, each on its side; oblong ones, too.")
def test_matmul_of_two_that_move(student, rng):
    """squares, oblong matrices, a vector"""
    for first, last in (((3, 3), (3, 3)), ((2, 3), (3, 4)), ((4, 2), (2,))):
        x, v, y, w = (random(rng, *shape) for shape in (first, first, last, last))
        came = student.matmul(student.Dual(x, v), student.Dual(y, w))
        expect(parts(came), moved(np.matmul, (x, v), (y, w)), of=f"matmul, {first} and {last}")


@pytest.mark.question("q2", points=1, hint="A plain matrix on the left, or on the right.")
def test_matmul_with_a_plain_array(student, rng):
    """one factor stands still"""
    x, v, c = random(rng, 3, 3), random(rng, 3, 3), random(rng, 3, 3)
    expect(parts(student.matmul(c, student.Dual(x, v))), (c @ x, c @ v), of="matmul(array, x)")
    expect(parts(student.matmul(student.Dual(x, v), c)), (x @ c, v @ c), of="matmul(x, array)")
    c = random(rng, 2, 3)
    expect(parts(student.matmul(c, student.Dual(x[0], v[0]))), (c @ x[0], c @ v[0]),
           of="matmul(array, vector)")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=1, hint="Compare along with nudged, in a long direction.")
def test_value_and_slope(student, rng):
    """numbers, vectors and matrices in random directions"""
    cubic = student.define(FUNCTIONS).cubic
    for shape in ((), (5,), (2, 3)):
        x, v = random(rng, *shape), 3 * random(rng, *shape)
        expect(student.along(cubic, x, v), (x**3 - x**2, (3 * x**2 - 2 * x) * v), of=f"{shape}")


@pytest.mark.question("q3", points=1, hint="along calls f once; a step would call it twice.")
def test_one_call(student, rng):
    """one call of f, and exact"""
    x, v = 1e6 * random(rng, 3), random(rng, 3)
    found = student.define(FUNCTIONS).slope_and_calls(student.along, x, v)
    expect(found, (x * x + x, (2 * x + 1) * v, 1), of="the value, the slope, the calls of f")


@pytest.mark.question("q3", points=1, hint="f may return a plain array, whatever x is.")
def test_a_result_that_stands_still(student, rng):
    """a plain result"""
    found = student.along(student.define(FUNCTIONS).standing, random(rng, 3), random(rng, 3))
    expect(found, (np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros((2, 2))), of="a constant f")


@pytest.mark.question("q3", points=2, hint="An oblong Jacobian: pass j gives column j.")
def test_jacobians(student, rng):
    """squares, wide and tall ones"""
    for m, n in ((3, 3), (2, 4), (4, 2), (1, 3), (3, 1)):
        matrix, x = random(rng, m, n), random(rng, n)
        f = student.define(FUNCTIONS).mixer(matrix)
        expect(student.jacobian(f, x), matrix * (3 * x**2), of=f"a Jacobian of shape [{m}, {n}]")


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=1, hint="One derivative, numbers on either side, a constant f.")
def test_one_derivative(student, rng):
    """no nesting"""
    nested, a, x = student.define(NESTED), number(rng), number(rng)
    expect(nested.quartic(student.derivative, a, x), a - 2 * x - 2 + 4 * x**3,
           of="(a - x) x - 2x + x⁴")
    expect(nested.still(student.derivative, a, x), 0.0, of="a constant")


@pytest.mark.question("q4", points=2, hint="Products of the outer and the inner variable, by hand.")
def test_two_variables_do_not_mix(student, rng):
    """the outer variable in an inner derivative, also at the same point"""
    nested, x = student.define(NESTED), number(rng)
    for y in (number(rng), x):
        at = f"at x = {x}, y = {y}"
        expect(nested.sum_inside(student.derivative, x, y), 3 * x**2 + 4 * x * y,
               of=f"x² · ∂/∂y ((x + y) y) {at}")
        expect(nested.product_inside(student.derivative, x, y), 4 * x * y - 1,
               of=f"∂/∂y (x y² x) - x {at}")
        expect(nested.two_side_by_side(student.derivative, x, y), 4 * x * y,
               of=f"∂/∂y (x y²) · ∂/∂y (x + x y) {at}")


@pytest.mark.question("q4", points=1, hint="Inside ∂/∂y, an x is a constant, whatever it carries.")
def test_the_outer_variable_is_a_constant_inside(student, rng):
    """one of the two variables alone"""
    nested, x, y = student.define(NESTED), number(rng), number(rng)
    expect(nested.outer_alone(student.derivative, x, y), 2 * x, of="x² + x · ∂/∂y x²")
    expect(nested.inner_of_a_constant(student.derivative, x, y), 3.0, of="3x + ∂/∂y y²")


@pytest.mark.question("q4", points=1, hint="Second and third derivatives of a power, by hand.")
def test_derivatives_of_derivatives(student, rng):
    """the second and the third"""
    nested, x = student.define(NESTED), number(rng)
    expect(nested.second(student.derivative, x), 12 * x**2, of="the second of x⁴ - x")
    expect(nested.third(student.derivative, x), 24 * x, of="the third of x⁴")


@pytest.mark.question("q4", points=1, hint="Three derivatives, each with its own variable.")
def test_three_deep(student, rng):
    """three variables"""
    x, y, z = number(rng), number(rng), number(rng)
    # ∂/∂z gives 2z(x - y); y x times it has the slope 2z(x² - 2xy) by y; then x times that, by x
    expect(student.define(NESTED).three_deep(student.derivative, x, y, z),
           2 * z * (3 * x**2 - 4 * x * y), of="x · ∂/∂y (y x · ∂/∂z ((x - y) z²))")


# q5 ----------------------------------------------------------------------------------------------


def polynomial_hessian(x, y, z):
    """The Hessian of (xy - z)² x - yz."""
    w = x * y - z
    xx = 4 * y * w + 2 * x * y * y
    xy = 4 * x * w + 2 * x * x * y
    xz = -2 * w - 2 * x * y
    return np.array([[xx, xy, xz], [xy, 2 * x**3, -2 * x**2 - 1], [xz, -2 * x**2 - 1, 2 * x]])


@pytest.mark.question("q5", points=2, hint="Compare hvp with nudged_gradient.")
def test_products_with_a_hessian(student, rng):
    """polynomials in random directions"""
    scalars, form = student.define(SCALARS), np.array([[2, 1, 0], [1, 0, 1], [0, 1, -2]])
    for _ in range(2):
        xs, vs = random(rng, 3), 10 * random(rng, 3)
        for f, hessian in ((scalars.quadratic_form, form),
                           (scalars.polynomial, polynomial_hessian(*xs))):
            found = student.hvp(f, xs.tolist(), vs.tolist())
            expect(list(found), list(hessian @ vs), of="hvp in a random direction")


@pytest.mark.question("q5", points=1, hint="Some inputs may have no curvature, or no use at all.")
def test_no_curvature(student, rng):
    """a plane; an input that is not used"""
    scalars, (x, y, z), (u, v, w) = student.define(SCALARS), random(rng, 3), random(rng, 3)
    expect(list(student.hvp(scalars.plane, [x, y, z], [u, v, w])), [0.0, 0.0, 0.0], of="a plane")
    expect(list(student.hvp(scalars.one_unused, [x, y, z], [u, v, w])),
           [2 * z * u + 2 * x * w, 0.0, 2 * x * u], of="hvp of x² z - x")


@pytest.mark.question("q5", points=1, hint="One call of f, and no n² numbers on the way.")
def test_no_hessian_is_built(student, rng):
    """one call of f, lines in proportion to the inputs, and right"""
    scalars, lines = student.define(SCALARS), []
    for count in (25, 100):
        xs, vs = (random(rng, count).tolist() for _ in range(2))
        f = scalars.Counted(scalars.chain)
        lines.append(student.count_lines(student.hvp, f, xs, vs, limit=400_000))
        expect(f.calls, 1, of="the calls of f")
        expect(list(student.hvp(scalars.chain, xs, vs)), chain_product(xs, vs), of="hvp of a chain")
    assert lines[1] <= 6 * lines[0], f"{lines[0]:,} lines, then {lines[1]:,} for 4 times as much"


def chain_product(xs, vs):
    """H v for x₀³ + Σ xᵢ xᵢ₊₁²: 2 xᵢ on the diagonal after the first, 2 xᵢ₊₁ beside it."""
    hessian = np.diag([6 * xs[0], *(2 * x for x in xs[:-1])])
    beside = np.diag(2 * np.array(xs[1:]), 1)
    return list((hessian + beside + beside.T) @ vs)
