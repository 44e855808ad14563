"""The visible checks of ps1: pytest functions over `student`, which answers for your code."""

import math

import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.comparing import same
from minigrad.course.grading.student import Handle, StudentError

HELPERS = """
import sys

def negations(make, count):
    path = [make(1.5)]
    for _ in range(count):
        path.append(-path[-1])
    return path[0], path

def differences(make, count):
    x = z = make(1.5)
    for _ in range(count):
        z = make(1.0) - (z - make(1.0))
    return x, z

def detours(make, count):
    x = z = older = make(1.5)
    for _ in range(count):
        older, z = z, older + (z - older)
    return x, z

def limit():
    return sys.getrecursionlimit()

def count_comparisons(kind):
    def __eq__(self, other):  # a search in a list calls it, so its lines are counted
        return self is other

    kind.__eq__, kind.__hash__ = __eq__, object.__hash__
"""
TOO_EARLY = "a value passes its gradient on before all of its users have contributed"
FROM_SCRATCH = "what an earlier call has left in grad is counted again (rule 3)"


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


def expect_whole_gradient(x, count):
    """Fail unless the gradient has come down all doublings. How contributions add up is asked in
    q4: the last one alone, 1 at each step, is enough here."""
    expect(x.grad, 1 if same(x.grad, 1) else 2**count, of=f"x.grad after {count} times x + x")


@pytest.mark.question("q1", points=1.5, core=True)
def test_operations_on_values(student):
    """+ − * /, −x, x ** n, exp, log, tanh"""
    x, y = leaf(student, 6.0), leaf(student, -3.0)
    expect((x.op, list(x.inputs)), (None, []), of="op and inputs of a leaf")
    for text, z, data, inputs in (
        ("x + y", x + y, 3.0, [x, y]),
        ("x - y", x - y, 9.0, [x, y]),
        ("x * y", x * y, -18.0, [x, y]),
        ("x / y", x / y, -2.0, [x, y]),
        ("x + x", x + x, 12.0, [x, x]),
        ("-x", -x, -6.0, [x]),
        ("x ** 2", x**2, 36.0, [x]),
        ("x ** -1", x**-1, 1 / 6, [x]),
        ("exp(x)", student.exp(x), math.exp(6.0), [x]),
        ("log(x)", student.log(x), math.log(6.0), [x]),
        ("tanh(y)", student.tanh(y), math.tanh(-3.0), [y]),
    ):
        expect(held(z).data, data, of=f"data of {text} with x = 6, y = -3")
        expect(list(z.inputs), inputs, "the inputs are the operands themselves, in their order",
               of=f"inputs of {text}")
        expect(type(z.op), str, of=f"the type of op of {text}")


@pytest.mark.question("q1", points=0.5)
def test_a_plain_number_on_either_side(student):
    """1 − x is not x − 1"""
    x = leaf(student, 4.0)
    expect((1 - x).data, -3.0, "Python calls __rsub__(self, other) for other - self",
           of="data of 1 - x with x = 4")
    expect((2 / x).data, 0.5, "Python calls __rtruediv__(self, other) for other / self",
           of="data of 2 / x with x = 4")
    expect((2 + held(x * 3)).data, 14.0, of="data of 2 + x * 3 with x = 4")
    expect((x - 1).data, 3.0, of="data of x - 1 with x = 4")
    expect((x + 0.5).data, 4.5, of="data of x + 0.5 with x = 4")
    expect(len((1 + x).inputs), 2, "the number becomes a leaf", of="how many inputs 1 + x has")


@pytest.mark.question("q1", points=0.5, corner=True)
def test_operands_stay_as_they_are(student):
    """operands before and after"""
    x, y = leaf(student, 6.0), leaf(student, -3.0)
    x + y, x * y, -x, student.tanh(x), x**2
    expect((x.data, y.data), (6.0, -3.0), "an operation makes a new Value",
           of="x and y after several operations")


@pytest.mark.question("q2", points=1, core=True)
def test_local_derivatives(student):
    """every operation"""
    x, y = leaf(student, 6.0), leaf(student, -3.0)
    for text, z, wanted, because in (
        ("x + y", x + y, (1, 1), ""),
        ("x - y", x - y, (1, -1), ""),
        ("x * y", x * y, (-3, 6), "the derivative with respect to a factor is the other factor"),
        ("x / y", x / y, (-1 / 3, -6 / 9), "the derivative of x / y with respect to y is -x / y²"),
        ("-x", -leaf(student, 6.0), (-1,), ""),
        ("x ** 2", x**2, (12,), ""),
        ("x ** -1", x**-1, (-1 / 36,), "n xⁿ⁻¹ also holds for a negative n"),
        ("exp(x) at x = 0.5", student.exp(leaf(student, 0.5)), (math.exp(0.5),), ""),
        ("log(x) at x = 0.5", student.log(leaf(student, 0.5)), (2,), ""),
        ("tanh(x) at x = 0.5", student.tanh(leaf(student, 0.5)), (1 - math.tanh(0.5) ** 2,),
         "it is 1 - tanh²"),
    ):
        of = f"local_derivatives of {text}" + (" with x = 6, y = -3" if "0.5" not in text else "")
        expect(tuple(student.local_derivatives(z)), wanted, because, of=of)


@pytest.mark.question("q2", points=0.5, corner=True)
def test_at_zero_and_asked_twice(student):
    """a factor 0; a power at 0"""
    zero, y = leaf(student, 0.0), leaf(student, -3.0)
    expect(tuple(student.local_derivatives(zero * y)), (-3, 0), of="x * y with x = 0, y = -3")
    expect(tuple(student.local_derivatives(zero**2)), (0,), of="x ** 2 with x = 0")


@pytest.mark.question("q3", points=1.5, core=True)
def test_every_value_below_the_root(student):
    """a tree; values that are used twice; near and far"""
    a, b, c = leaf(student, 2.0), leaf(student, 5.0), leaf(student, 3.0)
    z = held(a * b) - c
    student.backward(z)
    expect((a.grad, b.grad, c.grad, z.grad), (5, 2, -1, 1), of="the grads of a, b, c and z, "
           "z = a * b - c")
    a = leaf(student, 3.0)
    c = held(a + a)
    student.backward(c * c)
    cause = "36 comes when c passes its gradient on twice, 6 when = stands where += is needed"
    expect((c.grad, a.grad), (12, 24), cause, of="the grads of c and a, c * c with c = a + a")
    a = leaf(student, 2.0)
    b = held(a * a)
    student.backward(b * held(b * b))
    expect((b.grad, a.grad), (48, 192), TOO_EARLY, of="the grads of b and a, b * (b * b) at a = 2")


@pytest.mark.question("q3", points=0.5, corner=True)
def test_from_scratch_each_time(student):
    """called twice; a leaf as root"""
    a = leaf(student, 3.0)
    b = held(a * a)
    z = b * b
    for _ in range(2):
        student.backward(z)
        expect((a.grad, b.grad), (108, 18), FROM_SCRATCH,
               of="the grads of a and b, b * b with b = a * a at a = 3, called twice")
    student.backward(a)
    expect(a.grad, 1, of="the grad of a leaf after backward(leaf)")


@pytest.mark.question("q4", points=5, core=True)
def test_several_roots(student):
    """one root with a seed; two roots that share a value"""
    a, b = leaf(student, 2.0), leaf(student, 5.0)
    student.backward_from([a * b], [10.0])
    expect((a.grad, b.grad), (50, 20), "the gradient of the root is its seed",
           of="the grads of a and b, root a * b with the seed 10")
    d = held(a * b)
    student.backward_from([d * d, d + a], [1.0, 100.0])
    expect((d.grad, a.grad, b.grad), (120, 700, 240), "a gets 100 or 600 when only one root counts",
           of="the grads of d, a and b, roots d * d and d + a with d = a * b, seeds 1 and 100")


@pytest.mark.question("q4", points=2)
def test_a_root_below_another(student):
    """b and c with c = b · b, in both orders"""
    for order in (1, -1):
        a = leaf(student, 2.0)
        b = held(a * a)
        student.backward_from([b, b * b][::order], [10.0, 1.0][::order])
        expect((b.grad, a.grad), (18, 72), "b passes its gradient on before c has contributed, or "
               "its seed is lost", of="the grads of b and a, roots b and b * b, seeds 10 and 1")


@pytest.mark.question("q4", points=1, corner=True)
def test_roots_twice_and_calls_twice(student):
    """called twice"""
    a = leaf(student, 2.0)
    b = held(a * a)
    z = b * b
    for _ in range(2):
        student.backward_from([z], [10.0])
        expect((a.grad, b.grad), (320, 80), FROM_SCRATCH,
               of="the grads of a and b, b * b with b = a * a, seed 10, called twice")


@pytest.mark.question("q5", points=4, core=True)
def test_four_times_the_graph(student):
    """x + x; a chain in which each Value is a root"""
    helpers, lines = student.define(HELPERS), {}
    helpers.count_comparisons(student.Value)
    for size in (40, 160):
        x = leaf(student, 1.0)
        z = doubled(x, size)
        lines[size] = student.count_lines(student.backward_from, [z], [1.0], limit=200_000)
        expect_whole_gradient(x, size)
    expect_four_times(lines, "x + x, 40 and 160 times",
                      "every path is followed, or a list of Values is searched with `in`")
    _, roots = helpers.negations(student.Value, 3)
    student.backward_from(roots, [1.0] * 4)
    if not same([root.grad for root in roots], [0, 1, 0, 1]):
        return  # which is asked in q4
    for size in (40, 160):
        _, roots = helpers.negations(student.Value, size)
        seeds = [1.0] * len(roots)
        lines[size] = student.count_lines(student.backward_from, roots, seeds, limit=200_000)
    expect_four_times(lines, "chains of 40 and 160 negations, each Value a root",
                      "each root gets a pass of its own")


def expect_four_times(lines, of, because):
    """Fail unless a graph four times as large takes about four times the lines."""
    assert lines[160] <= 6 * lines[40], (
        f"of        {of}\n"
        f"expected  at most 6 times the lines for 4 times the graph\n"
        f"came      {lines[40]:,} lines, then {lines[160]:,}\n"
        f"perhaps   {because}"
    )


@pytest.mark.question("q5", points=2, hint="Visit each Value once.")
def test_many_paths_and_later_calls(student):
    """x + x forty times: 41 Values, 2⁴⁰ paths"""
    x = leaf(student, 1.0)
    z = doubled(x, 40)
    student.count_lines(student.backward_from, [z], [1.0], limit=100_000)
    expect_whole_gradient(x, 40)


@pytest.mark.question("q6", points=3.5, core=True, hint="A stack of your own instead of recursion.")
def test_a_long_chain(student):
    """100,000 negations; 3,000 times 1 − (z − 1)"""
    helpers = student.define(HELPERS)
    x, z = helpers.differences(student.Value, 3_000)
    student.without_recursion(student.backward_from, [z], [1.0])
    expect(x.grad, 1, of="x.grad after 3,000 times 1 - (z - 1)")
    count = 100_000 if is_linear(student, helpers) else 3_000  # which is asked in q5
    x, path = helpers.negations(student.Value, count)
    student.backward_from([path[-1]], [1.0])
    expect(x.grad, 1, of=f"x.grad after {count:,} negations")
    expect(helpers.limit() <= 3000, True, "sys.setrecursionlimit was called",
           of="whether Python's limit is as it was")  # some kernels begin with 3,000


def is_linear(student, helpers):
    """Whether a chain that is four times as long takes about four times the lines."""
    helpers.count_comparisons(student.Value)
    lines = []
    for size in (60, 240):
        _, path = helpers.negations(student.Value, size)
        lines.append(student.count_lines(student.backward_from, path[-1:], [1.0], limit=200_000))
    return lines[1] <= 6 * lines[0]


@pytest.mark.question("q6", points=1.5)
def test_a_deep_graph_with_sharing(student):
    """x₂ = x₀ + (x₁ − x₀), 1,000 times"""
    helpers = student.define(HELPERS)
    small, top = helpers.detours(student.Value, 12)
    try:
        student.count_lines(student.backward_from, [top], [1.0], limit=2_000)
    except StudentError:
        return  # which is asked in q4 and q5
    x, z = helpers.detours(student.Value, 1_000)
    student.backward_from([z], [1.0])
    if same(small.grad, 1):  # else it is asked in q4
        expect(x.grad, 1, TOO_EARLY, of="x.grad after 1,000 times z = older + (z - older)")


@pytest.mark.question("q7", points=4, core=True)
def test_leaves_accumulate(student):
    """two losses that share a computed Value"""
    w = leaf(student, 3.0)
    p = held(w * w)
    first, second = p + w, p * w
    student.accumulate(first)
    expect(w.grad, 7, of="w.grad at w = 3 after accumulate(p + w), p = w * w")
    student.accumulate(second)
    expect(w.grad, 34, "27 comes when the second call replaces what the first has left, more than "
           "34 when p passes its gradient of the first call on again",
           of="w.grad after accumulate(p + w) and accumulate(p * w)")


@pytest.mark.question("q7", points=1.5)
def test_training(student):
    """two steps for the loss (w · x − y)²"""
    w, x, y = leaf(student, 2.0), leaf(student, 1.0), leaf(student, 1.0)
    for data in (1.8, 1.64):
        error = held(held(w * x) - y)
        student.accumulate(error * error)
        student.descend([w], 0.1)
        expect((w.data, w.grad), (data, 0), "descend clears the gradient for the next step",
               of="w and its gradient after a step with the rate 0.1")


@pytest.mark.question("q7", points=1, corner=True)
def test_leaves_alone_and_others(student):
    """a leaf as root; a leaf that is not below"""
    x, y = leaf(student, 2.0), leaf(student, 5.0)
    y.grad = 7.0
    student.accumulate(x)
    expect((x.grad, y.grad), (1, 7), of="the grads of x and y after accumulate(x)")


@pytest.mark.question("q8", points=5, core=True)
def test_their_graphs(student):
    """their demo; (a + a)²; b · (b · b)"""
    w, b, x, y = (student.Node(number) for number in (2.0, 1.0, 1.0, 2.0))
    y_hat = w * x + b
    student.repaired_backward((y_hat - y) * (y_hat - y))
    expect((w.grad, b.grad), (2, 2), "4 and 3 come when y_hat passes on its gradient twice",
           of="the grads of w and b in their demo")
    a = student.Node(3.0)
    c = a + a
    student.repaired_backward(c * c)
    expect((c.grad, a.grad), (12, 24), of="the grads of c and a, c * c with c = a + a at a = 3")
    a = student.Node(2.0)
    b = a * a
    student.repaired_backward(b * (b * b))
    expect((b.grad, a.grad), (48, 192), TOO_EARLY, of="the grads of b and a, b * (b * b) at a = 2")


@pytest.mark.question("q8", points=1.5, hint="Visit each Node once, not once for each path.")
def test_each_rule_is_called_once(student):
    """x + x thirty times"""
    x = student.Node(1.0)
    z = doubled(x, 30)
    student.count_lines(student.repaired_backward, z, limit=100_000)
    expect(x.grad, 2**30, of="x.grad after thirty times x + x")


@pytest.mark.question("q8", points=1)
def test_from_scratch_for_nodes(student):
    """after their own function; called twice"""
    a = student.Node(3.0)
    b = a * a
    z = b * b
    student.backward_they_left(z)
    for _ in range(2):
        student.repaired_backward(z)
        expect((a.grad, b.grad), (108, 18), FROM_SCRATCH,
               of="the grads of a and b, b * b with b = a * a at a = 3")


@pytest.mark.question("q8", points=1, corner=True)
def test_nodes_of_other_kinds(student):
    """a Node alone"""
    x = student.Node(3.0)
    student.repaired_backward(x)
    expect(x.grad, 1, of="the grad of a Node without inputs that is the root")
