"""The checks that grade ps1: what the visible ones ask, of other graphs and other numbers."""

import itertools
import math
from collections import Counter

import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.comparing import same
from minigrad.course.grading.student import Handle, StudentError, during

HELPERS = """
import gc
import sys

gc.disable()  # or it would look through the whole of a large graph again and again

def build(make, numbers, plan):
    values = [make(number) for number in numbers]
    for sign, i, j in plan:
        a, b = values[i], values[j]
        values.append(a + b if sign == "+" else a - b if sign == "-" else a * b)
    return values

def grads(values):
    return [getattr(value, "grad", None) for value in values]

def in_place(x, others):
    plus = minus = times = over = x
    plus += others[0]
    minus -= others[1]
    times *= others[2]
    over /= others[3]
    return [plus, minus, times, over]

def chain(make, steps):
    x = z = older = make(0.25)
    path, number = [x], 2.0
    for step in steps:
        before, number = z, number * 1.7 % 5.3  # another one each time, so that results differ
        if step == "-":
            z = -z
        elif step == "1":
            z = z - make(number)
        elif step == "2":
            z = make(number) - z
        elif step == "L":
            z = z - (-make(number))
        elif step == "R":
            z = (-make(number)) - z
        elif step == "S":
            z = older + (z - older)
        elif step == "T":
            z = (z - older) + older
        else:
            z = (z + x) - x
        older = before
        path.append(z)
    return x, z, lambda every: [value.grad for value in path[::every]]

def doublings(make, count):
    x = z = make(0.25)
    for _ in range(count):
        z = z + z
    return x, [z]

def uneven(make, count):
    x = z = make(0.25)
    for _ in range(count):
        z = z + (-(-z))
    return x, [z]

def star(make, count):
    x = z = make(0.25)
    for _ in range(count):
        z = x + z
    return x, [z]

def there_and_back(make, count):
    x = make(0.25)
    path = [x]
    for _ in range(count):
        path.append(-path[-1])
    z = path.pop()
    while path:
        z = z - path.pop()
    return x, [z]

def root_at_each_step(make, count):
    x = make(0.25)
    path = [x]
    for _ in range(count):
        path.append(-path[-1])
    return x, path

def rows_below_roots(make, rows, steps, tops):
    x, ends = make(0.25), []
    for _ in range(rows):
        path = [x]
        for _ in range(steps):
            path.append(x + path[-1])
        z = path.pop()
        while path:
            z = z + path.pop()
        ends.append(z)
    while len(ends) > 1:
        pairs = zip(ends[::2], ends[1::2])
        ends = [a + b for a, b in pairs] + ends[len(ends) & ~1:]
    roots = ends[:]
    for _ in range(tops):
        roots.append(ends[0] + roots[-1])
    return x, roots

def ladders(make, rows, rungs):
    x = total = make(0.25)
    for _ in range(rows):
        z = x
        for _ in range(rungs):
            z = z + z
        total = total + z
    return x, total

def again(make, backward_from, roots, seeds, others):
    for _ in range(20):
        backward_from(roots, seeds)
    total = 0.0
    for number in range(others):
        x = make(1.0)
        backward_from([x + make(2.0)], [float(number)])
        total += x.grad
    return total

def count_comparisons(kind):
    def __eq__(self, other):  # a search in a list calls it, so its lines are counted
        return self is other

    kind.__eq__, kind.__hash__ = __eq__, object.__hash__

set_limit = sys.setrecursionlimit

def changes_of_the_limit(backward_from, root):
    calls = []
    sys.setprofile(lambda frame, event, called: called is set_limit and calls.append(1))
    try:
        backward_from([root], [1.0])
    finally:
        sys.setprofile(None)
    return len(calls), sys.getrecursionlimit()

def train(make, accumulate, descend, numbers, points, steps, rate):
    w, b = [make(number) for number in numbers]
    path = []
    for _ in range(steps):
        penalty = w * w
        for x, y in points:
            error = w * make(x) + b - make(y)
            accumulate(error * error + penalty)
        descend([w, b], rate)
        path.append([w.data, b.data, w.grad, b.grad])
    return path

class Node:
    def __init__(self, value, inputs=(), rules=()):
        self.value, self.inputs, self.rules, self.grad = value, inputs, rules, 0.0

class Rule:
    def __init__(self, factor):
        self.factor, self.given = factor, []

    def __call__(self, gradient):
        self.given.append(gradient)
        return gradient * self.factor
"""
BINARY = {
    "x + y": (lambda a, b: a + b, lambda a, b: (1, 1)),
    "x - y": (lambda a, b: a - b, lambda a, b: (1, -1)),
    "x * y": (lambda a, b: a * b, lambda a, b: (b, a)),
    "x / y": (lambda a, b: a / b, lambda a, b: (1 / b, -a / b**2)),
}
ONE_SIDED = ("x - y", "x / y")  # the order of the operands matters
EITHER_ORDER = ("3 + y", "3 * y", "x + 3", "x * 3")
UNARY = {"-x": (lambda a: -a, lambda a: -1)}
UNARY |= {
    f"x ** {n}": (lambda a, n=n: a**n, lambda a, n=n: n * a ** (n - 1)) for n in (2, 3, -2, 0.5)
}
FUNCTIONS = {
    "exp(x)": (math.exp, math.exp),
    "log(x)": (math.log, lambda a: 1 / a),
    "tanh(x)": (math.tanh, lambda a: 1 - math.tanh(a) ** 2),
}
EXACT = 1e-12  # of a formula; a difference quotient gives nine or ten digits
WRONG_DERIVATIVES = {  # what a known mistake gives for a, or for a and b; its cause
    "x * y": [
        (lambda a, b: (a, b), "The derivative with respect to a factor is the other factor.")],
    "x / y": [
        (lambda a, b: (1 / b, a / b**2), "The derivative of x / y by y has the wrong sign."),
        (lambda a, b: (1 / b, -a / b), "The derivative of x / y by y lacks the square of y."),
    ],
    "x - y": [(lambda a, b: (1, 1), "The derivative of x - y with respect to y is negative.")],
    "-x": [(lambda a: (1,), "The derivative of -x has the wrong sign.")],
    "exp(x)": [
        (lambda a: (a,), "The derivative of exp is the result of this operation, not its input.")],
    "log(x)": [
        (lambda a: (1 / math.log(a),), "The derivative of log divides by the result, not by x.")],
    "tanh(x)": [
        (lambda a: (1 - math.tanh(a),), "The derivative of tanh lacks the square."),
        (lambda a: (1 - a**2,), "The derivative of tanh needs the square of the result, and not "
                                "of x.")],
}
for _n in (2, 3, -2, 0.5):
    WRONG_DERIVATIVES[f"x ** {_n}"] = [
        (lambda a, n=_n: (n * a**n,), "The derivative of x ** n keeps the exponent n."),
        (lambda a, n=_n: (a ** (n - 1),), "The derivative of x ** n lacks the factor n."),
    ]
TREES = {  # leaves a, b, c are 0, 1, 2; (sign, i, j) computes the next value
    "a * (b - c)": [("-", 1, 2), ("*", 0, 3)],
    "(a + b) - c": [("+", 0, 1), ("-", 3, 2)],
}
USED_TWICE = {
    "d * d with d = a + b": [("+", 0, 1), ("*", 3, 3)],
    "a * b + a * c": [("*", 0, 1), ("*", 0, 2), ("+", 3, 4)],
    "d * d with d = a * b - c": [("*", 0, 1), ("-", 3, 2), ("*", 4, 4)],
}
EQUAL_NUMBERS = {"p * q with p = a * a and q = a * a": [("*", 0, 0), ("*", 0, 0), ("*", 3, 4)]}
NEAR_AND_FAR = {
    "b * (b * b) with b = a * a": [("*", 0, 0), ("*", 3, 3), ("*", 3, 4)],
    "(b * b) * b with b = a * a": [("*", 0, 0), ("*", 3, 3), ("*", 4, 3)],
    "d + (d - c) * b with d = a * b": [("*", 0, 1), ("-", 3, 2), ("*", 4, 1), ("+", 3, 5)],
    "(d - c) * b + d with d = a * b": [("*", 0, 1), ("-", 3, 2), ("*", 4, 1), ("+", 5, 3)],
}
AGAIN = "What an earlier call has left in grad is counted again (rule 3)."
TOO_EARLY = (
    "A value passes its gradient on before all of its users have contributed, so what comes later "
    "is lost or comes twice."
)
REPLACED = "A later contribution replaces the earlier ones: = stands where += is needed."
PASSED_TWICE = (
    "A value that is reached again passes on all of its gradient, although it has passed on the "
    "first contribution before."
)
TAKEN_FOR_ONE = "Two Values that hold the same number are taken for one (rule 4)."
STAGES = [
    (TREES, "Even where each value is used once, a gradient is missing or wrong."),
    (USED_TWICE, "A value that is used twice does not get the sum of both contributions."),
    (EQUAL_NUMBERS, TAKEN_FOR_ONE),
    (NEAR_AND_FAR, TOO_EARLY),
]


class Graph:
    """A graph of + − × over some leaves, its numbers, and the adjoints of its values."""

    def __init__(self, numbers, plan):
        self.numbers, self.plan = list(numbers), plan
        self.inputs, self.derivatives = [()] * len(numbers), [()] * len(numbers)
        self.known = known = list(numbers)
        for sign, i, j in plan:
            formula, derivatives = BINARY[f"x {sign} y"]
            self.inputs.append((i, j))
            self.derivatives.append(derivatives(known[i], known[j]))
            known.append(formula(known[i], known[j]))

    def edges(self, k):
        """(input, local derivative) of value k."""
        return list(zip(self.inputs[k], self.derivatives[k], strict=True))

    def below(self, roots):
        """The values below some roots, in order."""
        found = set(roots)
        for k in reversed(range(len(self.inputs))):
            found.update(self.inputs[k] if k in found else ())
        return sorted(found)

    def unused(self):
        """The values that no other value uses."""
        used = {i for inputs in self.inputs for i in inputs}
        return [k for k in range(len(self.inputs)) if k not in used]

    def adjoints(self, seeds, order=None, replace=False):
        """The adjoints below the roots of {root: seed}, each root and its users before its inputs;
        with another `order`, or with = in the place of +=, what such a mistake gives."""
        below = self.below(seeds)
        found = dict.fromkeys(below, 0.0) | seeds
        for k in reversed(below) if order is None else order:
            for i, derivative in self.edges(k):
                found[i] = derivative * found[k] + (0.0 if replace else found[i])
        return [found[k] for k in below]

    def passed_twice(self, root):
        """What a recursion gives that passes on all of a gradient whenever it is reached."""
        below = self.below([root])
        found = dict.fromkeys(below, 0.0)

        def visit(k, received):
            found[k] += received
            for i, derivative in self.edges(k):
                visit(i, found[k] * derivative)

        visit(root, 1.0)
        return [found[k] for k in below]

    def as_met(self, roots, last_first=False):
        """An order in which each value stands where it is first met."""
        order, pending = [], list(roots)
        while pending:
            k = pending.pop(-1 if last_first else 0)
            if k not in order:
                order.append(k)
                pending.extend(self.inputs[k])
        return order

    def mistakes(self, seeds):
        """(adjoints, cause) of what is often done wrong."""
        yield self.adjoints(seeds, replace=True), REPLACED
        for last_first in (False, True):
            yield self.adjoints(seeds, order=self.as_met(seeds, last_first)), TOO_EARLY
        if list(seeds.values()) == [1.0] and len(self.plan) < 20:
            yield self.passed_twice(*seeds), PASSED_TWICE


def number(rng):
    """A number that is neither near 0 nor near 1, of either sign."""
    return round(rng.uniform(1.2, 4.0) * rng.choice((-1, 1)), 3)


def leaf(student, data):
    """The student's Value of a number."""
    return held(student.Value(data), "Value(2.0)")


def held(came, of):
    """What came, once it is an object that stays with the student: with anything else, the next
    operation would be computed here."""
    expect(type(came) is Handle, True, "It returns a plain number where a Value is expected.", of)
    return came


def random_graph(rng, length=12, end=()):
    """A graph of operations on three leaves and what came before, each with a recent second
    operand, and those of `end`; no value is 0."""
    while True:
        plan = [(rng.choice("+-*"), rng.randrange(k), k - rng.randint(1, 3))
                for k in range(3, 3 + length)]
        graph = Graph([0.5, 0.75, -1.25], [*plan, *end])
        if all(graph.known):
            return graph


def joined(graph):
    """The graph with one root: the sum of all values that no other uses."""
    while len(unused := graph.unused()) > 1:
        graph = Graph(graph.numbers, [*graph.plan, ("+", unused[-1], unused[0])])
    return graph


def three_users():
    """Plans in which b = x y is used by three, one of which uses it twice, at all depths."""
    for users in itertools.permutations([("*", 3, 3), ("-", 3, 2), ("*", 0, 3)]):
        begun = [("*", 0, 1), *users]
        for sides in (1, -1):
            yield [*begun, ("-", 5, 6), ("-", 7, 2), ("+", *(4, 8)[::sides])]
            yield [*begun, ("-", 6, 2), ("-", 1, 7), ("+", 5, 8), ("+", *(4, 9)[::sides])]


def small_graphs(rng):
    """(text, graph, cause) for all stages: trees, values used twice, near and far, random ones."""
    for stage, cause in STAGES:
        for text, plan in stage.items():
            yield text, Graph([number(rng) for _ in range(3)], plan), cause
    for plan in three_users():
        yield "b with three users", Graph([0.5, 0.75, -1.25], plan), TOO_EARLY
    graphs = (joined(random_graph(rng)) for _ in itertools.count())
    usual = (graph for graph in graphs if all(graph.adjoints({len(graph.inputs) - 1: 1.0})))
    for graph in itertools.islice(usual, 8):
        yield "a small graph of + - *", graph, TOO_EARLY


def run(helpers, make, graph, call, text):
    """Build a graph with the student's class and call call(values); returns its values."""
    values = helpers.build(make, graph.numbers, graph.plan)
    with during(text, because="It raises an error on a small graph. Here, only its own cell and "
                              "those above it have run."):
        call(values)
    return values


def expect_right_gradients(student, make, backward, rng):
    """Fail unless backward(root) is right in small graphs of all kinds."""
    helpers = student.define(HELPERS)
    for text, graph, cause in small_graphs(rng):
        root = len(graph.inputs) - 1
        values = run(helpers, make, graph, lambda values: backward(values[-1]), text)
        came = helpers.grads([values[k] for k in graph.below([root])])
        expect(came, graph.adjoints({root: 1.0}), cause, of=f"the gradients in {text}",
               mistakes=list(graph.mistakes({root: 1.0})))


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1.5, core=True, hint=(
    "Each operation on Values makes a new Value with data, op and inputs."
))
def test_operations_on_values(student, rng):
    """+ − * /, −x, x ** n, exp, log, tanh"""
    a, b = abs(number(rng)), number(rng)
    x = leaf(student, a)
    expect((x.op, len(x.inputs)), (None, 0), "A leaf has an op or inputs.", of="a leaf")
    made = []
    for text, (formula, _) in BINARY.items():
        x, y = leaf(student, a), leaf(student, b)
        with during(text, because="This operation on two Values raises an error."):
            made += [(text, formula(x, y), formula(a, b), [x, y])]
            made += [(text.replace("y", "x"), formula(x, x), formula(a, a), [x, x])]
    for text, (formula, _) in (UNARY | FUNCTIONS).items():
        x, of_student = leaf(student, a), student[text[:-3]] if text in FUNCTIONS else formula
        with during(text, because="This operation on a Value raises an error."):
            made.append((text, of_student(x), formula(a), [x]))
    for text, z, data, inputs in made:
        held(z, text)
        known = [(a // b, "It divides in whole numbers.")]
        known += [(1, "It makes n a whole number.")] if text == "x ** 0.5" else []
        expect(z.data, data, "The operation does not compute what it does for plain numbers.",
               of=f"data of {text}", mistakes=known)
        expect(list(z.inputs), inputs, "The inputs are not the operands themselves, in their "
               "order.", of=f"inputs of {text}")
        expect(type(z.op), str, "The op is not a string.", of=f"op of {text}")
    x = leaf(student, -a)
    for text, z, data in (("x ** 3", x**3, -(a**3)), ("tanh(x)", student.tanh(x), -math.tanh(a))):
        expect(z.data, data, "It is wrong for a negative x.", of=f"{text} with a negative x")


@pytest.mark.question("q1", points=0.5, hint=(
    "A plain number beside a Value becomes a leaf: try 1 - x, x - 1, 2 / x, and an int."
))
def test_a_plain_number_on_either_side(student, rng):
    """numbers mixed with Values"""
    a = number(rng)
    x = leaf(student, a)
    for plain in (number(rng), 3, 1, 0):
        for text, (formula, _) in BINARY.items():
            cases = [(f"n{text[1:-1]}x", plain, x, formula(plain, a), formula(a, plain or 1), 0)]
            if plain or text != "x / y":
                cases.append((f"{text[:-1]}n", x, plain, formula(a, plain), None, 1))
            for case, left, right, data, swapped, place in cases:
                of = f"{case} with n = {plain}"
                with during(of, because="A plain number on this side of a Value is refused."):
                    z = held(formula(left, right), of)
                expect(z.data, data, "A plain number is not treated like a Value that holds it.",
                       of=of, mistakes=[(swapped, "The operands are swapped: Python calls "
                                         "__rsub__(self, other) for other - self.")])
                expect_a_leaf(z, x, plain, place if text in ONE_SIDED else None, of)
    y = leaf(student, 0.5)
    leaves = [one for z in (x + 3, y + 3) for one in z.inputs if one not in (x, y)]
    expect(leaves[0] == leaves[1], False, "Two operations share the leaf of a number: each makes a "
           "new one.", of="whether x + 3 and y + 3 have the same leaf 3")


def expect_a_leaf(z, x, plain, place, of):
    """Fail unless z has two inputs, x and a leaf; `place` is that of the leaf, if it matters."""
    inputs = list(z.inputs)
    expect(len(inputs), 2, "The plain number does not become an input.", of=f"inputs of {of}")
    where = inputs.index(x) if x in inputs else None
    expect(where in ((0, 1) if place is None else (1 - place,)), True,
           "x is not the input that it should be.", of=f"inputs of {of}")
    other = inputs[1 - where]
    expect((other.op, len(other.inputs), other.data), (None, 0, plain),
           "The plain number does not become a leaf that holds it.", of=f"the other input of {of}")


@pytest.mark.question("q1", points=0.5, corner=True, hint=(
    "An operation makes a new Value, and leaves its operands as they are."
))
def test_operands_stay_as_they_are(student, rng):
    """operands before and after, also with +="""
    a, b = abs(number(rng)), number(rng)
    x = leaf(student, a)
    others = [leaf(student, b), b, leaf(student, b), b]
    came = student.define(HELPERS).in_place(x, others)
    for z, text in zip(came, BINARY, strict=True):
        of = f"z = x; z {text[2]}= y"
        expect(held(z, of) == x, False, "The line changes x itself: a Value that others may use.",
               of=of)
    for text, operation in {
        "x += y": lambda x: None, "-x": lambda x: -x, "x ** 2": lambda x: x**2,
        "x * x": lambda x: x * x, "2 - x": lambda x: 2 - x,
        **{text: student[text[:-3]] for text in FUNCTIONS},
    }.items():
        operation(x)
        expect((x.data, len(x.inputs)), (a, 0), "An operation changes its operand.", of=text)


# q2 ----------------------------------------------------------------------------------------------


def operations(student, a, b):
    """(text, formula, derivatives, the operands' numbers, a call that makes the Value) of each
    operation on x = a and y = b, with a plain 3 on either side, too."""
    for text, (formula, derivatives) in BINARY.items():
        for shown, numbers, operands in (
            (text, (a, b), (leaf(student, a), leaf(student, b))),
            (f"3{text[1:]}", (3, b), (3, leaf(student, b))),
            (f"{text[:-1]}3", (a, 3), (leaf(student, a), 3)),
        ):
            yield shown, formula, derivatives, numbers, lambda f=formula, o=operands: f(*o)
    for text, (formula, derivative) in (UNARY | FUNCTIONS).items():
        x, of_student = leaf(student, a), student[text[:-3]] if text in FUNCTIONS else formula
        yield text, formula, lambda a, d=derivative: (d(a),), (a,), lambda f=of_student, x=x: f(x)


def recorded(student, a, b):
    """(text, Value, operands, derivatives) of the operations that are recorded rightly, which is
    asked in q1; in the order of the Value's own inputs."""
    for text, formula, derivatives, numbers, make in operations(student, a, b):
        try:
            z = make()
            inputs = tuple(source.data for source in z.inputs) if type(z) is Handle else ()
        except StudentError:
            continue
        orders = [numbers, numbers[::-1]] if text in EITHER_ORDER else [numbers]
        if inputs in orders and same(z.data, formula(*numbers)):
            yield text, z, inputs, derivatives(*inputs)


@pytest.mark.question("q2", points=1, core=True, hint=(
    "Compare each operation with difference_quotient, one input at a time."
))
def test_local_derivatives(student, rng):
    """every operation"""
    a, b = abs(number(rng)), number(rng)
    kept = list(recorded(student, a, b))
    for text, z, operands, derivatives in recorded(student, a + 0.5, -b):
        expect_derivatives(student, text, z, operands, derivatives)
    for text, z, _, derivatives in kept:
        came = tuple(student.local_derivatives(z))
        expect(came, derivatives, "It is right only until another operation is recorded: each "
               "Value must keep what its own derivatives need.", of=f"{text}, asked for later")
    for text, (formula, derivatives) in BINARY.items():
        x = leaf(student, a)
        z, of = formula(x, x), f"x {text[2]} x"
        if type(z) is Handle and list(z.inputs) == [x, x]:  # else it is asked in q1
            came = tuple(student.local_derivatives(z))
            expect(came, derivatives(a, a), "The derivatives by both inputs are asked for, also "
                   "where the inputs are the same Value.", of=of)
    for n in (2, 3):
        of = f"x ** {n} with a negative x"
        with during(of, because="It fails for a negative x, perhaps at a logarithm."):
            came = tuple(student.local_derivatives(leaf(student, -a) ** n))
        expect(came, (n * (-a) ** (n - 1),), "It is wrong for a negative x.", of=of)


def expect_derivatives(student, text, z, operands, derivatives):
    """Fail unless the local derivatives of z are right, in twelve digits."""
    with during(text, because="The function fails for this operation."):
        came = tuple(student.local_derivatives(z))
    expect(len(came), len(derivatives), "There is not one number for each input.",
           of=f"how many derivatives {text} has")
    kind = f"x{text[1:-1]}y" if len(operands) == 2 else text
    known = [(wrong(*operands), cause) for wrong, cause in WRONG_DERIVATIVES.get(kind, ())]
    expect(came, derivatives, "The formula for this operation is wrong.", of=text, tolerance=1e-6,
           mistakes=[*known, (derivatives[::-1], "The derivatives are in the wrong order.")])
    expect(came, derivatives, "It has too few digits, as a difference quotient has.", of=text,
           tolerance=EXACT)


@pytest.mark.question("q2", points=0.5, corner=True, hint=(
    "Try each operation at x = 0, where its derivative exists, and look at z.data afterwards."
))
def test_at_zero_and_asked_twice(student, rng):
    """a factor 0, powers at 0; a leaf; the same question twice"""
    a = number(rng)
    zero, x = leaf(student, 0.0), leaf(student, a)
    cases = [("x * y at x = 0", zero * x, (a, 0)), ("x * y at y = 0", x * zero, (0, a)),
             ("x / y at x = 0", zero / x, (1 / a, 0)), ("x ** 2 at x = 0", zero**2, (0,)),
             ("exp(x) at x = 0", student.exp(zero), (1,)),
             ("tanh(x) at x = 0", student.tanh(zero), (1,))]
    for text, z, derivatives in cases:
        with during(text, because="It fails at 0, perhaps because it divides by an operand."):
            came = tuple(student.local_derivatives(z))
        expect(came, derivatives, "It is wrong at 0, perhaps because it divides by an operand.",
               of=text)
    with during("a leaf", because="A leaf has no inputs, so the result is ()."):
        expect(len(student.local_derivatives(x)), 0, "A leaf has no inputs, so the result is ().",
               of="a leaf")
    for name in ("exp", "log", "tanh"):
        z = student[name](leaf(student, abs(a)))
        data, first = z.data, tuple(student.local_derivatives(z))
        expect((z.data, tuple(student.local_derivatives(z))), (data, first),
               "The function changes z, or gives another answer the second time.", of=f"{name}(x)")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=1.5, core=True, hint=(
    "Try b * (b * b) with b = a * a by hand: which of its users does b wait for?"
))
def test_every_value_below_the_root(student, rng):
    """trees, values that are used twice, near and far; all operations"""
    expect_right_gradients(student, student.Value, student.backward, rng)
    expect_each_operation(student, student.backward, rng)


def expect_each_operation(student, call, rng):
    """Fail unless call(z) gives the inputs of each single operation z their local derivatives."""
    a, b = abs(number(rng)), number(rng)
    for (text, z, *_), (_, like_z, *_) in zip(recorded(student, a, b), recorded(student, a, b)):
        try:
            said = list(student.local_derivatives(like_z))
        except StudentError:
            continue  # which is asked in q2
        for source in z.inputs:
            source.grad = 0.0  # which a shared leaf may have from before: asked in q1
        with during(text, because="It raises an error for a single operation."):
            call(z)
        if len(said) == len(list(z.inputs)):
            expect([source.grad for source in z.inputs], said, "An input does not get its local "
                   "derivative, or a leaf made of a plain number gets nothing.",
                   of=f"the gradients of the inputs of {text}")


@pytest.mark.question("q3", points=0.5, corner=True, hint=(
    "Call backward twice, then for another root: rules 2 and 3."
))
def test_from_scratch_each_time(student, rng):
    """called again, for another root, for a leaf; what is not below"""
    a = number(rng)
    x, three = leaf(student, a), leaf(student, 3.0)
    square = held(x * x, "x * x")
    fourth, triple = square * square, x * three
    inputs = list(fourth.inputs)
    with during("b * b, b = x * x", because="Even the first call raises an error."):
        student.backward(fourth)
    expect((x.grad, fourth.grad), (4 * a**3, 1), "Even the first call is wrong.",
           of="b * b, b = x * x")
    expect(list(fourth.inputs), inputs, "The call takes the graph apart, which a later "
           "call needs.", of="inputs of b * b, b = x * x")
    for root, wanted in ((fourth, 4 * a**3), (square, 2 * a), (fourth, 4 * a**3)):
        with during("a later call", because="A later call fails: is the graph still as it was?"):
            student.backward(root)
        expect((x.grad, root.grad), (wanted, 1), AGAIN, of="b * b twice, b, and b * b, b = x * x")
    student.backward(triple)
    expect((square.grad, fourth.grad), (2 * a * a, 1), "It changes grad of Values that are not "
           "below the root (rule 2).", of="b = x * x, after backward(x * 3)")
    c = held(x * x, "x * x")
    z = held(c * three, "c * y")
    c * z, c - x  # nobody asks for these
    student.backward(z)
    expect((x.grad, c.grad), (6 * a, 3), "It waits for users that are not below the root, or "
           "counts them.", of="(x * x) * 3, with x * x used elsewhere, too")
    student.backward(square - square)
    expect((square.grad, x.grad), (0, 0), "Where a gradient is 0, grad keeps an older number.",
           of="b - b with b = x * x")
    with during("a leaf as root", because="It fails for a root that is a leaf."):
        student.backward(x)
    expect(x.grad, 1, "The grad of a root that is a leaf is not 1.", of="a leaf as root")
    expect_two_leaves(student, student.Value, student.backward, a)


def expect_two_leaves(student, make, backward, data):
    """Fail unless leaves that hold the same number have gradients of their own."""
    graph = Graph([data] * 3, TREES["(a + b) - c"])
    helpers = student.define(HELPERS)
    values = run(helpers, make, graph, lambda values: backward(values[-1]), "a tree")
    expect([value.grad for value in values[:3]], [1, 1, -1], TAKEN_FOR_ONE,
           of="(a + b) - c with three equal numbers")


# q4 ----------------------------------------------------------------------------------------------


def expect_from(student, helpers, graph, seeds, text, cause, mistakes):
    """Fail unless backward_from is right for {root: seed} in a graph; `mistakes` as in `expect`."""
    def call(values):
        student.backward_from([values[k] for k in seeds], list(seeds.values()))

    values = run(helpers, student.Value, graph, call, text)
    came = helpers.grads([values[k] for k in graph.below(seeds)])
    expect(came, graph.adjoints(seeds), cause, of=f"the gradients of {text}", mistakes=mistakes)


def wrong_seeds(graph, seeds):
    """(gradients, cause) of what is often done wrong with several roots."""
    below = graph.below(seeds)
    yield graph.adjoints(dict.fromkeys(seeds, 1.0)), "It does not use the seeds."
    for root in seeds:
        alone = dict(zip(graph.below([root]), graph.adjoints({root: seeds[root]}), strict=True))
        cause = "Only one of the roots counts: the others' contributions are lost."
        yield [alone.get(k, 0.0) for k in below], cause
    left = {}
    for root, seed in seeds.items():
        left |= dict(zip(graph.below([root]), graph.adjoints({root: seed}), strict=True))
    yield [left[k] for k in below], "Each root's pass replaces what the earlier ones have found."


def seeds_for(rng, roots):
    """{root: seed} with drawn seeds, in a drawn order."""
    return {root: number(rng) for root in rng.sample(list(roots), len(roots))}


@pytest.mark.question("q4", points=5, core=True, hint=(
    "Compare with one_root_at_a_time, for two roots that share a part of the graph."
))
def test_several_roots(student, rng):
    """one root with a seed; roots that share nothing, leaves, computed values; random graphs"""
    helpers = student.define(HELPERS)
    numbers = [number(rng) for _ in range(3)]
    for text, plan in (TREES | USED_TWICE | EQUAL_NUMBERS).items():
        graph, root = Graph(numbers, plan), 2 + len(plan)
        seeds = {root: number(rng)}
        cause = TAKEN_FOR_ONE if text in EQUAL_NUMBERS else "Even one root with its seed is wrong."
        expect_from(student, helpers, graph, seeds, text, cause, [
            (graph.adjoints({root: 1.0}), "It does not use the seed."), *graph.mistakes(seeds)])
    expect_each_operation(student, lambda z: student.backward_from([z], [1.0]), rng)
    for text, plan in {
        "a * b and c - c": [("*", 0, 1), ("-", 2, 2)],
        "a * b and a - c": [("*", 0, 1), ("-", 0, 2)],
        "d * d and d + a with d = a * b": [("*", 0, 1), ("*", 3, 3), ("+", 3, 0)],
        "d - c, d * b and a + a with d = a * b": [
            ("*", 0, 1), ("-", 3, 2), ("*", 3, 1), ("+", 0, 0)],
    }.items():
        graph = Graph(numbers, plan)
        seeds = seeds_for(rng, graph.unused())
        expect_from(student, helpers, graph, seeds, f"the roots {text}", "A Value below several "
                    "roots does not get the sum over all of them.",
                    [*wrong_seeds(graph, seeds), *graph.mistakes(seeds)])
    for _ in range(12):
        end = [("*", rng.randrange(3, 12), rng.randrange(3, 12)), ("-", 5, 4), ("+", 5, 3)]
        graph = random_graph(rng, 9, end)
        seeds = seeds_for(rng, [k for k in graph.unused() if k > 2])
        expect_from(student, helpers, graph, seeds, "several roots of a small graph", TOO_EARLY,
                    [*wrong_seeds(graph, seeds), *graph.mistakes(seeds)])


@pytest.mark.question("q4", points=2, hint=(
    "Try the roots b and c with c = b * b, in both orders."
))
def test_a_root_below_another(student, rng):
    """b and b · b, in both orders; any values of random graphs"""
    helpers = student.define(HELPERS)
    early = ("A root that lies below another one passes its gradient on before its users have "
             "contributed.")
    graph = Graph([number(rng) for _ in range(3)], [("*", 0, 0), ("*", 3, 3), ("-", 4, 1)])
    for roots in ((3, 4), (4, 3), (5, 3, 4), (0, 4)):
        seeds = {root: number(rng) for root in roots}
        expect_from(student, helpers, graph, seeds, "b = a * a and what is computed from it", early,
                    [*mixed_up(graph, seeds), *wrong_seeds(graph, seeds),
                     (graph.adjoints(seeds, replace=True), REPLACED)])
    for _ in range(15):
        graph = random_graph(rng)
        seeds = seeds_for(rng, rng.sample(range(15), 5))
        expect_from(student, helpers, graph, seeds, "five roots anywhere in a small graph", early,
                    list(mixed_up(graph, seeds)))


def mixed_up(graph, seeds):
    """(gradients, cause) of mistakes with roots that lie below others."""
    below = graph.below(seeds)
    replaced, lost = dict.fromkeys(below, 0.0) | seeds, dict.fromkeys(below, 0.0)
    inner = {i for k in below for i in graph.inputs[k]}
    lost |= {root: seed for root, seed in seeds.items() if root not in inner}
    for k in reversed(below):
        for i, derivative in graph.edges(k):
            replaced[i] += derivative * replaced[k] if i not in seeds else 0.0
            lost[i] += derivative * lost[k]
    yield [replaced[k] for k in below], (
        "The seed of a root replaces the contributions of its users: = stands where += is needed.")
    yield [lost[k] for k in below], "The seed of a root that lies below another one is lost."


@pytest.mark.question("q4", points=1, corner=True, hint=(
    "Call it twice, name a root twice, and pass tuples: rules 2, 3 and 5."
))
def test_roots_twice_and_calls_twice(student, rng):
    """a root named twice; a leaf; tuples; called again; what is not below"""
    a, p, q = (number(rng) for _ in range(3))
    x, y = leaf(student, a), leaf(student, 2.0)
    b = held(x * x, "x * x")
    c = held(b * b, "b * b")
    other = held(c - y, "c - y")
    for cause in ("Even the first call is wrong.", AGAIN):
        student.backward_from([c], [p])
        expect((x.grad, b.grad), (4 * p * a**3, 2 * p * a * a), cause, of="b * b with b = x * x")
    student.backward_from([other], [1.0])
    student.backward_from([c], [p])
    expect((x.grad, b.grad), (4 * p * a**3, 2 * p * a * a), AGAIN, of="b * b, after b * b - y")
    expect((other.grad, y.grad), (1, -1), "It changes grad of Values that are not below a root "
           "(rule 2).", of="z = c - y, after backward_from([c], …)")
    with during("a tuple of roots and a tuple of seeds", because="It takes lists only (rule 5)."):
        student.backward_from((b, x), (p, q))
    expect(x.grad, 2 * p * a + q, "A leaf that is a root does not get its seed and the rest.",
           of="the roots x * x and x")
    student.backward_from([b, b], [p, q])
    expect((x.grad, b.grad), (2 * a * (p + q), p + q), "The seeds of a root that is named twice do "
           "not add up.", of="backward_from([b, b], [p, q])", mistakes=[
               ((4 * a * (p + q), p + q), "A root that is named twice is visited twice.")])
    student.backward_from([other, b], [0.0, p])
    expect((other.grad, y.grad, b.grad), (0, 0, p), "A root whose seed is 0 is left out, so that "
           "grad keeps older numbers below it.", of="the roots z = c - y with the seed 0, and b")


# q5 and q6 ---------------------------------------------------------------------------------------
# How contributions and seeds add up is asked in q4. Here a single root with the seed 1 is enough,
# and more is expected only where small graphs come out right.


FLIPS = "-2R"  # the steps of `chain` that turn the sign of the gradient
PATHS = "It follows every path instead of visiting each Value once."
LATER = "A Value is visited again for contributions that come later."
OWN_PASS = "It makes a pass of its own for each root."
STOPS = "The pass ends before the gradient has come to the leaf."
LONGER = "A later call takes longer: it goes through what earlier calls have left."
ROWS = (2, 2, 2), (400, 40, 280)  # of a small graph, and of one with which no slow pass ends


def chain_gradients(steps, seed):
    """The gradients of a chain's values, the leaf first."""
    found = [seed]
    for step in reversed(steps):
        found.append(-found[-1] if step in FLIPS else found[-1])
    return found[::-1]


def comes_out(student, helpers, steps, calls):
    """Whether the gradients of a small chain are right after so many calls, as is asked in q4."""
    _, z, sample = helpers.chain(student.Value, steps)
    try:
        for _ in range(calls):
            student.backward_from([z], [3.0])
    except StudentError:
        return False
    return same(sample(1), chain_gradients(steps, 3.0))


def several_come_out(student, helpers):
    """Whether the gradients of a short chain are right in which each Value is a root, as in q4."""
    _, path = helpers.root_at_each_step(student.Value, 3)
    try:
        student.backward_from(path, [1.0] * 4)
    except StudentError:
        return False
    return same(helpers.grads(path), [0.0, 1.0, 0.0, 1.0])


def count(student, roots, limit=200_000):
    """The lines that a call for these roots executes."""
    return student.count_lines(student.backward_from, roots, [1.0] * len(roots), limit=limit)


def grad_below_rows(student, helpers, several, rows, steps, tops):
    """(grad of the leaf, what it must be) for a graph of many rows, of which each goes along a
    path and back, with one root or very many."""
    x, roots = helpers.rows_below_roots(student.Value, rows, steps, tops)
    roots = roots if several else roots[-1:]
    student.backward_from(roots, [1.0] * len(roots))
    from_roots = math.comb(tops + 2, 2) if several else tops + 1
    return x.grad, from_roots * rows * math.comb(steps + 2, 2)


def expect_large_rows(student, helpers, several):
    """Fail unless a large graph comes out as a small one does, which no slow pass can."""
    small, large = ROWS
    try:
        came, wanted = grad_below_rows(student, helpers, several, *small)
    except StudentError:
        return
    if same(came, wanted):
        with during("32,000 Values", because="It fails in a large graph."):
            came, wanted = grad_below_rows(student, helpers, several, *large)
        expect(came, wanted, "In a large graph the gradient of the leaf is another one than in a "
               "small graph of the same form.", of="32,000 Values")


def is_linear(student, helpers, steps, small):
    """Whether a graph that is four times as large costs few lines more, as is asked in q5."""
    lines = []
    for times in (small, 4 * small):
        _, z, _ = helpers.chain(student.Value, steps * times)
        try:
            lines.append(count(student, [z], limit=200_000))
        except StudentError:
            return False
    return lines[1] <= 6 * lines[0]


def expect_whole_gradient(x, wanted, of):
    """Fail unless the whole gradient has come to x, or the last contribution alone, 1, as it does
    with = in the place of +=."""
    expect(x.grad, 1 if same(x.grad, 1) else wanted,
           "The pass ends before the whole gradient has come to the leaf.", of=of)


@pytest.mark.question("q5", points=4, core=True, hint=(
    "Four times the graph, with four times as many roots, may take four times the lines."
))
def test_four_times_the_graph(student):
    """lines grow as the graph does, and not with the number of roots"""
    helpers, lines = student.define(HELPERS), {}
    helpers.count_comparisons(student.Value)
    search = ("The work for one Value grows with the graph: look for a search in a list, or a loop "
              "over all Values.")
    kinds = {
        "doublings": ("x + x many times", PATHS, search),
        "uneven": ("z + (-(-z)) many times", LATER, LATER),
        "there_and_back": ("a chain whose Values are used again in the opposite order", search,
                           "At each step it looks through all Values that wait."),
        "star": ("a leaf with many users", search,
                 "At each contribution it looks through all users of a Value."),
        "root_at_each_step": ("a chain in which each Value is a root", OWN_PASS, OWN_PASS),
    }
    several = several_come_out(student, helpers)
    if not several:
        kinds.pop("root_at_each_step")
    for kind, (of, endless, cause) in kinds.items():
        for size in (46, 184):
            x, roots = getattr(helpers, kind)(student.Value, size)
            with during(of, because=endless):
                lines[size] = count(student, roots)
            if kind == "doublings":
                expect_whole_gradient(x, 2**size, of=of)
        expect(lines[184] <= 6 * lines[46], True, cause, of=of)
    expect_large_rows(student, helpers, several)  # the lines are the student's own account


@pytest.mark.question("q5", points=2, hint=(
    "Very many paths, 10,000 Values, later calls: visit each Value once in each call, without a "
    "search in a list."
))
def test_many_paths_and_later_calls(student):
    """x + x fifty times; 10,000 Values; later calls"""
    helpers = student.define(HELPERS)
    x = z = leaf(student, 1.0)
    for _ in range(50):
        z = held(z + z, "z + z")
    with during("x + x fifty times", because=PATHS):
        count(student, [z], limit=100_000)
    expect_whole_gradient(x, 2**50, of="x + x fifty times")
    _, roots = helpers.star(student.Value, 46)
    if comes_out(student, helpers, "12LR-", calls=2):
        first = count(student, roots)
        call_again(student, helpers, roots, 300)
        expect(count(student, roots) < first + 600, True, LONGER, of="a graph, after other calls")
        call_again(student, helpers, roots, 4_000)
    x, top = helpers.ladders(student.Value, 100, 100)
    with during("10,000 Values with very many paths", because=PATHS):
        student.backward_from([top], [1.0])
    expect_whole_gradient(x, 1 + 100 * 2**100, of="10,000 Values with very many paths")


def call_again(student, helpers, roots, others):
    """Call for a graph, then for so many others, whose gradients must come out."""
    with during("later calls", because="A later call fails."):
        came = helpers.again(student.Value, student.backward_from, roots, [1.0], others)
    expect(came, others * (others - 1) / 2, "A later call finds another gradient than the first.",
           of="the sum of grad over later calls")


@pytest.mark.question("q6", points=3.5, core=True, hint=(
    "Chains of many operations, along the first or the second operand: no recursion, and no "
    "search in a list (q5)."
))
def test_a_long_chain(student, rng):
    """chains along either operand, 100,000 operations, the recursion limit as it was"""
    helpers = student.define(HELPERS)
    negations = comes_out(student, helpers, "---", calls=1)
    for steps, of in (
        *([("-" * 1_500, "1,500 negations")] if negations else ()),
        ("1" * 1_500, "1,500 times z - 2"),
        ("2" * 1_501, "1,501 times 2 - z"),
        ("L" * 1_500, "1,500 times z - (-2)"),
        ("R" * 1_501, "1,501 times (-2) - z"),
        ("".join(rng.choices("-1L2R" if negations else "1L2R", k=1_500)), "1,500 mixed operations"),
    ):
        x, z, _ = helpers.chain(student.Value, steps)
        with during(of, because="It uses recursion along this operand."):
            student.backward_from([z], [1.0])
        expect(x.grad, chain_gradients(steps, 1.0)[0], STOPS, of=of)
    _, z, _ = helpers.chain(student.Value, "21" * 750)
    with during("1,500 operations", because="It uses recursion."):
        changes, limit = helpers.changes_of_the_limit(student.backward_from, z)
    expect((changes, max(limit, 3_000)), (0, 3_000),  # with which some kernels begin
           "It changes Python's recursion limit, at least for a while.", of="1,500 operations")
    _, z, _ = helpers.chain(student.Value, "21" * 750)
    with during("1,500 operations",
                because="It uses recursion: in a thread, or until Python stops it."):
        student.without_recursion(student.backward_from, [z], [1.0])
    helpers.count_comparisons(student.Value)
    times = 16_667 if is_linear(student, helpers, "212", 20) else 500  # which is asked in q5
    steps = ("----12" if negations else "121212") * times
    of = f"{6 * times:,} operations"
    x, z, _ = helpers.chain(student.Value, steps)
    with during(of, because="It fails in a very deep graph, or takes far too long."):
        student.backward_from([z], [1.0])
    expect(x.grad, chain_gradients(steps, 1.0)[0], STOPS, of=of)


@pytest.mark.question("q6", points=1.5, hint=(
    "A deep graph whose values are used near and far needs the same order as a small one."
))
def test_a_deep_graph_with_sharing(student, rng):
    """thousands of operations with values that are used near and far; called again"""
    helpers = student.define(HELPERS)
    sharing = comes_out(student, helpers, "-SX1T-SS", calls=1) and is_linear(
        student, helpers, "ST-X", 4)
    steps = "ST-X" * 900 if sharing else "".join(rng.choices("21", k=6_000))
    x, z, sample = helpers.chain(student.Value, steps)
    wanted, of = chain_gradients(steps, 1.0), "a deep graph"
    with during(of, because="It fails in a very deep graph, or takes far too long."):
        student.backward_from([z], [1.0])
    early = "In a deep graph it visits Values in another order than in a small one, and too early."
    expect(x.grad, wanted[0], early if sharing else STOPS, of=of)
    if sharing:
        expect(sample(997), wanted[::997], early, of=of)
    if comes_out(student, helpers, "12LR-", calls=2):
        with during("a second call", because="The second call for a deep graph fails."):
            student.backward_from([z], [1.0])
        expect(x.grad, wanted[0], "The second call for a deep graph is wrong.", of="a second call")


# q7 ----------------------------------------------------------------------------------------------


LOST = (
    "A contribution is lost: = stands where += is needed, or y_hat passes its gradient on before "
    "both have come, or two Nodes that hold the same number are taken for one."
)
STALE = "A computed Value keeps its gradient of an earlier call and passes it on again."


@pytest.mark.question("q7", points=4, core=True, hint=(
    "Two losses that share a computed Value: compare with the sum of both gradients."
))
def test_leaves_accumulate(student, rng):
    """one loss; two losses; losses that share computed values; one loss twice"""
    helpers = student.define(HELPERS)
    for text, graph, _ in itertools.islice(small_graphs(rng), 10):
        expect_accumulated(student, helpers, graph, [len(graph.inputs) - 1], text,
                           "Even after one call the gradients of the leaves are wrong.")
    for text, plan, roots, cause in (
        ("a * b, then a - c", [("*", 0, 1), ("-", 0, 2)], [3, 4], "Two calls do not add up."),
        ("a * b twice", [("*", 0, 1)], [3, 3], STALE),
        ("a * a twice", [("*", 0, 0)], [3, 3],
         "What a leaf held before is counted again for each of its uses."),
        ("p + b and p - c with p = a * a", [("*", 0, 0), ("+", 3, 1), ("-", 3, 2)], [4, 5], STALE),
        ("p * p twice with p = a * b", [("*", 0, 1), ("*", 3, 3)], [4, 4], STALE),
        ("p * p, then p with p = a * b", [("*", 0, 1), ("*", 3, 3)], [4, 3], STALE),
    ):
        graph = Graph([number(rng) for _ in range(3)], plan)
        expect_accumulated(student, helpers, graph, roots, text, cause)
    expect_each_operation(student, student.accumulate, rng)
    for _ in range(8):
        graph = random_graph(rng)
        roots = rng.choices(range(3, 15), k=3)
        expect_accumulated(student, helpers, graph, roots, "three roots in a small graph", STALE)


def expect_accumulated(student, helpers, graph, roots, text, cause):
    """Fail unless the leaves hold the sum over one call of `accumulate` for each root."""
    values = helpers.build(student.Value, graph.numbers, graph.plan)
    sums, last = Counter(), {}
    for root in roots:
        with during(text, because="accumulate raises an error on a small graph."):
            student.accumulate(values[root])
        last |= dict(zip(graph.below([root]), graph.adjoints({root: 1.0}), strict=True))
        sums.update(dict(zip(graph.below([root]), graph.adjoints({root: 1.0}), strict=True)))
    expect(helpers.grads(values[:3]), [float(sums[k]) for k in range(3)], cause,
           of=f"the gradients of the leaves after {text}",
           mistakes=[([float(last.get(k, 0)) for k in range(3)],
                      "It replaces what earlier calls have left in the leaves, and does not add.")])


@pytest.mark.question("q7", points=1.5, hint=(
    "Train by hand for two steps: what is in w.grad before the second one?"
))
def test_training(student, rng):
    """five steps of gradient descent, three losses each, with a shared penalty"""
    numbers, rate = [number(rng), number(rng)], 0.01
    points = [(number(rng) / 2, number(rng) / 2) for _ in range(3)]
    with during("five steps of training", because="Training with Values raises an error."):
        came = student.define(HELPERS).train(
            student.Value, student.accumulate, student.descend, numbers, points, 5, rate)
    expect(came, train(numbers, points, 5, rate), "The parameters do not follow gradient descent.",
           of="w, b and their grads after each of five steps",
           mistakes=[(train(numbers, points, 5, rate, **wrong), cause)
                     for cause, wrong in WRONG_TRAINING.items()])


WRONG_TRAINING = {
    "The gradients are not cleared, so each step repeats the earlier ones.": {"clears": False},
    "The step goes uphill: it has the wrong sign.": {"sign": 1},
    "Only the gradient of the last parameter is cleared.": {"clears": "last"},
    "The parameters do not move: are the gradients cleared too early?": {"sign": 0},
    "Only the last loss of a step counts, because accumulate does not add.": {"adds": False},
    STALE: {"stale": True},
}


def train(numbers, points, steps, rate, clears=True, sign=-1, adds=True, stale=False):
    """[w, b, grad of w, grad of b] after each step of training a line with a penalty."""
    (w, b), (dw, db), path = numbers, (0.0, 0.0), []
    for _ in range(steps):
        for calls, (x, y) in enumerate(points, 1):
            error = w * x + b - y
            of_penalty = 2 * w * (calls if stale else 1)
            dw = 2 * error * x + of_penalty + (dw if adds else 0)
            db = 2 * error + (db if adds else 0)
        w, b = w + sign * rate * dw, b + sign * rate * db
        dw, db = {True: (0.0, 0.0), False: (dw, db), "last": (dw, 0.0)}[clears]
        path.append([w, b, dw, db])
    return path


@pytest.mark.question("q7", points=1, corner=True, hint=(
    "A root that is a leaf, what is not below the root, and a tuple of parameters."
))
def test_leaves_alone_and_others(student, rng):
    """a leaf as root; leaves that are not below; what grad held before; data"""
    a = number(rng)
    x, y, z = leaf(student, a), leaf(student, 2.0), leaf(student, 3.0)
    x.grad, z.grad = 0.5, 7.0
    student.accumulate(x * y)
    expect((x.grad, y.grad), (2.5, a), "It does not add to what was in grad before.", of="x * y")
    expect((z.grad, x.data), (7, a), "It changes a leaf that is not below the root, or data.",
           of="x * y")
    with during("a leaf as root", because="It fails for a root that is a leaf."):
        student.accumulate(x)
    expect(x.grad, 3.5, "A leaf that is the root does not get 1 more.", of="a leaf as root")
    p = held(y * z, "y * z")
    root = held(p * p, "p * p")
    p.grad, root.grad = 5.0, 3.0
    student.accumulate(root)
    expect((y.grad, z.grad), (a + 36, 31), "What another call, such as backward, has left in grad "
           "of computed Values is passed on again (rule 3).", of="p * p with p = y * z",
           mistakes=[((36, 24), "It does not add to what was in grad before.")])
    y.grad, z.grad = a, 7.0
    with during("a tuple of parameters", because="It takes lists only (rule 5)."):
        student.descend((x, y), 0.5)
    expect((x.data, y.data, z.data, z.grad), (a - 1.75, 2 - a / 2, 3, 7),
           "A step does not add -rate · grad to each parameter, or it changes other Values.",
           of="descend((x, y), 0.5)")


# q8 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q8", points=5, core=True, hint=(
    "Try their demo, (a + a) * (a + a) and b * (b * b) by hand."
))
def test_their_graphs(student, rng):
    """their demo; trees, values that are used twice, near and far; random graphs"""
    expect_two_leaves(student, student.Node, student.repaired_backward, number(rng))
    w, b, x, y = (number(rng) for _ in range(4))
    weight, bias = student.Node(w), student.Node(b)
    y_hat, target = weight * student.Node(x) + bias, student.Node(y)
    loss = (y_hat - target) * (y_hat - target)
    error = w * x + b - y
    with during("their demo", because="It raises an error in their demo."):
        student.repaired_backward(loss)
    expect((weight.grad, bias.grad), (2 * error * x, 2 * error), TOO_EARLY,
           of="the gradients of w and b in their demo",
           mistakes=[((4 * error * x, 3 * error), PASSED_TWICE), ((error * x, error), LOST)])
    expect_right_gradients(student, student.Node, student.repaired_backward, rng)


@pytest.mark.question("q8", points=1.5, hint=(
    "x + x thirty-five times, and rules that count their calls."
))
def test_each_rule_is_called_once(student, rng):
    """x + x thirty-five times; rules that note what they get; a gradient 0"""
    paths = "It follows every path, so a rule is called many times."
    x = z = student.Node(1.0)
    for _ in range(35):
        z = z + z
    with during("x + x thirty-five times", because=paths):
        student.count_lines(student.repaired_backward, z, limit=100_000)
    expect(x.grad, 2**35, "A contribution is lost where a Node is used twice.",
           of="x.grad after thirty-five times x + x")
    inputs = [(), (0, 0), (1, 0), (1, 2), (0, 3), (3, 4), (5, 4)]
    factors = [[number(rng) for _ in places] for places in inputs]
    factors[6][1], factors[5][1] = 0.0, 0.0  # so that the gradient of number 4 is 0
    nodes, rules = noting(student, inputs, factors)
    student.repaired_backward(nodes[-1])
    gradients = contributions(inputs, factors)
    expect([node.grad for node in nodes], gradients, "A node whose gradient is 0 holds up "
           "others, or the order is wrong.", of="the gradients of a graph of noting rules")
    came = [[rule.given for rule in of_node] for of_node in rules]
    wanted = [[[one]] * len(of) for one, of in zip(gradients, factors, strict=True)]
    twice = [[[one, one]] * len(of) for one, of in zip(gradients, factors, strict=True)]
    expect(came, wanted, "A rule is not called once with the complete gradient of its node.",
           of="what each rule was called with",
           mistakes=[(twice, "Each rule is called twice."),
                     ([[[one] if one else []] * len(of)
                       for one, of in zip(gradients, factors, strict=True)],
                      "It leaves out the rules of a node whose gradient is 0."),
                     ([[[1.0]] * len(of) for of in factors],
                      "Rules are called with 1 and not with the node's gradient.")])


def noting(student, inputs, factors):
    """(Nodes of the original class, their rules, which note what they get)."""
    theirs, nodes, rules = student.define(HELPERS), [], []
    for places, numbers in zip(inputs, factors, strict=True):
        rules.append(tuple(theirs.Rule(factor) for factor in numbers))
        nodes.append(theirs.Node(len(nodes), tuple(nodes[i] for i in places), rules[-1]))
    return nodes, rules


def contributions(inputs, factors):
    """The gradient of the last of some nodes by each; factors[k] belong to inputs[k]."""
    found = [0.0] * (len(inputs) - 1) + [1.0]
    for k in reversed(range(len(inputs))):
        for i, factor in zip(inputs[k], factors[k], strict=True):
            found[i] += factor * found[k]
    return found


@pytest.mark.question("q8", points=1, hint="Call it after backward_they_left, and twice: rule 3.")
def test_from_scratch_for_nodes(student, rng):
    """after their own function; called again, for another root; what is not below"""
    a = number(rng)
    x = student.Node(a)
    b = x * x
    z, other = b * b, x + x
    student.backward_they_left(z)  # as the notebook does
    for _ in range(2):
        student.repaired_backward(z)
        expect((x.grad, b.grad, z.grad), (4 * a**3, 2 * a * a, 1), AGAIN,
               of="b * b with b = x * x, after another call")
    student.repaired_backward(other)
    expect((x.grad, b.grad), (2, 2 * a * a), "It changes grad of Nodes that are not below the root "
           "(rule 2).", of="x + x, after (x * x) * (x * x)")
    student.repaired_backward(b - b)
    expect((b.grad, x.grad), (0, 0), "Where a gradient is 0, grad keeps an older number.",
           of="b - b with b = x * x")


@pytest.mark.question("q8", points=1, corner=True, hint=(
    "A Node with one input or three, a Node alone, a chain of a hundred; their class as it is."
))
def test_nodes_of_other_kinds(student, rng):
    """one input, three inputs, no input; a chain of a hundred; Nodes made elsewhere"""
    x = student.Node(2.0)
    with during("a Node without inputs as root", because="It fails for a Node without inputs."):
        student.repaired_backward(x)
    expect(x.grad, 1, "A Node without inputs that is the root does not get 1.", of="a Node alone")
    inputs = [(), (), (), (0,), (3, 1, 2), (4,)]
    factors = [[number(rng) for _ in places] for places in inputs]
    nodes, _ = noting(student, inputs, factors)
    with during("Nodes with one input and with three", because="It takes two inputs for granted."):
        student.repaired_backward(nodes[-1])
    expect([node.grad for node in nodes], contributions(inputs, factors),
           "It takes two inputs for granted, or changes the class Node.",
           of="Nodes with one input and with three")
    plan = [("-", k - 1, k - rng.choice((2, 3))) for k in range(3, 102)]
    graph, helpers = Graph([0.5, 0.75, -1.25], plan), student.define(HELPERS)
    values = helpers.build(student.Node, graph.numbers, graph.plan)
    with during("a chain of a hundred operations", because="It fails on a longer chain, or "
                "follows every path there."):
        student.count_lines(student.repaired_backward, values[-1], limit=200_000)
    came = helpers.grads([values[k] for k in graph.below([101])])
    expect(came, graph.adjoints({101: 1.0}), TOO_EARLY, of="a chain of a hundred operations")
