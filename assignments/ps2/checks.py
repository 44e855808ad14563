"""The visible checks of ps2: pytest functions over `student`, which answers for your code."""

import numpy as np
import pytest

from minigrad.course.grading import expect

SIX = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]])
RULES = """
import numpy as np

def product(x, y):
    return x * y

def right(x, y, g):
    return [g * y, g * x]

def other_factor(x, y, g):
    return [g * x, g * y]

def first_alone(x, y, g):
    return [g * y, 0 * g]

def one_missing(x, y, g):
    return [g * y]

def logarithm(x):
    return np.log(x)

def its_rule(x, g):
    return [g / x]

def row_sums(x):
    return x.sum(axis=1)

def along_rows(x, g):
    return [np.broadcast_to(g[:, None], x.shape)]

def along_columns(x, g):
    return [np.broadcast_to(np.resize(g, (1, x.shape[1])), x.shape)]
"""


@pytest.mark.question("q1", points=1)
def test_an_axis_in_front(student):
    """(3,) stretched to (2, 3)"""
    expect(student.unbroadcast(SIX, (3,)), SIX.sum(0), of="unbroadcast(g, (3,)), g of shape (2, 3)")


@pytest.mark.question("q1", points=2)
def test_an_axis_of_length_one(student):
    """(2, 1) and (1, 3) stretched to (2, 3)"""
    of = "unbroadcast(g, {}), g of shape (2, 3)"
    stays = "the axis of length 1 is still there: keepdims"
    expect(student.unbroadcast(SIX, (2, 1)), [[6.0], [16.0]] * np.ones((2, 1)), stays,
           of=of.format("(2, 1)"))
    expect(student.unbroadcast(SIX, (1, 3)), SIX.sum(0, keepdims=True), stays,
           of=of.format("(1, 3)"))


@pytest.mark.question("q1", points=1)
def test_both(student):
    """(1, 3) stretched to (2, 2, 3)"""
    g = np.stack([SIX, 10 * SIX])
    expect(student.unbroadcast(g, (1, 3)), 11 * SIX.sum(0, keepdims=True),
           of="unbroadcast(g, (1, 3)), g of shape (2, 2, 3)")


@pytest.mark.question("q1", points=1)
def test_a_single_number_and_nothing_at_all(student):
    """() and (2, 3) itself"""
    expect(student.unbroadcast(SIX, ()), np.array(22.0), "every use counts: a sum, no mean",
           of="unbroadcast(g, ())")
    expect(student.unbroadcast(SIX, (2, 3)), SIX, of="unbroadcast(g, (2, 3)), the shape of g")


@pytest.mark.question("q2", points=1)
def test_differences(student):
    """x − y"""
    x, y, g = np.array([6.0, 1.0]), np.array([-3.0, 4.0]), np.array([1.0, 10.0])
    expect(tuple(student.vjp_sub(x, y, g)), (g, -g), of="vjp_sub(x, y, [1, 10])")


@pytest.mark.question("q2", points=1)
def test_products(student):
    """x · y"""
    x, y, g = np.array([6.0, 1.0]), np.array([-3.0, 4.0]), np.array([1.0, 10.0])
    expect(tuple(student.vjp_mul(x, y, g)), (g * y, g * x),
           "x's cotangent is g times the *other* factor", of="vjp_mul([6, 1], [-3, 4], [1, 10])")
    zero = np.zeros(2)
    expect(tuple(student.vjp_mul(zero, y, g)), (g * y, zero),
           of="vjp_mul([0, 0], [-3, 4], [1, 10])")


@pytest.mark.question("q2", points=2)
def test_quotients(student):
    """x / y"""
    x, y, g = np.array([6.0, 1.0]), np.array([-3.0, 4.0]), np.array([1.0, 10.0])
    expect(tuple(student.vjp_div(x, y, g)), (g / y, -g * x / (y * y)),
           "the slopes of x / y are 1 / y by x and -x / y² by y; each is multiplied by g",
           of="vjp_div([6, 1], [-3, 4], [1, 10])")


@pytest.mark.question("q3", points=1)
def test_everything_summed(student):
    """axis None"""
    expect(student.vjp_sum(SIX, np.array(3.0)), np.full((2, 3), 3.0),
           "each entry counts once in the sum, so each gets g", of="vjp_sum(x, 3.0)")


@pytest.mark.question("q3", points=2)
def test_an_axis_of_a_square(student):
    """axis 0 and axis 1 of a square"""
    x, g = np.zeros((2, 2)), np.array([1.0, 2.0])
    swapped = "g[i] belongs to what was summed into it: a column for axis 0, a row for axis 1"
    expect(student.vjp_sum(x, g, 0), np.array([[1.0, 2.0], [1.0, 2.0]]), swapped,
           of="vjp_sum(x, [1, 2], axis=0), x of shape (2, 2)")
    expect(student.vjp_sum(x, g, 1, False), np.array([[1.0, 1.0], [2.0, 2.0]]), swapped,
           of="vjp_sum(x, [1, 2], axis=1), x of shape (2, 2)")


@pytest.mark.question("q3", points=1)
def test_an_axis_that_was_kept(student):
    """keepdims, and an axis that counts from the end"""
    g = np.array([[1.0], [2.0]])
    expect(student.vjp_sum(SIX, g, -1, True), g * np.ones((2, 3)),
           "with keepdims g still has the axis: do not put it in again",
           of="vjp_sum(x, [[1], [2]], axis=-1, keepdims=True), x of shape (2, 3)")


@pytest.mark.question("q4", points=2)
def test_oblong_matrices(student):
    """[2, 3] @ [3, 4]"""
    x, y, g = SIX, np.arange(12.0).reshape(3, 4), np.arange(8.0).reshape(2, 4)
    expect(tuple(student.vjp_matmul(x, y, g)), (g @ y.T, x.T @ g),
           of="vjp_matmul(x, y, g), x of shape (2, 3), y of shape (3, 4)")


@pytest.mark.question("q4", points=1)
def test_square_matrices(student):
    """[2, 2] @ [2, 2]: all shapes fit"""
    x, y = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 6.0], [7.0, 8.0]])
    g = np.array([[1.0, 10.0], [100.0, 1000.0]])
    expect(tuple(student.vjp_matmul(x, y, g)), (g @ y.T, x.T @ g),
           "a transpose is missing, or the factors are swapped: shapes do not show it here",
           of="vjp_matmul of square matrices")


@pytest.mark.question("q4", points=1)
def test_stacks(student):
    """two stacks of two matrices"""
    x, y = np.stack([SIX, -SIX]), np.arange(24.0).reshape(2, 3, 4)
    g = np.arange(16.0).reshape(2, 2, 4)
    wanted = [np.stack(parts) for parts in
              zip(*((h @ b.T, a.T @ h) for a, b, h in zip(x, y, g, strict=True)), strict=True)]
    expect(tuple(student.vjp_matmul(x, y, g)), tuple(wanted),
           ".T turns all axes round; a stack keeps its first",
           of="vjp_matmul of stacks, x of shape (2, 2, 3)")


@pytest.mark.question("q5", points=1)
def test_the_loss(student):
    """two rows, two classes"""
    scores = np.array([[0.0, 0.0], [1.0, 3.0]])
    expect(student.cross_entropy(scores, [0, 1]), (np.log(2) + np.log(1 + np.exp(-2))) / 2,
           "the mean over the rows, each row with its own total",
           of="cross_entropy([[0, 0], [1, 3]], [0, 1])")


@pytest.mark.question("q5", points=2)
def test_its_rule(student):
    """two rows, two classes, g = 6"""
    scores, p = np.array([[0.0, 0.0], [1.0, 3.0]]), 1 / (1 + np.exp(2))
    expect(student.vjp_cross_entropy(scores, [0, 1], 6.0),
           3 * np.array([[-0.5, 0.5], [p, -p]]),
           "the mean divides by the number of rows, and g multiplies",
           of="vjp_cross_entropy([[0, 0], [1, 3]], [0, 1], 6.0)")


@pytest.mark.question("q5", points=1)
def test_large_scores(student):
    """scores around a thousand"""
    scores = np.array([[1000.0, 1001.0, 0.0], [-900.0, -900.0, -901.0]])
    wanted = (np.log(1 + np.e) + np.log(2 + 1 / np.e)) / 2
    expect(student.cross_entropy(scores, [0, 1]), wanted,
           "nan or inf: subtract each row's own largest score before exp",
           of="cross_entropy of scores around 1000 and -900")


@pytest.mark.question("q5", points=1)
def test_scores_stay_as_they_are(student):
    """the arguments are not changed"""
    keeping = student.define("""
import numpy as np

def kept(cross_entropy, vjp_cross_entropy):
    scores = np.array([[1.0, 2.0], [3.0, 5.0]])
    cross_entropy(scores, [0, 1])
    vjp_cross_entropy(scores, [0, 1], 1.0)
    return scores
""")
    expect(keeping.kept(student.cross_entropy, student.vjp_cross_entropy),
           np.array([[1.0, 2.0], [3.0, 5.0]]),
           "`scores -= …` changes the caller's array", of="scores, after both calls")


@pytest.mark.question("q6", points=1)
def test_right_rules_pass(student):
    """right rules"""
    rules = student.define(RULES)
    expect(student.is_right(rules.product, rules.right, [(2, 3), (2, 3)], 1), True,
           "near is enough: a numerical slope has about nine right digits",
           of="is_right for x * y and its right rule")
    expect(student.is_right(rules.row_sums, rules.along_rows, [(3, 3)], 2), True,
           of="is_right for row sums and their right rule")
    expect(student.is_right(rules.logarithm, rules.its_rule, [(4, 3)], 6), True,
           "log is not defined for negative numbers: draw positive ones",
           of="is_right for log and its right rule")


@pytest.mark.question("q6", points=2)
def test_wrong_numbers_are_found(student):
    """wrong rules whose shapes are right"""
    rules = student.define(RULES)
    expect(student.is_right(rules.row_sums, rules.along_columns, [(3, 3)], 3), False,
           "a seed of ones cannot see it: all its entries are alike",
           of="is_right for row sums, with the rule of column sums, on a square")
    expect(student.is_right(rules.product, rules.other_factor, [(2, 2), (2, 2)], 4), False,
           "inputs of ones cannot see it, nor two inputs that are alike",
           of="is_right for x * y, with the factors swapped")


@pytest.mark.question("q6", points=1)
def test_every_input_is_looked_at(student):
    """a rule that is right for the first input alone"""
    rules = student.define(RULES)
    expect(student.is_right(rules.product, rules.first_alone, [(2, 3), (2, 3)], 5), False,
           of="is_right for x * y, with 0 for the cotangent of y")
    expect(student.is_right(rules.product, rules.one_missing, [(2, 3), (2, 3)], 5), False,
           of="is_right for x * y, with the cotangent of x alone")
