"""The visible checks of ps4: pytest functions over `student`, which answers for your code."""

import math
import operator

import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import Handle, during

NESTED = "It calls itself for each node, so that a long chain is too deep (rule 4)."
GRAPHS = """
def leaf(Node, name):
    return Node("placeholder", (), name=name)

def number(Node, value):
    return Node("constant", (), value=value)

def op(Node, name, *inputs):
    return Node(name, inputs)

def chain(Node, op, count):
    x = z = Node("placeholder", (), name="x")
    for _ in range(count):
        z = Node(op, (z,))
    return x, z

def change(node):
    node.op, node.inputs = "sin", node.inputs[::-1]
    node.value = node.value and node.value + 1.0

def after(call, *arguments):
    call(*arguments)
    return [list(one.items()) if type(one) is dict else one for one in arguments]

def arguments_of_key_error(call, *arguments):
    try:
        call(*arguments)
    except KeyError as error:
        return list(error.args)

def each(f, *calls):
    return [f(*numbers) for numbers in calls]

def counted(Node, work):
    table, counts = Node.__init__.__globals__["COMPUTE"], {}
    kept = dict(table)
    def counter(name):
        def compute(*numbers):
            counts[name] = counts.get(name, 0) + 1
            return kept[name](*numbers)
        return compute
    table.update({name: counter(name) for name in kept})
    try:
        return work(), counts
    finally:
        table.update(kept)

def counted_run(Node, run, fetches, feeds):
    return counted(Node, lambda: run(fetches, feeds))

def counted_call(Node, compiled, fetches, inputs, *numbers):
    return counted(Node, lambda: compiled(fetches, inputs)(*numbers))
"""
COMPUTE = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "neg": operator.neg, "exp": math.exp, "log": math.log, "sin": math.sin, "cos": math.cos,
}  # fmt: skip
ARITY = {"constant": 0} | dict.fromkeys(("neg", "exp", "log", "sin", "cos"), 1)
ARITY |= dict.fromkeys(("add", "sub", "mul", "div"), 2)
NO_ERROR = "no KeyError was raised: a placeholder that is needed and not fed must be told"
NAME_ALONE = "KeyError holds the name of the placeholder, and nothing else"


class Maker:
    """Makes nodes one by one, without the student's own functions."""

    def __init__(self, student):
        self.student, self.graphs, self.node = student, student.define(GRAPHS), student.Node

    def __getattr__(self, name):
        return lambda *inputs: self.graphs.op(self.node, name, *inputs)

    def leaf(self, name):
        return self.graphs.leaf(self.node, name)

    def number(self, value):
        return self.graphs.number(self.node, value)

    def doublings(self, count):
        """x, and x + x so many times."""
        x = z = self.leaf("x")
        for _ in range(count):
            z = self.add(z, z)
        return x, z

    def derivatives(self, y, xs, feeds, of, *fed, limit=300):
        """The numbers of gradients(y, xs), or of gradients(y, xs, fed)."""
        found = nodes(self.student.gradients(y, xs, *fed), len(xs), of=of)
        return [computed(node, feeds, limit) for node in found]


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
        raise AssertionError(f"a constant holds {str(value):.80}, which is not an ordinary number")
    return float(value)


def operands(node):
    """The inputs of a node, once its op is known and has so many."""
    name, inputs = node.op, node.inputs
    if type(name) is not str or name not in ARITY:
        raise AssertionError(f"the derivative needs a node with the op {str(name):.80}, which "
                             "cannot be computed from what is fed")
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
            raise AssertionError(f"the gradient's graph has more than {limit} nodes, or a cycle")
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


def expect_key_error(student, name, of, call, *arguments):
    """Fail unless the call raises KeyError(name)."""
    came = student.define(GRAPHS).arguments_of_key_error(call, *arguments)
    expect(came, [name], NAME_ALONE, of=f"what KeyError holds, {of}", mistakes=[(None, NO_ERROR)])


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=2, core=True)
def test_makers(student):
    """x − y, 1 − x, and log of a negative constant"""
    x, y = student.placeholder("x"), student.placeholder("y")
    z = x - y
    expect(z.op, "sub", of="(x - y).op")
    expect(list(z.inputs), [x, y], "the inputs are the operands themselves, in their order",
           of="(x - y).inputs")
    one, second = nodes((1.0 - x).inputs, 2, of="the inputs of 1.0 - x")
    expect(second == x, True, "the order of the operands counts",
           of="whether x is the second input of 1.0 - x")
    expect((one.op, one.value), ("constant", 1.0), "a number becomes a constant",
           of="the first input of 1.0 - x")
    expect(student.log(student.constant(-1.0)).op, "log", "nothing is computed yet",
           of="the op of log(constant(-1.0))")
    (three,) = nodes(student.exp(3).inputs, 1, of="the inputs of exp(3)")
    expect((three.op, three.value), ("constant", 3), "a number becomes a constant",
           of="the input of exp(3)")


@pytest.mark.question("q1", points=0.5)
def test_leaves(student):
    """placeholder and constant"""
    x, c = student.placeholder("x"), student.constant(2.5)
    expect((x.op, len(x.inputs), x.name), ("placeholder", 0, "x"), of='placeholder("x")')
    expect((c.op, len(c.inputs), c.value), ("constant", 0, 2.5), of="constant(2.5)")


@pytest.mark.question("q1", points=0.5, corner=True)
def test_each_call_makes_a_new_node(student):
    """x * 1, and the same call twice"""
    x = student.placeholder("x")
    expect((x * 1).op, "mul", "each call makes a new node, also with 1 (rule 1)", of="(x * 1).op")
    expect(student.placeholder("x") == x, False, "each call makes a new node (rule 1)",
           of="whether two placeholders with the same name are one node")
    expect(student.constant(2.0) == student.constant(2.0), False,
           "each call makes a new node (rule 1)", of="whether two constants of 2.0 are one node")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=2, core=True)
def test_a_run_computes_what_is_needed(student):
    """a formula, several fetches, feeds in the middle"""
    make = Maker(student)
    x, two = make.leaf("x"), make.number(2.0)
    z = make.div(make.sub(x, two), x)
    expect(student.run(z, {x: 4.0}), 0.5, of="(x - 2) / x at 4")
    expect(student.run(z, {x: 8.0}), 0.75, "it uses the results of the run before",
           of="(x - 2) / x at 8")
    double = make.mul(x, two)
    outer = make.add(double, two)
    expect(student.run([outer, x, double], {x: 3.0}), [8.0, 3.0, 6.0],
           "the results come in the order of the fetches", of="run([2x + 2, x, 2x], {x: 3})")
    expect(student.run(outer, {double: 10.0}), 12.0,
           "a fed node is not computed, so x is not needed", of="run(2x + 2, {2x: 10})")
    expect(student.run(outer, {x: 3.0, two: 5.0}), 20.0, "a constant may be fed, too",
           of="run(2x + 2, {x: 3, 2: 5})")
    a, one = make.leaf("a"), make.number(1.0)
    b = make.exp(a)
    square = make.mul(b, b)
    c = make.add(square, one)
    came = list(student.needed([c]))
    expect([*(came.count(node) for node in (b, square, one, c)), len(came)], [1, 1, 1, 1, 4],
           "exp, mul, the constant and add are listed, each once, and no placeholder",
           of="how often needed([b * b + 1]) lists each node, and how many it lists")
    expect(came.index(b) < came.index(square) < came.index(c), True,
           "an input is listed before its users",
           of="whether b comes before b * b, and b * b before the sum")
    cube = make.mul(b, square)
    came = list(student.needed([cube]))
    places = [came.index(node) if node in came else None for node in (b, square, cube)]
    expect(places, [0, 1, 2], "an input is listed before its users",
           of="the places of b, b * b and b * (b * b) in needed([b * (b * b)])")
    expect(list(student.needed([square], [b])), [square], "what only a fed node uses is pruned",
           of="needed([b * b], [b])")
    expect(b in list(student.needed([c], [square])), False, "what only a fed node uses is pruned",
           of="whether needed([b * b + 1], [b * b]) lists b")


@pytest.mark.question("q2", points=0.5)
def test_each_node_once(student):
    """exp(x) used twice and fetched, and x + x thirty times"""
    make = Maker(student)
    x = make.leaf("x")
    power = make.exp(x)
    square = make.mul(power, power)
    came, counts = make.graphs.counted_run(make.node, student.run, [square, power], {x: 0.0})
    expect(came, [1.0, 1.0], of="run([b * b, b], {x: 0}), b = exp(x)")
    expect(counts.get("exp", 0) <= 1, True, "a run computes each node once (rule 5)",
           of="whether run([b * b, b], {x: 0}) computes b once")
    x, z = make.doublings(30)
    student.count_lines(student.run, z, {x: 1.0}, limit=100_000)
    expect(student.run(z, {x: 1.0}), 2.0**30, of="x + x thirty times at 1")


@pytest.mark.question("q2", points=0.5)
def test_long_chains(student):
    """20,000 negations"""
    x, z = student.define(GRAPHS).chain(student.Node, "neg", 20_000)
    with during("20,000 negations", because=NESTED):
        came = student.without_recursion(student.run, z, {x: 1.5})
        nodes = student.without_recursion(student.needed, [z])
    expect(came, 1.5, of="20,000 times -x at 1.5")
    expect(len(nodes), 20_000, of="how many of 20,000 negations are needed")


@pytest.mark.question("q2", points=0.5, corner=True)
def test_edges_of_runs(student):
    """zeros, a missing feed, the caller's list and dict"""
    make = Maker(student)
    x, rate = make.leaf("x"), make.leaf("rate")
    double = make.add(x, x)
    z = make.mul(double, rate)
    expect(student.run(z, {double: 0.0, rate: 3.0}), 0.0, "0 is a number like any other (rule 3)",
           of="run(2x * rate, {2x: 0, rate: 3})")
    expect_key_error(student, "rate", "where rate is not fed", student.run, z, {x: 1.0})
    expect(make.graphs.after(student.run, [double, x], {x: 2.0}), [[double, x], [(x, 2.0)]],
           "run changes a list or dict of the caller (rule 2)", of="the arguments, after the run")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=6, core=True)
def test_the_derivatives(student):
    """one op at a time, at a = 3 and b = 2; nodes with several uses"""
    make = Maker(student)
    a, b = make.leaf("a"), make.leaf("b")
    feeds = {a: 3.0, b: 2.0}
    wanted = {
        "add": (1, 1), "sub": (1, -1), "mul": (2, 3), "div": (1 / 2, -3 / 4), "neg": (-1,),
        "exp": (math.exp(3),), "log": (1 / 3,), "sin": (math.cos(3),), "cos": (-math.sin(3),),
    }  # fmt: skip
    for name, derivatives in wanted.items():
        xs, of = [a, b][: len(derivatives)], f"the derivatives of {name} at a = 3, b = 2"
        came = make.derivatives(getattr(make, name)(*xs), xs, feeds, of)
        expect(tuple(came), derivatives, of=of)
    of = "∂(a·a + a)/∂a at 3"
    came = make.derivatives(make.add(make.mul(a, a), a), [a], feeds, of)
    expect(came, [7.0], "the contributions of all uses are added up", of=of)
    u, of = make.mul(a, a), "∂(u·(u·u))/∂a and ∂(u·(u·u))/∂u for u = a·a, at a = 3"
    came = make.derivatives(make.mul(u, make.mul(u, u)), [a, u], feeds, of)
    expect(came, [6 * 3.0**5, 3 * 3.0**4],
           "a node passes its adjoint on when all its users have contributed", of=of)


@pytest.mark.question("q3", points=1.5)
def test_a_gradient_of_a_gradient(student):
    """x³ at 2: 12, then 12, then 6"""
    make = Maker(student)
    x = make.leaf("x")
    node, came = make.mul(make.mul(x, x), x), []
    for _ in range(3):
        (node,) = nodes(student.gradients(node, [x]), 1, of="a gradient with respect to one x")
        came.append(computed(node, {x: 2.0}, limit=6000))
    expect(came, [12.0, 12.0, 6.0], "a derivative that is a number has no derivative",
           of="the first three derivatives of x·x·x at 2")


@pytest.mark.question("q3", points=1.5)
def test_fed_nodes(student):
    """y = sin(u) + 3·x and u = x·x, where u is fed"""
    make = Maker(student)
    x, three = make.leaf("x"), make.number(3.0)
    u = make.mul(x, x)
    y = make.add(make.sin(u), make.mul(three, x))
    of = "∂y/∂x at x = 2, u fed with 0"
    came = make.derivatives(y, [x], {x: 2.0, u: 0.0}, of)
    expect(came, [4.0 + 3.0], "∂y/∂x is cos(u) · 2x + 3, with the fed number of u", of=of)
    of = "gradients(y, [x, u], [u]) at x = 2, u = 0"
    came = make.derivatives(y, [x, u], {x: 2.0, u: 0.0}, of, [u])
    expect(came, [3.0, 1.0], "with u fed, y depends on x and u as on two placeholders", of=of)


@pytest.mark.question("q3", points=1)
def test_each_node_passes_on_once(student):
    """x + x thirty times"""
    make = Maker(student)
    x, z = make.doublings(30)
    student.count_lines(student.gradients, z, [x], limit=100_000)
    of = "the derivative of x + x thirty times"
    expect(make.derivatives(z, [x], {x: 1.0}, of, limit=400), [2.0**30], of=of)


@pytest.mark.question("q3", points=0.5)
def test_gradients_of_long_chains(student):
    """1,200 negations"""
    make = Maker(student)
    x, z = make.graphs.chain(make.node, "neg", 1_200)
    of = "the derivative of 1,200 negations"
    with during(of, because=NESTED):
        student.without_recursion(student.gradients, z, [x])
    expect(make.derivatives(z, [z], {x: 1.0}, of), [1.0], of=of)


@pytest.mark.question("q3", points=0.5, corner=True)
def test_edges_of_gradients(student):
    """an x that y does not use, and y itself"""
    make = Maker(student)
    x, other = make.leaf("x"), make.leaf("other")
    y, of = make.exp(x), "the derivatives of exp(x) with respect to another placeholder, y and x"
    expect(make.derivatives(y, [other, y, x], {x: 0.0}, of), [0.0, 1.0, 1.0], of=of)
    of = "the derivatives of a placeholder with respect to itself and x, after that call"
    expect(make.derivatives(other, [other, x], {x: 0.0}, of), [1.0, 0.0], of=of)


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=4, core=True)
def test_a_program(student):
    """two inputs, two fetches, several calls; then the graph changes"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    product, five = make.mul(x, y), make.number(5.0)
    difference = make.sub(product, five)
    f = student.compiled([difference, x], [y, x])
    expect(f(2.0, 4.0), [3.0, 4.0], "the numbers go to the inputs in the order of the list",
           of="compiled([x·y - 5, x], [y, x])(2, 4)")
    expect(f(3.0, 1.0), [-2.0, 1.0], "it uses numbers of the call before", of="… then (3, 1)")
    g = student.compiled([difference], [product])
    expect(g(9.0), [4.0], "an op that is an input is not computed",
           of="compiled([x·y - 5], [x·y])(9)")
    make.graphs.change(five)
    expect(f(2.0, 4.0), [3.0, 4.0], "f reads the value of a constant when it is called",
           of="compiled([x·y - 5, x], [y, x])(2, 4), 5 being changed after compiled")
    make.graphs.change(difference)
    expect(f(2.0, 4.0), [3.0, 4.0], "f goes through the graph when it is called",
           of="compiled([x·y - 5, x], [y, x])(2, 4), an op being changed after compiled")


@pytest.mark.question("q4", points=1)
def test_each_node_once_in_a_call(student):
    """exp(x) used twice and fetched"""
    make = Maker(student)
    x = make.leaf("x")
    power = make.exp(x)
    square = make.mul(power, power)
    came, counts = make.graphs.counted_call(make.node, student.compiled, [square, power], [x], 0.0)
    expect(came, [1.0, 1.0], of="compiled([b * b, b], [x])(0), b = exp(x)")
    expect(counts.get("exp", 0) <= 1, True, "a call computes each node once (rule 5)",
           of="whether compiled and one call of f compute b once")


@pytest.mark.question("q4", points=1)
def test_a_missing_input_is_told_at_once(student):
    """a placeholder that is no input"""
    make = Maker(student)
    x, rate = make.leaf("x"), make.leaf("rate")
    step = make.mul(rate, x)
    z = make.sub(x, step)
    expect_key_error(student, "rate", "from compiled", student.compiled, [z], [x])
    expect(student.compiled([z], [x, step])(5.0, 3.0), [2.0],
           "rate is not needed where s is an input",
           of="compiled([x - s], [x, s])(5, 3), s = rate·x")


@pytest.mark.question("q4", points=1)
def test_large_programs(student):
    """20,000 negations; x + x thirty times"""
    make = Maker(student)
    x, z = make.graphs.chain(student.Node, "neg", 20_000)
    with during("20,000 negations", because=NESTED):
        f = student.without_recursion(student.compiled, [z], [x])
        came = student.without_recursion(f, 2.5)
    expect(came, [2.5], of="20,000 times -x at 2.5")
    x, z = make.doublings(30)
    f = student.compiled([z], [x])
    student.count_lines(f, 1.0, limit=100_000)
    expect(f(1.0), [2.0**30], of="x + x thirty times at 1")


@pytest.mark.question("q4", points=0.5, corner=True)
def test_edges_of_programs(student):
    """an input of 0; two results"""
    make = Maker(student)
    x = make.leaf("x")
    double = make.add(x, x)
    f = student.compiled([make.exp(double)], [double])
    expect(f(0.0), [1.0], "0 is a number like any other (rule 3)", of="compiled([exp(u)], [u])(0)")
    f = student.compiled([double], [x])
    expect(make.graphs.each(f, (2.0,), (0.0,)), [[4.0], [0.0]],
           "each call returns a list of its own (rule 2)", of="two results, compared afterwards")
