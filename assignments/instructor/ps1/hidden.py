"""The checks that grade ps1: what the visible ones ask, of other graphs and other numbers."""

import math

import pytest

from minigrad.course.grading import expect

GRAPHS = """
def negations(Value, count):
    x = z = Value(0.25)
    for _ in range(count):
        z = -z
    return x, z

def subtractions(Value, count):
    x = z = Value(0.25)
    for _ in range(count):
        z = z - 2.0
    return x, z

def doublings(number, count):
    x = z = number
    for _ in range(count):
        z = z + z
    return x, z
"""
FORMULAS = {
    "a + b": (lambda a, b: a + b, lambda a, b: (1, 1)),
    "a - b": (lambda a, b: a - b, lambda a, b: (1, -1)),
    "a * b": (lambda a, b: a * b, lambda a, b: (b, a)),
    "a / b": (lambda a, b: a / b, lambda a, b: (1 / b, -a / b**2)),
}
FUNCTIONS = {
    "exp": (math.exp, math.exp),
    "log": (math.log, lambda a: 1 / a),
    "tanh": (math.tanh, lambda a: 1 - math.tanh(a) ** 2),
}


def number(rng):
    """A number that is neither near 0 nor near 1, of either sign."""
    return round(rng.uniform(1.2, 4.0) * rng.choice((-1, 1)), 3)


@pytest.mark.question("q1", points=1, hint="One of + - * / of two Values is not what it should be.")
def test_the_four_operations(student, rng):
    """+ − * / of two Values"""
    a, b = number(rng), number(rng)
    for text, (formula, _) in FORMULAS.items():
        came = formula(student.Value(a), student.Value(b)).data
        expect(came, formula(a, b), of=f"{text} with a = {a}, b = {b}")


@pytest.mark.question("q1", points=1, hint="Try -x, and x ** n with a negative or broken n.")
def test_negation_and_powers(student, rng):
    """−x and x ** n"""
    a = abs(number(rng))
    expect((-student.Value(a)).data, -a, of="-x")
    for exponent in (3, -2, 0.5):
        expect((student.Value(a) ** exponent).data, a**exponent, of=f"x ** {exponent}")


@pytest.mark.question("q1", points=1, hint="Compare exp, log and tanh with those of math.")
def test_functions(student, rng):
    """exp, log, tanh"""
    a = abs(number(rng))
    for name, (formula, _) in FUNCTIONS.items():
        expect(student[name](student.Value(a)).data, formula(a), of=f"{name}({a})")


@pytest.mark.question("q1", points=1, hint="1 - x and 2 / x: which operand is the left one?")
def test_a_plain_number_on_either_side(student, rng):
    """numbers mixed with Values"""
    a, b = number(rng), number(rng)
    for text, (formula, _) in FORMULAS.items():
        expect(formula(a, student.Value(b)).data, formula(a, b), of=f"{text}, a plain")
        expect(formula(student.Value(a), b).data, formula(a, b), of=f"{text}, b plain")


@pytest.mark.question("q1", points=1, hint="Each operation makes one Value with op and inputs.")
def test_the_graph_is_remembered(student, rng):
    """op and inputs"""
    x, y = student.Value(number(rng)), student.Value(abs(number(rng)))
    expect((x.op, len(x.inputs)), (None, 0), of="op and inputs of a leaf")
    made = [(formula(x, y), [x, y]) for formula, _ in FORMULAS.values()]
    made += [(student[name](y), [y]) for name in FUNCTIONS] + [(-x, [x]), (y**3, [y])]
    for z, wanted in made:
        expect(list(z.inputs), wanted, of="inputs")
        expect(type(z.op), str, of="the type of op")
    three = x * 3.0
    expect(three.inputs[0] == x, True, of="the first input of x * 3.0 is x")
    expect(three.inputs[1].data, 3.0, of="the second input of x * 3.0")


@pytest.mark.question("q2", points=1, hint="The slopes of a + b, a - b and -a are 1 or -1.")
def test_slopes_of_sums(student, rng):
    """+ − and negation"""
    x, y = student.Value(number(rng)), student.Value(number(rng))
    expect(tuple(student.slopes(x + y)), (1, 1), of="slopes(x + y)")
    expect(tuple(student.slopes(x - y)), (1, -1), of="slopes(x - y)")
    expect(tuple(student.slopes(-x)), (-1,), of="slopes(-x)")
    expect(len(student.slopes(x)), 0, of="how many slopes a leaf has")


@pytest.mark.question("q2", points=1, hint="Compare the slopes of a * b and a / b with nudged.")
def test_slopes_of_products(student, rng):
    """* and /"""
    a, b = number(rng), number(rng)
    for text in ("a * b", "a / b"):
        formula, slopes = FORMULAS[text]
        came = student.slopes(formula(student.Value(a), student.Value(b)))
        expect(tuple(came), slopes(a, b), of=f"slopes({text})")


@pytest.mark.question("q2", points=1, hint="Try x ** n with n = 3, n = -2 and n = 0.5.")
def test_slope_of_powers(student, rng):
    """x ** n"""
    a = abs(number(rng))
    for n in (3, -2, 0.5):
        expect(tuple(student.slopes(student.Value(a) ** n)), (n * a ** (n - 1),), of=f"x ** {n}")


@pytest.mark.question("q2", points=1, hint="Compare the slopes of exp, log, tanh with nudged.")
def test_slopes_of_functions(student, rng):
    """exp, log, tanh"""
    a = abs(number(rng)) / 3
    for name, (_, slope) in FUNCTIONS.items():
        came = student.slopes(student[name](student.Value(a)))
        expect(tuple(came), (slope(a),), of=f"slopes({name}({a}))")


@pytest.mark.question("q3", points=1, hint="Try z = a * (b - c).")
def test_each_value_used_once(student, rng):
    """a tree"""
    a, b, c = (number(rng) for _ in range(3))
    x, y, t = student.Value(a), student.Value(b), student.Value(c)
    z = x * (y - t)
    student.backward(z)
    expect((x.grad, y.grad, t.grad, z.grad), (b - c, a, -a, 1), of="the grads of a * (b - c)")


@pytest.mark.question("q3", points=1, hint="A value that is used three times gets three shares.")
def test_used_by_several(student, rng):
    """one value, three users"""
    a, b = number(rng), number(rng)
    x, y = student.Value(a), student.Value(b)
    student.backward(x * y + x + x * x)
    expect((x.grad, y.grad), (b + 1 + 2 * a, a), of="the grads of a b + a + a a")


@pytest.mark.question("q3", points=1, hint="Try b = a a and z = b (b b).")
def test_used_near_and_far(student, rng):
    """users at different depths, on either side"""
    a = number(rng)
    for left in (True, False):
        x = student.Value(a)
        b = x * x
        c = b * b
        student.backward(b * c if left else c * b)
        expect(b.grad, 3 * a**4, of="b.grad for b · (b b), b = a a")
        expect(x.grad, 6 * a**5, of="a.grad for b · (b b), b = a a")


@pytest.mark.question("q3", points=1, hint="Try d = w x + b - y and z = d * d.")
def test_squared_error(student, rng):
    """d·d with d = w x + b − y"""
    w, b, x, y = (number(rng) for _ in range(4))
    weight, bias = student.Value(w), student.Value(b)
    d = weight * student.Value(x) + bias - student.Value(y)
    student.backward(d * d)
    error = w * x + b - y
    expect((weight.grad, bias.grad), (2 * error * x, 2 * error), of="the grads of w and b")


@pytest.mark.question("q3", points=1, hint="Call backward twice: the second must start afresh.")
def test_the_same_again(student, rng):
    """backward twice, and of two graphs that share a value"""
    a = number(rng)
    x = student.Value(a)
    square, triple = x * x, x * 3.0
    for root, wanted in ((square, 2 * a), (square, 2 * a), (triple, 3)):
        student.backward(root)
        expect(x.grad, wanted, of="grad of the shared leaf")


@pytest.mark.question("q4", points=2, hint="100,000 operations in a row: no recursion.")
def test_a_long_chain(student):
    """100,001 negations"""
    x, z = student.define(GRAPHS).negations(student.Value, 100_001)
    student.backward(z)
    expect(x.grad, -1, of="x.grad after 100,001 negations")


@pytest.mark.question("q4", points=1, hint="Thousands of operations in a row: no recursion.")
def test_a_chain_with_side_branches(student):
    """4,000 subtractions"""
    x, z = student.define(GRAPHS).subtractions(student.Value, 4_000)
    student.backward(z)
    expect(x.grad, 1, of="x.grad after 4,000 times - 2.0")


@pytest.mark.question("q5", points=2, hint="x + x fifty times: visit each value once.")
def test_many_ways_one_visit(student):
    """x + x fifty times"""
    x, z = student.define(GRAPHS).doublings(student.Value(1.0), 50)
    student.count_lines(student.backward, z, limit=100_000)
    expect(x.grad != 0, True, of="whether a gradient has reached the bottom")


@pytest.mark.question("q5", points=1, hint="Four times the graph may take four times the lines.")
def test_four_times_the_graph(student):
    """lines grow as the graph does"""
    lines = []
    for count in (45, 180):
        x, z = student.define(GRAPHS).doublings(student.Value(1.0), count)
        lines.append(student.count_lines(student.backward, z, limit=200_000))
        expect(x.grad != 0, True, of="whether a gradient has reached the bottom")
    assert lines[1] <= 6 * lines[0], f"{lines[0]:,} lines, then {lines[1]:,} for 4 times as much"


@pytest.mark.question("q6", points=1, hint="Try their demo with other numbers, by hand first.")
def test_squared_error_of_theirs(student, rng):
    """their demo with other numbers"""
    w, b, x, y = (number(rng) for _ in range(4))
    weight, bias = student.Node(w), student.Node(b)
    y_hat, target = weight * student.Node(x) + bias, student.Node(y)
    loss = (y_hat - target) * (y_hat - target)
    student.backward_they_left(loss)  # the notebook runs it too, and its shares must go
    student.mended_backward(loss)
    error = w * x + b - y
    expect((weight.grad, bias.grad), (2 * error * x, 2 * error), of="the grads of w and b")


@pytest.mark.question("q6", points=1, hint="Try (a + a + b)² by hand.")
def test_their_square_of_a_sum(student, rng):
    """(a + a + b)²"""
    a, b = number(rng), number(rng)
    x, y = student.Node(a), student.Node(b)
    total = x + x + y
    student.mended_backward(total * total)
    expect((x.grad, y.grad), (4 * (2 * a + b), 2 * (2 * a + b)), of="the grads of a and b")


@pytest.mark.question("q6", points=1, hint="Try a value whose users are near and far.")
def test_their_value_used_near_and_far(student, rng):
    """users at different depths, on either side"""
    a = number(rng)
    for left in (True, False):
        x = student.Node(a)
        b = x * x
        c = b * b
        student.mended_backward(b * c if left else c * b)
        expect(x.grad, 6 * a**5, of="a.grad for b · (b b), b = a a")


@pytest.mark.question("q6", points=1, hint="x + x thirty-five times: each node delivers once.")
def test_each_of_their_nodes_delivers_once(student):
    """x + x thirty-five times"""
    x, z = student.define(GRAPHS).doublings(student.Node(1.0), 35)
    student.count_lines(student.mended_backward, z, limit=100_000)
    expect(x.grad, 2**35, of="x.grad after thirty-five times x + x")
