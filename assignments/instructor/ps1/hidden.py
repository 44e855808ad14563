"""The checks that grade ps1: what the visible ones ask, of other graphs and other numbers."""

import itertools
import math

import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.comparing import same
from minigrad.course.grading.student import Handle, StudentError

GRAPHS = """
import gc

gc.disable()  # or it would look through the whole of a large graph again and again

def chain(Value, units):
    x = z = older = last = Value(0.25)
    way = [x]
    for unit in units:
        for step in unit:
            if step == "-":
                older, z = z, -z
            elif step == "1":
                older, z = z, z - Value(2.0)
            elif step == "2":
                older, z = z, Value(2.0) - z
            elif step == "L":
                older, z = z, z - (-Value(2.0))
            elif step == "R":
                older, z = z, (-Value(2.0)) - z
            elif step == "S":
                older, z = z, z - last
                last = z
            elif step == "N":
                older, z = z, z - (-(-older))
            else:
                older, z = z, (-older) - (-z)
        way.append(z)
    return x, z, lambda count: [value.grad for value in way[:: max(1, len(way) // count)]]

def ladders(Value, rows, rungs):
    x = total = Value(0.25)
    for _ in range(rows):
        z = x
        for _ in range(rungs):
            z = z + z
        total = total + z
    return x, total

def doublings(Value, count):
    x = z = Value(0.25)
    for _ in range(count):
        z = z + z
    return x, z

def uneven(Value, count):
    x = z = Value(0.25)
    for _ in range(count):
        z = z + (-(-z))
    return x, z

def star(Value, count):
    x = z = Value(0.25)
    for _ in range(count):
        z = x + z
    return x, z

def there_and_back(Value, count):
    x = Value(0.25)
    way = [x]
    for _ in range(count):
        way.append(-way[-1])
    z = way.pop()
    while way:
        z = z - way.pop()
    return x, z

def woven(Value, backward, numbers, plans):
    found = []
    for plan in plans:
        values = [Value(number) for number in numbers]
        for sign, i, j in plan:
            a, b = values[i], values[j]
            values.append(a + b if sign == "+" else a - b if sign == "-" else a * b)
        for _ in range(2):
            backward(values[-1])
            found.append([getattr(value, "grad", None) for value in values])
    return found

def short_lived(Value, backward, numbers):
    found = []
    for x in [Value(number) for number in numbers] * 2:
        roots = [x * x for _ in range(10)]
        for z in roots:
            backward(z)
            found.append(x.grad)
        del z, roots  # the next roots get their places in memory, and so their ids
    return found

def again(Value, backward, root, times, others):
    for _ in range(times):
        backward(root)
    for _ in range(others):
        backward(Value(1.0) + Value(2.0))
"""
IN_PLACE = """
def one_after_another(x, others):
    plus = minus = times = over = x
    plus += others[0]
    minus -= others[1]
    times *= others[2]
    over /= others[3]
    return plus, minus, times, over
"""
OPERATIONS = """
def formulas(texts, names):
    return [eval("lambda a, b: " + text, dict(names)) for text in texts]

def pairs(Value, names, texts, tried, number):
    by, found = dict(zip(texts, formulas(texts, names))), []
    for inner, outer in tried:
        b = Value(2.5)
        a = by[inner](Value(number), b)
        z = by[outer](a, b)
        inputs = list(z.inputs)
        places = [[i for i, one in enumerate(inputs) if one is value] for value in (a, b)]
        found.append((z.data, len(inputs), *places))
    return found

def attempts(Value, names, cases):
    texts = [text for text, _, _ in cases]
    for formula, (_, a, b) in zip(formulas(texts, names), cases):
        try:
            yield formula(Value(a), Value(b))
        except Exception:
            yield None

def numbers(z):
    return None if z is None else (z.data, [x.data for x in z.inputs])

def said(slopes, z):
    return None if z is None else tuple(slopes(z))

def asked(Value, slopes, names, cases):
    made = [*attempts(Value, names, cases)]
    before = [numbers(z) for z in made]
    rounds = [[said(slopes, z) for z in made] for _ in range(2)]
    after = [numbers(z) for z in made]
    rounds.append([said(slopes, z) for z in attempts(Value, names, cases)])  # z lives no longer
    return before, after, rounds

def delivered(Value, backward, slopes, names, cases):
    others, found = [*attempts(Value, names, cases)], []
    rules, made = [said(slopes, z) for z in others], [*attempts(Value, names, cases)]
    for z in made:
        before, inputs = numbers(z), [] if z is None else list(z.inputs)
        if z is not None:
            backward(z)
        found.append((before, [x.grad for x in inputs]))
    return rules, found
"""
LIMIT = """
import sys

set_limit = sys.setrecursionlimit

def raises_the_limit(backward, root):
    calls = []
    sys.setprofile(lambda frame, event, called: calls.append(called is set_limit))
    try:
        backward(root)
    finally:
        sys.setprofile(None)
    return any(calls)

def within_the_limit(backward, root):
    set_limit, sys.setrecursionlimit = sys.setrecursionlimit, lambda limit: None
    try:
        backward(root)
    finally:
        sys.setrecursionlimit = set_limit
    return sys.getrecursionlimit()
"""
THEIRS = """
class Node:
    def __init__(self, value, inputs=(), pushes=()):
        self.value, self.inputs, self.pushes, self.grad = value, inputs, pushes, 0.0

class Push:
    def __init__(self, factor):
        self.factor, self.given = factor, []

    def __call__(self, gradient):
        self.given.append(gradient)
        return gradient * self.factor
"""
FORMULAS = {
    "a + b": (lambda a, b: a + b, lambda a, b: (1, 1)),
    "a - b": (lambda a, b: a - b, lambda a, b: (1, -1)),
    "a * b": (lambda a, b: a * b, lambda a, b: (b, a)),
    "a / b": (lambda a, b: a / b, lambda a, b: (1 / b, -a / b**2)),
}
ONE_SIDED = ("a - b", "a / b")
EXACT = 1e-13  # of a formula; nudging gives nine or ten digits
TINY = 1e-12
FUNCTIONS = {
    "exp": (math.exp, math.exp),
    "log": (math.log, lambda a: 1 / a),
    "tanh": (math.tanh, lambda a: 1 - math.tanh(a) ** 2),
}
OF_ONE = {"-a": (lambda a: -a, lambda a: -1)}
OF_ONE |= {f"{name}(a)": pair for name, pair in FUNCTIONS.items()}
OF_ONE |= {
    f"a ** {n}": (lambda a, n=n: a**n, lambda a, n=n: n * a ** (n - 1)) for n in (2, 4, -1, 0.5)
}
OF_TWO = ("a + b", "a - b", "b - a", "a * b", "a / b", "b / a")
WITH_A_NUMBER = ("a + 3.0", "a - 3.0", "3.0 - a", "2.0 * a", "a * 3.0", "a / 2.0", "2.0 / a")
OPERATIONS_OF_A = (*OF_ONE, *OF_TWO, *WITH_A_NUMBER)
SHARING = ("NFN", "1", "FNF", "2")  # for `chain`: values that are used near and far
TURNING = ("-", "2", "R", "NFN", "FNF")  # what turns the sign


class Operation:
    """What an operation, written with a and b, makes of two numbers: `data`, the numbers of its
    `inputs`, their `slopes`, and where a and b are among them, in `places`."""

    def __init__(self, text, a, b):
        left, sign, right = ("a", "", "") if text in OF_ONE else text.split()
        known, names = {"a": a, "b": b}, [name for name in (left, right) if name]
        formula, slopes = OF_ONE.get(text) or FORMULAS[f"a {sign} b"]
        self.inputs = [known[name] if name in known else float(name) for name in names]
        self.data, self.slopes = formula(*self.inputs), slopes(*self.inputs)
        self.slopes = (self.slopes,) if text in OF_ONE else self.slopes
        self.places = [[i for i, name in enumerate(names) if name == one] for one in "ab"]
        self.in_either_order = sign in ("+", "*") and "b" not in names

    def ways(self):
        """(inputs, slopes), as they are and, where a number's leaf may stand first, swapped."""
        yield self.inputs, self.slopes
        if self.in_either_order:
            yield self.inputs[::-1], self.slopes[::-1]


def names_of(student):
    """What the texts of operations call by name."""
    return {name: student[name] for name in FUNCTIONS}


def number(rng):
    """A number that is neither near 0 nor near 1, of either sign."""
    return round(rng.uniform(1.2, 4.0) * rng.choice((-1, 1)), 3)


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
    """x + x so many times, built call by call: nothing in the worker decides how often."""
    for _ in range(count):
        x = held(x + x)
    return x


def expect_all_the_way(x, wanted, of):
    """Fail unless the whole gradient has come to x. How shares are added up is asked in q3: the
    last share alone, which is 1 all the way, is enough here."""
    expect(x.grad, 1 if same(x.grad, 1) else wanted, of=of)


def expect_digits(came, wanted, of):
    """Fail unless each number has nine digits right: 0 for 1e-20 has none."""
    expect(len(came), len(wanted), of=f"how many numbers are {of}")
    for one, right in zip(came, wanted, strict=True):
        expect(one, right, of=of, tolerance=1e-9 * min(1, abs(right)))


def kind_of_error(call, *arguments):
    """The name of what the student's code raises."""
    try:
        call(*arguments)
    except StudentError as error:
        return error.kind
    return None


def shares_of(inputs, slopes):
    """The gradient of the last of some values by each; inputs[k] and slopes[k] are value k's."""
    grads = [0.0] * (len(inputs) - 1) + [1.0]
    for k in reversed(range(len(inputs))):
        for i, slope in zip(inputs[k], slopes[k], strict=True):
            grads[i] += slope * grads[k]
    return grads


def any_operations(rng):
    """A dozen operations, (sign, i, j) each, on 3 leaves and what came before; no sum twice."""
    plan, sums = [], set()
    while len(plan) < 12:
        k = len(plan) + 3
        i, j, sign = rng.randrange(k), k - rng.randint(1, 3), rng.choice("+-*")
        if sign != "+" or (i, j) not in sums:
            plan.append((sign, i, j))
            sums |= {(i, j), (j, i)} if sign == "+" else set()
    return plan


def three_users():
    """Such plans, in which b = x y is used by three, one of which uses it twice, at all depths."""
    for users in itertools.permutations([("*", 3, 3), ("-", 3, 2), ("*", 0, 3)]):
        begun = [("*", 0, 1), *users]
        for sides in (1, -1):
            yield [*begun, ("-", 5, 6), ("-", 7, 2), ("+", *(4, 8)[::sides])]
            yield [*begun, ("-", 6, 2), ("-", 1, 7), ("+", 5, 8), ("+", *(4, 9)[::sides])]


def expect_woven(student, make, backward, plans):
    """Fail unless all grads are right, twice, in graphs that are made as the plans say."""
    numbers = [0.5, 0.75, -1.25]
    came = iter(student.define(GRAPHS).woven(make, backward, numbers, plans))
    for plan in plans:
        inputs, slopes, reckoned = [()] * 3, [()] * 3, list(numbers)
        for sign, i, j in plan:
            formula, slope = FORMULAS[f"a {sign} b"]
            inputs.append((i, j))
            slopes.append(slope(reckoned[i], reckoned[j]))
            reckoned.append(formula(reckoned[i], reckoned[j]))
        reached = {len(inputs) - 1}
        for k in reversed(range(len(inputs))):
            reached.update(inputs[k] if k in reached else ())
        wanted = shares_of(inputs, slopes)
        for grads in (next(came), next(came)):
            expect([grads[k] for k in sorted(reached)], [wanted[k] for k in sorted(reached)],
                   of=f"the grads of 3 leaves {numbers} and {plan}")


def grads_of_chain(units):
    """The gradient of the last of a chain's values by each, with the first."""
    grads, last = [0] * len(units) + [1], {}
    for k, unit in enumerate(units, 1):
        if unit == "S":
            last[k] = max(last, default=0)
    for k, unit in reversed([*enumerate(units, 1)]):
        grads[k - 1] += -grads[k] if unit in TURNING else grads[k]
        if k in last:
            grads[last[k]] -= grads[k]
    return grads


@pytest.mark.question("q1", points=1, hint=(
    "Try + - * / with whole numbers, with 0, 1e-20 and 1e200, and with x + x; are the operands as "
    "before, also after y = x and y += 1? What does x / 0 raise?"
))
def test_the_four_operations(student, rng):
    """+ − * / of two Values"""
    a, b = number(rng), number(rng)
    for first, second in ((a, b), (7, -2), (0.0, b), (b, b)):
        for text, (formula, _) in FORMULAS.items():
            x, y = leaf(student, first), leaf(student, second)
            at = f"with a = {first}, b = {second}"
            expect(formula(x, y).data, formula(first, second), of=f"{text} {at}")
            expect((x.data, y.data), (first, second), of=f"a and b themselves, after {text}")
    x, tiny = leaf(student, a), 1e-20 * a
    for text, (formula, _) in FORMULAS.items():
        expect(formula(x, x).data, formula(a, a), of=f"{text}, where a and b are one Value")
        came = [formula(leaf(student, tiny), leaf(student, second)).data for second in (b, tiny)]
        wanted = [formula(tiny, second) for second in (b, tiny)]
        expect_digits(came, wanted, of=f"{text} with a = {tiny}, and b = {b} or a")
    others = [leaf(student, b), b, leaf(student, b), b]
    came = student.define(IN_PLACE).one_after_another(x, others)
    for z, (text, (formula, _)) in zip(came, FORMULAS.items()):
        expect(held(z).data, formula(a, b), of=f"{text}, written as z = x and z {text[2]}= b")
    expect((x.data, x.op, len(x.inputs)), (a, None, 0), of="x itself, after z = x and z += b")
    for text, first, second in (
        ("a + b", 1e308, 1e308), ("a - b", -1e308, 1e308), ("a * b", 1e200, -1e200),
        ("a / b", 1e200, 1e-200), ("a / b", 1e-310, 1e-310),
    ):
        came = FORMULAS[text][0](leaf(student, first), leaf(student, second)).data
        expect(came, FORMULAS[text][0](first, second), of=f"{text} with a = {first}, b = {second}")
    came = kind_of_error(FORMULAS["a / b"][0], leaf(student, a), leaf(student, 0.0))
    expect(came, "ZeroDivisionError", of=f"what {a} / 0 raises, as usual")


@pytest.mark.question("q1", points=1, hint=(
    "Try -x, and x ** n with a negative or broken n, or a large one, and a negative x or 0."
))
def test_negation_and_powers(student, rng):
    """−x and x ** n"""
    a = abs(number(rng))
    of_zero, of_ten = (0.0, (1, 2, 2.5)), (10.0, (-400,))
    for base, exponents in (
        (a, (3, -2, 0.5, 1, 0)), (-a, (2, 3, -1)), of_zero, (5, (2,)), of_ten,
    ):
        x = leaf(student, base)
        expect((-x).data, -base, of=f"-x with x = {base}")
        for exponent in exponents:
            came = (x**exponent).data
            expect(came, base**exponent, of=f"x ** {exponent} with x = {base}")
        expect(x.data, base, of="x itself, after -x and powers of it")
    for base, exponent, kind in ((0.0, -1, "ZeroDivisionError"), (10.0, 400, "OverflowError")):
        came = kind_of_error(lambda x, n: x**n, leaf(student, base), exponent)
        expect(came, kind, of=f"what {base} ** {exponent} raises, as usual")
    tiny = leaf(student, 1e-20 * a)
    came = [(-tiny).data, (tiny**2).data, (tiny**-1).data]
    wanted = [-1e-20 * a, (1e-20 * a) ** 2, 1e20 / a]
    expect_digits(came, wanted, of=f"-x, x ** 2 and x ** -1 with x = {1e-20 * a}")


@pytest.mark.question("q1", points=1, hint=(
    "Compare exp, log and tanh with those of math; try 0, 400 and 1e-12, and what math refuses."
))
def test_functions(student, rng):
    """exp, log, tanh"""
    a = abs(number(rng))
    tried = {"exp": (a, -a, 0, -800.0, 705.0), "log": (a, 1 / a, 1, 1e-300)}
    tried["tanh"] = (a, -a, 0, 400.0, -400.0, 1000.0, -1e200)
    for name, numbers in tried.items():
        for at in numbers:
            x = leaf(student, at)
            expect(student[name](x).data, FUNCTIONS[name][0](at), of=f"{name}({at})")
            expect(x.data, at, of=f"x itself, after {name}(x)")
    came = student.tanh(leaf(student, TINY)).data
    expect(came, TINY, of=f"tanh({TINY})", tolerance=TINY / 1e6)
    for name, at, kind in (
        ("exp", 1000.0, "OverflowError"), ("log", 0.0, "ValueError"), ("log", -a, "ValueError"),
    ):
        came = kind_of_error(student[name], leaf(student, at))
        expect(came, kind, of=f"what {name}({at}) raises, as in math")


@pytest.mark.question("q1", points=1, hint=(
    "1 - x and 2 / x: which operand is the left one? Try whole numbers, too, and 0."
))
def test_a_plain_number_on_either_side(student, rng):
    """numbers mixed with Values"""
    a, b = number(rng), number(rng)
    for first, second in ((a, b), (3, b), (a, -2), (0, b), (1, b), (a, 1)):
        for text, (formula, _) in FORMULAS.items():
            wanted = formula(first, second)
            expect(formula(first, leaf(student, second)).data, wanted, of=f"{text}, a plain")
            expect(formula(leaf(student, first), second).data, wanted, of=f"{text}, b plain")


@pytest.mark.question("q1", points=1, hint=(
    "Each operation makes one new Value with op and inputs, x * 1, x ** 0 and -(-x) too, also "
    "when it is asked for again; other operations have other words; a number becomes a leaf."
))
def test_the_graph_is_remembered(student, rng):
    """op and inputs"""
    x, y = leaf(student, number(rng)), leaf(student, abs(number(rng)))
    expect((x.op, len(x.inputs)), (None, 0), of="op and inputs of a leaf")
    made = [(formula(x, y), [x, y]) for formula, _ in FORMULAS.values()]
    made += [(formula(x, x), [x, x]) for formula, _ in FORMULAS.values()]
    made += [(student[name](y), [y]) for name in FUNCTIONS] + [(-x, [x]), (y**3, [y])]
    expect_other_words([z.op for z, _ in made[:4]])
    made += [(formula(x, y), [x, y]) for formula, _ in FORMULAS.values()]
    made += [(student[name](y), [y]) for name in FUNCTIONS] + [(-x, [x]), (y**3, [y])]
    made += [(y**1, [y]), (y**0, [y]), (x * leaf(student, 1.0), None)]
    for z, wanted in made:
        if wanted is not None:
            expect(list(z.inputs), wanted, of="inputs")
        expect(type(z.op), str, of="the type of op")
    for first, (z, _) in enumerate(made):
        expect(any(z == other for other, _ in made[:first]), False, of="two operations, one Value")
    for plain in (3.0, 1, 0):
        for text, (formula, _) in FORMULAS.items():
            if (plain, text) != (0, "a / b"):
                expect_a_leaf(formula(x, plain), x, plain, 1 if text in ONE_SIDED else None)
            expect_a_leaf(formula(plain, y), y, plain, 0 if text in ONE_SIDED else None)
    for of_a in (abs(number(rng)), -abs(number(rng))):
        expect_no_short_cuts(student, of_a)


def expect_no_short_cuts(student, number):
    """Fail unless an operation on the result of another is a new Value of that very result."""
    tried, wanted = [], []
    for inner in OPERATIONS_OF_A:
        for outer in OPERATIONS_OF_A:
            try:
                after = Operation(outer, Operation(inner, number, 2.5).data, 2.5)
            except (ArithmeticError, ValueError, TypeError):
                continue  # log(-a), 1 / (a - b), or the logarithm of a complex power
            if not isinstance(after.data, complex):
                tried.append((inner, outer))
                wanted.append(after)
    pairs = student.define(OPERATIONS).pairs
    came = pairs(student.Value, names_of(student), OPERATIONS_OF_A, tried, number)
    expect(len(came), len(tried), of="how many operations on results of operations there are")
    for (inner, outer), found, after in zip(tried, came, wanted, strict=True):
        of = f"data, and how many inputs, of {outer}, where a = {inner.replace('a', str(number))}"
        expect(tuple(found)[:2], (after.data, len(after.inputs)), of=of)
        swapped = [[1 - i for i in places] for places in after.places]
        places = swapped if after.in_either_order and found[2] == swapped[0] else after.places
        expect(list(found[2:]), places, of="where a and b are among its inputs")


def expect_other_words(ops):
    """Fail unless operations are told apart by their words."""
    of = f"how many of {len(ops)} operations are told apart by op"
    expect(all(type(op) is str for op in ops) and len(set(ops)), len(ops), of=of)


def expect_a_leaf(z, x, plain, place):
    """Fail unless z has two inputs, x and a leaf; `place` is that of the leaf, if it matters."""
    inputs = list(z.inputs)
    expect(len(inputs), 2, of=f"how many inputs an operation of a Value and {plain} has")
    where = inputs.index(x) if x in inputs else None
    expect(where in ((0, 1) if place is None else (1 - place,)), True, of="whether x is in place")
    other = inputs[1 - where]
    expect((other.op, len(other.inputs), other.data), (None, 0, plain), of="the other input")


@pytest.mark.question("q2", points=1, hint=(
    "The slopes of a + b, a - b and -a are 1 or -1; x + x has two."
))
def test_slopes_of_sums(student, rng):
    """+ − and negation"""
    for a, b in ((number(rng), number(rng)), (0.0, 0.0), (1e9, 1.0)):
        x, y = leaf(student, a), leaf(student, b)
        expect(tuple(student.slopes(x + y)), (1, 1), of="slopes(x + y)", tolerance=EXACT)
        expect(tuple(student.slopes(x - y)), (1, -1), of="slopes(x - y)", tolerance=EXACT)
        expect(tuple(student.slopes(-x)), (-1,), of="slopes(-x)", tolerance=EXACT)
        expect(tuple(student.slopes(x + x)), (1, 1), of="slopes(x + x)", tolerance=EXACT)
        expect(tuple(student.slopes(x - x)), (1, -1), of="slopes(x - x)", tolerance=EXACT)
        expect(len(student.slopes(x)), 0, of="how many slopes a leaf has")


@pytest.mark.question("q2", points=1, hint=(
    "Compare the slopes of a * b and a / b with nudged; try a = 0, huge and tiny ones, x * x and "
    "x / x."
))
def test_slopes_of_products(student, rng):
    """* and /"""
    a, b = number(rng), number(rng)
    for first, second in ((a, b), (0.0, b), (1e9 * a, b), (a, a)):
        for text in ("a * b", "a / b"):
            formula, slopes = FORMULAS[text]
            came = student.slopes(formula(leaf(student, first), leaf(student, second)))
            of = f"slopes({text}) with a = {first}, b = {second}"
            expect(tuple(came), slopes(first, second), of=of, tolerance=EXACT)
    x = leaf(student, a)
    expect(tuple(student.slopes(x * x)), (a, a), of="slopes(x * x)", tolerance=EXACT)
    wanted = (1 / a, -1 / a)
    expect(tuple(student.slopes(x / x)), wanted, of="slopes(x / x)", tolerance=EXACT)
    for huge in (1e200, -1e200):
        x, y = leaf(student, huge), leaf(student, 1e200)
        if not kind_of_error(lambda x, y: x * y, x, y):  # which is asked in q1
            expect(tuple(student.slopes(x * y)), (1e200, huge), of=f"slopes({huge} * 1e200)")
    least = leaf(student, 1e-200) * leaf(student, 1e-200)
    expect_digits(tuple(student.slopes(least)), (1e-200, 1e-200), of="slopes(1e-200 * 1e-200)")
    product = leaf(student, a) * leaf(student, 0.0)
    expect(tuple(student.slopes(product)), (0, a), of="slopes(x * 0)")
    for text in ("a * b", "a / b"):
        formula, slopes = FORMULAS[text]
        for first, second in ((1e-20 * a, b), (a, 1e-20 * b), (1e-20 * a, 1e20 * b)):
            came = student.slopes(formula(leaf(student, first), leaf(student, second)))
            of = f"slopes({text}) with a = {first}, b = {second}"
            expect_digits(tuple(came), slopes(first, second), of=of)


@pytest.mark.question("q2", points=1, hint=(
    "Try x ** n with n = 3, n = -2, n = 1/3 and n = 0; try a negative x, a tiny one, 0 and 1."
))
def test_slope_of_powers(student, rng):
    """x ** n"""
    a = abs(number(rng))
    broken = 1 / rng.choice((3, 7, 9, 11))
    of_one, of_zero = (1.0, (4, -3, broken)), (0.0, (2, 3, 0, 1, 0.0))
    least = (1e-310, (0, 1))  # where x ** -1 is beyond all floats
    for base, exponents in ((a, (3, -2, 0.5, 0, broken)), (-a, (2, 3, -1)), of_zero, of_one, least):
        x = leaf(student, base)
        powers = [(n, x**n) for n in exponents]
        for n, power in powers:  # after all are made: each keeps its own n
            if power == x or len(power.inputs) != 1:
                continue  # no operation on x, which is asked in q1
            wanted = (n * base ** (n - 1) if n else 0.0,)
            came = tuple(student.slopes(power))
            expect(came, wanted, of=f"x ** {n} with x = {base}", tolerance=EXACT)
    for tiny, n in ((1e-20 * a, 2), (1e-20 * a, 3), (1e-20 * a, -1), (1e-200, 2)):
        came = student.slopes(leaf(student, tiny) ** n)
        expect_digits(tuple(came), (n * tiny ** (n - 1),), of=f"x ** {n} with x = {tiny}")


@pytest.mark.question("q2", points=1, hint=(
    "Compare the slopes of exp, log, tanh with nudged; try 0, 40 and 1000, and tiny ones. What of "
    "2 - x, whose 2 is a leaf? Ask again, after other operations, and look at z.data then."
))
def test_slopes_of_functions(student, rng):
    """exp, log, tanh; all operations, beside others and asked again"""
    a = abs(number(rng)) / 3
    tried = {"exp": (a, -a, 0.0, 20.0, -1000.0), "log": (a, 1.0, 1e9)}
    tried["tanh"] = (a, -a, 0.0, 40.0, rng.uniform(720, 1e3), -1e200)  # cosh is beyond all floats
    for name, numbers in tried.items():
        for at in numbers:
            if kind_of_error(student[name], leaf(student, at)):
                continue  # no Value, which is asked in q1
            came = student.slopes(student[name](leaf(student, at)))
            wanted = (FUNCTIONS[name][1](at),)
            expect(tuple(came), wanted, of=f"slopes({name}({at}))", tolerance=EXACT)
    for name, at in (("exp", -40.0 - a), ("log", 1e20 * a), ("log", 1e-300), ("tanh", 1e-20)):
        came = student.slopes(student[name](leaf(student, at)))
        expect_digits(tuple(came), (FUNCTIONS[name][1](at),), of=f"slopes({name}({at}))")
    expect_slopes(student, rng)


def expect_slopes(student, rng):
    """Fail unless slopes are right when all operations have been made before, when they are asked
    for again, and for Values that live no longer than that; nothing being changed."""
    numbers = (3.0, 2.0), (2.0, 6.0), (4.0, 3.0), (6.0, 1.0)  # 3 · 4 = 2 · 6, and 2 ** 4 = 4 ** 2
    cases = [(text, a, b) for a, b in numbers for text in OPERATIONS_OF_A]
    rng.shuffle(cases)
    asked = student.define(OPERATIONS).asked
    before, after, rounds = asked(student.Value, student.slopes, names_of(student), cases)
    for case, found, left, *came in zip(cases, before, after, *rounds, strict=True):
        slopes = slopes_of(case, found)
        if slopes is not None:
            of = "{}, where a = {}, b = {}".format(*case)
            expect(came, [slopes] * 3, of=f"slopes of {of}, asked three times", tolerance=EXACT)
            expect(left, found, of=f"{of} and its inputs, after slopes")


def slopes_of(case, found):
    """The slopes of an operation, given the numbers of what was made and of its inputs; None if
    that is something else, which is asked in q1."""
    made = Operation(*case)
    for inputs, slopes in made.ways():
        if found is not None and same(found, (made.data, inputs)):
            return slopes
    return None


@pytest.mark.question("q3", points=1, hint=(
    "Try z = a * (b - c), a leaf alone, leaves that hold the same number, and a tiny one; try "
    "exp(x), and 2 * x, whose 2 is a leaf, which gets a gradient, too."
))
def test_each_value_used_once(student, rng):
    """a tree; a leaf; equal leaves; each operation, with plain numbers, too"""
    a, b, c = (number(rng) for _ in range(3))
    x, y, t = leaf(student, a), leaf(student, b), leaf(student, c)
    d = held(y - t)
    z = x * d
    student.backward(z)
    expect((x.grad, y.grad, t.grad, z.grad), (b - c, a, -a, 1), of="the grads of a * (b - c)")
    expect(d.grad, a, of="the grad of what was computed on the way")
    student.backward(t)
    expect(t.grad, 1, of="grad of a leaf t after backward(t)")
    x, y, t = (leaf(student, a) for _ in range(3))
    student.backward(held(x * y) - t)
    expect((x.grad, y.grad, t.grad), (a, a, -1), of="the grads of x y - t, all three equal")
    tiny = 1e-15 * a
    p = leaf(student, tiny)
    student.backward(held(x * p) * p)
    expect_digits((x.grad, p.grad), (tiny * tiny, 2 * a * tiny),
                  of=f"the grads of x and p for x p p, x = {a}, p = {tiny}")
    cases = [(text, abs(a), abs(b)) for text in OPERATIONS_OF_A]
    delivered = student.define(OPERATIONS).delivered
    found = delivered(student.Value, student.backward, student.slopes, names_of(student), cases)
    for case, said, (before, grads) in zip(cases, *found, strict=True):
        slopes = slopes_of(case, before)
        if slopes is not None and same(said, slopes):  # else it is asked in q1 or q2
            of = "the grads of the inputs of {}, where a = {}, b = {}".format(*case)
            expect(grads, list(slopes), of=of)


@pytest.mark.question("q3", points=1, hint=(
    "A value that is used three times gets three shares; a use outside the graph gives none; two "
    "Values that were made alike are two."
))
def test_used_by_several(student, rng):
    """one value, three users; users that the root was not made from"""
    a, b = number(rng), number(rng)
    x, y = leaf(student, a), leaf(student, b)
    z = held(held(x * y) + x) + held(x * x)
    student.backward(z)
    expect((x.grad, y.grad), (b + 1 + 2 * a, a), of="the grads of a b + a + a a")
    c = held(x * x)
    z = held(c * y)
    c * z, c - x, x + y  # nobody asks for these
    student.backward(z)
    expect((x.grad, y.grad), (2 * a * b, a * a), of="the grads of a a b, a a being used elsewhere")
    p, q = held(x * x), held(x * x)
    student.backward(p * q)
    expect((p.grad, q.grad, x.grad), (a * a, a * a, 4 * a**3),
           of="the grads of p, q and a for p q, where p = a a and q = a a")


@pytest.mark.question("q3", points=1, hint=(
    "Try b = a a and z = b (b b); then a dozen operations, each on any two values before it, or "
    "on one of them twice: then one user uses it twice."
))
def test_used_near_and_far(student, rng):
    """users at different depths, on either side, and in no order at all"""
    a = number(rng)
    for left in (True, False):
        x = leaf(student, a)
        b = held(x * x)
        c = held(b * b)
        student.backward(b * c if left else c * b)
        expect(b.grad, 3 * a**4, of="b.grad for b · (b b), b = a a")
        expect(x.grad, 6 * a**5, of="a.grad for b · (b b), b = a a")
    units = (*SHARING, "S")
    x, z, grads = student.define(GRAPHS).chain(student.Value, units)
    student.backward(z)
    expect(grads(6), grads_of_chain(units), of="the grads in a chain of values used near and far")
    plans = [*three_users(), *(any_operations(rng) for _ in range(10))]
    expect_woven(student, student.Value, student.backward, plans)


@pytest.mark.question("q3", points=1, hint="Try d = w x + b - y and z = d * d.")
def test_squared_error(student, rng):
    """d·d with d = w x + b − y"""
    w, b, x, y = (number(rng) for _ in range(4))
    weight, bias = leaf(student, w), leaf(student, b)
    d = held(held(weight * leaf(student, x)) + bias) - leaf(student, y)
    student.backward(held(d) * held(d))
    error = w * x + b - y
    expect((weight.grad, bias.grad), (2 * error * x, 2 * error), of="the grads of w and b")


@pytest.mark.question("q3", points=1, hint=(
    "Call backward twice, on a graph of several levels and on a part of it: each call must start "
    "afresh, and leave alone what its root was not made from. Gradients may be 0 (try b - b, "
    "b = a a, after b alone) or infinite; and in a loop a root's id is soon another root's."
))
def test_the_same_again(student, rng):
    """backward twice, of a part, and of two graphs that share a value"""
    a = number(rng)
    x, three = leaf(student, a), leaf(student, 3.0)
    square = held(x * x)
    fourth, triple = square * square, x * three
    roots = (fourth, 4 * a**3), (fourth, 4 * a**3), (square, 2 * a), (triple, 3), (fourth, 4 * a**3)
    for root, wanted in roots:
        student.backward(root)
        expect((x.grad, root.grad), (wanted, 1), of="grads of the shared leaf and of the root")
    expect((square.grad, x.data), (2 * a * a, a), of="a grad in the middle, and the leaf's data")
    student.backward(triple)
    expect((square.grad, fourth.grad), (2 * a * a, 1), of="grads that another root has left there")
    u, huge = leaf(student, 0.5), leaf(student, 1.5e308)
    z = held(u * huge) + held(u * huge)
    for _ in range(2):
        student.backward(z)
        expect((u.grad, huge.grad), (math.inf, 1), of="the grads of u h + u h, h = 1.5e308")
    numbers = [number(rng) for _ in range(3)]
    came = student.define(GRAPHS).short_lived(student.Value, student.backward, numbers)
    wanted = [2 * one for one in numbers * 2 for _ in range(10)]
    expect(came, wanted, of="x.grad for x x, ten times for each x, of one x after another")
    student.backward(square - square)
    expect((square.grad, x.grad), (0, 0),
           of="the grads of b and a for b - b, b = a a, other grads having been there")
    product = held(square * leaf(student, 0.0))
    if not kind_of_error(student.slopes, product):  # else it is asked in q2
        student.backward(fourth)
        student.backward(product)
        expect((square.grad, x.grad), (0, 0), of="the grads of b and a for b t, b = a a, t = 0")
    x.grad = 100.0
    student.backward(x)
    expect(x.grad, 1, of="x.grad after backward(x), something else having been there")


def comes_out(student, units, calls):
    """Whether all grads of a small chain are right after so many calls: that is asked in q3, and
    q4 and q5 ask for no more than x.grad after the first where it is not so."""
    x, z, grads = student.define(GRAPHS).chain(student.Value, units)
    try:
        for _ in range(calls):
            student.backward(z)
    except StudentError:
        return False
    return same(grads(len(units) + 1), grads_of_chain(units))


def manages_sharing(student):
    """Whether values used near and far come out right in a small chain, and in few lines, which
    is asked in q3 and q5: a long chain is without them where it is not so."""
    units, lines = (*SHARING, "-", "-", "S"), []
    if not comes_out(student, units, calls=1):
        return False
    for count in (4, 16):
        _, z, _ = student.define(GRAPHS).chain(student.Value, units * count)
        try:
            lines.append(student.count_lines(student.backward, z, limit=50_000))
        except StudentError:
            return False
    return lines[1] <= 6 * lines[0]


@pytest.mark.question("q4", points=2, hint=(
    "100,000 operations in a row, values being used near and far: no recursion, along either "
    "operand, no other order than in a small graph, and no other recursion limit."
))
def test_a_long_chain(student, rng):
    """a way of 100,000 operations, the limit of recursion as it was"""
    shared = manages_sharing(student)
    units = (SHARING * 100 + ("-",) * 1_901 + ("S",)) * 32 if shared else "-11" * 33_334 + "-"
    x, z, grads = student.define(GRAPHS).chain(student.Value, units)
    limit = student.define(LIMIT).within_the_limit(student.backward, z)
    wanted, step = grads_of_chain(units), (len(units) + 1) // 50
    expect(x.grad, wanted[0], of="the grad of the first value of a long chain")
    if shared:
        expect(grads(50), wanted[::step], of="the grads of every so many-th value of it")
    # some kernels begin with 3,000
    expect(limit <= 3000, True, of="whether the limit of recursion is as it was")


@pytest.mark.question("q4", points=1, hint=(
    "Thousands of operations in a row, along the first or the second operand, the other one being "
    "a leaf or computed, too; and backward called again: no recursion, no other limit meanwhile."
))
def test_a_chain_with_side_branches(student, rng):
    """4,000 subtractions, on either side; once more"""
    graphs = student.define(GRAPHS)
    mixed = "".join(rng.choices(("-1", "-L", "1", "2", "L", "R"), k=3_000))
    for units in ("1" * 4_000, "2" * 4_001, "L" * 4_000, "R" * 4_001):
        x, z, _ = graphs.chain(student.Value, units)
        student.backward(z)
        expect(x.grad, grads_of_chain(units)[0], of="x.grad after thousands of operations")
    x, z, grads = graphs.chain(student.Value, mixed)
    raised = student.define(LIMIT).raises_the_limit(student.backward, z)
    expect(raised, False, of="whether another limit of recursion is set, for a while at least")
    wanted = grads_of_chain(mixed)
    expect(x.grad, wanted[0], of="x.grad after thousands of mixed operations")
    if comes_out(student, "12LR-", calls=2):
        student.backward(z)
        expect(grads(len(wanted)), wanted, of="all grads of that chain, after the second call")


@pytest.mark.question("q5", points=2, hint="x + x fifty times: visit each value once.")
def test_many_ways_one_visit(student):
    """x + x fifty times"""
    x = leaf(student, 1.0)
    z = doubled(x, 50)
    student.count_lines(student.backward, z, limit=100_000)
    expect_all_the_way(x, 2**50, of="x.grad after 50 times x + x")


@pytest.mark.question("q5", points=1, hint=(
    "Four times the graph may take four times the lines, also where ways to a value differ in "
    "length, where many values wait or one has many users; and no more in a later call, or when "
    "other values have been made."
))
def test_four_times_the_graph(student):
    """lines grow as the graph does, in four kinds of graphs; 10,000 values; later calls"""
    graphs, lines = student.define(GRAPHS), {}
    for kind in ("doublings", "uneven", "there_and_back", "star"):
        for count in (184, 46):
            x, z = getattr(graphs, kind)(student.Value, count)
            lines[count] = student.count_lines(student.backward, z, limit=200_000)
            if kind == "doublings":  # where any order is right, which is asked in q3
                expect_all_the_way(x, 2**count, of=f"x.grad after {count} times z + z")
        grew = f"{lines[46]:,} lines, then {lines[184]:,} for 4 times as much"
        assert lines[184] <= 6 * lines[46], f"{kind}: {grew}"
    x, top = graphs.ladders(student.Value, 100, 100)  # any order is right here, too
    student.backward(top)
    expect_all_the_way(x, 100 * 2**100, of="x.grad below 100 ladders of 100 times z + z")
    if comes_out(student, "12LR-", calls=2):
        graphs.again(student.Value, student.backward, z, 20, 2_000)
        later = student.count_lines(student.backward, z, limit=200_000)
        assert later <= 2 * lines[46], f"{lines[46]:,} lines in the first call, {later:,} later"


@pytest.mark.question("q6", points=1, hint=(
    "Try their demo with other numbers, by hand first, and a second time."
))
def test_squared_error_of_theirs(student, rng):
    """their demo with other numbers, twice"""
    w, b, x, y = (number(rng) for _ in range(4))
    weight, bias = student.Node(w), student.Node(b)
    y_hat, target = weight * student.Node(x) + bias, student.Node(y)
    loss = (y_hat - target) * (y_hat - target)
    student.backward_they_left(loss)  # the notebook runs it too, and its shares must go
    error, weight.grad = w * x + b - y, math.inf
    for _ in range(2):
        student.mended_backward(loss)
        expect((weight.grad, bias.grad), (2 * error * x, 2 * error), of="the grads of w and b")
        expect((y_hat.grad, loss.grad), (2 * error, 1), of="the grads of y_hat and loss")


@pytest.mark.question("q6", points=1, hint=(
    "Try (a + a + b)² by hand, with a = b, too, a p p with a tiny p, and a node alone."
))
def test_their_square_of_a_sum(student, rng):
    """(a + a + b)²; equal numbers; a node alone"""
    a = number(rng)
    for b in (number(rng), a):
        x, y = student.Node(a), student.Node(b)
        total = x + x + y
        square = total * total
        total * square, total - x, y + x  # nobody asks for these
        student.mended_backward(square)
        wanted = (4 * (2 * a + b), 2 * (2 * a + b))
        expect((x.grad, y.grad), wanted, of="the grads of a and b")
    tiny = 1e-15 * a
    p = student.Node(tiny)
    student.mended_backward((x * p) * p)
    expect_digits((x.grad, p.grad), (tiny * tiny, 2 * a * tiny),
                  of=f"the grads of a and p for a p p, a = {a}, p = {tiny}")
    student.mended_backward(x)
    expect(x.grad, 1, of="the grad of a node that was made from nothing")
    numbers = [number(rng) for _ in range(3)]
    came = student.define(GRAPHS).short_lived(student.Node, student.mended_backward, numbers)
    wanted = [2 * one for one in numbers * 2 for _ in range(10)]
    expect(came, wanted, of="x.grad for x x, ten times for each x, of one x after another")


@pytest.mark.question("q6", points=1, hint=(
    "Try a value whose users are near and far, and one of them to whom the gradient 0 comes."
))
def test_their_value_used_near_and_far(student, rng):
    """users at different depths, on either side; a user whose gradient is 0"""
    a = number(rng)
    for left in (True, False):
        x = student.Node(a)
        b = x * x
        c = b * b
        student.mended_backward(b * c if left else c * b)
        expect(x.grad, 6 * a**5, of="a.grad for b · (b b), b = a a")
        b, zero = x * x, student.Node(0.0)
        nothing = (b * b) * zero
        student.mended_backward(nothing + b if left else b + nothing)
        expect((x.grad, zero.grad), (2 * a, a**4),
               of="the grads of a and t for (b b) t + b with b = a a, t = 0")
    expect_woven(student, student.Node, student.mended_backward, list(three_users()))


@pytest.mark.question("q6", points=1, hint=(
    "x + x thirty-five times: each node delivers once, by one call of each push, which gets the "
    "node's gradient, be it 0; a Node may have one input, or three. Node is theirs, and what root "
    "was not made from is left alone."
))
def test_each_of_their_nodes_delivers_once(student, rng):
    """x + x thirty-five times; pushes that note what they get, of their Node as it was"""
    x = student.Node(1.0)
    z = doubled(x, 35)
    student.count_lines(student.mended_backward, z, limit=100_000)
    expect(x.grad, 2**35, of="x.grad after thirty-five times x + x")
    longest = [("-", k - 1, k - rng.choice((2, 3))) for k in range(3, 102)]
    expect_woven(student, student.Node, student.mended_backward, [longest])
    inputs = [(), (0, 0), (1, 0), (1, 2), (0,), (3, 4, 0), (5,)]
    factors = [[number(rng) for _ in places] for places in inputs]
    factors[5][1] = 0.0  # so that the gradient of number 4 is 0
    theirs, nodes, pushes = student.define(THEIRS), [], []
    for places, numbers in zip(inputs, factors, strict=True):
        pushes.append(tuple(theirs.Push(factor) for factor in numbers))
        nodes.append(theirs.Node(0.0, tuple(nodes[i] for i in places), pushes[-1]))
    other = theirs.Node(0.0, (nodes[0],), (theirs.Push(factors[1][0]),))
    grads = shares_of(inputs, factors)
    for calls in (1, 2):
        student.mended_backward(nodes[-1])
        expect([node.grad for node in nodes], grads, of="the grads of a graph of pushes")
        student.mended_backward(other)
        wanted = [factors[1][0], *grads[1:]]
        expect([node.grad for node in nodes], wanted, of="the same grads, after another root's")
        came = [[push.given for push in of_node] for of_node in pushes]
        wanted = [[[grad] * calls] * len(of) for grad, of in zip(grads, factors, strict=True)]
        expect(came, wanted, of="what each push was called with")
