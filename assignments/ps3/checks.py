"""The visible checks of ps3: pytest functions over `student`, which answers for your code."""

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import Handle

THREE, SPEEDS = np.array([1.0, -2.0, 4.0]), np.array([10.0, 1.0, 0.5])
FUNCTIONS = """
import numpy as np

def square(x):
    return x * x

def nothing_moves(x):
    return np.array([5.0, 6.0])

def mixed(x):
    matrix = np.array([[1.0, 2.0], [5.0, 7.0]])
    squares = x * x
    return type(x)(matrix @ squares.value, matrix @ squares.tangent)

def same(x):
    return x

def widened(x):
    matrix = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    return type(x)(matrix @ x.value, matrix @ x.tangent)

def calls_of_square(along):
    calls = []
    def square(x):
        calls.append(x)
        return x * x
    along(square, 3.0, 1.0)
    return len(calls)
"""
NESTED = """
def calls_inside(derivative):
    calls = []
    def f(x):
        calls.append(x)
        return x * x
    derivative(f, 2.0)
    return len(calls)

def itself(derivative):
    return derivative(lambda x: x, 2.0)

def cube(derivative):
    return derivative(lambda x: x * x * x, 2.0)

def constant(derivative):
    return derivative(lambda x: 7.0, 2.0)

def numbers_on_the_left(derivative):
    return derivative(lambda x: (1 - x) * x + 3 * x * (2 + x), 4.0)

def sum_inside(derivative):
    return derivative(lambda x: x * derivative(lambda y: x + y, 2.0), 1.0)

def product_inside(derivative):
    return derivative(lambda x: x * derivative(lambda y: x * y, 2.0), 3.0)

def decay(derivative):
    return derivative(lambda c: c * derivative(lambda w: c * w * w, 2.0), 0.1)

def outer_variable_alone(derivative):
    return derivative(lambda x: x + x * derivative(lambda y: x, 2.0), 5.0)

def twice(derivative):
    return derivative(lambda x: derivative(lambda y: y * y * y, x), 2.0)

def three_deep(derivative):
    return derivative(
        lambda x: x * derivative(lambda y: y * x * derivative(lambda z: x * y * z, 5.0), 3.0), 2.0)
"""
SCALARS = """
def valley(xs):
    x, y = xs
    return x * x * y - y

def product(xs):
    x, y, z = xs
    return x * y * z

def plane(xs):
    x, y, z = xs
    return x + y - y - z

def chain(xs):
    total = xs[0] * xs[0]
    for x, y in zip(xs, xs[1:]):
        total = total + x * x * y
    return total

class Counted:
    def __init__(self, f):
        self.f, self.calls = f, 0

    def __call__(self, xs):
        self.calls += 1
        return self.f(xs)
"""


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


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1)
def test_sums_and_products(student):
    """+ − * and negation of Duals"""
    x, y = dual(student, 6.0, 1.0), dual(student, -3.0, 10.0)
    expect(parts(x + y), (3.0, 11.0), of="x + y, x = Dual(6, 1), y = Dual(-3, 10)")
    expect(parts(x - y), (9.0, -9.0), of="x - y, x = Dual(6, 1), y = Dual(-3, 10)")
    expect(parts(x * y), (-18.0, 57.0), "each speed comes with the *other* factor",
           of="x * y, x = Dual(6, 1), y = Dual(-3, 10)")
    expect(parts(-x), (-6.0, -1.0), "the tangent changes its sign, too", of="-x, x = Dual(6, 1)")
    expect((parts(x), parts(y)), ((6.0, 1.0), (-3.0, 10.0)), "an operation gives a new Dual",
           of="x and y themselves, afterwards")


@pytest.mark.question("q1", points=1)
def test_quotients_and_powers(student):
    """/ and **"""
    x, y = dual(student, 6.0, 1.0), dual(student, -3.0, 10.0)
    expect(parts(x / y), (-2.0, -7.0),
           "if z = x / y, then x = z y: the speed of x is z_dot · y + z · y_dot",
           of="x / y, x = Dual(6, 1), y = Dual(-3, 10)")
    expect(parts(y**2), (9.0, -60.0), "n · y^(n-1), times the speed of y",
           of="y ** 2, y = Dual(-3, 10)")
    expect(parts(y**-1), (-1 / 3, -10 / 9), of="y ** -1, y = Dual(-3, 10)")
    expect(parts(dual(student, 0.0, 5.0) ** 2), (0.0, 0.0), of="y ** 2, y = Dual(0, 5)")


@pytest.mark.question("q1", points=1)
def test_a_plain_number_on_either_side(student):
    """1 − x is not x − 1; a number does not move"""
    x = dual(student, 4.0, 1.0)
    still = "a plain number has the tangent 0"
    swapped = "__rsub__(self, other) is asked for other - self, not self - other"
    expect(parts(x - 1), (3.0, 1.0), still, of="x - 1, x = Dual(4, 1)")
    expect(parts(2 + x * 3), (14.0, 3.0), still, of="2 + x * 3, x = Dual(4, 1)")
    expect(parts(3 * x), (12.0, 3.0), still, of="3 * x, x = Dual(4, 1)")
    expect(parts(1 - x), (-3.0, -1.0), swapped, of="1 - x, x = Dual(4, 1)")
    expect(parts(2 / x), (0.5, -0.125), swapped.replace("sub", "truediv").replace("-", "/"),
           of="2 / x, x = Dual(4, 1)")


@pytest.mark.question("q1", points=1)
def test_arrays(student):
    """arrays, plain ones on either side"""
    x = dual(student, THREE, SPEEDS)
    left = "__array_ufunc__ = None lets Python ask your __rmul__ for array * x"
    expect(parts(x * x), (THREE**2, 2 * THREE * SPEEDS), of="x * x, x = Dual([1, -2, 4], …)")
    expect(parts(x * THREE), (THREE**2, THREE * SPEEDS), of="x * [1, -2, 4]")
    expect(parts(THREE * x), (THREE**2, THREE * SPEEDS), left, of="[1, -2, 4] * x")
    expect(parts(THREE - x), (0 * THREE, -SPEEDS), left, of="[1, -2, 4] - x")


@pytest.mark.question("q1", points=1)
def test_stretched(student):
    """a number and an array: the tangent has the value's shape"""
    x, stretched = dual(student, 2.0, 1.0), "as many zeros as the array has entries"
    expect(parts(x + THREE), (2 + THREE, np.ones(3)), stretched, of="Dual(2, 1) + [1, -2, 4]")
    expect(parts(THREE - x), (THREE - 2, -np.ones(3)), stretched, of="[1, -2, 4] - Dual(2, 1)")
    expect(parts(x * THREE), (2 * THREE, THREE), of="Dual(2, 1) * [1, -2, 4]")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=1)
def test_exp_and_log(student):
    """exp, log"""
    chain = "the slope, times the tangent that comes in"
    x = dual(student, np.array([0.5, 2.0]), np.array([10.0, 1.0]))
    powers = np.exp([0.5, 2.0])
    expect(parts(student.exp(x)), (powers, powers * [10.0, 1.0]), chain,
           of="exp of Dual([0.5, 2], [10, 1])")
    expect(parts(student.log(x)), (np.log([0.5, 2.0]), np.array([20.0, 0.5])), chain,
           of="log of Dual([0.5, 2], [10, 1])")


@pytest.mark.question("q2", points=1)
def test_sin_and_tanh(student):
    """sin, tanh"""
    x = dual(student, 0.5, 10.0)
    expect(parts(student.sin(x)), (np.sin(0.5), 10 * np.cos(0.5)),
           "the slope, times the tangent that comes in", of="sin of Dual(0.5, 10)")
    expect(parts(student.tanh(x)), (np.tanh(0.5), 10 * (1 - np.tanh(0.5) ** 2)),
           "the slope is 1 - tanh(x)², the square of the result", of="tanh of Dual(0.5, 10)")
    expect(parts(student.tanh(dual(student, 400.0, 10.0))), (1.0, 0.0), of="tanh of Dual(400, 10)")


@pytest.mark.question("q2", points=1)
def test_total(student):
    """the sum of all entries"""
    x = dual(student, np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([[1.0, 10.0], [100.0, 1.0]]))
    expect(parts(student.total(x)), (11.0, 112.0), "one number: each entry brings its speed",
           of="total of Dual([[1, 2], [3, 5]], [[1, 10], [100, 1]])")


@pytest.mark.question("q2", points=1)
def test_matmul_of_two_that_move(student):
    """x @ y, both Duals"""
    a, b = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.0, 1.0], [2.0, 5.0]])
    v, w = np.array([[1.0, 0.0], [10.0, 0.0]]), np.array([[0.0, 3.0], [0.0, 0.0]])
    expect(parts(student.matmul(dual(student, a, v), dual(student, b, w))), (a @ b, v @ b + a @ w),
           "each factor moves in turn, and stays on its side", of="matmul of square matrices")


@pytest.mark.question("q2", points=1)
def test_matmul_with_a_plain_array(student):
    """one of the two stands still; a vector"""
    a, b = np.arange(6.0).reshape(2, 3), np.array([1.0, 10.0, 100.0])
    w = np.array([3.0, 0.0, 1.0])
    expect(parts(student.matmul(a, dual(student, b, w))), (a @ b, a @ w),
           of="matmul(array, Dual), [2,3] @ [3]")
    expect(parts(student.matmul(dual(student, a, a + 1), b)), (a @ b, (a + 1) @ b),
           of="matmul(Dual, array), [2,3] @ [3]")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=1)
def test_value_and_slope(student):
    """x·x along a direction"""
    square = student.define(FUNCTIONS).square
    expect(student.along(square, 3.0, 1.0), (9.0, 6.0), of="along(x · x, 3, 1)")
    expect(student.along(square, THREE, SPEEDS), (THREE**2, 2 * THREE * SPEEDS),
           "v is a speed: nothing is divided by its length",
           of="along(x · x, [1, -2, 4], [10, 1, 0.5])")


@pytest.mark.question("q3", points=1)
def test_one_call(student):
    """f is called once"""
    expect(student.define(FUNCTIONS).calls_of_square(student.along), 1,
           "one call with a Dual gives both numbers; a small step would need two calls",
           of="the calls of f in along(f, 3.0, 1.0)")


@pytest.mark.question("q3", points=1)
def test_a_result_that_stands_still(student):
    """a plain result"""
    still = student.define(FUNCTIONS).nothing_moves
    expect(student.along(still, THREE, SPEEDS), (np.array([5.0, 6.0]), np.zeros(2)),
           "f's result is no Dual: its slope is 0, in the shape of the *result*",
           of="along(f, [1, -2, 4], v), where f gives [5, 6]")


@pytest.mark.question("q3", points=2)
def test_jacobians(student):
    """a square one, an oblong one"""
    functions, x = student.define(FUNCTIONS), np.array([1.0, 10.0])
    column = "pass j moves x[j] alone, and gives *column* j: squares hide that by their shape"
    expect(student.jacobian(functions.mixed, x), np.array([[2.0, 40.0], [10.0, 140.0]]), column,
           of="jacobian at [1, 10] of [x₀² + 2 x₁², 5 x₀² + 7 x₁²]")
    expect(student.jacobian(functions.widened, x), np.arange(1.0, 7.0).reshape(3, 2), column,
           of="jacobian of [x₀ + 2 x₁, 3 x₀ + 4 x₁, 5 x₀ + 6 x₁]")
    expect(student.jacobian(functions.same, x), np.eye(2),
           "f returns the very array of the direction: each pass needs one of its own",
           of="jacobian of f(x) = x")
    expect(student.jacobian(functions.nothing_moves, x), np.zeros((2, 2)), of="jacobian of [5, 6]")


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=1)
def test_one_derivative(student):
    """no nesting"""
    nested = student.define(NESTED)
    expect(nested.cube(student.derivative), 12.0, of="the derivative of x³ at 2")
    expect(nested.constant(student.derivative), 0.0, "f's result does not move",
           of="the derivative of 7")
    expect(nested.itself(student.derivative), 1.0, of="the derivative of x")
    expect(nested.calls_inside(student.derivative), 1, "a small step needs two calls",
           of="the calls of f in one derivative")
    expect(nested.numbers_on_the_left(student.derivative), 23.0,
           of="the derivative of (1 - x) x + 3x (2 + x) at 4")


@pytest.mark.question("q4", points=2)
def test_two_variables_do_not_mix(student):
    """an outer variable inside an inner derivative"""
    nested = student.define(NESTED)
    expect(nested.sum_inside(student.derivative), 1.0,
           "2 comes when the inner derivative counts the speed of x; 0 when the sum belongs to x",
           of="the derivative by x of x · (∂/∂y (x + y)) at x = 1, y = 2")
    expect(nested.product_inside(student.derivative), 6.0,
           "3 comes when the inner result no longer moves with x; 5 when speeds mix",
           of="the derivative by x of x · (∂/∂y (x · y)) at x = 3, y = 2")
    expect(nested.decay(student.derivative), 0.8,
           of="the derivative by c of c · (∂/∂w c w²) at c = 0.1, w = 2")


@pytest.mark.question("q4", points=1)
def test_the_outer_variable_is_a_constant_inside(student):
    """x + x · (∂/∂y x)"""
    expect(student.define(NESTED).outer_variable_alone(student.derivative), 1.0,
           "∂/∂y x is 0: the tangent that x carries belongs to the outer derivative",
           of="the derivative by x of x + x · (∂/∂y x)")


@pytest.mark.question("q4", points=1)
def test_a_derivative_of_a_derivative(student):
    """the slope's slope"""
    expect(student.define(NESTED).twice(student.derivative), 12.0,
           "0 comes when the inner result is cut off from x",
           of="the second derivative of x³ at 2")


@pytest.mark.question("q4", points=1)
def test_three_deep(student):
    """three derivatives"""
    expect(student.define(NESTED).three_deep(student.derivative), 72.0,
           "by hand: ∂/∂z gives x·y, ∂/∂y (y·x·x·y) gives 2·y·x², and x times that is 2·y·x³",
           of="the derivative by x of x · ∂/∂y (y·x · ∂/∂z (x·y·z)), at x = 2, y = 3")


# q5 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q5", points=2)
def test_products_with_a_hessian(student):
    """x²y − y and xyz"""
    scalars = student.define(SCALARS)
    expect(student.hvp(scalars.valley, [2.0, 3.0], [1.0, 10.0]), [46.0, 4.0],
           "H is [[2y, 2x], [2x, 0]]; each row of it, times the direction",
           of="hvp of x² y - y at [2, 3], along [1, 10]")
    expect(student.hvp(scalars.product, [2.0, 3.0, 5.0], [1.0, 10.0, 100.0]),
           [350.0, 205.0, 23.0], "H has 0 on its diagonal, and z, y, x beside it",
           of="hvp of x y z at [2, 3, 5], along [1, 10, 100]")


@pytest.mark.question("q5", points=1)
def test_a_plane_has_no_curvature(student):
    """a linear function"""
    expect(student.hvp(student.define(SCALARS).plane, [2.0, 3.0, 5.0], [1.0, 1.0, 1.0]),
           [0.0, 0.0, 0.0], "a gradient that stands still has no tangent: plain zeros",
           of="hvp of x + y - y - z")


@pytest.mark.question("q5", points=1)
def test_no_hessian_is_built(student):
    """one call of f; four times the inputs, about four times the lines"""
    scalars, lines = student.define(SCALARS), []
    for count in (20, 80):
        f = scalars.Counted(scalars.chain)
        numbers = [f, [1.0] * count, [1.0] * count]
        lines.append(student.count_lines(student.hvp, *numbers, limit=400_000))
        expect(f.calls, 1, "a step needs two calls, and a column-by-column way n",
               of=f"the calls of f in hvp(f, …) with {count} inputs")
    assert lines[1] <= 6 * lines[0], (
        f"expected  at most 6 times the lines for 4 times the inputs\n"
        f"came      {lines[0]:,} lines for 20 inputs, {lines[1]:,} for 80\n"
        "perhaps   all n² numbers of H are computed on the way"
    )
