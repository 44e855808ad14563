"""The visible checks of ps2: pytest functions over `student`, which answers for your code."""

import numpy as np
import pytest

from minigrad.course.grading import expect

SIX = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]])
CUBE = np.arange(8.0).reshape(2, 2, 2)
KEEPING = """
def arguments_after(function, *arguments):
    function(*arguments)
    return arguments
"""
IN_PLACE = "an argument is changed in place (rule 3)"
RULES = """
import numpy as np

def product(x, y):
    return x * y

def right(x, y, z_bar):
    return [z_bar * y, z_bar * x]

def other_factor(x, y, z_bar):
    return [z_bar * x, z_bar * y]

def first_alone(x, y, z_bar):
    return [z_bar * y, 0 * z_bar]

def last_entry(x, y, z_bar):
    x_bar = z_bar * y
    x_bar[-1, -1] *= 1.005
    return [x_bar, z_bar * x]

def one_missing(x, y, z_bar):
    return [z_bar * y]

def logarithm(x):
    return np.log(x)

def its_rule(x, z_bar):
    return [z_bar / x]

def row_sums(x):
    return x.sum(axis=1)

def along_rows(x, z_bar):
    return [np.broadcast_to(z_bar[:, None], x.shape)]

def along_columns(x, z_bar):
    return [np.broadcast_to(np.resize(z_bar, (1, x.shape[1])), x.shape)]

def as_it_is(x, z_bar):
    return [z_bar]

def total(x):
    return float(x.sum())

def of_total(x, z_bar):
    return [z_bar * np.ones(x.shape)]
"""


@pytest.mark.question("q1", points=1.5, core=True)
def test_added_and_stretched_axes(student):
    """(3,), (2, 1), (1, 3) and (1, 1), broadcast to (2, 3)"""
    of = "unbroadcast(z_bar, {}), z_bar of shape (2, 3)"
    expect(student.unbroadcast(SIX, (3,)), SIX.sum(0), "NumPy adds axes in front: sum over them",
           of=of.format("(3,)"))
    for shape, axes in (((2, 1), 1), ((1, 3), 0), ((1, 1), (0, 1))):
        expect(student.unbroadcast(SIX, shape), SIX.sum(axes, keepdims=True),
               "sum over axes that were stretched, and keep them with length 1",
               of=of.format(shape))
    z_bar = np.stack([SIX, 10 * SIX])
    expect(student.unbroadcast(z_bar, (1, 3)), 11 * SIX.sum(0, keepdims=True),
           "one axis was added, and another was stretched",
           of="unbroadcast(z_bar, (1, 3)), z_bar of shape (2, 2, 3)")


@pytest.mark.question("q1", points=0.5, corner=True)
def test_a_single_number_and_nothing_at_all(student):
    """() and (2, 3) itself"""
    expect(student.unbroadcast(SIX, ()), np.array(22.0), "a number that is used everywhere gets "
           "the sum of all entries", of="unbroadcast(z_bar, ())")
    expect(student.unbroadcast(SIX, (2, 3)), SIX, "nothing was broadcast",
           of="unbroadcast(z_bar, (2, 3)), the shape of z_bar")
    after = student.define(KEEPING).arguments_after(student.unbroadcast, SIX, (3,))
    expect(after, (SIX, (3,)), IN_PLACE, of="the arguments of unbroadcast after the call")


@pytest.mark.question("q2", points=3, core=True)
def test_sums_over_several_axes(student):
    """None, one axis of a square, two axes of a cube"""
    expect(student.vjp_sum(SIX, np.array(3.0), None, False), np.full((2, 3), 3.0),
           "each entry is added once, so each of them gets z_bar", of="vjp_sum(x, 3.0)")
    swapped = "row i of x was added to entry i for axis 1, column i for axis 0"
    for axis, wanted in ((0, [[1.0, 2.0], [1.0, 2.0]]), (1, [[1.0, 1.0], [2.0, 2.0]])):
        expect(student.vjp_sum(np.zeros((2, 2)), np.array([1.0, 2.0]), axis, False),
               np.array(wanted), swapped, of=f"vjp_sum(x, [1, 2], {axis}), x of shape (2, 2)")
    expect(student.vjp_sum(CUBE, np.array([1.0, 2.0]), (0, 2), False),
           np.array([[[1.0, 1.0], [2.0, 2.0]]] * 2),
           "axis 1 is the one that was not summed, so z_bar lies along it",
           of="vjp_sum(x, [1, 2], (0, 2)), x of shape (2, 2, 2)")


@pytest.mark.question("q2", points=1)
def test_kept_and_negative_axes(student):
    """keepdims, negative axes, and a tuple that is not in order"""
    kept = np.array([[1.0], [2.0]])
    expect(student.vjp_sum(SIX, kept, 1, True), kept * np.ones((2, 3)),
           "with keepdims z_bar still has the axis: it must not be inserted again",
           of="vjp_sum(x, [[1], [2]], 1, True), x of shape (2, 3)")
    expect(student.vjp_sum(SIX, np.array([1.0, 2.0]), -1, False), kept * np.ones((2, 3)),
           "-1 is the last axis of x", of="vjp_sum(x, [1, 2], -1), x of shape (2, 3)")
    expect(student.vjp_sum(CUBE, np.array([1.0, 2.0]), (-1, 0), False),
           np.array([[[1.0, 1.0], [2.0, 2.0]]] * 2),
           "-1 counts from the end of the shape of x, and the axes may have any order",
           of="vjp_sum(x, [1, 2], (-1, 0)), x of shape (2, 2, 2)")


@pytest.mark.question("q2", points=1)
def test_means(student):
    """means over one axis and over all entries; the arguments afterwards"""
    expect(student.vjp_mean(SIX, np.array([6.0, 12.0]), 1, False), np.array([[2.0] * 3, [4.0] * 3]),
           "each of these means is taken over three entries",
           of="vjp_mean(x, [6, 12], 1), x of shape (2, 3)")
    expect(student.vjp_mean(SIX, np.array(12.0), None, False), np.full((2, 3), 2.0),
           "this mean is taken over all six entries", of="vjp_mean(x, 12), x of shape (2, 3)")
    for name in ("vjp_sum", "vjp_mean"):
        arguments = (SIX, np.array([6.0, 12.0]), 1, False)
        after = student.define(KEEPING).arguments_after(student[name], *arguments)
        expect(after, arguments, IN_PLACE, of=f"the arguments of {name} after the call")


@pytest.mark.question("q3", points=2.5, core=True)
def test_ties(student):
    """the largest of each row and of all entries, with ties and without"""
    z_bar = np.array([10.0, 20.0])
    expect(student.vjp_max(SIX, z_bar, 1, False), np.array([[0.0, 0.0, 10.0], [0.0, 0.0, 20.0]]),
           "only the largest entry of each row contributes", of="vjp_max(x, [10, 20], 1)")
    x = np.array([[3.0, 7.0, 7.0], [2.0, 1.0, 0.0]])
    expect(student.vjp_max(x, z_bar, 1, False), np.array([[0.0, 5.0, 5.0], [20.0, 0.0, 0.0]]),
           "the two tied entries of row 0 split its 10", of=f"vjp_max({x.tolist()}, [10, 20], 1)")
    expect(student.vjp_max(x, np.array(8.0), None, False),
           np.array([[0.0, 4.0, 4.0], [0.0, 0.0, 0.0]]),
           "the largest of all entries, which occurs twice", of=f"vjp_max({x.tolist()}, 8)")


@pytest.mark.question("q3", points=1)
def test_several_axes_at_once(student):
    """two axes, keepdims, and a negative axis"""
    x = np.array([[[1.0, 5.0], [2.0, 2.0]], [[5.0, 5.0], [0.0, 1.0]]])
    wanted = np.array([[[0.0, 3.0], [4.0, 4.0]], [[3.0, 3.0], [0.0, 0.0]]])
    expect(student.vjp_max(x, np.array([9.0, 8.0]), (0, 2), False), wanted,
           "for (0, 2), ties are counted over both axes: three fives and two twos",
           of=f"vjp_max({x.tolist()}, [9, 8], (0, 2))")
    expect(student.vjp_max(SIX, np.array([[1.0], [2.0]]), -1, True),
           np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]]), "keepdims, with the last axis",
           of="vjp_max(x, [[1], [2]], -1, True), x of shape (2, 3)")


@pytest.mark.question("q3", points=0.5, corner=True)
def test_one_entry_and_the_arguments_afterwards(student):
    """an axis of length 1; the arguments afterwards"""
    z_bar = np.array([1.0, 2.0])
    expect(student.vjp_max(np.array([[-3.0], [0.0]]), z_bar, 1, False), z_bar[:, None],
           "the only entry is the largest", of="vjp_max([[-3], [0]], [1, 2], 1)")
    arguments = (np.array([[3.0, 7.0, 7.0], [2.0, 1.0, 0.0]]), z_bar, 1, False)
    after = student.define(KEEPING).arguments_after(student.vjp_max, *arguments)
    expect(after, arguments, IN_PLACE, of="the arguments of vjp_max after the call")


@pytest.mark.question("q4", points=0.5)
def test_matrices(student):
    """[2, 3] @ [3, 4], and square matrices; the arguments afterwards"""
    x, y, z_bar = SIX, np.arange(12.0).reshape(3, 4), np.arange(8.0).reshape(2, 4)
    expect(tuple(student.vjp_matmul(x, y, z_bar)), (z_bar @ y.T, x.T @ z_bar),
           "derive x_bar and y_bar from the indices, as in lesson 05b",
           of="vjp_matmul(x, y, z_bar), x of shape (2, 3), y of shape (3, 4)")
    x, y = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 6.0], [7.0, 8.0]])
    z_bar = np.array([[1.0, 10.0], [100.0, 1000.0]])
    expect(tuple(student.vjp_matmul(x, y, z_bar)), (z_bar @ y.T, x.T @ z_bar),
           "a transpose is missing, or the factors are swapped: square shapes hide this",
           of="vjp_matmul of square matrices")
    after = student.define(KEEPING).arguments_after(student.vjp_matmul, x, y, z_bar)
    expect(after, (x, y, z_bar), IN_PLACE, of="the arguments of vjp_matmul after the call")


@pytest.mark.question("q4", points=1)
def test_stacks(student):
    """two stacks of two matrices"""
    x, y = np.stack([SIX, -SIX]), np.arange(24.0).reshape(2, 3, 4)
    z_bar = np.arange(16.0).reshape(2, 2, 4)
    pairs = [(c @ b.T, a.T @ c) for a, b, c in zip(x, y, z_bar, strict=True)]
    wanted = tuple(np.stack(parts) for parts in zip(*pairs, strict=True))
    expect(tuple(student.vjp_matmul(x, y, z_bar)), wanted,
           ".T reverses all axes; in a stack only the last two change places",
           of="vjp_matmul of stacks, x of shape (2, 2, 3), y of shape (2, 3, 4)")


@pytest.mark.question("q4", points=2.5, core=True)
def test_stacks_that_broadcast(student):
    """two matrices times the same matrix, which is one matrix or a stack of one"""
    x, y = np.stack([SIX, 2 * SIX]), np.arange(12.0).reshape(3, 4)
    z_bar = np.arange(16.0).reshape(2, 2, 4)
    y_bar = SIX.T @ z_bar[0] + 2 * SIX.T @ z_bar[1]
    for stack in ((), (1,)):
        shape = (*stack, 3, 4)
        expect(tuple(student.vjp_matmul(x, y.reshape(shape), z_bar)),
               (z_bar @ y.T, y_bar.reshape(shape)),
               "the same matrix y is used for both matrices of x, so two contributions add up, "
               "in the shape of y", of=f"vjp_matmul, x of shape (2, 2, 3), y of shape {shape}")


@pytest.mark.question("q5", points=1.5, core=True)
def test_the_loss_and_its_rule(student):
    """three rows, two classes"""
    scores, p = np.array([[0.0, 0.0], [1.0, 3.0], [3.0, 1.0]]), 1 / (1 + np.exp(2))
    wanted = (np.log(2) + np.log(1 + np.exp(-2)) + np.log(1 + np.exp(2))) / 3
    expect(student.cross_entropy(scores, [0, 1, 1]), wanted, "the mean over the three rows",
           of="cross_entropy([[0, 0], [1, 3], [3, 1]], [0, 1, 1])")
    wanted = 2 * np.array([[-0.5, 0.5], [p, -p], [1 - p, p - 1]])
    expect(student.vjp_cross_entropy(scores, [0, 1, 1], np.array(6.0)), wanted,
           "the mean divides by the number of rows, and z_bar multiplies",
           of="vjp_cross_entropy([[0, 0], [1, 3], [3, 1]], [0, 1, 1], 6)")


@pytest.mark.question("q5", points=0.5)
def test_large_scores(student):
    """scores around a thousand; the arguments afterwards"""
    scores = np.array([[1000.0, 1001.0, 0.0], [-900.0, -900.0, -901.0]])
    wanted = (np.log(1 + np.e) + np.log(2 + 1 / np.e)) / 2
    expect(student.cross_entropy(scores, [0, 1]), wanted,
           "subtract the largest score of each row before exp",
           of="cross_entropy of scores around 1000 and -900")
    expect(student.cross_entropy(np.array([[0.0, 1000.0]]), [0]), 1000.0,
           "a probability that is rounded to 0 has no logarithm",
           of="cross_entropy([[0, 1000]], [0])")
    for name, arguments in (("cross_entropy", (scores, [0, 1])),
                            ("vjp_cross_entropy", (scores, [0, 1], np.array(6.0)))):
        after = student.define(KEEPING).arguments_after(student[name], *arguments)
        expect(after, arguments, IN_PLACE, of=f"the arguments of {name} after the call")


@pytest.mark.question("q6", points=3, core=True)
def test_right_and_wrong_rules(student):
    """right rules pass, wrong numbers are found"""
    rules = student.define(RULES)
    square, pair = [(3, 3)], [(2, 2), (2, 2)]
    expect(student.is_right(rules.row_sums, rules.along_columns, square, 3), False,
           "a z_bar of ones cannot see this: all its entries are alike",
           of="is_right for row sums, with the rule of column sums, on a square")
    expect(student.is_right(rules.row_sums, rules.along_rows, square, 2), True,
           "the right rule of the row sums should pass",
           of="is_right for row sums and their right rule")
    expect(student.is_right(rules.product, rules.other_factor, pair, 4), False,
           "inputs of ones cannot see this, nor two inputs that are alike",
           of="is_right for x * y, with the factors swapped")
    expect(student.is_right(rules.product, rules.first_alone, [(2, 3), (2, 3)], 5), False,
           "the cotangent of every input has to be compared",
           of="is_right for x * y, with 0 for the cotangent of y")
    expect(student.is_right(rules.product, rules.right, [(2, 3), (2, 3)], 1), True,
           "a central difference has about nine correct digits: allow small differences",
           of="is_right for x * y and its right rule")
    expect(student.is_right(rules.logarithm, rules.its_rule, [(4, 3)], 6), True,
           "log is not defined for negative numbers: draw between 0.5 and 2",
           of="is_right for log and its right rule")


@pytest.mark.question("q6", points=1)
def test_one_wrong_entry_and_small_errors(student):
    """one entry that is wrong by half a percent"""
    rules, shapes = student.define(RULES), [(3, 4), (3, 4)]
    expect(student.is_right(rules.product, rules.last_entry, shapes, 7), False,
           "every entry has to be compared, closely enough",
           of="is_right for x * y, the last entry of the cotangent of x being wrong by 0.5 %")
    expect(student.is_right(rules.product, rules.right, shapes, 7), True,
           "the comparison is too close for a central difference",
           of="is_right for x * y and its right rule")


@pytest.mark.question("q6", points=0.5)
def test_shapes_and_number_of_cotangents(student):
    """a cotangent of the wrong shape, and one that is missing"""
    rules = student.define(RULES)
    expect(student.is_right(rules.row_sums, rules.as_it_is, [(3, 3)], 8), False,
           "the shape of the cotangent is not that of x",
           of="is_right for row sums, with z_bar itself for the cotangent")
    expect(student.is_right(rules.product, rules.one_missing, [(2, 3), (2, 3)], 5), False,
           "there should be one cotangent for each input",
           of="is_right for x * y, with the cotangent of x alone")
    expect(student.is_right(rules.row_sums, rules.along_rows, [(3, 3)], 9), True,
           "the right rule of the row sums should pass",
           of="is_right for row sums and their right rule")


@pytest.mark.question("q6", points=0.5, corner=True)
def test_seeds_views_and_numbers(student):
    """an f that returns a number"""
    rules = student.define(RULES)
    expect(student.is_right(rules.product, rules.other_factor, [(2, 2), (2, 2)], 11), False,
           "the factors are swapped", of="is_right for x * y, with the factors swapped")
    expect(student.is_right(rules.total, rules.of_total, [(2, 3)], 10), True,
           "f may return a plain number, whose z_bar has shape ()",
           of="is_right for float(x.sum()) and its right rule")


@pytest.mark.question("q7", points=2.5, core=True)
def test_repeated_indices(student):
    """rows [2, 0, 2] of three"""
    z_bar = np.array([[1.0, 2.0], [3.0, 4.0], [10.0, 20.0]])
    expect(student.vjp_take(np.zeros((3, 2)), np.array([2, 0, 2]), z_bar, 0),
           np.array([[3.0, 4.0], [0.0, 0.0], [11.0, 22.0]]),
           "row 2 was collected twice, so two contributions add up; row 1 was never collected",
           of="vjp_take(x, [2, 0, 2], z_bar, 0), x of shape (3, 2)")
    expect(student.vjp_take(np.zeros(4), np.array([[1, 3], [3, 3]]), SIX[:, :2], 0),
           np.array([0.0, 1.0, 0.0, 11.0]), "the indices have two axes, and so has z_bar",
           of="vjp_take(x, [[1, 3], [3, 3]], [[1, 2], [4, 5]], 0), x of shape (4,)")


@pytest.mark.question("q7", points=1)
def test_other_axes(student):
    """columns"""
    wanted = np.array([[2.0, 0.0, 4.0], [5.0, 0.0, 11.0]])
    for axis in (1, -1):
        expect(student.vjp_take(np.zeros((2, 3)), np.array([2, 0, 2]), SIX, axis), wanted,
               "along axis 1 (which is also -1), z_bar[:, i] belongs to column indices[i] of x",
               of=f"vjp_take(x, [2, 0, 2], z_bar, {axis}), x of shape (2, 3)")


@pytest.mark.question("q7", points=0.5, corner=True)
def test_negative_indices_and_the_arguments_afterwards(student):
    """index -1; the arguments afterwards"""
    arguments = (np.zeros(3), np.array([-1, 2]), np.array([1.0, 10.0]), 0)
    expect(student.vjp_take(*arguments), np.array([0.0, 0.0, 11.0]),
           "-1 is the last entry, as in NumPy", of="vjp_take(x, [-1, 2], [1, 10], 0), x of three")
    after = student.define(KEEPING).arguments_after(student.vjp_take, *arguments)
    expect(after, arguments, IN_PLACE, of="the arguments of vjp_take after the call")


X = np.array([[-1.0, 1.0], [3.0, 1.0]])  # of each row, the variance is 1
GAMMA, BETA = np.array([2.0, 5.0]), np.array([1.0, -1.0])
Z_BAR = np.array([[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.question("q8", points=2.5, core=True)
def test_the_cotangent_of_x(student):
    """two rows of three entries"""
    x = np.array([[0.0, 3.0, 3.0], [1.0, 1.0, 4.0]])  # of each row, the variance is 2
    z_bar, gamma = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), np.array([3.0, 6.0, 1.0])
    s = np.sqrt(2.0)
    direct = np.array([[3.0, 0.0, 0.0], [0.0, 6.0, 0.0]])
    u = np.array([[-2.0, 1.0, 1.0], [-1.0, -1.0, 2.0]]) / s
    means = (direct.mean(1, keepdims=True), u * (direct * u).mean(1, keepdims=True))
    came = student.vjp_layer_norm(x, gamma, np.zeros(3), z_bar, 0.0)
    expect(came[0], (direct - means[0] - means[1]) / s,
           "three contributions add up: the direct one, through the mean, through the variance",
           of="the cotangent of x in vjp_layer_norm(x, [3, 6, 1], [0, 0, 0], z_bar, eps=0)")


@pytest.mark.question("q8", points=1)
def test_the_parameters(student):
    """two rows of two entries"""
    came = tuple(student.vjp_layer_norm(X, GAMMA, BETA, Z_BAR, 0.0))
    of = "the cotangent of {} in vjp_layer_norm, x of shape (2, 2), eps=0"
    expect(len(came), 3, "x, gamma and beta (rule 4)", of="the number of cotangents")
    expect(came[1], np.array([2.0, -2.0]), "gamma is multiplied by u and used once for each row",
           of=of.format("gamma"))
    expect(came[2], np.array([4.0, 6.0]), "beta is added to each row", of=of.format("beta"))


@pytest.mark.question("q8", points=0.5, corner=True)
def test_eps_a_vector_and_the_arguments_afterwards(student):
    """a large eps; the arguments afterwards"""
    came = tuple(student.vjp_layer_norm(X, GAMMA, BETA, Z_BAR, 3.0))
    expect(came[1], np.array([1.0, -1.0]), "eps is added to the variance: s = 2",
           of="the cotangent of gamma in vjp_layer_norm, x of shape (2, 2), eps=3")
    arguments = (X, GAMMA, BETA, Z_BAR, 3.0)
    after = student.define(KEEPING).arguments_after(student.vjp_layer_norm, *arguments)
    expect(after, arguments, IN_PLACE, of="the arguments of vjp_layer_norm after the call")
