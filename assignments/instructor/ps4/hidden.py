"""The checks that grade ps4: what the visible ones ask, of other graphs and other numbers."""

import math
import operator

import pytest

from minigrad.course.grading import expect

GRAPHS = """
def leaf(Node, name):
    return Node("placeholder", (), name=name)

def number(Node, value):
    return Node("constant", (), value=value)

def op(Node, name, *inputs):
    return Node(name, inputs)

def chain(Node, name, count):
    x = z = Node("placeholder", (), name="x")
    for _ in range(count):
        z = Node(name, (z,))
    return x, z

def doublings(Node, count):
    x = z = Node("placeholder", (), name="x")
    for _ in range(count):
        z = Node("add", (z, z))
    return x, z

def forget(nodes):
    for node in nodes:
        node.inputs, node.op = (), "forgotten"
"""
COMPUTE = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "neg": operator.neg, "exp": math.exp, "log": math.log, "sin": math.sin, "cos": math.cos,
}  # fmt: skip


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


def computed(fetch, feeds, limit=300):
    """The number of a node, computed here: the student's graph is only read."""
    found, waiting = dict(feeds), [fetch]
    while waiting:
        here = waiting[-1]
        if here in found:
            waiting.pop()
            continue
        assert len(found) < limit, f"the graph of the gradient has more than {limit} nodes"
        name, inputs = here.op, list(here.inputs)
        assert name in COMPUTE or name == "constant", f"a node has the op {name!r}"
        lacking = [x for x in inputs if x not in found]
        waiting.extend(lacking)
        if not lacking:
            numbers = [found[x] for x in inputs]
            found[here] = here.value if name == "constant" else COMPUTE[name](*numbers)
    return found[fetch]


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


def number(rng):
    """A number that is neither near 0 nor near 1, of either sign."""
    return round(rng.uniform(1.2, 4.0) * rng.choice((-1, 1)), 3)


# q1 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q1", points=1, hint="Look at op, inputs, name and value of a leaf.")
def test_leaves(student, rng):
    """placeholder and constant"""
    x, a = student.placeholder("speed"), number(rng)
    expect((x.op, list(x.inputs), x.name), ("placeholder", [], "speed"), of="a placeholder")
    c = student.constant(a)
    expect((c.op, list(c.inputs), c.value), ("constant", [], a), of="a constant")
    expect(student.placeholder("speed") == x, False, of="two placeholders of one name are one")


@pytest.mark.question("q1", points=1, hint="Which op, and which operands, does each formula have?")
def test_an_op_keeps_its_operands(student):
    """every operator and function"""
    x, y = student.placeholder("x"), student.placeholder("y")
    made = {"add": x + y, "sub": x - y, "mul": x * y, "div": x / y}
    for name, z in made.items():
        expect((z.op, list(z.inputs)), (name, [x, y]), of=name)
    made = {name: student[name](y) for name in ("exp", "log", "sin", "cos")}
    for name, z in {**made, "neg": -y}.items():
        expect((z.op, list(z.inputs)), (name, [y]), of=name)


@pytest.mark.question("q1", points=1, hint="Try 2 / x, x / 2, and a whole number.")
def test_a_plain_number_becomes_a_constant(student, rng):
    """numbers on either side"""
    x, a = student.placeholder("x"), number(rng)
    for z, place in ((a / x, 0), (x / a, 1), (a - x, 0), (x - a, 1), (7 * x, 0)):
        inputs = list(z.inputs)
        expect(inputs[1 - place] == x, True, of="the operand that is a node")
        wanted = 7 if z.op == "mul" else a
        expect((inputs[place].op, inputs[place].value), ("constant", wanted), of="the number")


@pytest.mark.question("q1", points=1, hint="Nothing may be computed while the graph is built.")
def test_functions_wait_too(student):
    """formulas that would go wrong"""
    zero = student.constant(0.0)
    expect((student.constant(1.0) / zero).op, "div", of="1 / 0")
    expect(student.log(zero).op, "log", of="log(0)")
    expect((student.constant(2.0) + student.constant(3.0)).op, "add", of="2 + 3")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=1, hint="Run one graph with several feeds, one after another.")
def test_a_formula(student, rng):
    """one graph, several runs"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    z = make.div(make.sub(make.sin(x), y), make.mul(x, make.number(3.0)))
    for _ in range(2):
        a, b = number(rng), number(rng)
        expect(student.run(z, {x: a, y: b}), (math.sin(a) - b) / (a * 3.0), of="a formula")


@pytest.mark.question("q2", points=1, hint="A list of fetches gives a list in the same order.")
def test_several_fetches(student, rng):
    """a list of fetches"""
    make = Maker(student)
    x, a = make.leaf("x"), abs(number(rng))
    root, minus = make.log(x), make.neg(x)
    expect(student.run([minus, root, minus, x], {x: a}), [-a, math.log(a), -a, a], of="four")
    expect(student.run([root], {x: a}), [math.log(a)], of="a list of one")
    expect(student.run(x, {x: a}), a, of="a placeholder itself")


@pytest.mark.question("q2", points=1, hint="Feed a node in the middle, and a constant.")
def test_any_node_may_be_fed(student, rng):
    """ops and constants, fed"""
    make = Maker(student)
    x, three, a, b = make.leaf("x"), make.number(3.0), number(rng), number(rng)
    inner = make.exp(make.mul(x, three))
    outer = make.sub(make.div(inner, three), inner)
    expect(student.run(outer, {inner: a}), a / 3 - a, of="a node in the middle")
    expect(student.run(make.sub(x, three), {x: a, three: b}), a - b, of="a constant")
    expect(student.run([inner, outer], {inner: a, outer: b}), [a, b], of="what is fetched is fed")


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


@pytest.mark.question("q2", points=1, hint="KeyError(name), for the placeholder that is missing.")
def test_a_missing_feed(student, rng):
    """a placeholder that nobody fed"""
    make = Maker(student)
    x, width = make.leaf("x"), make.leaf("width")
    z = make.add(make.mul(x, x), make.exp(width))
    expect(student.run(z, {x: 2.0, width: 0.0}), 5.0, of="with all feeds")
    expect_key_error(lambda: student.run(z, {x: number(rng)}), "width")
    expect_key_error(lambda: student.run(width, {x: 1.0}), "width")


@pytest.mark.question("q2", points=1, hint="x + x forty times: compute each node once.")
def test_each_node_once(student):
    """x + x forty times"""
    x, z = student.define(GRAPHS).doublings(student.Node, 40)
    student.count_lines(student.run, z, {x: 3.0}, limit=100_000)
    expect(student.run(z, {x: 3.0}), 3.0 * 2.0**40, of="x + x forty times")


@pytest.mark.question("q2", points=1, hint="No recursion: a list of the nodes that wait.")
def test_long_chains(student):
    """25,000 nodes in a row"""
    x, z = student.define(GRAPHS).chain(student.Node, "neg", 25_001)
    expect(student.run(z, {x: 0.75}), -0.75, of="25,001 negations")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=2, hint="Each once, and every input before its users.")
def test_inputs_before_users(student):
    """near and far users, on either side"""
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


@pytest.mark.question("q3", points=1, hint="Fed nodes, and what only they needed, are left out.")
def test_cut_at_what_is_fed(student):
    """feeds in the middle"""
    make = Maker(student)
    a, one = make.leaf("a"), make.number(1.0)
    b = make.exp(make.mul(a, a))
    c = make.add(b, one)
    expect(list(student.needed([c], [b, a])), [one, c], of="b fed")
    expect(list(student.needed([c], [b, one])), [c], of="b and the constant fed")
    expect(list(student.needed([a])), [], of="a placeholder alone")


@pytest.mark.question("q3", points=1, hint="A chain of 25,000, and x + x forty times.")
def test_large_graphs(student):
    """a long chain; many ways"""
    graphs = student.define(GRAPHS)
    _, z = graphs.chain(student.Node, "sin", 25_000)
    expect(len(student.needed([z])), 25_000, of="a chain")
    _, z = graphs.doublings(student.Node, 40)
    student.count_lines(student.needed, [z], limit=100_000)
    expect(len(student.needed([z])), 40, of="x + x forty times")


# q4 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q4", points=2, hint="Compare each row of the table with a formula by hand.")
def test_the_rules(student, rng):
    """one op at a time"""
    make = Maker(student)
    p, q, a, b = make.leaf("a"), make.leaf("b"), abs(number(rng)), number(rng)
    wanted = {
        "add": (1, 1), "sub": (1, -1), "mul": (b, a), "div": (1 / b, -a / b**2), "neg": (-1,),
        "exp": (math.exp(a),), "log": (1 / a,), "sin": (math.cos(a),), "cos": (-math.sin(a),),
    }  # fmt: skip
    for name, slopes in wanted.items():
        operands = [p, q][: len(slopes)]
        # the slope of 3·op: the adjoint that comes from above counts too
        z = make.mul(make.number(3.0), getattr(make, name)(*operands))
        came = [computed(node, {p: a, q: b}) for node in student.gradients(z, operands)]
        expect(came, [3 * slope for slope in slopes], of=f"the slopes of 3 · {name}")


@pytest.mark.question("q4", points=1, hint="A node is complete when all its users have given.")
def test_several_uses_add_up(student, rng):
    """users near and far, on either side"""
    a = number(rng)
    for left in (True, False):
        make = Maker(student)
        x = make.leaf("x")
        b = make.mul(x, x)
        c = make.mul(b, b)
        z = make.mul(b, c) if left else make.mul(c, b)
        came = [computed(node, {x: a}) for node in student.gradients(z, [x, b])]
        expect(came, [6 * a**5, 3 * a**4], of="the slopes of b·(b·b), b = x·x, by x and b")


@pytest.mark.question("q4", points=1, hint="Ask for an x that y does not use, and for y itself.")
def test_no_way_from_x_to_y(student, rng):
    """no way; y itself; what only a user of y uses"""
    make = Maker(student)
    x, other, a = make.leaf("x"), make.leaf("other"), number(rng)
    y = make.sin(x)
    make.mul(y, other)
    nodes = student.gradients(y, [other, x, y])
    feeds = {x: a, other: a}
    expect([computed(node, feeds) for node in nodes], [0.0, math.cos(a), 1.0], of="three slopes")


@pytest.mark.question("q4", points=1, hint="The slope of sin(x) is the node cos(x).")
def test_a_gradient_of_a_gradient(student, rng):
    """sin, exp, 1 / x and log, twice"""
    a = abs(number(rng))
    wanted = {"sin": -math.sin(a), "exp": math.exp(a), "log": -1 / a**2, "inverse": 2 / a**3}
    for name, bend in wanted.items():
        make = Maker(student)
        x = make.leaf("x")
        y = make.div(make.number(1.0), x) if name == "inverse" else getattr(make, name)(x)
        (slope,) = student.gradients(y, [x])
        (node,) = student.gradients(slope, [x])
        expect(computed(node, {x: a}, limit=2000), bend, of=f"the second derivative of {name}")


@pytest.mark.question("q4", points=1, hint="x + x forty times: each node passes on once.")
def test_shared_nodes_are_passed_once(student):
    """x + x forty times; a long chain"""
    graphs = student.define(GRAPHS)
    x, z = graphs.doublings(student.Node, 40)
    student.count_lines(student.gradients, z, [x], limit=100_000)
    (slope,) = student.gradients(z, [x])
    expect(computed(slope, {x: 1.0}), 2.0**40, of="the slope of x + x forty times")
    x, z = graphs.chain(student.Node, "neg", 5_000)
    expect(len(student.gradients(z, [x])), 1, of="the slopes of 5,000 negations")


# q5 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q5", points=1, hint="Several inputs, several fetches, several calls.")
def test_a_function_of_numbers(student, rng):
    """inputs and fetches in any order"""
    make = Maker(student)
    x, y = make.leaf("x"), make.leaf("y")
    ratio, two = make.div(x, y), make.number(2.0)
    f = student.compiled([make.cos(ratio), two, y, ratio], [y, x])
    for _ in range(2):
        a, b = number(rng), number(rng)
        expect(f(b, a), [math.cos(a / b), 2.0, b, a / b], of="four fetches of x / y")


@pytest.mark.question("q5", points=1, hint="After `compiled`, nobody looks at the graph again.")
def test_the_graph_may_go(student, rng):
    """after compiling, the nodes forget"""
    make = Maker(student)
    x, a = make.leaf("x"), number(rng)
    steps = [make.mul(x, make.number(0.5))]
    for name in ("sin", "neg", "exp"):
        steps.append(getattr(make, name)(steps[-1]))
    f = student.compiled([steps[-1], steps[1]], [x])
    make.graphs.forget(steps)
    wanted = math.sin(a * 0.5)
    expect(f(a), [math.exp(-wanted), wanted], of="exp(-sin(x / 2)) and sin(x / 2)")


@pytest.mark.question("q5", points=1, hint="KeyError from compiled; an op may be an input.")
def test_what_is_missing_is_told_at_once(student, rng):
    """placeholders that are no inputs; ops that are"""
    make = Maker(student)
    x, depth, a, b = make.leaf("x"), make.leaf("depth"), number(rng), number(rng)
    middle = make.exp(depth)
    z = make.div(middle, x)
    expect_key_error(lambda: student.compiled([x, z], [x]), "depth")
    expect(student.compiled([z], [middle, x])(a, b), [a / b], of="an op as an input")


@pytest.mark.question("q5", points=1, hint="25,000 in a row, and x + x forty times.")
def test_long_programs(student):
    """a long chain; many ways"""
    graphs = student.define(GRAPHS)
    x, z = graphs.chain(student.Node, "neg", 25_001)
    expect(student.compiled([z], [x])(1.25), [-1.25], of="25,001 negations")
    x, z = graphs.doublings(student.Node, 40)
    f = student.compiled([z], [x])
    student.count_lines(f, 1.0, limit=100_000)
    expect(f(3.0), [3.0 * 2.0**40], of="x + x forty times")
