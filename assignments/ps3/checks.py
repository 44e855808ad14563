"""The visible checks of ps3: pytest functions over `student`, which answers for your code."""

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import Handle

THREE, DIRECTION = np.array([1.0, -2.0, 4.0]), np.array([10.0, 1.0, 0.5])
FUNCTIONS = """
import numpy as np

def cubes(matrix):
    return lambda x: type(x)(matrix @ x.value**3, matrix @ (3 * x.value**2 * x.tangent))

def same(x):
    return x

def jacobian_and_calls(sparse_jacobian, f, x, pattern):
    calls = []
    def counted(x):
        calls.append(x)
        return f(x)
    return sparse_jacobian(counted, x, pattern), len(calls)

def after_operations(x, c):
    z = x
    z += c
    z *= c
    x - c, c - x, x / c, c / x, -x, x ** 2
    return c
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

def second(derivative):
    return derivative(lambda x: derivative(lambda y: y * y * y, x), 2.0)

def three_in_one_another(derivative):
    return derivative(
        lambda x: x * derivative(lambda y: y * x * derivative(lambda z: x * y * z, 5.0), 3.0), 2.0)

def at_a_moving_point(derivative):
    return derivative(lambda x: x * derivative(lambda y: y * y * x, x * x), 2.0)

def after_an_error(derivative):
    def f(x):
        try:
            derivative(lambda y: y * nobody_knows, x)
        except NameError:
            return x * derivative(lambda y: x * y, x)
    return derivative(f, 3.0)

def in_steps(derivative):
    def f(x):
        z = x
        z *= x
        return z * x
    return derivative(f, 2.0)
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
    """Return a Dual of the student's. It stays there: nothing is computed here with what came."""
    return handled(student.Dual(value, tangent))


def handled(came):
    """Return a Dual that came. Raise AssertionError for plain data."""
    if type(came) is not Handle:
        raise AssertionError(f"expected  an object of the class Dual\ncame      {str(came):.100}")
    return came


def parts(came):
    """Return the value and the tangent of a Dual."""
    return handled(came).value, came.tangent


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1.5, core=True)
def test_operators(student):
    """operators of Duals, numbers and arrays"""
    x, y = dual(student, 6.0, 1.0), dual(student, -3.0, 10.0)
    of = "x = Dual(6, 1), y = Dual(-3, 10)"
    expect(parts(x + y), (3.0, 11.0), of=f"x + y, {of}")
    expect(parts(x - y), (9.0, -9.0), of=f"x - y, {of}")
    expect(parts(x * y), (-18.0, 57.0), "Each tangent is multiplied by the *other* factor.",
           of=f"x * y, {of}")
    expect(parts(x / y), (-2.0, -7.0), "Solve q · y = x for the tangent of q (lesson 02).",
           of=f"x / y, {of}")
    expect(parts(-x), (-6.0, -1.0), "The tangent changes its sign, too.", of=f"-x, {of}")
    expect(parts(y**2), (9.0, -60.0), "The derivative is n · y^(n-1). Multiply it by the tangent.",
           of=f"y ** 2, {of}")
    expect(parts(y**-1), (-1 / 3, -10 / 9), of=f"y ** -1, {of}")
    constant = "A constant has the tangent 0 (rule 2)."
    expect(parts(x - 1), (5.0, 1.0), constant, of=f"x - 1, {of}")
    expect(parts(2 + x * 3), (20.0, 3.0), constant, of=f"2 + x * 3, {of}")
    expect(parts(1 - x), (-5.0, -1.0), "x.__rsub__(1) must return 1 - x, not x - 1.",
           of=f"1 - x, {of}")
    expect(parts(12 / x), (2.0, -1 / 3), "x.__rtruediv__(12) must return 12 / x, not x / 12.",
           of=f"12 / x, {of}")
    x, of = dual(student, THREE, DIRECTION), "x = Dual([1, -2, 4], [10, 1, 0.5])"
    expect(parts(x * x), (THREE**2, 2 * THREE * DIRECTION), of=f"x * x, {of}")
    expect(parts(x * THREE), (THREE**2, THREE * DIRECTION), constant, of=f"x * [1, -2, 4], {of}")
    expect(parts(THREE - x), (0 * THREE, -DIRECTION), constant, of=f"[1, -2, 4] - x, {of}")


@pytest.mark.question("q1", points=0.5)
def test_broadcasting(student):
    """operands of different shapes"""
    x, repeated = dual(student, 2.0, 1.0), "The tangent needs as many entries as the value has."
    expect(parts(x + THREE), (2 + THREE, np.ones(3)), repeated, of="Dual(2, 1) + [1, -2, 4]")
    expect(parts(THREE - x), (THREE - 2, -np.ones(3)), repeated, of="[1, -2, 4] - Dual(2, 1)")
    expect(parts(x * THREE), (2 * THREE, THREE), repeated, of="Dual(2, 1) * [1, -2, 4]")


@pytest.mark.question("q1", points=0.5, corner=True)
def test_operands_stay(student):
    """operands are as before"""
    x, functions = dual(student, THREE, DIRECTION), student.define(FUNCTIONS)
    came = functions.after_operations(x, np.array([1.0, 2.0, 3.0]))
    expect(came, np.array([1.0, 2.0, 3.0]), "An operation writes into the plain array (rule 3).",
           of="the plain array c after x + c, x * c, x - c, c - x, x / c, c / x")
    expect(parts(x), (THREE, DIRECTION), "An operation writes into x (rule 3).",
           of="x after z = x; z += c; z *= c, and other operations")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=3, core=True)
def test_rules(student):
    """exp, tanh, total, matmul"""
    x, of = dual(student, np.array([0.5, 2.0]), np.array([10.0, 1.0])), "Dual([0.5, 2], [10, 1])"
    power, t = np.exp([0.5, 2.0]), np.tanh([0.5, 2.0])
    chain = "Multiply the derivative by the tangent of x."
    expect(parts(student.exp(x)), (power, power * [10.0, 1.0]), chain, of=f"exp of {of}")
    expect(parts(student.tanh(x)), (t, (1 - t**2) * [10.0, 1.0]),
           "The derivative of tanh is 1 minus the square of its result.", of=f"tanh of {of}")
    x = dual(student, np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([[1.0, 10.0], [100.0, 1.0]]))
    expect(parts(student.total(x)), (11.0, 112.0), "The tangent of a sum is the sum of tangents.",
           of="total of Dual([[1, 2], [3, 5]], [[1, 10], [100, 1]])")
    a, b = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.0, 1.0], [2.0, 5.0]])
    v, w = np.array([[1.0, 0.0], [10.0, 0.0]]), np.array([[0.0, 3.0], [0.0, 0.0]])
    expect(parts(student.matmul(dual(student, a, v), dual(student, b, w))), (a @ b, v @ b + a @ w),
           "Each factor moves in turn, and stays on its side.", of="matmul of square matrices")
    a, b, w = np.arange(6.0).reshape(2, 3), np.array([1.0, 10.0, 100.0]), np.array([3.0, 0.0, 1.0])
    expect(parts(student.matmul(a, dual(student, b, w))), (a @ b, a @ w),
           of="matmul(array, Dual), with the shapes (2, 3) and (3,)")
    expect(parts(student.matmul(dual(student, a, a + 1), b)), (a @ b, (a + 1) @ b),
           of="matmul(Dual, array), with the shapes (2, 3) and (3,)")


@pytest.mark.question("q2", points=1.5)
def test_solve(student):
    """solve, with two Duals and with a plain array"""
    a, v = np.array([[2.0, 0.0], [1.0, 4.0]]), np.array([[1.0, 0.0], [10.0, 0.0]])
    b, w = np.array([6.0, 11.0]), np.array([8.0, 2.0])
    moving, of = dual(student, a, v), "a = [[2, 0], [1, 4]] and b = [6, 11]"
    both = "The tangents satisfy (tangent of a) @ z + a @ (tangent of z) = tangent of b."
    expect(parts(student.solve(moving, dual(student, b, w))),
           (np.array([3.0, 2.0]), np.array([2.5, -7.625])), both, of=f"solve of two Duals, {of}")
    expect(parts(student.solve(a, dual(student, b, w))),
           (np.array([3.0, 2.0]), np.array([4.0, -0.5])), "A plain a does not move (rule 2).",
           of=f"solve(array, Dual), {of}")
    expect(parts(student.solve(moving, b)), (np.array([3.0, 2.0]), np.array([-1.5, -7.125])),
           "A plain b does not move (rule 2).", of=f"solve(Dual, array), {of}")


@pytest.mark.question("q2", points=0.5, corner=True)
def test_large_values_and_operands(student):
    """tanh far from 0; operands are as before"""
    expect(parts(student.tanh(dual(student, 400.0, 10.0))), (1.0, 0.0),
           "Powers of e become very large here.", of="tanh of Dual(400, 10)")
    x = dual(student, np.eye(2), 3 * np.eye(2))
    for name in ("exp", "tanh", "total"):
        student[name](x)
    student.matmul(x, x), student.solve(x, x)
    expect(parts(x), (np.eye(2), 3 * np.eye(2)), "A function writes into its operand (rule 3).",
           of="x afterwards")


# q3 ----------------------------------------------------------------------------------------------


def expect_jacobian(student, matrix, pattern, calls):
    """Expect the Jacobian of matrix @ x³ at x = 1, 2, 3, …, and so many calls of f."""
    functions, x = student.define(FUNCTIONS), np.arange(1.0, matrix.shape[1] + 1)
    came, counted = functions.jacobian_and_calls(
        student.sparse_jacobian, functions.cubes(matrix), x, pattern)
    of = f"f(x) = {matrix.tolist()} @ x³ at x = {x.tolist()}, pattern = {1 * pattern}"
    expect(came, matrix * 3 * x**2, "Row i of a pass belongs to the one column of the group whose "
           "pattern is True in row i.", of=f"the Jacobian of {of}")
    expect(min(counted, calls), counted, "One call for each group of columns is enough.",
           of=f"the number of calls, at most {calls}, for {of}")


@pytest.mark.question("q3", points=3, core=True)
def test_sparse_jacobians(student):
    """bands and another pattern, one pass for each group"""
    band = np.eye(4) + 2 * np.eye(4, k=1)
    expect_jacobian(student, band, band != 0, 2)
    other = np.array([[1.0, 0.0, 0.0, 5.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, 4.0]])
    expect_jacobian(student, other, other != 0, 2)


@pytest.mark.question("q3", points=1)
def test_full_patterns(student):
    """a pattern without a False"""
    matrix = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    expect_jacobian(student, matrix, np.ones((2, 3), bool), 3)


@pytest.mark.question("q3", points=0.5)
def test_few_passes(student):
    """many columns, few passes"""
    matrix = np.eye(8) + np.eye(8, k=3)
    expect_jacobian(student, matrix, matrix != 0, 2)


@pytest.mark.question("q3", points=0.5, corner=True)
def test_results_that_share_or_stay(student):
    """f returns x itself"""
    same, x = student.define(FUNCTIONS).same, np.array([1.0, 2.0])
    expect(student.sparse_jacobian(same, x, np.ones((2, 2), bool)), np.eye(2),
           "f returns the very array of the direction, so each pass needs an array of its own.",
           of="the Jacobian of f(x) = x, with a full pattern")


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=5.5, core=True)
def test_random_nests(student):
    """two and three derivatives in one another, at constant and at moving points"""
    nested = student.define(NESTED)
    expect(nested.product_inside(student.derivative), 6.0,
           "3 means that the inner result no longer depends on x; 5 that tangents are mixed up.",
           of="the derivative with respect to x of x · ∂/∂y (x · y) at x = 3, y = 2")
    expect(nested.second(student.derivative), 12.0,
           "0 means that the inner result no longer depends on x.",
           of="the derivative with respect to x of ∂/∂y y³ at y = x, at x = 2")
    expect(nested.at_a_moving_point(student.derivative), 64.0,
           "By hand: ∂/∂y gives 2·y·x = 2·x³ at y = x², and x times that is 2·x⁴.",
           of="the derivative with respect to x of x · ∂/∂y (y·y·x) at y = x·x, at x = 2")
    expect(nested.three_in_one_another(student.derivative), 72.0,
           "By hand: ∂/∂z gives x·y, ∂/∂y (y·x·x·y) gives 2·y·x², and x times that is 2·y·x³.",
           of="the derivative with respect to x of x · ∂/∂y (y·x · ∂/∂z (x·y·z)), at x = 2, y = 3")


@pytest.mark.question("q4", points=1)
def test_one_derivative(student):
    """no nesting"""
    nested = student.define(NESTED)
    expect(nested.cube(student.derivative), 12.0, of="the derivative of x³ at 2")
    expect(nested.constant(student.derivative), 0.0, "The result of f does not depend on x.",
           of="the derivative of 7")
    expect(nested.itself(student.derivative), 1.0, of="the derivative of x")
    expect(nested.calls_inside(student.derivative), 1, "A difference quotient needs two calls.",
           of="the calls of f in one derivative")
    expect(nested.numbers_on_the_left(student.derivative), 23.0,
           of="the derivative of (1 - x) x + 3x (2 + x) at 4")


@pytest.mark.question("q4", points=1.5)
def test_two_variables(student):
    """an outer and an inner variable"""
    nested = student.define(NESTED)
    expect(nested.sum_inside(student.derivative), 1.0,
           "2 means that the inner derivative counts the tangent of x, 0 that x owns the sum.",
           of="the derivative with respect to x of x · ∂/∂y (x + y) at x = 1, y = 2")
    expect(nested.decay(student.derivative), 0.8,
           of="the derivative with respect to c of c · ∂/∂w (c·w·w) at c = 0.1, w = 2")
    expect(nested.outer_variable_alone(student.derivative), 1.0,
           "∂/∂y x is 0, because the tangent of x belongs to the outer derivative.",
           of="the derivative with respect to x of x + x · ∂/∂y x")


@pytest.mark.question("q4", points=1)
def test_deep_nests(student):
    """a second derivative"""
    expect(student.define(NESTED).second(student.derivative), 12.0,
           "0 means that the inner result no longer depends on x.",
           of="the second derivative of x³ at 2")


@pytest.mark.question("q4", points=1, corner=True)
def test_errors_and_copies(student):
    """after an error; z *= x"""
    nested = student.define(NESTED)
    expect(nested.after_an_error(student.derivative), 6.0,
           "An error in an inner f leaves something behind (rule 5).",
           of="the derivative of x · ∂/∂y (x y) at x = 3, y = 3, after an inner f that raised")
    expect(nested.in_steps(student.derivative), 12.0, "z *= x changes x itself (rule 3).",
           of="the derivative of z · x at x = 2, after z = x; z *= x")


# q5 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q5", points=1.5, core=True)
def test_hessian_vector_products(student):
    """x²y − y and xyz, by one call of f"""
    scalars = student.define(SCALARS)
    valley = scalars.Counted(scalars.valley)
    expect(list(student.hvp(valley, [2.0, 3.0], [1.0, 10.0])), [46.0, 4.0],
           "H is [[2y, 2x], [2x, 0]]. Multiply each of its rows by v.",
           of="hvp of x² y - y at [2, 3], along [1, 10]")
    expect(valley.calls, 1, "A difference quotient needs two calls, and columns of H need n.",
           of="the calls of f")
    expect(list(student.hvp(scalars.product, [2.0, 3.0, 5.0], [1.0, 10.0, 100.0])),
           [350.0, 205.0, 23.0], "H has 0 on its diagonal, and z, y, x beside it.",
           of="hvp of x y z at [2, 3, 5], along [1, 10, 100]")


@pytest.mark.question("q5", points=0.5)
def test_no_hessian_is_built(student):
    """work in proportion to the inputs"""
    scalars = student.define(SCALARS)
    few, many = (
        student.count_lines(student.hvp, scalars.chain, [1.0] * n, [1.0] * n, limit=400_000)
        for n in (20, 80)
    )
    expect(many <= 6 * few, True, "It does work for each of the n² entries of H.",
           of=f"whether {many:,} lines for 80 inputs are at most 6 times the {few:,} for 20")


@pytest.mark.question("q5", points=0.5, corner=True)
def test_constant_gradients(student):
    """a linear function"""
    expect(list(student.hvp(student.define(SCALARS).plane, [2.0, 3.0, 5.0], [1.0, 1.0, 1.0])),
           [0.0, 0.0, 0.0], "A gradient that is constant has no tangent: return plain zeros.",
           of="hvp of x + y - y - z")
