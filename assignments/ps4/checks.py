"""The visible checks of ps4: pytest functions over `student`, which answers for your code."""

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

def forget(nodes):
    for node in nodes:
        node.inputs, node.op = (), "forgotten"

def kept(call, *arguments):
    before = [type(one)(one) if type(one) in (list, dict) else one for one in arguments]
    call(*arguments)
    return list(arguments) == before

def each(f, *calls):
    return [f(*numbers) for numbers in calls]
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
        self.graphs, self.node = student.define(GRAPHS), student.Node

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


def operands(node):
    """The inputs of a node, once its op is known and has so many."""
    name, inputs = node.op, node.inputs
    if type(name) is not str or name not in ARITY:
        raise AssertionError(f"a node has the op {str(name):.80}, which is not in the table")
    return nodes(inputs, ARITY[name], of=f"the inputs of a node with the op {name}")


def computed(fetch, feeds, limit=300):
    """The number of a node, computed here: the student's graph is only read, and nothing of it
    goes into a computation but ops of the table and numbers that are plain and small."""
    found, waiting, opened = {node: plain(value) for node, value in feeds.items()}, [fetch], {}
    while waiting:
        here = waiting[-1]
        if here in found:
            waiting.pop()
            continue
        again = here in opened
        if not again:
            opened[here] = operands(here)
        lacking = [x for x in opened[here] if x not in found]
        if len(opened) > limit or (lacking and again):
            raise AssertionError(f"the gradient's graph has more than {limit} nodes, or a circle")
        waiting.extend(lacking)
        if not lacking:
            found[here] = result(here, [found[x] for x in opened[here]])
    return found[fetch]


def result(node, numbers):
    """The number of one node."""
    name = node.op
    if name == "constant":
        return plain(node.value)
    try:
        return COMPUTE[name](*numbers)
    except (ArithmeticError, ValueError) as error:
        raise AssertionError(f"{name} of {numbers} cannot be computed: {error}") from None


def slopes(student, y, xs, feeds, of, limit=300):
    """The numbers of gradients(y, xs)."""
    found = nodes(student.gradients(y, xs), len(xs), of=of)
    return [computed(node, feeds, limit) for node in found]


def expect_key_error(call, name):
    """Fail unless the call raises KeyError with this name."""
    try:
        call()
    except AssertionError as error:
        came = (getattr(error, "kind", ""), name in str(error))
        expect(came, ("KeyError", True), of=f"the kind of error, and whether it names {name!r}")
        return
    raise AssertionError(f"expected  KeyError: {name!r}, a placeholder that nobody fed\n"
                         "came      a result")


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1)
def test_leaves(student):
    """placeholder and constant"""
    x, c = student.placeholder("x"), student.constant(2.5)
    expect((x.op, len(x.inputs), x.name), ("placeholder", 0, "x"), of='placeholder("x")')
    expect((c.op, len(c.inputs), c.value), ("constant", 0, 2.5), of="constant(2.5)")
    expect(student.placeholder("x") == x, False, "each call makes a new node",
           of="whether two placeholders of one name are one node")


@pytest.mark.question("q1", points=1)
def test_an_op_keeps_its_operands(student):
    """x − y"""
    x, y = student.placeholder("x"), student.placeholder("y")
    z = x - y
    expect(z.op, "sub", of="(x - y).op")
    expect(list(z.inputs), [x, y], "the operands themselves, in their order",
           of="(x - y).inputs")


@pytest.mark.question("q1", points=1)
def test_a_plain_number_becomes_a_constant(student):
    """1 − x"""
    x = student.placeholder("x")
    one, second = nodes((1.0 - x).inputs, 2, of="the inputs of 1.0 - x")
    expect(second == x, True, of="whether x is the second input of 1.0 - x")
    expect((one.op, one.value), ("constant", 1.0), of="the first input of 1.0 - x")
    expect((x * 1).op, "mul", "an operation makes a new node, also with 1", of="the op of x * 1")


@pytest.mark.question("q1", points=1)
def test_functions_wait_too(student):
    """log of a negative constant"""
    z = student.log(student.constant(-1.0))
    expect(z.op, "log", "nothing is computed yet, so nothing can go wrong",
           of="the op of log(constant(-1.0))")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=1)
def test_a_formula(student):
    """(x − 2) / x at 4 and at 8"""
    make = Maker(student)
    x = make.leaf("x")
    z = make.div(make.sub(x, make.number(2.0)), x)
    expect(student.run(z, {x: 4.0}), 0.5, of="(x - 2) / x at 4")
    expect(student.run(z, {x: 8.0}), 0.75, "the run before is forgotten", of="(x - 2) / x at 8")


@pytest.mark.question("q2", points=1)
def test_several_fetches(student):
    """a list of fetches, one of them twice"""
    make = Maker(student)
    x = make.leaf("x")
    minus, power = make.neg(x), make.exp(x)
    expect(student.run([power, minus, x, minus], {x: 0.0}), [1.0, 0.0, 0.0, 0.0],
           of="run([exp(x), -x, x, -x], {x: 0})")
    expect(student.run([minus], {x: 2.0}), [-2.0], "one node in a list gives a list of one",
           of="run([-x], {x: 2})")
    expect(make.graphs.kept(student.run, [minus, power], {x: 2.0}), True,
           "results go into a dict of your own", of="whether fetches and feeds are as before")


@pytest.mark.question("q2", points=1)
def test_any_node_may_be_fed(student):
    """an op and a constant, fed"""
    make = Maker(student)
    x, two = make.leaf("x"), make.number(2.0)
    inner = make.mul(x, two)
    outer = make.add(inner, two)
    expect(student.run(outer, {inner: 10.0}), 12.0,
           "a fed node is not computed: then x is not needed", of="run(x·2 + 2, {x·2: 10})")
    expect(student.run(outer, {x: 3.0, two: 5.0}), 20.0, "feeds come before everything",
           of="run(x·2 + 2, {x: 3, 2: 5})")
    expect(student.run(outer, {inner: 0.0}), 2.0, "0.0 is a number like any other",
           of="run(x·2 + 2, {x·2: 0})")


@pytest.mark.question("q2", points=1)
def test_only_what_is_needed(student):
    """log(−1) stands in the graph, and is not needed"""
    make = Maker(student)
    x = make.leaf("x")
    good, bad = make.add(x, x), make.log(make.number(-1.0))
    make.mul(good, bad)
    mixed = make.add(bad, good)
    expect(student.run(good, {x: 1.0}), 2.0, of="run(x + x)")
    expect(student.run(mixed, {x: 1.0, bad: 5.0}), 7.0, of="run(log(-1) + (x + x)), log(-1) fed")


@pytest.mark.question("q2", points=1)
def test_a_missing_feed(student):
    """a placeholder that nobody fed"""
    make = Maker(student)
    x, rate = make.leaf("x"), make.leaf("rate")
    z = make.mul(x, rate)
    expect_key_error(lambda: student.run(z, {x: 1.0}), "rate")


@pytest.mark.question("q2", points=1)
def test_each_node_once(student):
    """x + x thirty times: 31 nodes, 2³⁰ ways"""
    x, z = Maker(student).doublings(30)
    student.count_lines(student.run, z, {x: 1.0}, limit=100_000)
    expect(student.run(z, {x: 1.0}), 2.0**30, of="x + x thirty times at 1")


@pytest.mark.question("q2", points=1)
def test_long_chains(student):
    """20,000 negations"""
    x, z = student.define(GRAPHS).chain(student.Node, ["neg"] * 20_000)
    expect(student.run(z, {x: 1.5}), 1.5, "recursion: keep the waiting nodes in a list",
           of="20,000 times -x at 1.5")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=2)
def test_inputs_before_users(student):
    """c = b·b + 1, b = exp(a)"""
    make = Maker(student)
    a, one = make.leaf("a"), make.number(1.0)
    b = make.exp(a)
    square = make.mul(b, b)
    c = make.add(square, one)
    came = list(student.needed([c]))
    expect(len(came), 4, "exp, mul, the constant, add; no placeholder, and each once",
           of="how many nodes needed([b·b + 1]) lists")
    expect(all(node in came for node in (b, square, one, c)), True, of="whether all are there")
    expect(came.index(b) < came.index(square) < came.index(c), True,
           of="whether b stands before b·b, and b·b before the sum")


@pytest.mark.question("q3", points=1)
def test_cut_at_what_is_fed(student):
    """b is fed"""
    make = Maker(student)
    a = make.leaf("a")
    b = make.exp(a)
    c = make.mul(b, b)
    expect(list(student.needed([c], [b])), [c], of="needed([b·b], [b])")
    expect(list(student.needed([b, c], [b, c])), [], of="needed([b, b·b], [b, b·b])")
    expect(list(student.needed([c, c], [b])), [c], "each once", of="needed([b·b, b·b], [b])")


@pytest.mark.question("q3", points=1)
def test_large_graphs(student):
    """a long chain, and a graph with many ways"""
    make = Maker(student)
    _, z = make.graphs.chain(student.Node, ["neg"] * 20_000)
    expect(len(student.needed([z])), 20_000, of="how many of 20,000 negations are needed")
    _, z = make.doublings(30)
    student.count_lines(student.needed, [z], limit=100_000)


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=2)
def test_the_rules(student):
    """one op at a time, at a = 3, b = 2"""
    make = Maker(student)
    a, b = make.leaf("a"), make.leaf("b")
    feeds = {a: 3.0, b: 2.0}
    wanted = {
        "add": (1, 1), "sub": (1, -1), "mul": (2, 3), "div": (1 / 2, -3 / 4), "neg": (-1,),
        "exp": (math.exp(3),), "log": (1 / 3,), "sin": (math.cos(3),), "cos": (-math.sin(3),),
    }  # fmt: skip
    for name, wanted_slopes in wanted.items():
        xs, of = [a, b][: len(wanted_slopes)], f"the slopes of {name} at a = 3, b = 2"
        came = slopes(student, getattr(make, name)(*xs), xs, feeds, of=of)
        expect(tuple(came), wanted_slopes, of=of)


@pytest.mark.question("q4", points=1)
def test_several_uses_add_up(student):
    """z = x·x + x, and an x that is an op"""
    make = Maker(student)
    x = make.leaf("x")
    of = "∂(x·x + x)/∂x at 3"
    came = slopes(student, make.add(make.mul(x, x), x), [x], {x: 3.0}, of=of)
    expect(came, [7.0], "6 comes when the last use replaces the others", of=of)
    inner, of = make.mul(x, x), "∂(u·x)/∂u for u = x·x, at x = 3"
    expect(slopes(student, make.mul(inner, x), [inner], {x: 3.0}, of=of), [3.0], of=of)


@pytest.mark.question("q4", points=1)
def test_no_way_from_x_to_y(student):
    """an x that y does not depend on; y itself"""
    make = Maker(student)
    x, other = make.leaf("x"), make.leaf("other")
    y = make.exp(x)
    of = "the slopes of y by another placeholder, by y, and by x"
    expect(slopes(student, y, [other, y, x], {x: 0.0}, of=of), [0.0, 1.0, 1.0], of=of)
    of = "the slopes of another placeholder by itself and by x, called after that"
    expect(slopes(student, other, [other, x], {x: 0.0}, of=of), [1.0, 0.0], of=of)


@pytest.mark.question("q4", points=1)
def test_a_gradient_of_a_gradient(student):
    """x³ at 2: 12, then 12, then 6"""
    make = Maker(student)
    x = make.leaf("x")
    node, came = make.mul(make.mul(x, x), x), []
    for _ in range(3):
        (node,) = nodes(student.gradients(node, [x]), 1, of="a gradient by one x")
        came.append(computed(node, {x: 2.0}, limit=6000))
    expect(came, [12.0, 12.0, 6.0], "a slope that is a number has no slope",
           of="the first three derivatives of x·x·x at 2")


@pytest.mark.question("q4", points=1)
def test_shared_nodes_are_passed_once(student):
    """x + x thirty times: each node passes on once"""
    x, z = Maker(student).doublings(30)
    student.count_lines(student.gradients, z, [x], limit=100_000)
    of = "the slope of x + x thirty times"
    expect(slopes(student, z, [x], {x: 1.0}, of=of, limit=400), [2.0**30], of=of)


# q5 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q5", points=1)
def test_a_function_of_numbers(student):
    """two inputs, two fetches"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    product, five = make.mul(x, y), make.number(5.0)
    f = student.compiled([make.sub(product, five), x], [y, x])
    expect(f(2.0, 4.0), [3.0, 4.0], "the inputs in the order of the list",
           of="compiled([x·y - 5, x], [y, x])(2, 4)")
    expect(f(0.0, 1.0), [-5.0, 1.0], "the call before is forgotten", of="… then (0, 1)")
    expect(make.graphs.each(f, (2.0, 4.0), (0.0, 1.0)), [[3.0, 4.0], [-5.0, 1.0]],
           "each call returns a list of its own", of="two results, looked at afterwards")


@pytest.mark.question("q5", points=1)
def test_the_graph_may_go(student):
    """after compiling, the nodes forget their inputs"""
    make = Maker(student)
    x = make.leaf("x")
    half = make.div(x, make.number(2.0))
    z = make.exp(make.neg(half))
    f = student.compiled([z], [x])
    make.graphs.forget([half, z])
    expect(f(0.0), [1.0], "f looks at the graph again", of="exp(-x/2) at 0, the graph gone")


@pytest.mark.question("q5", points=1)
def test_what_is_missing_is_told_at_once(student):
    """a placeholder that is no input; an op that is one"""
    make = Maker(student)
    x, rate = make.leaf("x"), make.leaf("rate")
    step = make.mul(rate, x)
    z = make.sub(x, step)
    expect_key_error(lambda: student.compiled([z], [x]), "rate")
    expect(student.compiled([z], [x, step])(5.0, 3.0), [2.0], of="compiled([x - s], [x, s])(5, 3)")
    expect(student.compiled([z], [x, step])(5.0, 0.0), [5.0], of="compiled([x - s], [x, s])(5, 0)")


@pytest.mark.question("q5", points=1)
def test_long_programs(student):
    """20,000 negations; x + x thirty times"""
    make = Maker(student)
    x, z = make.graphs.chain(student.Node, ["neg"] * 20_000)
    expect(student.compiled([z], [x])(2.5), [2.5], of="20,000 times -x at 2.5")
    x, z = make.doublings(30)
    f = student.compiled([z], [x])
    student.count_lines(f, 1.0, limit=100_000)
    expect(f(1.0), [2.0**30], of="x + x thirty times at 1")
