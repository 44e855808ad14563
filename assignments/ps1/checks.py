"""The visible checks of ps1: pytest functions over `student`, which answers for your code."""

import math

import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.comparing import same
from minigrad.course.grading.student import Handle

GRAPHS = """
def negations(Value, count):
    x = z = Value(1.5)
    for _ in range(count):
        z = -z
    return x, z

def differences(Value, count):
    x = z = Value(1.5)
    for _ in range(count):
        z = Value(1.0) - (z - Value(1.0))
    return x, z

def limit():
    import sys
    return sys.getrecursionlimit()
"""


def held(came):
    """What came, once it is an object that stays with the student: with anything else, the next
    operation would be computed here."""
    if type(came) is not Handle:
        raise AssertionError(f"expected  an object of the class Value\ncame      {str(came):.100}")
    return came


def leaf(student, number):
    """The student's Value of a number."""
    return held(student.Value(number))


def doubled(x, count):
    """x + x so many times."""
    for _ in range(count):
        x = held(x + x)
    return x


def expect_all_the_way(x, count):
    """Fail unless a gradient has come down all doublings. How shares are added up is asked in q3:
    the last share alone, 1 at each step, is enough here."""
    expect(x.grad, 1 if same(x.grad, 1) else 2**count, of=f"x.grad after {count} times x + x")


@pytest.mark.question("q1", points=1)
def test_the_four_operations(student):
    """+ − * / of two Values"""
    x, y = leaf(student, 6.0), leaf(student, -3.0)
    expect((x + y).data, 3.0, of="(x + y).data with x = 6, y = -3")
    expect((x - y).data, 9.0, of="(x - y).data with x = 6, y = -3")
    expect((x * y).data, -18.0, of="(x * y).data with x = 6, y = -3")
    expect((x / y).data, -2.0, of="(x / y).data with x = 6, y = -3")
    expect((x.data, y.data), (6.0, -3.0), "an operation makes a new Value, and leaves its operands",
           of="x and y themselves, afterwards")


@pytest.mark.question("q1", points=1)
def test_negation_and_powers(student):
    """−x and x ** n"""
    x = leaf(student, 3.0)
    expect((-x).data, -3.0, of="(-x).data with x = 3")
    expect((x**2).data, 9.0, of="(x ** 2).data with x = 3")
    expect((x**-1).data, 1 / 3, of="(x ** -1).data with x = 3")
    expect((leaf(student, -2) ** 3).data, -8.0, of="(x ** 3).data with x = -2")


@pytest.mark.question("q1", points=1)
def test_functions(student):
    """exp, log, tanh"""
    x = leaf(student, 0.5)
    expect(student.exp(x).data, math.exp(0.5), of="exp(x).data with x = 0.5")
    expect(student.log(x).data, math.log(0.5), of="log(x).data with x = 0.5")
    expect(student.tanh(x).data, math.tanh(0.5), of="tanh(x).data with x = 0.5")


@pytest.mark.question("q1", points=1)
def test_a_plain_number_on_either_side(student):
    """1 − x is not x − 1"""
    x = leaf(student, 4.0)
    swapped = "__rsub__(self, other) is asked for other - self, not self - other"
    expect((1 - x).data, -3.0, swapped, of="(1 - x).data with x = 4")
    expect(
        (2 / x).data,
        0.5,
        swapped.replace("sub", "truediv").replace("-", "/"),
        of="(2 / x).data with x = 4",
    )
    expect((2 + held(x * 3)).data, 14.0, of="(2 + x * 3).data with x = 4")
    expect((x - 1).data, 3.0, of="(x - 1).data with x = 4")
    expect((x + 0.5).data, 4.5, of="(x + 0.5).data with x = 4")
    expect(len((1 + x).inputs), 2, "the number becomes a leaf", of="how many inputs 1 + x has")


@pytest.mark.question("q1", points=1)
def test_the_graph_is_remembered(student):
    """op and inputs"""
    x, y = leaf(student, 6.0), leaf(student, -3.0)
    expect(x.op, None, of="op of a leaf")
    expect(list(x.inputs), [], of="inputs of a leaf")
    made = [(x - y, [x, y]), (-x, [x]), (x**2, [x]), (student.exp(y), [y])]
    made += [(x + x, [x, x]), (x**1, [x])]
    for z, wanted in made:
        expect(
            list(z.inputs),
            wanted,
            "each operation makes exactly one new Value",
            of="inputs, which must be the operands themselves",
        )
        expect(type(z.op), str, of="the type of op")


@pytest.mark.question("q2", points=1)
def test_slopes_of_sums(student):
    """+ − and negation"""
    x, y = leaf(student, 6.0), leaf(student, -3.0)
    expect(tuple(student.slopes(x + y)), (1, 1), of="slopes(x + y)")
    expect(tuple(student.slopes(x - y)), (1, -1), of="slopes(x - y)")
    expect(tuple(student.slopes(-x)), (-1,), of="slopes(-x)")


@pytest.mark.question("q2", points=1)
def test_slopes_of_products(student):
    """* and /"""
    x, y = leaf(student, 6.0), leaf(student, -3.0)
    expect(
        tuple(student.slopes(x * y)),
        (-3, 6),
        of="slopes(x * y) with x = 6, y = -3",
        because="the slope by x is the *other* factor",
    )
    expect(
        tuple(student.slopes(x / y)),
        (-1 / 3, -6 / 9),
        of="slopes(x / y) with x = 6, y = -3",
        because="the slope of x / y by y is -x / y²",
    )
    zero = leaf(student, 0.0)
    expect(tuple(student.slopes(zero * y)), (-3, 0), of="slopes(x * y) with x = 0, y = -3")


@pytest.mark.question("q2", points=1)
def test_slope_of_powers(student):
    """x ** n"""
    x = leaf(student, 3.0)
    expect(tuple(student.slopes(x**2)), (6,), of="slopes(x ** 2) with x = 3")
    expect(
        tuple(student.slopes(x**-1)),
        (-1 / 9,),
        of="slopes(x ** -1) with x = 3",
        because="n x^(n-1) also holds for a negative n",
    )
    zero = leaf(student, 0.0)
    expect(tuple(student.slopes(zero**2)), (0,), of="slopes(x ** 2) with x = 0")


@pytest.mark.question("q2", points=1)
def test_slopes_of_functions(student):
    """exp, log, tanh"""
    x = leaf(student, 0.5)
    expect(tuple(student.slopes(student.exp(x))), (math.exp(0.5),), of="slopes(exp(x)) at 0.5")
    expect(tuple(student.slopes(student.log(x))), (2,), of="slopes(log(x)) at 0.5")
    expect(
        tuple(student.slopes(student.tanh(x))),
        (1 - math.tanh(0.5) ** 2,),
        "1 - tanh(x)², the square of the result",
        of="slopes(tanh(x)) at 0.5",
    )


@pytest.mark.question("q3", points=1)
def test_each_value_used_once(student):
    """a tree: z = a b − c; a leaf"""
    a, b, c = leaf(student, 2.0), leaf(student, 5.0), leaf(student, 3.0)
    z = held(a * b) - c
    student.backward(z)
    expect((a.grad, b.grad, c.grad), (5, 2, -1), of="the grads of a, b, c in a * b - c")
    expect(z.grad, 1, of="z.grad after backward(z)")
    alone, equal = leaf(student, 2.0), leaf(student, 2.0)
    student.backward(alone - equal)
    expect((alone.grad, equal.grad), (1, -1), "two leaves may hold the same number",
           of="the grads of a and b in a - b, both 2")
    student.backward(alone)
    expect(alone.grad, 1, of="grad of a leaf after backward(leaf)")


@pytest.mark.question("q3", points=1)
def test_used_twice(student):
    """b = a + a, c = b + b at 1; (a + a)² at 3"""
    a = leaf(student, 1.0)
    b = held(a + a)
    student.backward(b + b)
    expect(
        (b.grad, a.grad),
        (2, 4),
        of="the grads of b and a",
        because="= where += is needed, or b passes on before it is complete",
    )
    a = leaf(student, 3.0)
    c = held(a + a)
    student.backward(c * c)
    expect(
        (c.grad, a.grad),
        (12, 24),
        of="the grads of c and a in c * c, c = a + a",
        because="36 comes when c passes its gradient on twice, 6 when = replaces +=",
    )


@pytest.mark.question("q3", points=1)
def test_used_near_and_far(student):
    """b = a·a is used by the top and by what lies below the top"""
    a = leaf(student, 2.0)
    b = held(a * a)
    student.backward(b * held(b * b))
    expect(
        (b.grad, a.grad),
        (48, 192),
        of="the grads of b and a in b * (b * b) at a = 2",
        because="b passes on before its far users have delivered",
    )


@pytest.mark.question("q3", points=1)
def test_squared_error(student):
    """w = 2, b = 1, x = 1, y = 2: d = w x + b − y, z = d·d"""
    w, b, x, y = (leaf(student, number) for number in (2.0, 1.0, 1.0, 2.0))
    d = held(held(held(w * x) + b) - y)
    student.backward(held(d) * held(d))
    expect((w.grad, b.grad), (2, 2), of="the grads of w and b")


@pytest.mark.question("q3", points=1)
def test_the_same_again(student):
    """backward twice gives the same gradients"""
    a = leaf(student, 3.0)
    b = held(a * a)
    z = b * b
    for _ in range(2):
        student.backward(z)
        expect(
            (a.grad, b.grad),
            (108, 18),
            "the grads of the first call must not be counted again",
            of="the grads of a and b in b * b, b = a * a at a = 3, called twice",
        )


@pytest.mark.question("q4", points=2, hint="A stack of your own instead of recursion.")
def test_a_long_chain(student):
    """100,000 negations"""
    graphs = student.define(GRAPHS)
    x, z = graphs.negations(student.Value, 100_000)
    student.backward(z)
    expect(x.grad, 1, of="x.grad after 100,000 negations")
    expect(graphs.limit() <= 3000, True, "sys.setrecursionlimit was called: do without",
           of="whether the limit of recursion is as it was")  # some kernels begin with 3,000


@pytest.mark.question("q4", points=1, hint="A stack of your own instead of recursion.")
def test_a_chain_with_side_branches(student):
    """3,000 times 1 − (z − 1)"""
    x, z = student.define(GRAPHS).differences(student.Value, 3_000)
    student.backward(z)
    expect(x.grad, 1, of="x.grad after 3,000 times 1 - (z - 1)")


@pytest.mark.question("q5", points=2, hint="Remember which values you have been at.")
def test_many_ways_one_visit(student):
    """x + x forty times: 41 values, 2⁴⁰ ways"""
    x = leaf(student, 1.0)
    z = doubled(x, 40)
    student.count_lines(student.backward, z, limit=100_000)
    expect_all_the_way(x, 40)


@pytest.mark.question("q5", points=1, hint="Order the values once, before any of them passes on.")
def test_twice_the_graph_twice_the_lines(student):
    """four times the graph, about four times the lines"""
    lines = []
    for count in (40, 160):
        x = leaf(student, 1.0)
        z = doubled(x, count)
        lines.append(student.count_lines(student.backward, z, limit=200_000))
        expect_all_the_way(x, count)
    assert lines[1] <= 6 * lines[0], (
        f"expected  at most 6 times the lines for 4 times the values\n"
        f"came      {lines[0]:,} lines for 41 values, {lines[1]:,} for 161\n"
        "perhaps   the whole graph is gone through again for each value"
    )


@pytest.mark.question("q6", points=1)
def test_the_demo_of_the_engine_they_left(student):
    """w = 2, b = 1, x = 1, y = 2"""
    w, b, x, y = (student.Node(number) for number in (2.0, 1.0, 1.0, 2.0))
    y_hat = w * x + b
    loss = (y_hat - y) * (y_hat - y)
    student.backward_they_left(loss)
    for _ in range(2):
        student.mended_backward(loss)
        expect(
            (w.grad, b.grad),
            (2, 2),
            of="the grads of w and b, after backward_they_left(loss) and mended_backward(loss)",
            because="4 and 3 come when y_hat passes on its first share again; more than 4 when "
            "what another call has left in grad is counted too",
        )


@pytest.mark.question("q6", points=1)
def test_their_square_of_a_sum(student):
    """(a + a)² at 3"""
    a = student.Node(3.0)
    c = a + a
    student.mended_backward(c * c)
    expect((c.grad, a.grad), (12, 24), of="the grads of c and a")
    student.mended_backward(a)
    expect(a.grad, 1, of="the grad of a node that was made from nothing, after it was the root")


@pytest.mark.question("q6", points=1)
def test_their_value_used_near_and_far(student):
    """b = a·a is used by the top and by what lies below the top"""
    a = student.Node(2.0)
    b = a * a
    student.mended_backward(b * (b * b))
    expect(
        (b.grad, a.grad),
        (48, 192),
        of="the grads of b and a in b * (b * b) at a = 2",
        because="b delivers before its far users have delivered to it",
    )


@pytest.mark.question("q6", points=1)
def test_each_node_delivers_once(student):
    """x + x thirty times"""
    x = student.Node(1.0)
    z = doubled(x, 30)
    student.count_lines(student.mended_backward, z, limit=100_000)
    expect(x.grad, 2**30, of="x.grad after thirty times x + x")
