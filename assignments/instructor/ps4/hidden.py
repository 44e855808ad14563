"""The checks that grade ps4: what the visible ones ask, of other graphs and other numbers."""

import itertools
import math
import operator

import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import Handle

GRAPHS = """
def leaf(Node, name):
    return Node("placeholder", (), name=name)

def number(Node, value):
    return Node("constant", (), value=value)

def op(Node, name, *inputs):
    return Node(name, inputs)

def chain(Node, names):
    x = z = Node("placeholder", (), name="x")
    for name in names:
        z = Node(name, (z,))
    return x, z

def powers(Node, count):
    x = z = Node("placeholder", (), name="x")
    for _ in range(count):
        z = Node("mul", (z, x))
    return x, z

def forget(nodes):
    for node in nodes:
        node.inputs, node.op, node.value = (), "forgotten", None

def below(nodes):
    found, waiting = [], list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.append(node)
            waiting.extend(node.inputs)
    return found

def size(nodes):
    found, waiting = set(), list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(node.inputs)
    return len(found)

def listed(fetches, fed, limit):
    rows, places, opened = [None] * len(fed), {node: i for i, node in enumerate(fed)}, set()
    waiting = [(node, False) for node in fetches]
    while waiting and len(opened) <= limit:
        node, inputs_listed = waiting.pop()
        inputs = list(getattr(node, "inputs", ()))
        if inputs_listed:
            places[node] = len(rows)
            rows.append((getattr(node, "op", None), [places.get(x) for x in inputs],
                         getattr(node, "value", None)))
        elif node not in places and node not in opened:
            opened.add(node)
            waiting.append((node, True))
            waiting.extend((x, False) for x in inputs)
    return rows, [places.get(node) for node in fetches]

def in_a_row(needed, z):
    came = list(needed([z]))
    return len(came), all(two.inputs == (one,) for one, two in zip(came, came[1:]))

def one_by_one(Node, call, names, counts):
    return [call(*chain(Node, [name] * count)) for name, count in zip(names, counts)]

def thrown_away_runs(Node, run, names, counts):
    return one_by_one(Node, lambda x, z: run(z, {x: 0.5}), names, counts)

def thrown_away_lists(Node, needed, names, counts):
    return one_by_one(Node, lambda x, z: [node.op for node in needed([z])], names, counts)

def call_inside(f, outer, inner):
    found = []
    class Calling(float):
        def __add__(self, other):
            if not found:
                found.append(None)
                found[0] = f(inner)
            return float(self) + float(other)
    came = f(Calling(outer))
    return [float(number) for number in came], found[0]

def nodes_kept(call, nodes, *arguments):
    nodes = below(nodes)
    before = [dict(vars(node)) for node in nodes]
    call(*arguments)
    return [dict(vars(node)) for node in nodes] == before

def missing(call, *arguments):
    try:
        call(*arguments)
    except KeyError as error:
        return list(error.args)

def looks(Node, call, *arguments):
    found = []
    def inputs_of(node):
        found.append(node)
        return vars(node)["inputs"]
    def same(node, other):
        found.append(node)
        return node is other
    Node.inputs = property(inputs_of, lambda node, inputs: vars(node).update(inputs=inputs))
    Node.__eq__ = same
    try:
        call(*arguments)
    finally:
        del Node.inputs, Node.__eq__
    return len(found)

def lists_of_their_own(f, *numbers):
    found = []
    for _ in range(2):
        came = f(*numbers)
        found.append(list(came))
        came.append("of the caller")
    return found

def kept(call, *arguments):
    before = [type(one)(one) if type(one) in (list, dict) else one for one in arguments]
    call(*arguments)
    return list(arguments) == before

class Counted(float):
    calls = 0

    def __add__(self, other):
        Counted.calls += 1
        return Counted(float(self) + float(other))

    def __mul__(self, other):
        Counted.calls += 1
        return Counted(float(self) * float(other))

def counting(call, x):
    Counted.calls = 0
    found = call(Counted(x))
    return [float(number) for number in found], Counted.calls

def run_counting(run, fetches, fed, number):
    return counting(lambda number: run(fetches, {x: number for x in fed}), number)

def each(f, *calls):
    return [f(*numbers) for numbers in calls]

def with_other_lists(compiled, fetches, inputs, *numbers):
    f = compiled(fetches, inputs)
    fetches.clear()
    inputs.clear()
    return f(*numbers)
"""
COMPUTE = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "neg": operator.neg, "exp": math.exp, "log": math.log, "sin": math.sin, "cos": math.cos,
}  # fmt: skip
ARITY = {"constant": 0, "neg": 1, "exp": 1, "log": 1, "sin": 1, "cos": 1}
ARITY |= {"add": 2, "sub": 2, "mul": 2, "div": 2}


class Maker:
    """Makes nodes one by one, without the student's own functions."""

    def __init__(self, student):
        self.student, self.node = student, student.Node
        self.graphs = student.define(GRAPHS)

    def __getattr__(self, name):
        return lambda *inputs: self.graphs.op(self.node, name, *inputs)

    def leaf(self, name):
        return self.graphs.leaf(self.node, name)

    def number(self, value):
        return self.graphs.number(self.node, value)

    def doublings(self, count):
        """x, and x + x so many times, made call by call."""
        x = z = self.leaf("x")
        for _ in range(count):
            z = self.add(z, z)
        return x, z

    def slopes(self, y, xs, feeds, of, limit=300):
        """The numbers of gradients(y, xs)."""
        found = nodes(self.student.gradients(y, xs), len(xs), of=of)
        return computed(self.graphs, found, feeds, limit)


def nodes(came, count, of):
    """A list that came, once it is one of so many nodes."""
    right = type(came) in (list, tuple) and len(came) == count
    if not right or any(type(node) is not Handle for node in came):
        text = f"expected  a list of {count} nodes\ncame      {str(came):.200}"
        raise AssertionError(f"of        {of}\n{text}")
    return list(came)


def plain(value):
    """The float of a constant's value, once it is a number and not a huge one."""
    if type(value) not in (int, float) or not abs(value) < 2**64:
        raise AssertionError(f"a constant holds {str(value):.80}, no number to compute with")
    return float(value)


def computed(graphs, fetches, feeds, limit=300):
    """The numbers of nodes, computed here: the student's graph is only read, in one list, and
    nothing of it goes into a computation but ops of the table and numbers that are plain and
    small."""
    fed = list(feeds)
    rows, wanted = graphs.listed(fetches, fed, limit)
    found = [plain(value) for value in feeds.values()]
    for name, places, value in rows[len(fed):]:
        if type(name) is not str or name not in ARITY or len(places) != ARITY[name]:
            text = f"{len(places)} inputs and the op {str(name):.80}"
            raise AssertionError(f"a node has {text}, which is not in the table")
        if not all(place is not None and place < len(found) for place in places):
            raise AssertionError("the gradient's graph has a circle")
        found.append(result(name, value, [found[place] for place in places]))
    if any(place is None for place in wanted):
        raise AssertionError(f"the gradient's graph has more than {limit} nodes, or a circle")
    return [found[place] for place in wanted]


def result(name, value, numbers):
    """The number of one node."""
    if name == "constant":
        return plain(value)
    try:
        return COMPUTE[name](*numbers)
    except (ArithmeticError, ValueError) as error:
        raise AssertionError(f"{name} of {numbers} cannot be computed: {error}") from None


def expect_error(call, kind):
    """Fail unless the call raises an error of this kind."""
    try:
        call()
    except AssertionError as error:
        expect(getattr(error, "kind", ""), kind, of="the kind of error")
        return
    raise AssertionError(f"expected  {kind}, as slow_run has it\ncame      a result")


def expect_key_error(make, name, call, *arguments):
    """Fail unless the call raises KeyError(name), and nothing else."""
    came = make.graphs.missing(call, *arguments)
    expect(came, [name], of="what KeyError holds, for a placeholder that is needed and not fed",
           because="KeyError(name) holds the name alone, no sentence")


def number(rng):
    """A number that is neither near 0 nor near 1, of either sign."""
    return round(rng.uniform(1.2, 4.0) * rng.choice((-1, 1)), 3)


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1, hint=(
    "Look at op, inputs, name and value of a leaf; each call makes a new one; a name may be taken, "
    "empty or anything else, and a whole number is kept as it is."
))
def test_leaves(student, rng):
    """placeholder and constant"""
    x, a = student.placeholder("speed"), number(rng)
    expect((x.op, list(x.inputs), x.name), ("placeholder", [], "speed"), of="a placeholder")
    c = student.constant(a)
    expect((c.op, list(c.inputs), c.value), ("constant", [], a), of="a constant")
    second = student.placeholder("speed")
    expect(second == x, False, of="two placeholders of one name are one")
    expect(second.name, "speed", of="the name of the second one")
    for name in ("", " Wind Speed "):
        expect(student.placeholder(name).name, name, of=f"the name of placeholder({name!r})")
    whole = 2**60 + rng.randint(1, 99)
    for kept in (student.constant(whole), (x * whole).inputs[1]):
        expect(kept.value == whole, True, of="whether a constant of 2**60 + … is exactly that")
    expect(student.constant(a) == c, False, of="two constants of one value are one")
    for value in (0.0, 0, 1):
        zero = student.constant(value)
        expect((zero.op, zero.value), ("constant", value), of=f"constant({value})")


@pytest.mark.question("q1", points=1, hint=(
    "Which op, and which operands, does each formula have? apply takes any number of them. An op "
    "has no name and no value."
))
def test_an_op_keeps_its_operands(student):
    """every operator and function"""
    x, y = student.placeholder("x"), student.placeholder("y")
    made = {"add": x + y, "sub": x - y, "mul": x * y, "div": x / y}
    for name, z in made.items():
        expect((z.op, list(z.inputs)), (name, [x, y]), of=name)
    for of, z, inputs in (("y + x", y + x, [y, x]), ("y * x", y * x, [y, x]),
                          ("(x + y) + y", made["add"] + y, [made["add"], y])):
        expect(list(z.inputs), inputs, of=f"the inputs of {of}")
    made = {name: student[name](y) for name in ("exp", "log", "sin", "cos")}
    for name, z in {**made, "neg": -y}.items():
        expect((z.op, list(z.inputs)), (name, [y]), of=name)
    z = student.apply("mul", x, x)
    expect((z.op, list(z.inputs)), ("mul", [x, x]), of='apply("mul", x, x)')
    z = student.apply("largest", x, y, x, y)
    expect((z.op, list(z.inputs)), ("largest", [x, y, x, y]), of='apply("largest", x, y, x, y)')
    expect((x + y) == (x + y), False, of="whether two sums of x and y are one node")
    for of, z in {"x + y": x + y, "-x": -x, "exp(y)": made["exp"], "1 - x": 1.0 - x}.items():
        expect((z.name, z.value), (None, None), of=f"name and value of {of}")


@pytest.mark.question("q1", points=1, hint=(
    "Try 2 / x, x / 2, a whole number, x * 1.0 and 0 + x: each is a new node."
))
def test_a_plain_number_becomes_a_constant(student, rng):
    """numbers on either side"""
    x, a = student.placeholder("x"), number(rng)
    made = [(a / x, 0, a), (x / a, 1, a), (a - x, 0, a), (x - a, 1, a), (7 * x, 0, 7)]
    made += [(x * 1.0, 1, 1), (1 * x, 0, 1), (x + 0.0, 1, 0), (0 + x, 0, 0), (x - 0, 1, 0)]
    made += [(student.apply("add", 2, x), 0, 2)]
    for z, place, value in made:
        inputs = nodes(z.inputs, 2, of=f"the inputs of an operation of x and {value}")
        expect(inputs[1 - place] == x, True, of="the operand that is a node")
        expect((inputs[place].op, inputs[place].value), ("constant", value), of="the number")
    for name in ("exp", "log", "sin", "cos"):
        (inner,) = nodes(student[name](3).inputs, 1, of=f"the inputs of {name}(3)")
        expect((inner.op, inner.value), ("constant", 3), of=f"the number in {name}(3)")


@pytest.mark.question("q1", points=1, hint=(
    "Nothing may be computed while the graph is built; an op holds no result."
))
def test_functions_wait_too(student):
    """formulas that would go wrong"""
    zero = student.constant(0.0)
    expect((student.constant(1.0) / zero).op, "div", of="1 / 0")
    expect(student.log(zero).op, "log", of="log(0)")
    five = student.constant(2.0) + student.constant(3.0)
    expect((five.op, five.value), ("add", None), of="op and value of constant(2) + constant(3)")
    expect((-(-zero)).op, "neg", of="-(-0)")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=1, hint=(
    "Run one graph with several feeds, one after another, also with the same numbers for other "
    "nodes, or once a constant has another value; feed 0.0, a large whole number, and what is not "
    "needed; feeds go by node, not by name."
))
def test_a_formula(student, rng):
    """one graph, several runs"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    z = make.div(make.sub(make.sin(x), y), make.mul(x, make.number(3.0)))
    for _ in range(2):
        a, b = number(rng), number(rng)
        expect(student.run(z, {x: a, y: b}), (math.sin(a) - b) / (a * 3.0), of="a formula")
    expect(student.run(make.exp(make.mul(x, y)), {x: 0.0, y: b}), 1.0, of="exp(x y) at x = 0")
    same = make.leaf("x")
    difference = make.sub(x, same)
    tried = ({x: a, same: b}, a - b), ({same: a, x: b}, b - a), ({x: b, same: a}, b - a)
    for feeds, wanted in tried:
        expect(student.run(difference, feeds), wanted,
               of="a difference of two placeholders of one name, their numbers then exchanged")
    three = make.number(3.0)
    product, power = make.mul(x, three), make.exp(y)
    for value in (3.0, 4.0):
        three.value = value
        expect(student.run([product, z], {x: a, y: b, same: 1.0, power: 1.0})[0], a * value,
               of=f"3 x, the constant's value being {value}, with feeds that nobody needs")
    whole = 10**400 + rng.randint(1, 99)
    expect(student.run(make.add(x, x), {x: whole}) == 2 * whole, True,
           of="whether x + x has all digits at x = 10**400 + …")


@pytest.mark.question("q2", points=1, hint=(
    "A list of fetches gives a list in the same order; the caller's list and dict stay as they "
    "are."
))
def test_several_fetches(student, rng):
    """a list of fetches"""
    make = Maker(student)
    x, a = make.leaf("x"), abs(number(rng))
    root, minus = make.log(x), make.neg(x)
    expect(student.run([minus, root, minus, x], {x: a}), [-a, math.log(a), -a, a], of="four")
    expect(student.run([root], {x: a}), [math.log(a)], of="a list of one")
    expect(student.run(x, {x: a}), a, of="a placeholder itself")
    expect(student.run([], {x: a}), [], of="no fetches")
    five = make.number(5.0)
    expect(student.run([five, five], {}), [5.0, 5.0], of="a constant, twice")
    expect(make.graphs.kept(student.run, [minus, root, minus], {x: a}), True,
           of="whether the caller's fetches and feeds are as before")


@pytest.mark.question("q2", points=1, hint=(
    "Feed a node in the middle, and a constant, in a later run alone, too; feed 0.0; a constant "
    "may be 0.0, too. Of two nodes that were made alike, one may be fed."
))
def test_any_node_may_be_fed(student, rng):
    """ops and constants, fed"""
    make = Maker(student)
    x, three, a, b = make.leaf("x"), make.number(3.0), number(rng), number(rng)
    inner = make.exp(make.mul(x, three))
    outer = make.sub(make.div(inner, three), inner)
    expect(student.run(outer, {inner: a}), a / 3 - a, of="a node in the middle")
    expect(student.run(make.sub(x, three), {x: a, three: b}), a - b, of="a constant")
    expect(student.run([inner, outer], {inner: a, outer: b}), [a, b], of="what is fetched is fed")
    expect(student.run(outer, {inner: 0.0}), 0.0, of="a node in the middle, fed with 0")
    expect(student.run(make.sub(x, three), {x: 0, three: 0.0}), 0.0, of="everything fed with 0")
    product, zero = make.mul(three, make.number(2.0)), make.number(0.0)
    for feeds, wanted in (({}, 6.0), ({three: b}, 2.0 * b), ({}, 6.0)):
        expect(student.run(product, feeds), wanted, of=f"3 · 2, {len(feeds)} constants being fed")
    expect(student.run([make.add(x, zero), zero], {x: a}), [a, 0.0], of="x + 0, and its 0")
    alike = [make.exp(x), make.exp(x)]
    for fed, other in (alike, alike[::-1]):
        found = student.run([make.sub(*alike), other], {x: a, fed: b})
        sign = 1 if fed == alike[0] else -1
        expect(found, [sign * (b - math.exp(a)), math.exp(a)], of="exp(x) - exp(x), one being fed")


@pytest.mark.question("q2", points=1, hint="What is not needed may be wrong, or not be fed.")
def test_only_what_is_needed(student, rng):
    """parts that would go wrong"""
    make = Maker(student)
    x, unknown, a = make.leaf("x"), make.leaf("unknown"), number(rng)
    broken = make.div(unknown, make.number(0.0))
    good = make.mul(x, x)
    both = make.add(broken, good)
    expect(student.run(good, {x: a}), a * a, of="beside a broken part")
    expect(student.run(both, {x: a, broken: 1.0}), 1.0 + a * a, of="the broken part fed")


@pytest.mark.question("q2", points=1, hint=(
    "KeyError(name), and no sentence, for the placeholder that is missing; afterwards run again, "
    "with all feeds; other errors are those of slow_run: try log(-1) and exp(1000)."
))
def test_a_missing_feed(student, rng):
    """a placeholder that nobody fed"""
    make = Maker(student)
    x, width = make.leaf("x"), make.leaf("width")
    z = make.add(make.mul(x, x), make.exp(width))
    expect(student.run(z, {x: 2.0, width: 0.0}), 5.0, of="with all feeds")
    for name, fetches, feeds in (("width", z, {x: number(rng)}), ("width", width, {x: 1.0}),
                                 ("x", z, {width: 0.0}), ("width", [x, z], {x: 1.0})):
        expect_key_error(make, name, student.run, fetches, feeds)
    expect(make.graphs.missing(student.run, z, {}) in (["x"], ["width"]), True,
           of="whether KeyError holds x or width, both missing")
    expect(student.run(z, {x: 3.0, width: 0.0}), 10.0, of="with all feeds, after an error")
    named = make.leaf("width")
    expect_key_error(make, "width", student.run, make.add(named, width), {named: 1.0})
    double, power, a = make.add(x, x), make.exp(width), number(rng)
    ratio = make.div(width, x)
    for left, right in ((double, power), (power, double), (double, ratio), (ratio, double)):
        z = make.mul(left, right)
        expect_key_error(make, "width", student.run, z, {x: 2.0})
        feeds = {x: a, width: 0.0}
        wanted = 0.0 if ratio in (left, right) else 2 * a
        expect(student.run(z, feeds), wanted, of="with all feeds and another x, after an error")
    for kind, name, number_fed in (("ValueError", "log", -1.0), ("OverflowError", "exp", 1000.0)):
        root = getattr(make, name)(x)
        expect_error(lambda root=root, fed=number_fed: student.run(root, {x: fed}), kind)
    z = make.mul(double, ratio)
    for x_first in (0.0, 0):
        expect_error(lambda: student.run(z, {x: x_first, width: a}), "ZeroDivisionError")
        expect(student.run(z, {x: a, width: 3.0}), 6.0, of="2x · (width / x), after 1 / 0")


@pytest.mark.question("q2", points=1, hint=(
    "x + x forty times; two fetches that use one node, z · z of a sum z, a node that is fetched "
    "twice: compute each node once in a run, and none below a fed one."
))
def test_each_node_once(student):
    """x + x forty times; two fetches that share a node"""
    make = Maker(student)
    x, z = make.doublings(40)
    student.count_lines(student.run, z, {x: 3.0}, limit=100_000)
    expect(student.run(z, {x: 3.0}), 3.0 * 2.0**40, of="x + x forty times")
    double = make.add(x, x)
    triple, square = make.add(double, x), make.mul(double, double)
    for a in (3.0, 0.0):
        found = make.graphs.run_counting(student.run, [triple, square, double], [x], a)
        expect(found, ([3 * a, 4 * a * a, 2 * a], 3),
               of="three fetches that need x + x, and how many ops were computed")
        found = make.graphs.run_counting(student.run, [triple, double], [x, double], a)
        expect(found, ([2 * a, a], 1), of="(x + x) + x, where x + x is fed, and how many ops …")
        found = make.graphs.run_counting(student.run, [square, square], [x], a)
        expect(found, ([4 * a * a, 4 * a * a], 2),
               of="(x + x) · (x + x), fetched twice, and how many ops were computed")


@pytest.mark.question("q2", points=1, hint=(
    "No recursion: a list of the nodes that wait. A graph may be thrown away, and another one made."
))
def test_long_chains(student, rng):
    """25,000 nodes in a row; graphs that nobody keeps"""
    graphs = student.define(GRAPHS)
    x, z = graphs.chain(student.Node, ["neg"] * 25_001)
    expect(student.run(z, {x: 0.75}), -0.75, of="25,001 negations")
    names, counts, wanted = ["neg", "sin"] * 15, [rng.randint(1, 5) for _ in range(30)], []
    for name, count in zip(names, counts, strict=True):
        wanted.append(0.5)
        for _ in range(count):
            wanted[-1] = COMPUTE[name](wanted[-1])
    expect(graphs.thrown_away_runs(student.Node, student.run, names, counts), wanted,
           of="one chain after another, each thrown away")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=2, hint=(
    "Each once, and every input before its users, in whatever order they are fetched; two nodes "
    "that were made alike are two; a constant may be 0, the name of a placeholder empty, and an op "
    "any word."
))
def test_inputs_before_users(student, rng):
    """near and far users, on either side, fetched in any order"""
    make = Maker(student)
    a, two = make.leaf("a"), make.number(2.0)
    for left in (True, False):
        b = make.sin(a)
        c = make.mul(b, two)
        d = make.sub(b, c) if left else make.sub(c, b)
        unused = make.exp(d)
        came = list(student.needed([d, b]))
        expect(len(came), 4, of="how many nodes are computed")
        expect(all(node in came for node in (two, b, c, d)), True, of="whether all are there")
        expect(unused in came, False, of="whether an unused node is listed")
        places = [came.index(node) for node in (b, c, d)]
        expect(places == sorted(places) and came.index(two) < places[1], True,
               of="whether inputs stand before their users")
        for fetches in itertools.permutations((b, c, d)):
            came = list(student.needed(list(fetches)))
            places = [came.index(node) for node in (b, c, d)]
            expect(places == sorted(places) and came.index(two) < places[1], True,
                   of="whether inputs stand before their users, three nodes being fetched")
    for _ in range(3):
        expect_a_random_graph(student, make, rng)
    alike = [make.number(2.0), make.number(2.0), make.exp(a), make.exp(a)]
    came = list(student.needed([make.mul(*alike[:2]), make.sub(*alike[2:])]))
    expect([node in came for node in alike], [True] * 4,
           of="whether two constants 2 and two exp(a), which a run computes, are all there")
    zeros, unnamed = [make.number(0.0), make.number(0)], make.leaf("")
    found = make.add(make.mul(zeros[0], unnamed), zeros[1])
    came = list(student.needed([found]))
    expect([zero in came for zero in zeros], [True, True], of="whether the constants 0.0 and 0 are")
    expect((len(came), unnamed in came), (4, False),
           of="how many nodes 0.0 · x + 0 needs, and whether a placeholder without a name is one")


def expect_a_random_graph(student, make, rng):
    """Fail unless the right nodes are listed in a right order, five of any graph being fetched."""
    made, inputs = [make.leaf("x")], [()]
    for k in range(1, 13):
        inputs.append((rng.randrange(k), k - 1 - rng.randrange(min(3, k))))
        made.append(make.add(*(made[i] for i in inputs[k])))
    chosen, wanted = rng.sample(range(1, 13), 5), set()
    for k in reversed(range(1, 13)):
        if k in chosen or any(k in inputs[user] for user in wanted):
            wanted.add(k)
    came = list(student.needed([made[k] for k in chosen]))
    places = [made.index(node) if node in made else None for node in came]
    of = f"the numbers of the nodes that {chosen} need, where node k has the inputs {inputs}[k]"
    expect(sorted(places, key=str), sorted(wanted, key=str), of=of)
    early = [k for n, k in enumerate(places) if any(i and i not in places[:n] for i in inputs[k])]
    expect(early, [], of=f"nodes before their inputs in {places}: {of}")


@pytest.mark.question("q3", points=1, hint=(
    "Fed nodes, and what only they needed, are left out, and placeholders, but not what another "
    "node needs; ask twice; each list is a new one; keep the caller's lists and the nodes."
))
def test_cut_at_what_is_fed(student):
    """feeds in the middle"""
    make = Maker(student)
    a, one = make.leaf("a"), make.number(1.0)
    b = make.exp(make.mul(a, a))
    c = make.add(b, one)
    expect(list(student.needed([c], [b, a])), [one, c], of="b fed")
    expect(list(student.needed([c], [b, one])), [c], of="b and the constant fed")
    expect(list(student.needed([a])), [], of="a placeholder alone")
    expect(list(student.needed([b, b], [])), list(b.inputs) + [b], of="exp(a·a), asked for twice")
    expect(list(student.needed([c, c], [b])), [one, c], of="b fed, once more")
    expect(list(student.needed([c, b], [c])), list(b.inputs) + [b], of="c fed")
    expect(list(student.needed([c], [c])), [], of="c alone, and fed")
    expect(list(student.needed([a, c, a], [b])), [one, c], of="a fetched, too, b fed")
    expect(make.graphs.kept(student.needed, [c, b], [a, one]), True,
           of="whether the caller's two lists are as before")
    expect(make.graphs.nodes_kept(student.needed, [c, b], [c, b], [a]), True,
           of="whether the nodes have the attributes that they had")
    came = make.graphs.each(student.needed, ([c], [b]), ([c], [b, one]), ([c], [b]))
    expect([list(one) for one in came], [[one, c], [c], [one, c]],
           of="three lists, looked at afterwards")
    expect(make.graphs.lists_of_their_own(student.needed, [c], [b]), [[one, c], [one, c]],
           of="two lists, the first being changed in between")
    largest = make.largest(a, one)
    expect(list(student.needed([largest])), [one, largest], of="an op that nobody can compute")
    other = make.neg(b)
    came = list(student.needed([c, other], [c]))
    expect(came, [*b.inputs, b, other], of="needed([b + 1, -b], [b + 1]), where b is exp(a·a)")
    came = list(student.needed([make.add(c, other)], [c]))
    expect(came[:-1], [*b.inputs, b, other], of="needed([(b + 1) + -b], [b + 1])")
    broken = make.log(make.number(-1.0))
    for _ in range(2):
        expect(list(student.needed([broken])), [*broken.inputs, broken], of="log(-1), never run")


@pytest.mark.question("q3", points=1, hint=(
    "A chain of 25,000, and x + x forty times; a graph may be thrown away, and another one made."
))
def test_large_graphs(student, rng):
    """a long chain; many ways; graphs that nobody keeps"""
    make = Maker(student)
    _, z = make.graphs.chain(student.Node, ["sin"] * 25_000)
    expect(make.graphs.in_a_row(student.needed, z), (25_000, True),
           of="how long the list of a chain is, and whether each one is the next one's input")
    _, z = make.doublings(40)
    student.count_lines(student.needed, [z], limit=100_000)
    expect(len(student.needed([z])), 40, of="x + x forty times")
    names, counts = ["neg", "sin"] * 15, [rng.randint(1, 5) for _ in range(30)]
    came = make.graphs.thrown_away_lists(student.Node, student.needed, names, counts)
    wanted = [[name] * count for name, count in zip(names, counts, strict=True)]
    expect([list(ops) for ops in came], wanted,
           of="the ops of one chain after another, each thrown away")


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=2, hint=(
    "Compare each row of the table with a formula by hand, at a = 0, too."
))
def test_the_rules(student, rng):
    """one op at a time"""
    make = Maker(student)
    p, q, a, b = make.leaf("a"), make.leaf("b"), abs(number(rng)), number(rng)
    wanted = {
        "add": (1, 1), "sub": (1, -1), "mul": (b, a), "div": (1 / b, -a / b**2), "neg": (-1,),
        "exp": (math.exp(a),), "log": (1 / a,), "sin": (math.cos(a),), "cos": (-math.sin(a),),
    }  # fmt: skip
    for name, wanted_slopes in wanted.items():
        xs = [p, q][: len(wanted_slopes)]
        # the slope of 3·op: the adjoint that comes from above counts too
        z = make.mul(make.number(3.0), getattr(make, name)(*xs))
        came = make.slopes(z, xs, {p: a, q: b}, of=f"the slopes of 3 · {name}")
        expect(came, [3 * slope for slope in wanted_slopes], of=f"the slopes of 3 · {name}")
    for name, wanted_slopes in {"mul": (b, 0), "div": (1 / b, 0), "exp": (1,), "cos": (0,)}.items():
        xs = [p, q][: len(wanted_slopes)]
        came = make.slopes(getattr(make, name)(*xs), xs, {p: 0.0, q: b}, of=f"{name} at 0")
        expect(came, list(wanted_slopes), of=f"the slopes of {name} at a = 0")
    for name, slope in {"add": 2.0, "sub": 0.0, "div": 0.0}.items():
        of = f"the slope of {name}(a, a)"
        expect(make.slopes(getattr(make, name)(p, p), [p], {p: a}, of=of), [slope], of=of)
    came = make.slopes(make.mul(q, p), [q, p], {p: 0.0, q: b}, of="b · a at a = 0")
    expect(came, [0, b], of="the slopes of b · a at a = 0")


@pytest.mark.question("q4", points=1, hint=(
    "A node is complete when all its users have given; ask twice, and for one x twice: each list "
    "is a new one; look at vars(x) afterwards."
))
def test_several_uses_add_up(student, rng):
    """users near and far, on either side"""
    a = number(rng)
    make = Maker(student)
    for left in (True, False):
        x = make.leaf("x")
        b = make.mul(x, x)
        c = make.mul(b, b)
        z = make.mul(b, c) if left else make.mul(c, b)
        of = "the slopes of b·(b·b), b = x·x, by x, b and x"
        make.add(z, b)  # nobody asks for it
        for _ in range(2):
            came = make.slopes(z, [x, b, x], {x: a}, of=of)
            expect(came, [6 * a**5, 3 * a**4, 6 * a**5], of=of)
    expect(make.graphs.kept(student.gradients, z, [x, b, x]), True,
           of="whether the caller's list of xs is as before")
    expect(list(b.inputs), [x, x], of="the inputs of x·x, after gradients")
    found = make.graphs.lists_of_their_own(student.gradients, z, [x, b])
    expect([len(one) for one in found], [2, 2], of="two lists, one more being put into the first")
    expect(make.graphs.nodes_kept(student.gradients, [z], z, [x, b]), True,
           of="whether the nodes of y have the attributes that they had, after gradients")


@pytest.mark.question("q4", points=1, hint=(
    "Ask for an x that y does not use, for y itself, for a constant; in a run of the slope a "
    "constant, 0 and 1, too, and any op of y may be fed; y may be a leaf."
))
def test_no_way_from_x_to_y(student, rng):
    """no way; y itself; what only a user of y uses"""
    make = Maker(student)
    x, other, a = make.leaf("x"), make.leaf("other"), number(rng)
    y = make.sin(x)
    make.mul(y, other)
    of = "the slopes of sin(x) by another placeholder, by x and by sin(x)"
    feeds = {x: a, other: a}
    expect(make.slopes(y, [other, x, y], feeds, of=of), [0.0, math.cos(a), 1.0], of=of)
    (none,) = nodes(student.gradients(y, [other]), 1, of=of)
    expect((none.op, none.value), ("constant", 0), of="the slope of sin(x) by another placeholder")
    expect(make.slopes(x, [x, y], feeds, of="x by x, y"), [1.0, 0.0], of="a placeholder's")
    # a slope that an earlier call found is none of the next call's
    of = "the slopes of other + other by x and by other, x having had one before"
    expect(make.slopes(make.add(other, other), [x, other], feeds, of=of), [0.0, 2.0], of=of)
    three = make.number(3.0)
    of = "the slopes of 3·x by the constant and by x"
    expect(make.slopes(make.mul(three, x), [three, x], feeds, of=of), [a, 3.0], of=of)
    of = "the slopes of sin(3·x) and sin(x / 3) by x, and of that by 3, where the constant 3 is fed"
    feeds, bend = {x: a, three: -2.0}, math.cos(a / 2)
    found = [*make.slopes(make.sin(make.mul(three, x)), [x], feeds, of=of),
             *make.slopes(make.sin(make.div(x, three)), [x, three], feeds, of=of)]
    expect(found, [-2.0 * math.cos(2 * a), -bend / 2, -bend * a / 4], of=of)
    one, zero, b = make.number(1.0), make.number(0.0), number(rng)
    y = make.sin(make.add(make.mul(x, one), make.mul(zero, x)))
    of = "the slope of sin(1·x + 0·x), 1 and 0 being fed"
    expect(make.slopes(y, [x], {x: a, one: b, zero: 3.0}, of=of),
           [(b + 3.0) * math.cos((b + 3.0) * a)], of=of)
    square = make.mul(x, x)
    y, of = make.sin(square), "the slopes of sin(x·x) by x and by x·x, which is fed, too"
    expect(make.slopes(y, [x, square], {x: a, square: b}, of=of),
           [2 * a * math.cos(b), math.cos(b)], of=of)


@pytest.mark.question("q4", points=1, hint="The slope of sin(x) is the node cos(x).")
def test_a_gradient_of_a_gradient(student, rng):
    """sin, exp, 1 / x and log, twice"""
    a = abs(number(rng))
    wanted = {"sin": -math.sin(a), "exp": math.exp(a), "log": -1 / a**2, "inverse": 2 / a**3}
    make = Maker(student)
    for name, bend in wanted.items():
        x = make.leaf("x")
        y = make.div(make.number(1.0), x) if name == "inverse" else getattr(make, name)(x)
        of = f"the second derivative of {name}"
        (slope,) = nodes(student.gradients(y, [x]), 1, of=of)
        expect(make.slopes(slope, [x], {x: a}, of=of, limit=2000), [bend], of=of)


@pytest.mark.question("q4", points=1, hint=(
    "x + x forty times: each node passes on once. 1,501 in a row: no recursion. x to the power of "
    "501: no way through all nodes, nor all shares, for each one. Forty xs: one way back for all."
))
def test_shared_nodes_are_passed_once(student, rng):
    """x + x forty times; a long chain; many xs"""
    make = Maker(student)
    x, z = make.doublings(40)
    student.count_lines(student.gradients, z, [x], limit=100_000)
    of = "the slope of x + x forty times"
    expect(make.slopes(z, [x], {x: 1.0}, of=of, limit=500), [2.0**40], of=of)
    x, z = make.graphs.chain(student.Node, ["neg"] * 1_501)
    of = "the slope of 1,501 negations"
    expect(make.slopes(z, [x], {x: 1.0}, of=of, limit=20_000), [-1.0], of=of)
    x, z = make.graphs.powers(student.Node, 500)  # a search for each takes 125,000 steps
    student.count_lines(student.gradients, z, [x], limit=500 * 100)
    count = make.graphs.looks(student.Node, student.gradients, z, [x])
    assert count < 500 * 50, f"{count:,} looks at nodes, a few for each of 500 expected"
    xs = [make.leaf(f"x{i}") for i in range(40)]
    z = xs[0]
    for x in xs[1:]:
        z = make.mul(make.neg(z), x)
    found = nodes(student.gradients(z, xs), 40, of="the slopes of a product by its 40 factors")
    count, of = make.graphs.size([z, *found]), "a product of 40 factors with its 40 slopes"
    assert count <= 118 * 11, f"expected  some 400 nodes\ncame      {count:,} nodes: {of}"
    feeds, chosen = {x: rng.choice((-1.0, 1.0)) for x in xs}, rng.randrange(40)
    wanted = -math.prod(feeds.values()) / feeds[xs[chosen]]  # 39 signs
    came = computed(make.graphs, [found[chosen]], feeds, limit=1300)
    expect(came, [wanted], of="one slope of the product")


# q5 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q5", points=1, hint=(
    "Several inputs, several fetches, several calls, each with a list of its own, and one inside "
    "another; no inputs, or one that nobody needs; try 0.0, also where it is an error; constants "
    "may be inf, nan, whole or below 0, or another number at the next compiled."
))
def test_a_function_of_numbers(student, rng):
    """inputs and fetches in any order"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    ratio, two = make.div(x, y), make.number(2.0)
    f = student.compiled([make.cos(ratio), two, y, ratio], [y, x])
    for _ in range(2):
        a, b = number(rng), number(rng)
        expect(f(b, a), [math.cos(a / b), 2.0, b, a / b], of="four fetches of x / y")
    expect(f(b, 0.0), [1.0, 2.0, b, 0.0], of="four fetches of x / y, x being 0")
    g = student.compiled([make.sub(ratio, two), two], [two, ratio])
    expect(g(a, b), [b - a, a], of="x / y - 2, where x / y and the constant 2 are the inputs")
    expect(g(0.0, 0.0), [0.0, 0.0], of="the same, both being 0")
    for kind, numbers in (("ZeroDivisionError", (0.0, a)), ("ValueError", (b, math.inf))):
        expect_error(lambda numbers=numbers: f(*numbers), kind)
    expect(f(b, a), [math.cos(a / b), 2.0, b, a / b], of="four fetches of x / y, after an error")
    expect(student.compiled([two, two], [])(), [2.0, 2.0], of="a constant, twice, with no inputs")
    expect(student.compiled([y], [x, y])(a, b), [b], of="y, where x and y are the inputs")
    changed = make.number(3.0)
    for changed_to in (3.0, 4.0):
        changed.value = changed_to
        expect(student.compiled([changed], [x])(a), [changed_to], of="a constant of another value")
    same = make.leaf("x")
    h = student.compiled([make.sub(x, same), x, x], [x, same])
    expect(h(a, b), [a - b, a, a], of="a difference of two placeholders of one name, and x twice")
    turned = student.compiled([make.sub(x, same), x, x], [same, x])
    expect(turned(a, b), [b - a, b, b], of="the same, the inputs being listed the other way round")
    square = student.compiled([make.mul(x, x)], [x])
    expect(make.graphs.each(square, [a], [b], [0.0]), [[a * a], [b * b], [0.0]],
           of="three results of one f, looked at afterwards")
    expect(make.graphs.lists_of_their_own(square, a), [[a * a], [a * a]],
           of="two results of one f(a), the first list being changed in between")
    more = student.compiled([make.add(x, two), x], [x])
    expect(make.graphs.call_inside(more, a, b), ([a + 2.0, a], [b + 2.0, b]),
           of="f(a), and f(b), which the first sum of f(a) calls; f gives x + 2 and x")
    odd = [math.inf, -math.inf, -2.5, -0.0, math.nan, 10**30]
    made = [make.number(value) for value in odd]
    f = student.compiled([*(make.sub(x, one) for one in made), *made], [x])
    expect(f(a), [*(a - value for value in odd), *odd], of=f"x - c and c, where c is one of {odd}")


@pytest.mark.question("q5", points=1, hint=(
    "After `compiled`, nobody looks at the graph again, nor at the two lists."
))
def test_the_graph_may_go(student, rng):
    """after compiling, the nodes forget"""
    make = Maker(student)
    x, a = make.leaf("x"), number(rng)
    half = make.number(0.5)
    steps = [make.mul(x, half)]
    for name in ("sin", "neg", "exp"):
        steps.append(getattr(make, name)(steps[-1]))
    f = student.compiled([steps[-1], steps[1]], [x])
    make.graphs.forget([*steps, half])
    wanted = math.sin(a * 0.5)
    expect(f(a), [math.exp(-wanted), wanted], of="exp(-sin(x / 2)) and sin(x / 2)")
    y, z = make.leaf("y"), make.leaf("z")
    found = make.graphs.with_other_lists(student.compiled, [make.sub(y, z), y], [y, z], a, 2.0)
    expect(found, [a - 2.0, a], of="y - z and y, the two lists emptied after compiled")
    expect(make.graphs.kept(student.compiled, [y, z], [z, y]), True,
           of="whether the caller's two lists are as before")


@pytest.mark.question("q5", points=1, hint=(
    "KeyError(name) from compiled, and no sentence, also where an input has the same name; other "
    "errors from f, of constants alone, too; an op may be an input, beside another made alike."
))
def test_what_is_missing_is_told_at_once(student, rng):
    """placeholders that are no inputs; ops that are; errors that wait"""
    make = Maker(student)
    x, depth, a, b = make.leaf("x"), make.leaf("depth"), number(rng), number(rng)
    middle = make.exp(depth)
    z = make.div(middle, x)
    expect_key_error(make, "depth", student.compiled, [x, z], [x])
    expect_key_error(make, "depth", student.compiled, [depth], [x])
    same = make.leaf("x")
    expect_key_error(make, "x", student.compiled, [make.sub(x, same)], [x])
    alike = [make.exp(x), make.exp(x)]
    expect(student.compiled([make.sub(*alike), *alike], [alike[1], x])(a, 0.0), [1.0 - a, 1.0, a],
           of="exp(x) - exp(x) and both, x = 0 and the second exp(x) being the inputs")
    expect(student.compiled([z], [middle, x])(a, b), [a / b], of="an op as an input")
    expect(student.compiled([z, middle], [middle, x])(0.0, b), [0.0, 0.0],
           of="an op as an input, being 0")
    minus, large, zero = make.number(-1.0), make.number(1000.0), make.number(0.0)
    for kind, broken in (("ValueError", make.log(minus)), ("OverflowError", make.exp(large)),
                         ("ZeroDivisionError", make.div(minus, zero))):
        expect_error(student.compiled([minus, broken], []), kind)
        expect(student.compiled([make.sub(x, broken)], [x, broken])(a, b), [a - b],
               of="x - c, where x and c are the inputs, and c could not be computed")


@pytest.mark.question("q5", points=1, hint=(
    "25,000 in a row; x + x forty times; a node that two fetches use. f has a few lines for each "
    "step: it does not look for its way."
))
def test_long_programs(student):
    """a long chain; many ways; a node that two fetches need"""
    make = Maker(student)
    x, z = make.graphs.chain(student.Node, ["neg"] * 25_001)
    expect(student.compiled([z], [x])(1.25), [-1.25], of="25,001 negations")
    x, z = make.doublings(40)
    f = student.compiled([z], [x])
    student.count_lines(f, 1.0, limit=100_000)
    expect(f(3.0), [3.0 * 2.0**40], of="x + x forty times")
    y, z = make.graphs.chain(student.Node, ["neg", "sin"] * 200)
    student.count_lines(student.compiled([z], [y]), 1.0, limit=400 * 14)  # a plan takes 6
    double = make.add(x, x)
    f = student.compiled([make.add(double, x), make.mul(double, double), double], [x])
    expect(make.graphs.counting(f, 3.0), ([9.0, 36.0, 6.0], 3),
           of="three fetches that need x + x, and how many ops were computed")
